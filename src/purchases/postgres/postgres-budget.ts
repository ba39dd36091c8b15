// Budgets in PostgreSQL: lines that the journal's triggers keep, and that are looked at in the transaction which has just
// raised them and holds them. So no two hubs can each take the last credit.

import type { Database } from '../../platform/open-database.js';
import type { Postgres, Transaction } from '../../platform/postgres/transaction.js';
import { ALL_PAYERS, payerOfToken, tokenOfPayer } from '../../auth/payer-lines.js';
import { SvcdError } from '../../model/errors.js';
import { tokenExceeded, type TokenSpending } from '../../auth/token-limits.js';
import { exceeded, PERIODS, type Budget, type BudgetState, type Period } from '../budget.js';

export interface PostgresCharge {
  readonly payers: readonly string[];
  /** Credits, in the lines already. */
  readonly price: number;
  /** The day it is counted on. */
  readonly day: string;
  /** What the same request reserved before. */
  readonly taken?: number;
}

export interface PostgresBudget extends Budget {
  /** Throws `budget` when a line that this charge has raised is over its limit; `invalid_token` when its token is gone. */
  check(tx: Transaction, charge: PostgresCharge): Promise<void>;
  /** The name of a payer in the database: tokens of two hubs have the same numbers. */
  payerHere(payer: string): string;
  /** What a token of this hub is called; null when it is gone. */
  nameOfToken(tokenId: number): string | null;
}

interface TokenRow {
  readonly name: string;
  readonly request: number | null;
  readonly day: number | null;
  readonly month: number | null;
  readonly total: number | null;
}

interface Over {
  readonly payer: string;
  readonly period: Period | 'total';
  readonly credits: number;
  readonly already: number;
}

const LIMITS = ['request', 'day', 'month', 'total'] as const;

/** Opens the budgets of one scope; `local` has this hub's own tokens, `home` tells it from other hubs. */
export function openPostgresBudget(db: Postgres, scope: string, local: Database, home: string): PostgresBudget {
  const findToken = local.prepare<[number], TokenRow>(
    `SELECT name, per_request AS request, per_day AS day, per_month AS month, in_total AS total
     FROM token WHERE id = ? AND revoked_at IS NULL`,
  );
  const suffix = `@${home}`;
  const checkToken = async (tx: Transaction, payer: string, { price, day, taken = 0 }: PostgresCharge) => {
    const id = tokenOfPayer(payer.slice(0, -suffix.length));
    if (id === undefined || !payer.endsWith(suffix)) return;
    const token = findToken.get(id);
    if (token === undefined) throw new SvcdError('invalid_token', 'the token was revoked');
    const used = await linesOf(tx, scope, payer, day);
    for (const period of LIMITS) {
      const already = period === 'request' ? taken : used[period] - price;
      const limit = token[period];
      if (limit !== null && already + price > limit) throw tokenExceeded(token.name, period, limit, already, price);
    }
  };

  return {
    check: async (tx, charge) => {
      const { payers, price, day, taken = 0 } = charge;
      const over = await tx.one<Over>(
        `SELECT l.payer, l.period, l.credits,
           CASE l.period WHEN 'request' THEN $4::bigint ELSE coalesce(u.reserved + u.spent, 0) - $3::bigint END AS already
         FROM hub_budget AS l LEFT JOIN budget_use AS u ON u.scope = l.scope AND u.payer = l.payer AND u.period = l.period
           AND u.starts_on = budget_starts(l.period, $5::date)
         WHERE l.scope = $1 AND l.payer = ANY($2)
           AND CASE l.period WHEN 'request' THEN $4::bigint + $3::bigint ELSE coalesce(u.reserved + u.spent, 0) END > l.credits
         ORDER BY array_position($2::text[], l.payer), array_position(ARRAY['request', 'day', 'month', 'total'], l.period) LIMIT 1`,
        [scope, payers, price, taken, day],
      );
      if (over !== undefined) throw exceeded(payers, over.payer, over.period, over.credits, over.already, price);
      for (const payer of payers) await checkToken(tx, payer, charge);
    },
    payerHere: (payer) => (tokenOfPayer(payer) === undefined ? payer : `${payer}${suffix}`),
    nameOfToken: (id) => findToken.get(id)?.name ?? null,
    show: async () => {
      const limits = await db.all<{ period: Period; credits: number }>(
        'SELECT period, credits FROM hub_budget WHERE scope = $1 AND payer = $2',
        [scope, ALL_PAYERS],
      );
      const today = await db.one<{ day: string }>('SELECT svcd_today($1) AS day', [scope]);
      const used = await linesOf(db, scope, ALL_PAYERS, today?.day ?? '');
      return PERIODS.map((period): BudgetState => {
        const limit = limits.find((one) => one.period === period)?.credits ?? null;
        return { period, limit, spent: period === 'request' ? null : used[period] };
      });
    },
    set: (period, limit) => setLimit(db, scope, ALL_PAYERS, period, limit),
  };
}

/** What this hub's tokens spent, as last asked: its lists are made without waiting. */
export interface TokenSpendingHere {
  spent(this: void, tokenId: number): TokenSpending;
  /** Asks the database. Throws `database_away`. */
  refresh(): Promise<void>;
}

export function watchTokenSpending(db: Postgres, scope: string, home: string): TokenSpendingHere {
  let lines = new Map<string, Used>();
  return {
    spent: (tokenId) => lines.get(`${payerOfToken(tokenId)}@${home}`) ?? NOTHING_USED,
    refresh: async () => {
      const rows = await db.all<{ payer: string; period: keyof Used; credits: number }>(
        `SELECT payer, period, reserved + spent AS credits FROM budget_use
         WHERE scope = $1 AND payer LIKE 'token:%@' || $2 AND starts_on = budget_starts(period, svcd_today($1))`,
        [scope, home],
      );
      const found = new Map<string, Used>();
      for (const { payer, period, credits } of rows)
        found.set(payer, { ...(found.get(payer) ?? NOTHING_USED), [period]: credits });
      lines = found;
    },
  };
}

/** Sets a limit of a payer in credits; null removes it. */
export async function setLimit(
  db: Postgres,
  scope: string,
  payer: string,
  period: Period | 'total',
  credits: number | null,
): Promise<void> {
  await db.transaction(async (tx) => {
    const key = [scope, payer, period];
    if (credits === null) {
      await tx.run('DELETE FROM hub_budget WHERE scope = $1 AND payer = $2 AND period = $3', key);
    } else {
      await tx.run(
        `INSERT INTO hub_budget (scope, payer, period, credits) VALUES ($1, $2, $3, $4)
         ON CONFLICT (scope, payer, period) DO UPDATE SET credits = excluded.credits`,
        [...key, credits],
      );
    }
    await tx.run(`INSERT INTO hub_event (actor, verb, subject, detail) VALUES ('owner', 'budget', $1, $2)`, [
      payer,
      JSON.stringify({ period, credits }),
    ]);
  });
}

type Used = TokenSpending;
const NOTHING_USED: Used = { day: 0, month: 0, total: 0 };

/** What a payer reserved and spent, by this day, its month, and in all. */
async function linesOf(tx: Pick<Transaction, 'all'>, scope: string, payer: string, day: string): Promise<Used> {
  const rows = await tx.all<{ period: keyof Used; credits: number }>(
    `SELECT period, reserved + spent AS credits FROM budget_use
     WHERE scope = $1 AND payer = $2 AND starts_on = budget_starts(period, $3::date)`,
    [scope, payer, day],
  );
  return { ...NOTHING_USED, ...Object.fromEntries(rows.map(({ period, credits }) => [period, credits])) };
}
