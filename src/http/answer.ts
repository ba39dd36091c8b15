// How answers leave: the X-Svcd-* headers, the balance, and one form for every refusal. Files: answer-asset.ts.

import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Source } from '../asset.js';
import { SvcdError } from '../errors.js';
import type { Log } from '../log.js';
import { refusalOf, STATUS_OF } from '../wire/refusal.js';

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
  /** Credits of the account, as far as known. */
  readonly balance: number | undefined;
}

export const JSON_TYPE = 'application/json; charset=utf-8';

/** JSON text with the facts of where it came from. */
export function answerJson(c: Context, body: string, facts: AnswerFacts): Response {
  const caching = facts.source === 'default' ? { 'Cache-Control': 'no-store' } : {};
  return c.body(body, 200, { 'Content-Type': JSON_TYPE, ...caching, ...headersOf(facts) });
}

/** The refusal an error stands for; anything unforeseen is logged and told as `internal`, without detail. */
export function answerError(c: Context, error: unknown, log: Log, balance: number | undefined): Response {
  const known = error instanceof SvcdError ? error : unforeseen(error, c, log);
  const status = STATUS_OF[known.code] as ContentfulStatusCode;
  return c.body(JSON.stringify(refusalOf(known)), status, {
    'Content-Type': JSON_TYPE,
    'Cache-Control': 'no-store',
    ...(known.retryAfterS === undefined ? {} : { 'Retry-After': String(Math.ceil(known.retryAfterS)) }),
    ...(known.allow === undefined ? {} : { Allow: known.allow }),
    ...headersOf({ source: 'library', balance }),
  });
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
  balance,
}: AnswerFacts): Record<string, string> {
  const headers: Record<string, string> = { 'X-Svcd-Source': source, 'X-Svcd-Cost': String(cost) };
  if (reason !== undefined) headers['X-Svcd-Reason'] = reason;
  if (chosen !== undefined) headers['X-Svcd-Default'] = chosen;
  if (ageS !== undefined) headers['Age'] = String(ageS);
  if (kept === false) headers['X-Svcd-Warning'] = 'not_kept';
  if (balance !== undefined) headers['X-Service-Credits-Remaining'] = String(balance);
  return headers;
}

function unforeseen(error: unknown, c: Context, log: Log): SvcdError {
  log.error('a request failed', {
    method: c.req.method,
    why: error instanceof Error ? error.message : 'unknown',
  });
  return new SvcdError('internal', 'svcd failed on this request; its log says more', { cause: error });
}
