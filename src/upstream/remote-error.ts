// The error that a refusal of the remote stands for: its code and message kept, judged by status and code alone.
// When it says to come back: the Retry-After header in both of its forms.

import { ERROR_CODES, LOCAL_CODES, SvcdError, type ErrorCode } from '../model/errors.js';
import { parseJsonRecord } from '../platform/json.js';
import type { RemoteAnswer, Exchange } from './exchange.js';

const BY_STATUS: Readonly<Record<number, ErrorCode>> = {
  400: 'invalid_request',
  401: 'invalid_key',
  402: 'insufficient_credits',
  403: 'key_disabled',
  404: 'not_found',
  405: 'method_not_allowed',
  408: 'timeout',
  409: 'duplicate_request',
  413: 'body_too_large',
  415: 'unsupported_media_type',
  429: 'rate_limited',
  499: 'timeout',
  503: 'not_enabled',
  504: 'timeout',
};

/**
 * Refusals of the request itself: the service's own, and what something in between answers in place of passing it
 * on. Not 408, 425, 499 and their like: those are also said of requests that were passed on.
 */
const REFUSALS: ReadonlySet<number> = new Set([
  400, 401, 402, 403, 404, 405, 406, 409, 410, 411, 413, 414, 415, 416, 417, 422, 429, 431,
]);

const OF_SVCD_ALONE: ReadonlySet<string> = new Set(LOCAL_CODES);

/** A service that says more is believed for an hour, and asked again: a slip of its clock must not end the work of a day. */
const LONGEST_WAIT_S = 3600;

/** The documented code of each status; a 503 or 504 without its own code is a failure of something between. */
const NEEDS_CODE: ReadonlySet<number> = new Set([503]);

/** The error an answer of status 300 or more stands for. */
export function remoteError(answer: RemoteAnswer): SvcdError {
  if (isRedirect(answer)) return redirected();
  const said = readBody(answer.bytes);
  const code = codeOf(answer, said.code);
  const message = said.message ?? `the remote answered ${answer.status}`;
  const retryAfterS = findRetryAfterS(answer);
  // A hub's advice is about this very svcd; the service's would be about programs it knows.
  const hint = answer.fromHub === true ? said.hint : undefined;
  return new SvcdError(code, message, { fromRemote: true, retryAfterS, hint });
}

/** The code that the answer itself names; undefined where something in between may have made it. */
export function namedCode({ bytes }: Pick<RemoteAnswer, 'bytes'>): string | undefined {
  return readBody(bytes).code;
}

/** Whether a refusal is about the rate of the Key's requests, not about this one: a busy service says so by its code. */
export function limitsKey({ status, bytes }: RemoteAnswer): boolean {
  return status === 429 && ['rate_limited', undefined].includes(readBody(bytes).code);
}

/** Whether the answer is a failure of which the service itself says nothing: something in between may have made it. */
export function isNamelessFailure({ status, bytes, fromHub }: RemoteAnswer): boolean {
  const { code } = readBody(bytes);
  return status >= 500 && (code === undefined || (fromHub !== true && OF_SVCD_ALONE.has(code)));
}

/** Whether the answer points elsewhere. It is not followed: that would carry the Key to wherever it says. */
export function isRedirect({ status }: RemoteAnswer): boolean {
  return status >= 300 && status < 400;
}

/** Whether an error answer to a paid call means for certain that nothing was charged. */
export function chargedNothing(answer: RemoteAnswer, kind: 'sticker' | 'image'): boolean {
  const { status } = answer;
  if (REFUSALS.has(status)) return true;
  const { code } = readBody(answer.bytes);
  if (status === 503 && code === 'not_enabled') return true;
  // Images are charged only once they are saved, so a failure the service itself tells of was free. Without a code
  // it comes from something in between, which knows nothing of what the service goes on to do.
  return kind === 'image' && status >= 500 && code !== undefined;
}

function redirected(): SvcdError {
  return new SvcdError('upstream_failure', 'the remote redirects to another address, which svcd does not follow', {
    hint: 'Check the base address of the service: "svcd config show".',
  });
}

/** Codes of svcd's own are believed of a hub, which is svcd too: what they say holds here as there, but that it does not run. */
function codeOf({ status, fromHub }: RemoteAnswer, said: string | undefined): ErrorCode {
  if (fromHub === true && said === 'not_running') return 'offline';
  const known = ERROR_CODES.find((code) => code === said && (fromHub === true || !OF_SVCD_ALONE.has(code)));
  if (known !== undefined) return known;
  if (NEEDS_CODE.has(status)) return 'upstream_failure';
  return BY_STATUS[status] ?? (status >= 500 ? 'upstream_failure' : 'invalid_request');
}

function readBody(bytes: Uint8Array): { code?: string; message?: string; hint?: string } {
  // A refusal need not be JSON; the status then says enough.
  const { code, message, hint } = parseJsonRecord(bytes.subarray(0, 65_536)) ?? {};
  return {
    ...(typeof code === 'string' ? { code } : {}),
    ...(typeof message === 'string' ? { message: message.slice(0, 500) } : {}),
    ...(typeof hint === 'string' ? { hint: hint.slice(0, 500) } : {}),
  };
}

/**
 * Seconds until asking again makes sense, at most an hour, or undefined when the answer does not say. A date is compared with the
 * answer's own Date header, so that neither clock need be right.
 */
function findRetryAfterS({ headers }: Pick<RemoteAnswer, 'headers'>): number | undefined {
  const value = headers['retry-after']?.trim();
  if (value === undefined) return undefined;
  if (/^\d+(\.\d+)?$/.test(value)) return Math.min(LONGEST_WAIT_S, Number(value));
  const waitMs = Date.parse(value) - Date.parse(headers['date'] ?? '');
  return Number.isFinite(waitMs) ? Math.min(LONGEST_WAIT_S, Math.max(0, Math.ceil(waitMs / 1000))) : undefined;
}

/** Milliseconds that the remote asks to wait; 0 when it does not say. */
export function retryAfterMs(result: Exchange): number {
  return result.kind === 'answer' ? (findRetryAfterS(result) ?? 0) * 1000 : 0;
}
