// What browsers are told for pages that may use the daemon (Fetch standard, "CORS protocol"). Never `*`, and never
// Allow-Credentials: such pages show the token, they do not ride on a cookie.

import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { ANSWER_HEADERS } from '../api/answer-headers.js';

/** Headers of answers that scripts may read, besides the few they always may. */
const EXPOSED = [
  ...Object.keys(ANSWER_HEADERS),
  'ETag',
  'Content-Length',
  'Content-Range',
  'Accept-Ranges',
  'Retry-After',
  'Age',
  'Allow',
].join(', ');

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE';

/** Headers of requests that scripts may set. */
const SETTABLE = [
  'Authorization',
  'Content-Type',
  'Cache-Control',
  'If-None-Match',
  'If-Range',
  'Range',
  'X-Svcd-Fallback',
  'X-Svcd-Deadline-Ms',
  'X-Svcd-Allow-Repay',
  'X-Svcd-Variant',
  'X-Svcd-Fresh',
].join(', ');

/** Names and values in turn, as Node takes them. */
type FlatHeaders = readonly string[];

/** What lets pages of an admitted origin read an answer. */
export function corsHeaders(origin: string): FlatHeaders {
  return ['Access-Control-Allow-Origin', origin, 'Access-Control-Expose-Headers', EXPOSED];
}

/** Whether a request only asks whether another one would be allowed. */
export function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined;
}

/** The answer to a preflight that came in. It is kept briefly, so that a new version's headers are soon known. */
export function preflightHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  return {
    'Access-Control-Allow-Methods': METHODS,
    'Access-Control-Allow-Headers': SETTABLE,
    'Access-Control-Max-Age': '600',
    ...(headers['access-control-request-private-network'] === 'true'
      ? { 'Access-Control-Allow-Private-Network': 'true' }
      : {}),
  };
}
