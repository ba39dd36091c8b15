// Making, listing and ending further tokens.

import type { Lease, TokenStore, TokenState, NewTokenOptions } from '../auth/token-store.js';
import type { TokenView } from '../api/token-view.js';

export interface KeepTokens {
  list(): TokenView[];
  /** The only time that a token is told. Throws `invalid_request` for a name that is taken. */
  add(wish: NewTokenOptions): { readonly token: string; readonly name: string };
  lease(wish: Omit<NewTokenOptions, 'name'>): Lease;
  /** Throws `not_found`. */
  revoke(name: string): void;
}

/** Keeps the tokens of one register. */
export function createKeepTokens(register: TokenStore): KeepTokens {
  return {
    list: () => register.list().map(viewOf),
    add: (wish) => ({ name: wish.name, token: register.add(wish) }),
    lease: (wish) => register.lease(wish),
    revoke: (name) => register.revoke(name),
  };
}

function viewOf({ name, only, limits, spent, temporary, createdAt, lastUsedAt }: TokenState): TokenView {
  return {
    name,
    only,
    limits,
    spent,
    temporary,
    created_at: new Date(createdAt).toISOString(),
    last_used_at: lastUsedAt === null ? null : new Date(lastUsedAt).toISOString(),
  };
}
