// Whose credits a request may spend, and how accounts are told apart without naming a Key.

import { createHash } from 'node:crypto';
import type { SvcdError } from './errors.js';

export type Spender =
  /** Nobody's: everything local works, nothing can be bought. `error` when what was shown is not valid. */
  | { readonly kind: 'nobody'; readonly error?: SvcdError }
  /** The holder of a Key. Never logged, never stored. */
  | { readonly kind: 'key'; readonly key: string };

/** A short digest that tells Keys apart and cannot be turned back into one. */
export function keyIdOf(key: string): string {
  return createHash('sha256').update(`svcd key ${key}`).digest('hex').slice(0, 12);
}

/** Every local token begins like this, so that it can never be taken for a Key of the service. */
export const TOKEN_PREFIX = 'svcd_';

/** Whether a bearer is meant for svcd rather than for the remote. */
export function isLocalToken(bearer: string): boolean {
  return bearer.startsWith(TOKEN_PREFIX);
}
