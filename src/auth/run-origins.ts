// Origins of web pages that may use the daemon for as long as a command runs: they go with its lease, by kill -9 too. One with a
// wildcard lets a browser ask whether it may; the request itself must carry the token of the run.

import { timingSafeEqual } from 'node:crypto';
import { sha256Hex } from '../model/hash.js';
import { parseOrigin } from '../model/web-origin.js';

export interface RunOrigins {
  /** Whether a page of this origin may be the page of a run. */
  admits(origin: string): boolean;
  /** Whether its request comes in: by its origin alone, or with this Authorization. */
  letsIn(origin: string, authorization: string | undefined): boolean;
  /** Lets pages in until the function it returns is called. */
  hold(origins: readonly string[], token: string): () => void;
}

const WILDCARDS: readonly string[] = ['http://localhost:*', 'http://127.0.0.1:*'];

/** An origin of a run as it is kept. Throws `invalid_request`. */
export function parseRunOrigin(text: string): string {
  return WILDCARDS.includes(text.trim()) ? text.trim() : parseOrigin(text);
}

export function createRunOrigins(): RunOrigins {
  const held = new Set<{ readonly origins: readonly string[]; readonly token: Buffer }>();
  const digest = (token: string) => Buffer.from(sha256Hex(token));
  const isOf = (origin: string, one: string) => one === origin || (one.endsWith(':*') && hasPort(origin, one));
  const heldFor = (origin: string) => [...held].filter(({ origins }) => origins.some((one) => isOf(origin, one)));
  return {
    admits: (origin) => held.size > 0 && heldFor(origin).length > 0,
    letsIn: (origin, authorization = '') => {
      const shown = digest(authorization.replace(/^Bearer /i, ''));
      return heldFor(origin).some(({ origins, token }) => origins.includes(origin) || timingSafeEqual(shown, token));
    },
    hold: (origins, token) => {
      const one = { origins, token: digest(token) };
      held.add(one);
      return () => void held.delete(one);
    },
  };
}

/** `http://localhost:5173` of `http://localhost:*`. */
function hasPort(origin: string, wildcard: string): boolean {
  const start = wildcard.slice(0, -1);
  return origin.startsWith(start) && /^\d{1,5}$/.test(origin.slice(start.length));
}
