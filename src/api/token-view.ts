// How a token is told by GET /svcd/tokens: never the token itself.

import type { Permission } from '../model/spender.js';

export interface TokenView {
  readonly name: string;
  readonly only: readonly Permission[];
  /** Credits; null for no limit. `total` is for as long as it lives. */
  readonly limits: Readonly<Record<'request' | 'day' | 'month' | 'total', number | null>>;
  /** Credits spent or reserved. */
  readonly spent: Readonly<Record<'day' | 'month' | 'total', number>>;
  /** Whether it belongs to a command that runs, and ends with it. */
  readonly temporary: boolean;
  /** ISO 8601. */
  readonly created_at: string;
  readonly last_used_at: string | null;
}
