// How answers leave: the X-Svcd-* headers, the balance, and one form for every refusal. Files: answer-asset.ts.
// Headers are one plain record, added to and handed on as it is: hono's c.body makes a Headers object of more than
// one, and V8 is slow with records that begin with a spread and go on. Either costs a tenth of a search.

import { asciiText, type Cost, type Source } from '../model/asset.js';
import { SvcdError, systemCode } from '../model/errors.js';
import { isReplaced } from '../platform/installation.js';
import { isDiskFull } from '../platform/files/home-folder.js';
import type { Log } from '../platform/log.js';
import { refusalOf, STATUS_OF } from '../api/refusal.js';

export interface AnswerFacts {
  readonly source: Source;
  /** Credits this request spent; 0 when not given. */
  readonly cost?: Cost;
  readonly reason?: string | undefined;
  /** In so many seconds svcd looks what became of an earlier purchase of it. */
  readonly looksAgainS?: number | undefined;
  /** Which default, and why that one. */
  readonly chosen?: string | undefined;
  /** The credit line it asks for. */
  readonly attribution?: string | undefined;
  readonly ageS?: number | undefined;
  /** False when it was paid for and could not be written down (yet). */
  readonly kept?: boolean | undefined;
  /** What players trip over in it. */
  readonly warnings?: readonly string[] | undefined;
  /** What a render has to expect of it. */
  readonly verdict?: string | undefined;
  /** What a search left out of the query, or suggests. */
  readonly searchNote?: string | undefined;
  /** Which of the stickers listed are svcd's own. */
  readonly shipped?: string | undefined;
  /** How much of the remote the library knows. */
  readonly library?: string | undefined;
  /** Credits of the account, as far as known. */
  readonly balance: number | undefined;
}

export const JSON_TYPE = 'application/json; charset=utf-8';

/** JSON text with the facts of where it came from. */
export function answerJson(body: string | Uint8Array<ArrayBuffer>, facts: AnswerFacts): Response {
  const headers = headersOf(facts);
  headers['Content-Type'] = JSON_TYPE;
  if (facts.source === 'default') headers['Cache-Control'] = 'no-store';
  return new Response(body, { headers });
}

/** How an error leaves: its status, its headers, and its code and message as JSON. */
export function refusalParts(error: SvcdError, balance?: number) {
  const headers = headersOf({ source: error.fromRemote ? 'remote' : 'library', cost: error.cost, balance });
  headers['Content-Type'] = JSON_TYPE;
  headers['Cache-Control'] = 'no-store';
  if (error.retryAfterS !== undefined) headers['Retry-After'] = String(Math.ceil(error.retryAfterS));
  if (error.allow !== undefined) headers['Allow'] = error.allow;
  return { status: STATUS_OF[error.code], headers, body: JSON.stringify(refusalOf(error)) };
}

/**
 * The error itself where it was foreseen; any other is logged, and becomes `internal` without detail. `isCopyOfFull` tells
 * whether a copy is served of a home whose disk is full, which cannot be written for that reason.
 */
export function foreseen(error: unknown, method: string, log: Log, isCopyOfFull = () => false): SvcdError {
  if (error instanceof SvcdError) return error;
  const isReadOnly = systemCode(error)?.startsWith('SQLITE_READONLY') === true;
  if (isDiskFull(error) || (isReadOnly && isCopyOfFull())) {
    return new SvcdError('disk_full', 'svcd cannot save this, because the disk is full', {
      cause: error,
      hint: 'Free some space on the disk of the home folder; "svcd doctor" says which it is.',
    });
  }
  if (isReadOnly) {
    return new SvcdError('home_not_writable', 'svcd cannot save this, because the home folder cannot be written', {
      cause: error,
      hint: 'Make it writable; then run "svcd stop" and "svcd start".',
    });
  }
  if (isReplaced()) {
    log.error('svcd was updated while it ran, and files that it needs are gone: "svcd restart" mends it', {
      method,
      why: error instanceof Error ? error.message : 'unknown',
    });
    const hint = 'Run "svcd restart"; nothing is lost by it.';
    return new SvcdError('internal', 'svcd was updated while it ran: "svcd restart" mends it', { cause: error, hint });
  }
  log.error('a request failed', { method, why: error instanceof Error ? error.message : 'unknown' });
  return new SvcdError('internal', 'svcd failed on this request; its log says more', { cause: error });
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
  looksAgainS,
  chosen,
  attribution,
  ageS,
  kept,
  warnings = [],
  verdict,
  searchNote,
  shipped,
  library,
  balance,
}: AnswerFacts): Record<string, string> {
  const headers: Record<string, string> = { 'X-Svcd-Source': source, 'X-Svcd-Cost': String(cost) };
  if (reason !== undefined) headers['X-Svcd-Reason'] = reason;
  if (looksAgainS !== undefined) headers['Retry-After'] = String(Math.ceil(looksAgainS));
  if (chosen !== undefined) headers['X-Svcd-Default'] = chosen;
  if (attribution !== undefined) headers['X-Svcd-Attribution'] = asciiText(attribution);
  if (ageS !== undefined) headers['Age'] = String(ageS);
  const told = kept === false ? ['not_kept', ...warnings] : warnings;
  if (told.length > 0) headers['X-Svcd-Warning'] = told.join(', ');
  if (verdict !== undefined) headers['X-Svcd-Verdict'] = verdict;
  if (searchNote !== undefined) headers['X-Svcd-Search'] = searchNote;
  if (shipped !== undefined) headers['X-Svcd-Shipped'] = shipped;
  if (library !== undefined) headers['X-Svcd-Library'] = library;
  if (balance !== undefined) headers['X-Service-Credits-Remaining'] = String(balance);
  return headers;
}
