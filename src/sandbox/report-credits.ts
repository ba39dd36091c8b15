// What an account is told about itself: the bodies of /me and /usage.

import type { Key } from './key-store.js';
import * as credits from './money/credit-account.js';
import type { SandboxState } from './state/sandbox-state.js';
import type { Answer } from './wire/answer-schemas.js';
import type { Capability } from './wire/capabilities.js';

/** The body of GET /api/v1/me. The balance is below 0 when a refund took back what was spent already. */
export function meOf(state: SandboxState, key: Key): Answer<'Me'> {
  const { kind, state: status, limits, permissions, template } = key;
  const told = { kind, status, limits, permissions: [...permissions] };
  return {
    key: template === null ? told : { ...told, template },
    balance: credits.balance(state, key.account),
    pending_credits: credits.locked(state, key.account),
  };
}

/** The body of GET /api/v1/usage. */
export function usageOf(state: SandboxState, key: Key, capabilities: readonly Capability[]): Answer<'Usage'> {
  const effective = credits.effective(state, key);
  return {
    effective_credits_remaining: effective,
    balance: credits.balance(state, key.account),
    key: { monthly_cap: key.limits.monthly, monthly_remaining: credits.monthlyRest(state, key) },
    capabilities: capabilities.map((one) => ({ ...one, possible_count: possibleCount(one, effective) })),
  };
}

/**
 * The document wants null for what is planned. A free call is not bounded by credits either, and a number
 * would claim a bound: null there too, and `cost: 0` says which of the two it is.
 */
function possibleCount({ cost }: Capability, left: number): number | null {
  return cost === null || cost === 0 ? null : Math.floor(left / cost);
}
