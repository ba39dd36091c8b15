// Budgets: local limits on credits, per request, day and month. What is under way or unknown counts as spent,
// because it may be.

import { SvcdError } from '../model/errors.js';
import type { Database } from '../platform/open-database.js';
import { machineOfPayer, type RequireLiveMachine } from '../auth/live-machines.js';
import { ALL_PAYERS, openPayerLines, tokenOfPayer } from '../auth/payer-lines.js';
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

/** The budgets of a home or hub as people see and set them. */
export interface Budget {
  show(): Promise<BudgetState[]>;
  /** Sets a limit in credits; null removes it. */
  set(period: Period, limit: number | null): Promise<void>;
}

/** What is about to be reserved, or was. */
export interface Charge {
  /** Credits. */
  readonly price: number;
  /** Whose limits bound it: `all`, and a token, or a project, a user and a machine of a hub. */
  readonly payers: readonly string[];
}

/** The budgets of one file, judged in its own transactions. */
export interface LocalBudget extends Budget {
  /** The day a purchase made now is counted on. */
  day(): string;
  /**
   * Throws `budget` with the figures when `price` more would go over a limit of a payer; `taken` is what the same request
   * reserved before. To be called in the transaction that reserves it. Throws `invalid_token` or `machine_revoked` when
   * the payer is gone.
   */
  reserve(charge: Charge, taken?: number): void;
  /** Throws the same when a limit was lowered since it was reserved, or the payer is gone. */
  confirm(charge: Charge): void;
}

export interface BudgetParts {
  readonly calendar: Calendar;
  readonly tokenLimits: Pick<TokenLimitLedger, 'reserve' | 'confirm'>;
  readonly firstBudget: Pick<FirstBudget, 'end'>;
  readonly requireLiveMachine: RequireLiveMachine;
}

interface Limit {
  readonly payer: string;
  readonly period: Period | 'total';
  readonly credits: number;
}

/** Opens the budgets of one scope. */
export function openBudget(db: Database, scope: string, parts: BudgetParts): LocalBudget {
  const { calendar, tokenLimits, firstBudget, requireLiveMachine } = parts;
  const linesOf = openPayerLines(db, scope);
  const limits = db.prepare<[string], Limit>(
    `SELECT '${ALL_PAYERS}' AS payer, period, credits FROM budget WHERE scope = ?`,
  );
  const limitsOfPayer = db.prepare<[string, string], Limit>(
    `SELECT payer, period, credits FROM hub_budget WHERE scope = ? AND payer = ?`,
  );
  const put = db.prepare(
    `INSERT INTO budget (scope, period, credits) VALUES (?, ?, ?)
     ON CONFLICT (scope, period) DO UPDATE SET credits = excluded.credits`,
  );
  const remove = db.prepare(`DELETE FROM budget WHERE scope = ? AND period = ?`);
  const latest = db.prepare<[string, string], { day: string | null }>(
    `SELECT max(day) AS day FROM budget_use
     WHERE scope = ? AND payer = '${ALL_PAYERS}' AND day <= ? AND (reserved > 0 OR spent > 0)`,
  );

  const limitOf = (period: Period) => limits.all(scope).find((row) => row.period === period)?.credits ?? null;
  // A clock that was set back must not open a day again that has been spent from already; one that was once far ahead
  // must not close every day until then.
  const day = () => {
    const today = calendar.today();
    const last = latest.get(scope, calendar.lastCredibleDay())?.day ?? today;
    return last > today ? last : today;
  };
  const stateOf = (period: Period): BudgetState => ({
    period,
    limit: limitOf(period),
    spent: period === 'request' ? null : linesOf(ALL_PAYERS, day())[period],
  });

  /** Checks a price against what each payer spent besides it, and what the request took before. */
  const check = ({ price, payers }: Charge, reserved: number, taken: number) => {
    const today = day();
    for (const payer of payers) {
      const bounds = payer === ALL_PAYERS ? limits.all(scope) : limitsOfPayer.all(scope, payer);
      if (bounds.length === 0) continue;
      const lines = linesOf(payer, today);
      for (const { period, credits } of bounds) {
        const already = period === 'request' ? taken : lines[period] - reserved;
        if (already + price > credits) throw exceeded(payers, payer, period, credits, already, price);
      }
    }
  };
  const requireMachines = ({ payers }: Charge) => {
    for (const payer of payers) {
      const machine = machineOfPayer(payer);
      if (machine !== undefined) requireLiveMachine(machine);
    }
  };
  const tokensOf = ({ payers }: Charge) => payers.flatMap((payer) => tokenOfPayer(payer) ?? []);

  return {
    day,
    reserve: (charge, taken = 0) => {
      requireMachines(charge);
      check(charge, 0, taken);
      for (const token of tokensOf(charge)) tokenLimits.reserve(token, charge.price, day(), taken);
    },
    confirm: (charge) => {
      requireMachines(charge);
      check(charge, charge.price, 0);
      for (const token of tokensOf(charge)) tokenLimits.confirm(token, charge.price, day());
    },
    show: async () => PERIODS.map(stateOf),
    set: async (period, limit) => {
      if (limit === null) remove.run(scope, period);
      else put.run(scope, period, limit);
      firstBudget.end();
    },
  };
}

/** Says which limit of which of these payers another price would go over, and where that is raised. */
export function exceeded(
  payers: readonly string[],
  payer: string,
  period: Period | 'total',
  limit: number,
  already: number,
  price: number,
): SvcdError {
  const used = already === 0 && period === 'request' ? '' : ` (${already} spent or reserved)`;
  const ofHub = payers.some((one) => /^(project|user|machine):/.test(one));
  const whose = payer !== ALL_PAYERS ? ` of ${payer.replace(':', ' ')}` : ofHub ? ' of all projects together' : '';
  const per = period === 'total' ? '' : ` per ${period}`;
  return new SvcdError('budget', `the budget${whose}${per} is ${inCredits(limit)}${used}, and this costs ${price}`, {
    hint: !ofHub ? hintForHome(period) : `On the hub: "svcd hub budget set ${payer} --${period} N".`,
  });
}

function hintForHome(period: Period | 'total'): string {
  return period === 'request'
    ? `Raise it with "svcd budget set --${period} N".`
    : `Raise it with "svcd budget set --${period} N", or wait for the next ${period}.`;
}

function inCredits(amount: number): string {
  return amount === 1 ? '1 credit' : `${amount} credits`;
}
