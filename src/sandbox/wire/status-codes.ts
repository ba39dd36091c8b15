// Which HTTP status each code has (document, section 7), and the body of a refusal.

import type { ErrorCode, SvcdError } from '../../model/errors.js';

const STATUS: Partial<Record<ErrorCode, number>> = {
  invalid_key: 401,
  insufficient_credits: 402,
  key_disabled: 403,
  rate_limited: 429,
  not_enabled: 503,

  // Our choice from here on: the document shows these statuses without a code, or not at all.
  invalid_request: 400,
  duplicate_request: 409,
  busy: 429,
  timeout: 504,
  // A Key beyond its limits is rejected; how, is not shown, and 402 and 429 stand for other things.
  key_limit_exceeded: 403,
  permission_missing: 403,
  invalid_token: 401,
  not_found: 404,
  unknown_preset: 404,
  method_not_allowed: 405,
  body_too_large: 413,
  unsupported_media_type: 415,
  range_not_satisfiable: 416,
  upstream_failure: 502,
  interrupted: 503,
  damaged: 500,
};

/** Status of a code; 500 for one that the service does not use. */
export function statusOf(code: ErrorCode): number {
  return STATUS[code] ?? 500;
}

/** The first code with this status; `internal` when there is none. */
export function codeOfStatus(status: number): string {
  return Object.entries(STATUS).find(([, own]) => own === status)?.[0] ?? 'internal';
}

/** Body of a refusal: never a stack, never a cause. */
export function refusalOf({ code, message, hint }: SvcdError) {
  return { code, message, ...(hint === undefined ? {} : { hint }) };
}
