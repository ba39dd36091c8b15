// The errors of exchanges that brought no answer: one sentence for each way to fail, without the Key.

import { SvcdError, systemCode } from '../model/errors.js';

const TOO_LARGE = 'UND_ERR_RES_EXCEEDED_MAX_SIZE';

/** There is no connection to the remote; `why` is for people. */
export function unreachedError(why: string, cause?: unknown): SvcdError {
  return new SvcdError('offline', `the remote cannot be reached (${why})`, { cause });
}

/** The whole exchange took too long. */
export function lateError(timeoutMs: number): SvcdError {
  return new SvcdError('timeout', `the remote did not answer within ${timeoutMs} ms`);
}

/** The remote takes requests and answers none: `offline` once it counts as away, `timeout` for one who can wait no longer. */
export function silentError(ms: number, code: 'offline' | 'timeout' = 'offline'): SvcdError {
  return new SvcdError(code, `the remote accepts requests but has not answered any for ${Math.round(ms / 1000)} s`);
}

/** A Key that no header can carry cannot be right. */
export function keyError(): SvcdError {
  return new SvcdError('invalid_key', 'the Key contains characters that no Key can have', {
    hint: 'Copy the whole Key, without spaces or line breaks.',
  });
}

/** What has to be done before sending failed in a way of its own. */
export function hookError(cause: unknown): SvcdError {
  return new SvcdError('internal', 'the request was not sent, because svcd could not prepare it', { cause });
}

/** An answer is longer than allowed, packed (as undici says it) or unpacked. */
export class TooLargeError extends Error {
  readonly code = TOO_LARGE;
}

/** The connection was made and no whole answer came: `upstream_failure`, or `internal` if it was not sent. */
export function lostError(cause: unknown, maxBytes: number): SvcdError {
  const code = systemCode(cause);
  if (code === 'UND_ERR_INVALID_ARG') return hookError(cause);
  const how =
    code === TOO_LARGE
      ? `the remote sent more than ${maxBytes} bytes`
      : code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH'
        ? 'the remote sent another length than it announced'
        : `the connection to the remote broke (${causeName(cause)})`;
  return new SvcdError('upstream_failure', how, { cause });
}

/** The codes of a certificate whose authority is not trusted. */
const UNTRUSTED = new Set([
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
]);

/** What to do about a failed connection, where more can be done than to wait. */
export function adviceOn(cause: unknown): string {
  if (!UNTRUSTED.has(systemCode(cause) ?? '')) return '';
  return ': svcd does not know who signed the certificate; "svcd config set caFile FILE" names a file of those it may trust besides';
}

/** A word for a cause: the system's code if it has one. */
export function causeName(cause: unknown): string {
  return systemCode(cause) ?? (cause instanceof Error ? cause.name : 'unknown');
}

/** A proxy did not lead to the remote: nothing of the request left. `proxy` as it may be shown; `what` is what it did, or cannot be. */
export function proxyError(proxy: string, what: string, cause?: unknown): SvcdError {
  const why = cause === undefined ? '' : ` (${causeName(cause)})`;
  return unreachedError(`the proxy ${proxy} ${what}${why}`, cause);
}
