// Budgets in PostgreSQL: lines that the journal's triggers keep, and that are looked at in the transaction which has just
// raised them and holds them. So no two hubs can each take the last credit.

import type { Postgres, Statement, Transaction } from '../../platform/postgres/transaction.js';
import {
  LIMIT_PERIODS,
  requireWithin,
  statesOf,
  tokenRevoked,
  type Budget,
  type Charge,
  type Limit,
  type LimitPeriod,
  type LiveToken,
} from '../budget.js';
import { ALL_PAYERS, payerOfToken, tokenOfPayer } from '../budget.js';
import type { SpentCredits } from '../../auth/token-store.js';

export interface PostgresBudget extends Budget {
  /** Limits of these payers on a day. Throws `invalid_token` for a token that is gone. */
  limitsOf(tx: Transaction, payers: readonly string[], day: string): Promise<Limit[]>;
  /** Asks for those of a purchase, but for those of tokens. */
  ofPurchase(id: number): Statement;
  /** Those of tokens alone. */
  ofTokens(tx: Transaction, payers: readonly string[], day: string): Promise<Limit[]>;
  /** Throws `budget` when a line that this charge has raised is over its limit; `invalid_token` when its token is gone. */
  check(limits: readonly Limit[], charge: Charge): void;
  /** The name of a payer in the database: tokens of two hubs have the same numbers. */
  payerHere(payer: string): string;
  /** What a token of this hub is called; null when it is gone. */
  nameOfToken(tokenId: number): string | null;
}

const NOTHING: SpentCredits = { day: 0, month: 0, total: 0 };

/** Limits with what was taken of each by a day. */
const limitsIn = (limits: string, day: string) => `
  SELECT l.payer, l.period, l.credits, coalesce(u.spent, 0) AS spent, coalesce(u.reserved, 0) AS reserved
  FROM ${limits} LEFT JOIN budget_use AS u ON u.scope = l.scope AND u.payer = l.payer AND u.period = l.period
    AND u.starts_on = budget_starts(l.period, ${day})`;

/** Opens the budgets of one scope; `findToken` finds this hub's own tokens, `home` tells it from other hubs. */
export function openPostgresBudget(
  db: Postgres,
  scope: string,
  findToken: (id: number) => LiveToken | undefined,
  home: string,
): PostgresBudget {
  const suffix = `@${home}`;
  const requireLive = (payer: string): LiveToken | undefined => {
    const id = payer.endsWith(suffix) ? tokenOfPayer(payer.slice(0, -suffix.length)) : undefined;
    if (id === undefined) return undefined;
    const token = findToken(id);
    if (token === undefined) throw tokenRevoked();
    return token;
  };
  /** They are with the token, in this hub's own file. */
  const limitsOfToken = async (tx: Transaction, payer: string, day: string): Promise<Limit[]> => {
    const token = requireLive(payer);
    if (token === undefined) return [];
    const used = { request: 0, ...(await spentBy(tx, scope, payer, day)) };
    return LIMIT_PERIODS.flatMap((period) => {
      const credits = token.limits[period];
      return credits === null ? [] : [{ payer, period, credits, spent: used[period], reserved: 0 }];
    });
  };

  const ofTokens: PostgresBudget['ofTokens'] = async (tx, payers, day) =>
    (await Promise.all(payers.map((payer) => limitsOfToken(tx, payer, day)))).flat();

  return {
    limitsOf: async (tx, payers, day) => {
      const limits = `${limitsIn('spending_limit AS l', '$3::date')} WHERE l.scope = $1 AND l.payer = ANY($2)`;
      return (await Promise.all([tx.all<Limit>(limits, [scope, payers, day]), ofTokens(tx, payers, day)])).flat();
    },
    ofPurchase: (id) => [
      `${limitsIn('purchase AS p JOIN spending_limit AS l ON l.scope = p.scope AND l.payer = ANY(p.payers)', 'p.day')} WHERE p.id = $1`,
      [id],
    ],
    ofTokens,
    check: (limits, charge) => requireWithin(limits, charge, charge.price, (payer) => requireLive(payer)?.name),
    payerHere: (payer) => (tokenOfPayer(payer) === undefined ? payer : `${payer}${suffix}`),
    nameOfToken: (id) => findToken(id)?.name ?? null,
    show: async () => statesOf(await listLimits(db, scope), await spentBy(db, scope, ALL_PAYERS)),
    set: (period, limit) => setLimit(db, scope, ALL_PAYERS, period, limit),
  };
}

/** Limits of all who pay here, those of all together first. */
export function listLimits(db: Postgres, scope: string): Promise<Limit[]> {
  return db.all<Limit>(
    `${limitsIn('spending_limit AS l', 'svcd_today($1)')} WHERE l.scope = $1 ORDER BY l.payer <> $2, l.payer, array_position($3::text[], l.period)`,
    [scope, ALL_PAYERS, LIMIT_PERIODS],
  );
}

/** What a payer reserved and spent by a day; by now if none is given. */
export async function spentBy(
  tx: Pick<Transaction, 'all'>,
  scope: string,
  payer: string,
  day: string | null = null,
): Promise<SpentCredits> {
  const rows = await tx.all<{ period: keyof SpentCredits; credits: number }>(
    `SELECT period, reserved + spent AS credits FROM budget_use
     WHERE scope = $1 AND payer = $2 AND starts_on = budget_starts(period, coalesce($3::date, svcd_today($1)))`,
    [scope, payer, day],
  );
  return { ...NOTHING, ...Object.fromEntries(rows.map(({ period, credits }) => [period, credits])) };
}

/** Sets a limit of a payer in credits; null removes it. */
export async function setLimit(
  db: Postgres,
  scope: string,
  payer: string,
  period: LimitPeriod,
  credits: number | null,
): Promise<void> {
  await db.transaction(async (tx) => {
    const key = [scope, payer, period];
    if (credits === null) {
      await tx.run('DELETE FROM spending_limit WHERE scope = $1 AND payer = $2 AND period = $3', key);
    } else {
      await tx.run(
        `INSERT INTO spending_limit (scope, payer, period, credits) VALUES ($1, $2, $3, $4)
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

/** What this hub's tokens spent, as last asked: its lists are made without waiting. */
export interface TokenSpendingHere {
  spent(this: void, tokenId: number): SpentCredits;
  /** Asks the database. Throws `database_away`. */
  refresh(): Promise<void>;
}

export function watchTokenSpending(db: Postgres, scope: string, home: string): TokenSpendingHere {
  let lines = new Map<string, SpentCredits>();
  return {
    spent: (tokenId) => lines.get(`${payerOfToken(tokenId)}@${home}`) ?? NOTHING,
    refresh: async () => {
      const rows = await db.all<{ payer: string; period: keyof SpentCredits; credits: number }>(
        `SELECT payer, period, reserved + spent AS credits FROM budget_use
         WHERE scope = $1 AND payer LIKE 'token:%@' || $2 AND starts_on = budget_starts(period, svcd_today($1))`,
        [scope, home],
      );
      const found = new Map<string, SpentCredits>();
      for (const { payer, period, credits } of rows)
        found.set(payer, { ...(found.get(payer) ?? NOTHING), [period]: credits });
      lines = found;
    },
  };
}
