// What an account is told about itself: the bodies of /me and /usage. Field names but for
// `effective_credits_remaining` and `capabilities[].possible_count` are our choice.

import { DOCUMENTED_CAPABILITIES, type Capability } from '../wire/capability.js';
import type { Account } from './account.js';

/** No Key of the sandbox has limits yet. */
const NO_LIMITS = { per_request: null, daily: null, monthly: null };

export interface MeAnswer {
  key: { kind: 'general'; status: string; limits: typeof NO_LIMITS };
  /** Credits. */
  balance: number;
}

export interface UsageAnswer {
  /** Credits: the smaller of the balance and what the Key may still spend this month. */
  effective_credits_remaining: number;
  balance: number;
  key: { monthly_cap: number | null };
  capabilities: (Capability & { possible_count: number | null })[];
}

/** The body of GET /api/v1/me. */
export function meOf(account: Account): MeAnswer {
  const status = account.findKeyState(account.key) ?? 'revoked';
  return { key: { kind: 'general', status, limits: NO_LIMITS }, balance: account.credits() };
}

/** The body of GET /api/v1/usage. */
export function usageOf(account: Account): UsageAnswer {
  const balance = account.credits();
  return {
    effective_credits_remaining: balance,
    balance,
    key: { monthly_cap: null },
    capabilities: DOCUMENTED_CAPABILITIES.map((capability) => ({
      ...capability,
      possible_count: possibleCount(capability, balance),
    })),
  };
}

/**
 * The document wants null for what is planned. A free call is not bounded by credits either, and a number
 * would claim a bound: null there too, and `cost: 0` says which of the two it is.
 */
function possibleCount({ cost }: Capability, credits: number): number | null {
  return cost === null || cost === 0 ? null : Math.floor(credits / cost);
}
