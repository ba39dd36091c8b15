// The limits in one file, judged in the transactions that reserve, and the one that a home starts with. What payers took
// is in lines that the file itself keeps beside the journal (guard-schema.ts), so that no purchase is forgotten in them.

import type { Database } from '../../platform/open-database.js';
import { machineOfPayer, type RequireLiveMachine } from '../../auth/live-machines.js';
import type { SpentCredits, TokenLimits } from '../../auth/token-store.js';
import type { Calendar } from '../calendar.js';
import {
  type Budget,
  type Charge,
  FIRST_DAY_LIMIT,
  type FirstBudget,
  type Limit,
  LIMIT_PERIODS,
  type LimitPeriod,
  type LiveToken,
  requireWithin,
  statesOf,
  tokenRevoked,
} from '../budget.js';
import { ALL_PAYERS, payerOfToken, tokenOfPayer } from '../budget.js';

/** The budgets of one file, judged in its own transactions. */
export interface LocalBudget extends Budget {
  /** The day a purchase made now is counted on. */
  day(): string;
  /**
   * Throws `budget` with the figures when a charge would go over a limit of a payer. To be called in the transaction that
   * reserves it. Throws `invalid_token` or `machine_revoked` when a payer is gone.
   */
  reserve(charge: Charge): void;
  /** Throws the same when a limit was lowered since it was reserved, or a payer is gone. */
  confirm(charge: Charge): void;
  /** Of this remote, those of all together first. */
  listLimits(): Limit[];
  /** Sets a limit of any payer; null removes it. */
  setLimit(payer: string, period: LimitPeriod, credits: number | null): void;
  /** What a payer spent and reserved by now. */
  spentBy(payer: string): SpentCredits;
  readonly ofTokens: TokenBudgets;
}

/** Limits of further tokens: they bind with any remote, and each remote's purchases count by themselves. */
export interface TokenBudgets {
  /** A token that has not ended. */
  find(this: void, tokenId: number): LiveToken | undefined;
  limitsOf(tokenId: number): TokenLimits;
  /** To be called in the transaction that makes the token. */
  limit(tokenId: number, limits: TokenLimits): void;
}

export interface BudgetParts {
  readonly calendar: Calendar;
  readonly firstBudget: Pick<FirstBudget, 'end'>;
  readonly requireLiveMachine: RequireLiveMachine;
}

/** In place of a remote: the limit holds with any. */
const ANY_REMOTE = '*';

const NOTHING: SpentCredits = { day: 0, month: 0, total: 0 };
const NO_LIMITS: TokenLimits = { request: null, day: null, month: null, total: null };

/** Days later than the present one, which a wrong clock wrote, count in all alone. */
const LIMITS = `
  SELECT l.payer, l.period, l.credits, coalesce(sum(u.spent), 0) AS spent, coalesce(sum(u.reserved), 0) AS reserved
  FROM spending_limit AS l LEFT JOIN budget_use AS u ON u.scope = @scope AND u.payer = l.payer AND CASE l.period
    WHEN 'day' THEN u.day = @today WHEN 'month' THEN u.day BETWEEN @month AND @today ELSE l.period = 'total' END`;
const IN_ORDER = `GROUP BY l.scope, l.payer, l.period ORDER BY l.payer <> '${ALL_PAYERS}', l.payer,
  CASE l.period WHEN 'request' THEN 0 WHEN 'day' THEN 1 WHEN 'month' THEN 2 ELSE 3 END`;

/** Opens the budgets of one scope. */
export function openBudget(db: Database, scope: string, parts: BudgetParts): LocalBudget {
  const { calendar, firstBudget, requireLiveMachine } = parts;
  const limits = db.prepare<object, Limit>(`${LIMITS} WHERE l.scope = @scope ${IN_ORDER}`);
  const limitsOfPayers = db.prepare<object, Limit>(
    `${LIMITS} WHERE l.scope IN (@scope, '${ANY_REMOTE}') AND l.payer IN (SELECT value FROM json_each(@payers)) ${IN_ORDER}`,
  );
  const put = db.prepare(
    `INSERT INTO spending_limit (scope, payer, period, credits) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET credits = excluded.credits`,
  );
  const remove = db.prepare(`DELETE FROM spending_limit WHERE scope = ? AND payer = ? AND period = ?`);
  const limitsOfToken = db.prepare<[string], Pick<Limit, 'period' | 'credits'>>(
    `SELECT period, credits FROM spending_limit WHERE scope = '${ANY_REMOTE}' AND payer = ?`,
  );
  const liveToken = db.prepare<[number], Pick<LiveToken, 'name'>>(
    `SELECT name FROM token WHERE id = ? AND revoked_at IS NULL`,
  );
  const sum = db.prepare<object, SpentCredits>(
    `SELECT coalesce(sum(iif(day = @today, credits, 0)), 0) AS day,
            coalesce(sum(iif(day >= @month AND day <= @today, credits, 0)), 0) AS month,
            coalesce(sum(credits), 0) AS total
     FROM (SELECT day, reserved + spent AS credits FROM budget_use WHERE scope = @scope AND payer = @payer)`,
  );
  const latest = db.prepare<[string, string], { day: string | null }>(
    `SELECT max(day) AS day FROM budget_use
     WHERE scope = ? AND payer = '${ALL_PAYERS}' AND day <= ? AND (reserved > 0 OR spent > 0)`,
  );

  // A clock that was set back must not open a day again that has been spent from already; one that was once far ahead
  // must not close every day until then.
  const day = () => {
    const today = calendar.today();
    const last = latest.get(scope, calendar.lastCredibleDay())?.day ?? today;
    return last > today ? last : today;
  };
  const now = () => {
    const today = day();
    return { scope, today, month: `${today.slice(0, 7)}-01` };
  };
  const spentBy = (payer: string) => sum.get({ ...now(), payer }) ?? NOTHING;
  const setLimit = (payer: string, period: LimitPeriod, credits: number | null) => {
    if (credits === null) remove.run(scope, payer, period);
    else put.run(scope, payer, period, credits);
    if (payer === ALL_PAYERS) firstBudget.end();
  };
  const limitsOf = (tokenId: number): TokenLimits => ({
    ...NO_LIMITS,
    ...Object.fromEntries(limitsOfToken.all(payerOfToken(tokenId)).map(({ period, credits }) => [period, credits])),
  });

  /** What a payer is called that is a token; throws when a payer may spend no more. */
  const requireLive = (payer: string): string | undefined => {
    const machine = machineOfPayer(payer);
    if (machine !== undefined) requireLiveMachine(machine);
    const token = tokenOfPayer(payer);
    if (token === undefined) return undefined;
    const live = liveToken.get(token);
    if (live === undefined) throw tokenRevoked();
    return live.name;
  };
  const check = (charge: Charge, counted: number) => {
    const names = new Map(charge.payers.map((payer) => [payer, requireLive(payer)]));
    const found = limitsOfPayers.all({ ...now(), payers: JSON.stringify(charge.payers) });
    requireWithin(found, charge, counted, (payer) => names.get(payer));
  };

  return {
    day,
    reserve: (charge) => check(charge, 0),
    confirm: (charge) => check(charge, charge.price),
    show: async () => statesOf(limits.all(now()), spentBy(ALL_PAYERS)),
    set: async (period, limit) => setLimit(ALL_PAYERS, period, limit),
    listLimits: () => limits.all(now()),
    setLimit,
    spentBy,
    ofTokens: {
      find: (tokenId) => {
        const live = liveToken.get(tokenId);
        return live && { name: live.name, limits: limitsOf(tokenId) };
      },
      limitsOf,
      limit: (tokenId, given) => {
        for (const period of LIMIT_PERIODS) {
          const credits = given[period];
          if (credits !== null) put.run(ANY_REMOTE, payerOfToken(tokenId), period, credits);
        }
      },
    },
  };
}

/** Not a remote: its row says that the rule has been applied in this home, and to which limit. */
const APPLIED = 'first key';

/** Opens it for one scope. Without a real remote nothing is ever given. */
export function openFirstBudget(db: Database, scope: string): FirstBudget {
  const isApplied = db.prepare<[string], object>(`SELECT 1 FROM spending_limit WHERE scope = ?`);
  const isDue = () => isApplied.get(APPLIED) === undefined;
  if (scope === 'sandbox' || scope === 'none') return { give: () => false, isDue, end: () => undefined };
  const mark = db.prepare(
    `INSERT INTO spending_limit (scope, payer, period, credits) VALUES (?, '${ALL_PAYERS}', 'day', ?) ON CONFLICT DO NOTHING`,
  );
  const isUsed = db.prepare<[string, string, string], object>(
    `SELECT 1 FROM spending_limit WHERE scope = ? AND payer = '${ALL_PAYERS}'
     UNION ALL SELECT 1 FROM purchase WHERE scope = ? AND key_id = ? LIMIT 1`,
  );
  const give = db.transaction((keyId: string): boolean => {
    if (!isDue()) return false;
    const isNew = isUsed.get(scope, scope, keyId) === undefined;
    mark.run(APPLIED, FIRST_DAY_LIMIT);
    if (isNew) mark.run(scope, FIRST_DAY_LIMIT);
    return isNew;
  });
  return {
    // Immediate: a command and a daemon may come here at once.
    give: (keyId) => isDue() && give.immediate(keyId),
    isDue,
    end: () => void mark.run(APPLIED, FIRST_DAY_LIMIT),
  };
}
