// What a hub tells of its money: limits of projects, users and machines, purchases and who asked for them, and whether every
// budget line is what the journal comes to. Over SQLite.

import type { Ask, Audit, HubBudgetView, HubPurchaseView } from '../../api/hub.js';
import { ALL_PAYERS, openPayerLines, type PayerLines } from '../../auth/payer-lines.js';
import { payerOfMachine } from '../../auth/live-machines.js';
import type { Clock } from '../../platform/clock.js';
import { SvcdError } from '../../model/errors.js';
import type { Database } from '../../platform/open-database.js';
import type { Budget, Period } from '../../purchases/budget.js';
import type { PurchaseState } from '../../purchases/journal.js';
import { findUnknown, type UnknownPurchases } from '../../purchases/unknown-purchases.js';

export type HubPeriod = Period | 'total';

/** Who the unknown purchases are of is told by their list. */
export type AuditSums = Omit<Audit, 'unknown_of'>;

export interface HubPurchaseFilter {
  readonly limit: number;
  readonly payer?: string | undefined;
  readonly state?: PurchaseState | undefined;
}

/** Credits that a payer spent and has reserved, in all. */
export interface PayerSum {
  readonly spent: number;
  readonly reserved: number;
}

export interface HubBooks {
  showBudgets(): Promise<HubBudgetView[]>;
  /** Sets a limit in credits; null removes it. */
  setBudget(payer: string, period: HubPeriod, credits: number | null): Promise<void>;
  /** Newest first. */
  listPurchases(filter: HubPurchaseFilter): Promise<HubPurchaseView[]>;
  audit(): Promise<AuditSums>;
  /** What became of a machine's request of this number. */
  findAsk(machineId: number, requestId: string): Promise<Ask>;
  /** Removes what no machine may ask for any more. */
  forgetAsks(): Promise<void>;
  sumOf(payer: string): Promise<PayerSum>;
  /** Purchases whose end nobody knows; undefined where there are none. */
  findUnknown(): Promise<UnknownPurchases | undefined>;
  /** Items that were paid for, or may have been, and of which nothing is owned; no more than `limit`, any of them. */
  listLacking(limit: number): Promise<string[]>;
  /** What all spent and reserved. */
  linesOfAll(): Promise<PayerLines>;
}

interface Limit {
  readonly payer: string;
  readonly period: HubPeriod;
  readonly credits: number;
}

export interface AuditRow extends PayerSum {
  readonly payer: string;
  readonly day: string;
  readonly journalSpent: number;
  readonly journalReserved: number;
}

export interface HubPurchaseRow {
  readonly id: number;
  readonly item: string;
  readonly state: PurchaseState;
  readonly price: number;
  readonly cost: number | null;
  readonly reason: string | null;
  readonly payers: readonly string[];
  readonly machineId: number | null;
  readonly machineName: string | null;
  readonly createdAt: number;
  readonly settledAt: number | null;
}

/** Purchases of one state, and their credits. */
export interface StateSum {
  readonly state: PurchaseState;
  readonly purchases: number;
  readonly credits: number;
}

/** What it cost is told to the ask that caused it; for those that joined it cost nothing. */
export type AskedPurchase = Pick<HubPurchaseRow, 'id' | 'item' | 'state' | 'cost'>;

/** For so long a machine may ask what became of its request. */
export const ASKS_KEPT_MS = 7 * 24 * 60 * 60_000;

/** Opens the books of one scope; `budget` keeps the limits of all together, `today` is the day that budgets count on. */
export function openHubBooks(
  db: Database,
  scope: string,
  clock: Clock,
  budget: Pick<Budget, 'show' | 'set'> & { day(): string },
): HubBooks {
  const linesOf = openPayerLines(db, scope);
  const limits = db.prepare<[string], Limit>(
    `SELECT payer, period, credits FROM hub_budget WHERE scope = ?
     ORDER BY payer, CASE period WHEN 'request' THEN 0 WHEN 'day' THEN 1 WHEN 'month' THEN 2 ELSE 3 END`,
  );
  const put = db.prepare(
    `INSERT INTO hub_budget (scope, payer, period, credits) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET credits = excluded.credits`,
  );
  const remove = db.prepare(`DELETE FROM hub_budget WHERE scope = ? AND payer = ? AND period = ?`);
  const note = db.prepare(
    `INSERT INTO hub_event (at, actor, verb, subject, detail) VALUES (?, 'owner', 'budget', ?, ?)`,
  );
  const sum = db.prepare<[string, string, string], PayerSum>(
    `SELECT coalesce(sum(spent), 0) AS spent, coalesce(sum(reserved), 0) AS reserved
     FROM budget_use WHERE scope = ? AND payer = ? AND day >= ?`,
  );
  const list = db.prepare<object, Omit<HubPurchaseRow, 'payers'> & { readonly payers: string }>(
    `SELECT purchase.id, item, state, price, cost, reason, payers, machine.id AS machineId, machine.name AS machineName,
       created_at AS createdAt, settled_at AS settledAt
     FROM purchase LEFT JOIN machine ON 'machine:' || machine.id IN (SELECT value FROM json_each(payers))
     WHERE scope = @scope AND coalesce(state = @state, TRUE)
       AND (@payer IS NULL OR @payer IN (SELECT value FROM json_each(payers)))
     ORDER BY purchase.id DESC LIMIT @limit`,
  );
  const audited = db.prepare<{ scope: string }, AuditRow>(
    `SELECT payer, day, sum(reserved) AS reserved, sum(spent) AS spent,
       sum(journal_reserved) AS journalReserved, sum(journal_spent) AS journalSpent
     FROM (
       SELECT payer, day, reserved, spent, 0 AS journal_reserved, 0 AS journal_spent FROM budget_use WHERE scope = @scope
       UNION ALL
       SELECT payer, day, 0, 0, reserved, spent FROM budget_line WHERE scope = @scope)
     GROUP BY payer, day ORDER BY day, payer`,
  );
  const states = db.prepare<[string], StateSum>(
    `SELECT state, count(*) AS purchases, sum(coalesce(cost, price)) AS credits FROM purchase WHERE scope = ? GROUP BY state`,
  );
  const findAsk = db.prepare<[number, string], AskedPurchase>(
    `SELECT purchase.id, item, state, CASE WHEN asked_at > created_at THEN 0 ELSE cost END AS cost
     FROM ask JOIN purchase ON purchase.id = purchase_id WHERE machine_id = ? AND request_id = ?`,
  );
  const lacking = db.prepare<[string, number], { item: string }>(
    `SELECT item FROM purchase WHERE scope = ? AND state IN ('paid', 'unknown') AND superseded_by IS NULL AND NOT EXISTS
       (SELECT 1 FROM owned WHERE owned.scope = purchase.scope AND owned.item = purchase.item) ORDER BY random() LIMIT ?`,
  );
  const removeAsks = db.prepare(`DELETE FROM ask WHERE asked_at < ?`);

  /** From which day on a limit counts. */
  const firstDayOf = (period: Exclude<HubPeriod, 'request'>): string =>
    period === 'day' ? budget.day() : period === 'month' ? `${budget.day().slice(0, 7)}-01` : '';
  const viewOf = ({ payer, period, credits }: Limit): HubBudgetView => {
    if (period === 'request') return { payer, period, credits, spent: null, reserved: null };
    return { payer, period, credits, ...(sum.get(scope, payer, firstDayOf(period)) ?? { spent: 0, reserved: 0 }) };
  };
  const ownLimits = async (): Promise<Limit[]> =>
    (await budget.show()).flatMap(({ period, limit }) =>
      limit === null ? [] : [{ payer: ALL_PAYERS, period, credits: limit }],
    );

  return {
    showBudgets: async () => [...(await ownLimits()), ...limits.all(scope)].map(viewOf),
    setBudget: async (payer, period, credits) => {
      if (payer === ALL_PAYERS && period === 'total') throw noTotal();
      if (payer === ALL_PAYERS) await budget.set(period as Period, credits);
      else if (credits === null) remove.run(scope, payer, period);
      else put.run(scope, payer, period, credits);
      note.run(clock.now(), payer, JSON.stringify({ period, credits }));
    },
    listPurchases: async ({ limit, payer = null, state = null }) =>
      list
        .all({ scope, limit, payer, state })
        .map(({ payers, ...row }) => purchaseView({ ...row, payers: JSON.parse(payers) as string[] })),
    audit: async () => auditOf(audited.all({ scope }), states.all(scope)),
    forgetAsks: async () => void removeAsks.run(clock.now() - ASKS_KEPT_MS),
    findAsk: async (machineId, requestId) => askOf(findAsk.get(machineId, requestId)),
    sumOf: async (payer) => sum.get(scope, payer, '') ?? { spent: 0, reserved: 0 },
    findUnknown: async () => findUnknown(db, scope),
    listLacking: async (limit) => lacking.all(scope, limit).map(({ item }) => item),
    linesOfAll: async () => linesOf(ALL_PAYERS, budget.day()),
  };
}

/** A purchase as the hub tells of it. */
export function purchaseView({
  machineId,
  machineName,
  createdAt,
  settledAt,
  payers,
  ...row
}: HubPurchaseRow): HubPurchaseView {
  return {
    ...row,
    payers: [...payers],
    machine: machineId === null ? null : { id: machineId, name: machineName ?? payerOfMachine(machineId) },
    created_at: new Date(createdAt).toISOString(),
    settled_at: settledAt === null ? null : new Date(settledAt).toISOString(),
  };
}

/** Whether each line is what the journal comes to, and what all purchases come to. */
export function auditOf(rows: readonly AuditRow[], sums: readonly StateSum[]): AuditSums {
  const lines = rows.map(({ payer, day, reserved, spent, journalReserved, journalSpent }) => ({
    payer,
    day,
    reserved,
    spent,
    journal: { reserved: journalReserved, spent: journalSpent },
    right: reserved === journalReserved && spent === journalSpent,
  }));
  const purchases = { intent: 0, sent: 0, paid: 0, refused: 0, unknown: 0 };
  const credits = { ...purchases };
  for (const row of sums) {
    purchases[row.state] = row.purchases;
    credits[row.state] = row.credits;
  }
  const right = lines.every((line) => line.right);
  return { right, lines, purchases, charged: credits.paid, unknown: credits.unknown };
}

/** What became of a request, as its machine is told. */
export function askOf(found: AskedPurchase | undefined): Ask {
  if (found === undefined) return { state: 'none', purchase: null, item: null, cost: null };
  return { state: found.state, purchase: found.id, item: found.item, cost: found.cost };
}

export function noTotal(): SvcdError {
  return new SvcdError('invalid_request', 'the limit of all together is one of a request, a day or a month', {
    hint: 'Give a project one for good: "svcd hub budget set project:NAME --total N".',
  });
}
