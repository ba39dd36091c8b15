// Sessions of svcd's own pages in a browser. A code, shown once and valid for a minute, is exchanged for a cookie. It is
// the only secret that ever stands in an address. Both are held in memory, so they end with the daemon.

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

export interface PageSessions {
  /** A new code, valid once. */
  openCode(): string;
  /** Value of a new session's cookie, which uses the code up; undefined for a code that is not valid. */
  exchange(code: string): string | undefined;
  /** Whether a request comes from one of our own pages and carries a live session. */
  has(headers: Headers): boolean;
  /** Ends all of them. */
  clear(): void;
}

/** Seconds that a code is valid. */
export const CODE_LIFE_S = 60;
// A person opens a page now and then; what opens more than this is no person.
const MOST = 32;

/** Sessions on a monotonic clock in milliseconds; `cookie` is the name of theirs. */
export function createPageSessions(monotonic: () => number, cookie: () => string): PageSessions {
  const codes: { digest: Buffer; until: number }[] = [];
  const sessions: Buffer[] = [];
  return {
    openCode: () => {
      const code = randomBytes(24).toString('base64url');
      codes.push({ digest: digestOf(code), until: monotonic() + CODE_LIFE_S * 1000 });
      if (codes.length > MOST) codes.shift();
      return code;
    },
    exchange: (code) => {
      const digest = digestOf(code);
      const at = codes.findIndex((one) => timingSafeEqual(one.digest, digest));
      const [found] = at === -1 ? [] : codes.splice(at, 1);
      if (found === undefined || found.until < monotonic()) return undefined;
      const session = randomBytes(24).toString('base64url');
      sessions.push(digestOf(session));
      if (sessions.length > MOST) sessions.shift();
      return session;
    },
    has: (headers) => {
      if (sessions.length === 0 || !isOwnPage(headers)) return false;
      const value = findCookie(headers.get('cookie') ?? '', cookie());
      if (value === undefined) return false;
      const digest = digestOf(value);
      return sessions.some((one) => timingSafeEqual(one, digest));
    },
    clear: () => {
      codes.length = 0;
      sessions.length = 0;
    },
  };
}

/** Whether one of our pages asks, or a person typed our address. SameSite alone would admit every port of this machine. */
function isOwnPage(headers: Headers): boolean {
  const site = headers.get('sec-fetch-site');
  if (site === 'same-origin') return true;
  return site === 'none' && headers.get('sec-fetch-mode') === 'navigate';
}

function findCookie(cookies: string, name: string): string | undefined {
  for (const part of cookies.split(';')) {
    const [key, ...value] = part.split('=');
    if (key?.trim() === name) return value.join('=').trim();
  }
  return undefined;
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
