// What a plan costs against what may be spent: the budgets of the home and of the token, the account, and the ceiling of
// the request.

import { costOf, type Plan, type PlanSlot } from '../../api/plan.js';
import type { TokenState } from '../../auth/token-store.js';
import { keyIdOf, type Grant, type Spender } from '../../model/spender.js';
import type { AccountCache } from '../../purchases/sqlite/account-cache.js';
import type { Budget, Period } from '../../purchases/budget.js';

/** Credits that are left, by limit. */
export type Limits = NonNullable<Plan['left']>;
export type LimitsOf = (caller: LimitedCaller) => Promise<Limits>;

interface LimitedCaller {
  readonly spender: Spender;
  readonly grant: Grant | undefined;
  readonly seesBudgets: boolean;
}

export interface LimitParts {
  readonly budget: Pick<Budget, 'show'>;
  readonly tokens: { list(): readonly Pick<TokenState, 'name' | 'limits' | 'spent'>[] };
  readonly accounts: Pick<AccountCache, 'findBalance' | 'findBalanceTime'>;
}

/** What is left to a caller, as far as is known. */
export function createLimitsOf({ budget, tokens, accounts }: LimitParts): LimitsOf {
  return async ({ spender, grant, seesBudgets }) => {
    const states = seesBudgets ? await budget.show() : [];
    const home = (period: Period) => {
      const { limit = null, spent = null } = states.find((one) => one.period === period) ?? {};
      return limit === null ? null : Math.max(0, limit - (spent ?? 0));
    };
    const token = grant === undefined ? undefined : tokens.list().find(({ name }) => name === grant.name);
    const keyId = spender.kind === 'key' ? keyIdOf(spender.key) : undefined;
    const time = keyId === undefined ? undefined : accounts.findBalanceTime(keyId);
    return {
      request: least([home('request'), token?.limits.request ?? null]),
      day: home('day'),
      month: home('month'),
      token: token === undefined ? null : leftTo(token),
      account: keyId === undefined ? null : (accounts.findBalance(keyId) ?? null),
      account_as_of: time === undefined ? null : new Date(time).toISOString(),
    };
  };
}

function leftTo({ limits, spent }: Pick<TokenState, 'limits' | 'spent'>): number | null {
  const left = (['day', 'month', 'total'] as const).map((period) => {
    const limit = limits[period];
    return limit === null ? null : Math.max(0, limit - spent[period]);
  });
  return least(left);
}

function least(amounts: readonly (number | null)[]): number | null {
  const known = amounts.filter((one) => one !== null);
  return known.length === 0 ? null : Math.min(...known);
}

const WORDS = {
  request: 'are allowed in one request',
  day: 'are left today',
  month: 'are left this month',
  token: 'are left to this token',
  account: 'are left in the account',
  max_credits: 'are allowed by max_credits',
} as const;
type LimitName = keyof typeof WORDS;

/** What all of it costs, whether it can be paid, and what else could be. `mayBuy` is false while nothing can be bought. */
export function judge(
  planned: readonly PlanSlot[],
  limits: Limits | undefined,
  maxCredits: number | undefined,
  mayBuy: boolean,
) {
  const priced = planned.filter(({ cost }) => cost > 0);
  const cost = costOf(priced);
  const left: Record<LimitName, number | null> = {
    request: limits?.request ?? null,
    day: limits?.day ?? null,
    month: limits?.month ?? null,
    token: limits?.token ?? null,
    account: limits?.account ?? null,
    max_credits: maxCredits ?? null,
  };
  const names = Object.keys(WORDS) as LimitName[];
  // One request buys all of it, so the limit of a request holds for the whole.
  const exceeded = names.filter((name) => cost > (left[name] ?? Infinity));
  const shortOf = exceeded.toSorted((a, b) => left[a]! - left[b]!)[0] ?? null;
  const fits = shortOf === null && (mayBuy || cost === 0);
  const most = mayBuy ? Math.min(...names.map((name) => left[name] ?? Infinity)) : 0;
  let spent = 0;
  const affordable = priced.filter((one) => {
    if (spent + one.cost > most) return false;
    spent += one.cost;
    return true;
  });
  return {
    cost,
    fits,
    shortOf,
    wouldFit: fits ? [] : affordable.map(({ id }) => id),
    overBudget: shortOf === null ? undefined : overBudget(shortOf, cost, left[shortOf]!),
  };
}

function overBudget(name: LimitName, needed: number, left: number): string {
  return `${needed} credit${needed === 1 ? '' : 's'}, and ${left} ${left === 1 ? WORDS[name].replace('are ', 'is ') : WORDS[name]}`;
}
