// The one error that the client throws.

import type { ErrorCode, ErrorDetail } from './client-types.js';

export class SvcdError extends Error {
  declare readonly code: ErrorCode;
  /** Undefined where no answer came. */
  declare readonly status: number | undefined;
  /** What can be done about it. */
  declare readonly hint: string | undefined;
  declare readonly retryAfterS: number | undefined;

  constructor(code: ErrorCode, message: string, { status, hint, retryAfterS, cause }: ErrorDetail = {}) {
    super(message, cause === undefined ? undefined : { cause });
    Object.assign(this, { name: 'SvcdError', code, status, hint, retryAfterS });
  }
}

/** Whether an unknown is an error of svcd, of one of these codes if any are given; of another copy of this file too. */
export function isSvcdError(error: unknown, ...codes: readonly ErrorCode[]): error is SvcdError {
  const { name, code } = Object(error) as { name?: unknown; code?: ErrorCode };
  return error instanceof Error && name === 'SvcdError' && (codes.length === 0 || codes.includes(code ?? ''));
}

/** A connection that failed. `isUnsent` only where it is certain that nothing of the request has left. */
export class LostConnection extends SvcdError {
  readonly isUnsent: boolean;

  constructor(isUnsent: boolean, message: string, cause?: unknown, hint = usualHint()) {
    super('not_running', message, { hint, cause });
    this.isUnsent = isUnsent;
  }
}

/** A page is not told that svcd refused its origin. */
function usualHint(): string {
  const { origin } = (globalThis as { location?: { origin?: string } }).location ?? {};
  return 'Start it with "svcd start".' + (origin ? ` To allow this page: "svcd config origins add ${origin}".` : '');
}

export function invalidArgument(name: string, wanted: string, value: unknown): SvcdError {
  return new SvcdError(
    'invalid_argument',
    `${name} must be ${wanted}, got ${typeof value === 'number' ? value : JSON.stringify(value)}`,
  );
}

/** An answer that is not what was asked for. */
export function unexpected(what: string, status?: number, cause?: unknown): SvcdError {
  return new SvcdError('upstream_failure', what, { status, cause });
}
