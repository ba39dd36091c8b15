// Who may talk to the daemon, before anything else is looked at: only our own names in Host, and no web page
// of another origin. What a caller may then do is a question of its bearer.

import { SvcdError } from '../errors.js';
import type { Fetch } from './listen.js';

/** The answer to a request that went wrong. */
export type Refuse = (error: unknown, request: Request) => Response;

const OWN_NAMES: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]']);

/**
 * Lets requests through to `fetch`, except those with a foreign Host (DNS rebinding) or from a cross-site browser,
 * which get what `refuse` says. `port` is known once the daemon listens.
 */
export function behindGate(fetch: Fetch, port: () => number, refuse: Refuse): Fetch {
  return (request) => {
    try {
      requireOwnCaller(request.headers, port());
    } catch (error) {
      return refuse(error, request);
    }
    return fetch(request);
  };
}

function requireOwnCaller(headers: Headers, port: number): void {
  requireOwnHost(headers.get('host'), port);
  requireOwnSite(headers.get('sec-fetch-site'));
  requireOwnOrigin(headers.get('origin'), port);
}

function requireOwnHost(host: string | null, port: number): void {
  if (host !== null && isOwn(host, port)) return;
  throw new SvcdError('forbidden_host', 'the Host header does not name this daemon', {
    hint: `Use http://127.0.0.1:${port} or http://localhost:${port}.`,
  });
}

function requireOwnSite(site: string | null): void {
  if (site === null || site === 'same-origin' || site === 'none') return;
  throw new SvcdError('forbidden_origin', 'pages of other sites may not use this daemon');
}

function requireOwnOrigin(origin: string | null, port: number): void {
  if (origin === null) return;
  if (origin.startsWith('http://') && isOwn(origin.slice('http://'.length), port)) return;
  throw new SvcdError('forbidden_origin', 'pages of other origins may not use this daemon');
}

function isOwn(host: string, port: number): boolean {
  const colon = host.lastIndexOf(':');
  const bare = colon === -1 || host.endsWith(']');
  const [name, number] = bare ? [host, '80'] : [host.slice(0, colon), host.slice(colon + 1)];
  return OWN_NAMES.has(name.toLowerCase()) && number === String(port);
}
