// What an account is told about itself: the bodies of /me and /usage. Field names but for
// `effective_credits_remaining` and `capabilities[].possible_count` are our choice.

import type { Capability } from '../contract/capability.js';
import type { Permission } from './control-requests.js';
import type { Key, KeyState } from './keyring.js';
import type { Purse } from './purse.js';

export interface LimitsAnswer {
  /** Credits; null for no limit. */
  per_request: number | null;
  daily: number | null;
  monthly: number | null;
}

export interface MeAnswer {
  key: {
    kind: Key['kind'];
    status: KeyState;
    limits: LimitsAnswer;
    permissions: readonly Permission[];
    /** The template whose package holds it. */
    template?: string;
  };
  /** Credits; below 0 when a refund took back what was spent already. */
  balance: number;
  /** Credits of rewards that are still locked. */
  pending_credits: number;
}

export interface UsageAnswer {
  /** Credits: the smaller of the balance and what the Key may still spend this month. */
  effective_credits_remaining: number;
  balance: number;
  key: { monthly_cap: number | null; monthly_remaining: number | null };
  capabilities: (Capability & { possible_count: number | null })[];
}

/** The body of GET /api/v1/me. */
export function meOf(key: Key, purse: Purse): MeAnswer {
  const { kind, state: status, permissions, template } = key;
  const told = { kind, status, limits: limitsOf(key), permissions };
  return {
    key: template === null ? told : { ...told, template },
    balance: purse.balance(key.account),
    pending_credits: purse.locked(key.account),
  };
}

/** The body of GET /api/v1/usage. */
export function usageOf(key: Key, purse: Purse, capabilities: readonly Capability[]): UsageAnswer {
  const effective = purse.effective(key);
  return {
    effective_credits_remaining: effective,
    balance: purse.balance(key.account),
    key: { monthly_cap: key.limits.monthly, monthly_remaining: purse.monthlyRest(key) },
    capabilities: capabilities.map((capability) => ({
      ...capability,
      possible_count: possibleCount(capability, effective),
    })),
  };
}

/** The limits of a Key under the names they have on the wire. */
export function limitsOf({ limits }: Key): LimitsAnswer {
  const { perRequest, daily, monthly } = limits;
  return { per_request: perRequest, daily, monthly };
}

/**
 * The document wants null for what is planned. A free call is not bounded by credits either, and a number
 * would claim a bound: null there too, and `cost: 0` says which of the two it is.
 */
function possibleCount({ cost }: Capability, credits: number): number | null {
  return cost === null || cost === 0 ? null : Math.floor(credits / cost);
}
