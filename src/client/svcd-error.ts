// The one error that the client throws.

import type { ErrorCode } from './client-types.js';

export interface ErrorDetail {
  /** HTTP status of the answer that says so. */
  readonly status?: number | undefined;
  /** What can be done about it. */
  readonly hint?: string | undefined;
  readonly retryAfterS?: number | undefined;
  readonly cause?: unknown;
}

export class SvcdError extends Error {
  readonly code: ErrorCode;
  /** Undefined where no answer came. */
  readonly status: number | undefined;
  readonly hint: string | undefined;
  readonly retryAfterS: number | undefined;

  constructor(code: ErrorCode, message: string, detail: ErrorDetail = {}) {
    super(message, detail.cause === undefined ? undefined : { cause: detail.cause });
    this.name = 'SvcdError';
    this.code = code;
    this.status = detail.status;
    this.hint = detail.hint;
    this.retryAfterS = detail.retryAfterS;
  }
}

/** Whether an unknown is an error of svcd, of one of these codes if any are given; of another copy of this file too. */
export function isSvcdError(error: unknown, ...codes: readonly ErrorCode[]): error is SvcdError {
  if (!(error instanceof Error) || error.name !== 'SvcdError' || !('code' in error)) return false;
  return codes.length === 0 || codes.includes(error.code as ErrorCode);
}

/** A connection that failed. `isUnsent` only where it is certain that nothing of the request has left. */
export class LostConnection extends SvcdError {
  readonly isUnsent: boolean;

  constructor(isUnsent: boolean, message: string, detail: ErrorDetail = {}) {
    super('not_running', message, { hint: 'Start it with "svcd start".', ...detail });
    this.isUnsent = isUnsent;
  }
}

export function invalidArgument(message: string): SvcdError {
  return new SvcdError('invalid_argument', message);
}
