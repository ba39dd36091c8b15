// The answer to whom the gate does not let in: the usual form of a refusal, and nothing of any account.

import type { ServerResponse } from 'node:http';
import type { SvcdError } from '../model/errors.js';
import { refusalOf, STATUS_OF } from '../contract/refusal.js';
import { headersOf, JSON_TYPE } from './answer.js';

/** Answers with the refusal; a body that still comes is thrown away by Node, within the time a request may take. */
export function refuseCaller(response: ServerResponse, error: SvcdError): void {
  const body = JSON.stringify(refusalOf(error));
  response
    .writeHead(STATUS_OF[error.code], {
      ...headersOf({ source: 'library', balance: undefined }),
      'Content-Type': JSON_TYPE,
      'Content-Length': Buffer.byteLength(body),
      'Cache-Control': 'no-store',
    })
    .end(body);
}
