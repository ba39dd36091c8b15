// The error of a proxy that did not lead to the remote: nothing of the request left.

import type { SvcdError } from '../model/errors.js';
import { causeName, unreachedError } from './exchange-error.js';

/** `proxy` as it may be shown; `what` is what it did, or cannot be. */
export function proxyError(proxy: string, what: string, cause?: unknown): SvcdError {
  const why = cause === undefined ? '' : ` (${causeName(cause)})`;
  return unreachedError(`the proxy ${proxy} ${what}${why}`, cause);
}
