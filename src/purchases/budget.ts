// Budgets: local limits on credits, per request, day and month. What is under way or unknown counts as spent,
// because it may be.

import { SvcdError } from '../model/errors.js';
import type { Database } from '../platform/open-database.js';
import type { TokenLimitLedger } from '../auth/token-limits.js';
import type { Calendar } from './calendar.js';
import type { FirstBudget } from './first-budget.js';

export const PERIODS = ['request', 'day', 'month'] as const;
export type Period = (typeof PERIODS)[number];

export interface BudgetState {
  readonly period: Period;
  /** Credits; null when there is no limit. */
  readonly limit: number | null;
  /** Credits spent or reserved in the present period; null for `request`. */
  readonly spent: number | null;
}

export interface Budget {
  /** The day a purchase made now is counted on. */
  day(): string;
  /**
   * Throws `budget` with the figures when `price` more would go over a limit of the home, or of the token that
   * spends; `taken` is what the same request reserved before. To be called in the transaction that reserves it.
   */
  reserve(price: number, tokenId?: number, taken?: number): void;
  /** Throws the same when a limit was lowered since `price` was reserved, or the token was revoked. */
  confirm(price: number, tokenId?: number): void;
  show(): BudgetState[];
  /** Sets a limit in credits; null removes it. */
  set(period: Period, limit: number | null): void;
}

/** Opens the budgets of one scope. */
export function openBudget(
  db: Database,
  scope: string,
  calendar: Calendar,
  tokenLimits: Pick<TokenLimitLedger, 'reserve' | 'confirm'>,
  firstBudget: Pick<FirstBudget, 'end'>,
): Budget {
  const limits = db.prepare<[string], { period: Period; credits: number }>(
    `SELECT period, credits FROM budget WHERE scope = ?`,
  );
  const put = db.prepare(
    `INSERT INTO budget (scope, period, credits) VALUES (?, ?, ?)
     ON CONFLICT (scope, period) DO UPDATE SET credits = excluded.credits`,
  );
  const remove = db.prepare(`DELETE FROM budget WHERE scope = ? AND period = ?`);
  const spent = db.prepare<[string, string, string], { credits: number }>(
    `SELECT coalesce(sum(CASE state WHEN 'refused' THEN 0 WHEN 'paid' THEN cost ELSE price END), 0) AS credits
     FROM purchase WHERE scope = ? AND day >= ? AND day <= ?`,
  );
  const latest = db.prepare<[string, string], { day: string | null }>(
    `SELECT max(day) AS day FROM purchase WHERE scope = ? AND day <= ? AND state <> 'refused'`,
  );

  const limitOf = (period: Period) => limits.all(scope).find((row) => row.period === period)?.credits ?? null;
  // A clock that was set back must not open a day again that has been spent from already; one that was once far ahead
  // must not close every day until then.
  const day = () => {
    const today = calendar.today();
    const last = latest.get(scope, calendar.lastCredibleDay())?.day ?? today;
    return last > today ? last : today;
  };
  const spentIn = (period: Exclude<Period, 'request'>) => {
    const today = day();
    const first = period === 'day' ? today : `${today.slice(0, 7)}-01`;
    return spent.get(scope, first, today)?.credits ?? 0;
  };
  const stateOf = (period: Period): BudgetState => ({
    period,
    limit: limitOf(period),
    spent: period === 'request' ? null : spentIn(period),
  });

  /** Checks a price against what was spent besides it, and what the request took before. */
  const check = (price: number, reserved: number, taken: number) => {
    for (const { period, credits } of limits.all(scope)) {
      const already = period === 'request' ? taken : spentIn(period) - reserved;
      if (already + price > credits) throw exceeded(period, credits, already, price);
    }
  };

  return {
    day,
    reserve: (price, tokenId, taken = 0) => {
      check(price, 0, taken);
      if (tokenId !== undefined) tokenLimits.reserve(tokenId, price, day(), taken);
    },
    confirm: (price, tokenId) => {
      check(price, price, 0);
      if (tokenId !== undefined) tokenLimits.confirm(tokenId, price, day());
    },
    show: () => PERIODS.map(stateOf),
    set: (period, limit) => {
      if (limit === null) remove.run(scope, period);
      else put.run(scope, period, limit);
      firstBudget.end();
    },
  };
}

function exceeded(period: Period, limit: number, already: number, price: number): SvcdError {
  const used = already === 0 && period === 'request' ? '' : ` (${already} spent or reserved)`;
  return new SvcdError('budget', `the budget per ${period} is ${inCredits(limit)}${used}, and this costs ${price}`, {
    hint:
      period === 'request'
        ? `Raise it with "svcd budget set --${period} N".`
        : `Raise it with "svcd budget set --${period} N", or wait for the next ${period}.`,
  });
}

function inCredits(amount: number): string {
  return amount === 1 ? '1 credit' : `${amount} credits`;
}
