// Who may talk to the daemon, before anything else is looked at: only our own names in Host, and no web page
// of another origin. What a caller may then do is a question of its bearer.

import type { MiddlewareHandler } from 'hono';
import { SvcdError } from '../errors.js';

const OWN_NAMES: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** Refuses foreign Hosts (DNS rebinding) and cross-site browsers. `port` is known once the daemon listens. */
export function createGate(port: () => number): MiddlewareHandler {
  return async (c, next) => {
    requireOwnHost(c.req.header('host'), port());
    requireOwnSite(c.req.header('sec-fetch-site'));
    requireOwnOrigin(c.req.header('origin'), port());
    await next();
  };
}

function requireOwnHost(host: string | undefined, port: number): void {
  if (host !== undefined && isOwn(host, port)) return;
  throw new SvcdError('forbidden_host', 'the Host header does not name this daemon', {
    hint: `Use http://127.0.0.1:${port} or http://localhost:${port}.`,
  });
}

function requireOwnSite(site: string | undefined): void {
  if (site === undefined || site === 'same-origin' || site === 'none') return;
  throw new SvcdError('forbidden_origin', 'pages of other sites may not use this daemon');
}

function requireOwnOrigin(origin: string | undefined, port: number): void {
  if (origin === undefined) return;
  if (origin.startsWith('http://') && isOwn(origin.slice('http://'.length), port)) return;
  throw new SvcdError('forbidden_origin', 'pages of other origins may not use this daemon');
}

function isOwn(host: string, port: number): boolean {
  const colon = host.lastIndexOf(':');
  const bare = colon === -1 || host.endsWith(']');
  const [name, number] = bare ? [host, '80'] : [host.slice(0, colon), host.slice(colon + 1)];
  return OWN_NAMES.has(name.toLowerCase()) && number === String(port);
}
