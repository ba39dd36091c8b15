// How answers leave: the X-Svcd-* headers, the balance, and one form for every refusal. Files: answer-asset.ts.
// Headers are one plain record, added to and handed on as it is: hono's c.body makes a Headers object of more than
// one, and V8 is slow with records that begin with a spread and go on. Either costs a tenth of a search.

import type { ServerResponse } from 'node:http';
import type { Source } from '../model/asset.js';
import { SvcdError } from '../model/errors.js';
import type { Log } from '../platform/log.js';
import { refusalOf, STATUS_OF } from '../contract/refusal.js';

export interface AnswerFacts {
  readonly source: Source;
  /** Credits this request spent; 0 when not given. */
  readonly cost?: number;
  readonly reason?: string | undefined;
  /** Which default, and why that one. */
  readonly chosen?: string | undefined;
  readonly ageS?: number | undefined;
  /** False when it was paid for and could not be written down (yet). */
  readonly kept?: boolean | undefined;
  /** What a search left out of the query, or suggests. */
  readonly searchNote?: string | undefined;
  /** How much of the remote the library knows. */
  readonly library?: string | undefined;
  /** Credits of the account, as far as known. */
  readonly balance: number | undefined;
}

export const JSON_TYPE = 'application/json; charset=utf-8';

/** An answer before it is hono's or Node's. */
export interface PlainAnswer {
  readonly status: number;
  /** Without its length. */
  readonly headers: Record<string, string>;
  /** Text, encoded or not. */
  readonly body: string | Uint8Array<ArrayBuffer>;
}

/** JSON text with the facts of where it came from. */
export function answerJson(body: PlainAnswer['body'], facts: AnswerFacts): Response {
  return toResponse(plainJson(body, facts));
}

/** The same, before it is hono's or Node's. */
export function plainJson(body: PlainAnswer['body'], facts: AnswerFacts): PlainAnswer {
  const headers = headersOf(facts);
  headers['Content-Type'] = JSON_TYPE;
  if (facts.source === 'default') headers['Cache-Control'] = 'no-store';
  return { status: 200, headers, body };
}

/** As hono takes it. */
export function toResponse({ status, headers, body }: PlainAnswer): Response {
  return new Response(body, { status, headers });
}

/** As Node writes it. */
export function writeAnswer(response: ServerResponse, { status, headers, body }: PlainAnswer): void {
  headers['Content-Length'] = String(typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength);
  response.writeHead(status, headers).end(body);
}

/** The refusal an error stands for; anything unforeseen is logged and told as `internal`, without detail. */
export function plainRefusal(
  error: unknown,
  method: string,
  log: Log,
  balance: number | undefined,
): PlainAnswer {
  const known = error instanceof SvcdError ? error : unforeseen(error, method, log);
  const headers = headersOf({ source: known.fromRemote ? 'remote' : 'library', balance });
  headers['Content-Type'] = JSON_TYPE;
  headers['Cache-Control'] = 'no-store';
  if (known.retryAfterS !== undefined) headers['Retry-After'] = String(Math.ceil(known.retryAfterS));
  if (known.allow !== undefined) headers['Allow'] = known.allow;
  return { status: STATUS_OF[known.code], headers, body: JSON.stringify(refusalOf(known)) };
}

/** Bytes as a body: exactly their part of the memory they lie in. */
export function bodyOf(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return bytes as Uint8Array<ArrayBuffer>;
}

/** The X-Svcd-* headers and the balance. */
export function headersOf({
  source,
  cost = 0,
  reason,
  chosen,
  ageS,
  kept,
  searchNote,
  library,
  balance,
}: AnswerFacts): Record<string, string> {
  const headers: Record<string, string> = { 'X-Svcd-Source': source, 'X-Svcd-Cost': String(cost) };
  if (reason !== undefined) headers['X-Svcd-Reason'] = reason;
  if (chosen !== undefined) headers['X-Svcd-Default'] = chosen;
  if (ageS !== undefined) headers['Age'] = String(ageS);
  if (kept === false) headers['X-Svcd-Warning'] = 'not_kept';
  if (searchNote !== undefined) headers['X-Svcd-Search'] = searchNote;
  if (library !== undefined) headers['X-Svcd-Library'] = library;
  if (balance !== undefined) headers['X-Service-Credits-Remaining'] = String(balance);
  return headers;
}

function unforeseen(error: unknown, method: string, log: Log): SvcdError {
  log.error('a request failed', { method, why: error instanceof Error ? error.message : 'unknown' });
  return new SvcdError('internal', 'svcd failed on this request; its log says more', { cause: error });
}
