// The headers of a request as those read them who judge it, whether they came with hono's Request or with Node's.

import type { IncomingMessage } from 'node:http';

/** Names in lower case; the values of a header that came twice are joined. */
export type HeaderReader = Pick<Headers, 'get' | 'has'>;

/** The headers of a request as Node has read it (`joinDuplicateHeaders` being set). */
export function readIncoming({ headers }: IncomingMessage): HeaderReader {
  return {
    get: (name) => (headers[name] as string | undefined) ?? null,
    has: (name) => headers[name] !== undefined,
  };
}
