// What an origin of web pages is, as the user names it and as browsers send it: scheme, host and port, nothing else.

import { SvcdError } from './errors.js';

const EXAMPLE = 'http://localhost:3000';

/**
 * The origin as a browser sends it: lower case, no slash at its end, no port that is the scheme's own. Throws
 * `invalid_request`, with the reason, for what is no origin or would let in more than one.
 */
export function parseOrigin(text: string): string {
  const given = text.trim();
  if (given.toLowerCase() === 'null') throw wrong(given, NULL_REASON);
  if (given.includes('*')) throw wrong(given, 'wildcards are not allowed: add each origin by itself');
  if (!/^https?:\/\/[^/]/i.test(given)) throw wrong(given, 'it must begin with http:// or https://');
  if (/[\s\\%]/.test(given) || !URL.canParse(given)) throw wrong(given, 'it is not an address');
  const url = new URL(given);
  if (url.username !== '' || url.password !== '') throw wrong('it', 'it must not name a user');
  if (url.pathname !== '/' || /[?#]/.test(given)) {
    throw wrong(given, `it must be scheme, host and port only, such as ${EXAMPLE}`);
  }
  return url.origin;
}

/** Whether others on the network could impersonate this origin: plain http to another machine. */
export function isSpoofable(origin: string): boolean {
  const { protocol, hostname } = new URL(origin);
  if (protocol === 'https:') return false;
  return !isLoopback(hostname);
}

/** Whether a host of a URL is this machine. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost') || /^(127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}

const NULL_REASON = 'every sandboxed frame and every local file has the origin null, so it would allow any page';

function wrong(given: string, reason: string): SvcdError {
  return new SvcdError('invalid_request', `origin: ${shown(given)} is not accepted: ${reason}`, {
    hint: `An origin is what the address bar shows before the first single slash, such as ${EXAMPLE}.`,
  });
}

function shown(text: string): string {
  if (text === 'it') return 'what was given';
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
