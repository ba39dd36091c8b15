// What a hub tells of its money: limits of projects, users and machines, purchases and who asked for them, and whether every
// budget line is what the journal comes to. Over SQLite.

import type { RequestOutcome, Audit, HubBudgetView, HubPurchaseView } from '../../api/hub.js';
import { payerOfMachine } from '../../auth/live-machines.js';
import type { SpentCredits } from '../../auth/token-store.js';
import type { Clock } from '../../platform/clock.js';
import { SvcdError } from '../../model/errors.js';
import type { Database } from '../../platform/open-database.js';
import { readInSteps } from '../../platform/read-in-steps.js';
import { findUnknown } from '../../purchases/sqlite/sqlite-journal.js';
import type { PurchaseState, UnknownPurchases } from '../../purchases/journal.js';
import { ALL_PAYERS, type Limit, type LimitPeriod } from '../../purchases/budget.js';
import type { LocalBudget } from '../../purchases/sqlite/sqlite-budget.js';

/** Who the unknown purchases are of is told by their list. */
export type AuditSums = Omit<Audit, 'unknown_of'>;

export interface HubPurchaseFilter {
  readonly limit: number;
  /** Who all paid. */
  readonly payers: readonly string[];
  /** Milliseconds since the epoch. */
  readonly since?: number | undefined;
  /** Of a smaller number. */
  readonly before?: number | undefined;
  readonly state?: PurchaseState | undefined;
}

export interface MonthOfPurchases {
  readonly month: string;
  readonly sums: readonly (StateSum & { readonly payers: readonly string[] })[];
}

/** Credits that a payer spent and has reserved, in all. */
export interface PayerSum {
  readonly spent: number;
  readonly reserved: number;
}

export interface HubBooks {
  showBudgets(): Promise<HubBudgetView[]>;
  /** Sets a limit in credits; null removes it. */
  setBudget(payer: string, period: LimitPeriod, credits: number | null): Promise<void>;
  /** Newest first. */
  listPurchases(filter: HubPurchaseFilter): Promise<HubPurchaseView[]>;
  /** Purchases of a month, the present one if none is given, that were charged or may have been. */
  ofMonth(month: string | undefined): Promise<MonthOfPurchases>;
  audit(): Promise<AuditSums>;
  /** What became of a machine's request of this number. */
  findOutcome(machineId: number, requestId: string): Promise<RequestOutcome>;
  /** Removes what no machine may ask for any more. */
  forgetAsks(): Promise<void>;
  /** What each project, user or machine for which something was bought spent, by the name of the payer. */
  sumsOf(kind: 'project' | 'user' | 'machine'): Promise<ReadonlyMap<string, PayerSum>>;
  /** Purchases whose end nobody knows; undefined where there are none. */
  findUnknown(): Promise<UnknownPurchases | undefined>;
  /** Items that were paid for, or may have been, and of which nothing is owned; no more than `limit`, any of them. */
  listLacking(limit: number): Promise<string[]>;
  /** What all spent and reserved. */
  linesOfAll(): Promise<SpentCredits>;
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

interface AuditedRow extends PayerSum {
  readonly payers: string;
  readonly day: string;
  readonly state: PurchaseState | null;
}
type Sum<T> = { -readonly [K in keyof T]: T[K] };

/** Opens the books of one scope; `budget` keeps the limits. */
export function openHubBooks(
  db: Database,
  scope: string,
  clock: Clock,
  budget: Pick<LocalBudget, 'day' | 'listLimits' | 'setLimit' | 'spentBy'>,
): HubBooks {
  const note = db.prepare(
    `INSERT INTO hub_event (at, actor, verb, subject, detail) VALUES (?, 'owner', 'budget', ?, ?)`,
  );
  const sums = db.prepare<[string, string], PayerSum & { readonly payer: string }>(
    `SELECT payer, sum(spent) AS spent, sum(reserved) AS reserved
     FROM budget_use WHERE scope = ? AND payer LIKE ? || ':%' GROUP BY payer`,
  );
  // By number: by an index of the scope all would be sorted first.
  const list = db.prepare<[object], Omit<HubPurchaseRow, 'payers'> & { readonly payers: string }>(
    `SELECT purchase.id, item, state, price, cost, reason, payers, machine.id AS machineId, machine.name AS machineName,
       created_at AS createdAt, settled_at AS settledAt
     FROM purchase LEFT JOIN machine ON 'machine:' || machine.id IN (SELECT value FROM json_each(payers))
     WHERE +scope = @scope AND coalesce(state = @state, TRUE)
       AND created_at >= @since AND purchase.id < @before
       AND NOT EXISTS (SELECT value FROM json_each(@payers) EXCEPT SELECT value FROM json_each(purchase.payers))
     ORDER BY purchase.id DESC LIMIT @limit`,
  );
  const ofMonth = db.prepare<[object], StateSum & { readonly payers: string }>(
    `SELECT payers, state, 1 AS purchases, coalesce(cost, price) AS credits
     FROM purchase WHERE +scope = @scope AND day BETWEEN @month || '-01' AND @month || '-31' AND state IN ('paid', 'unknown')`,
  );
  // Budget lines, which have no state, and purchases; what these come to is added up in steps.
  const audited = db.prepare<[object], AuditedRow>(
    `SELECT payer AS payers, day, NULL AS state, reserved, spent FROM budget_use WHERE scope = @scope
     UNION ALL
     SELECT payers, day, state, iif(state IN ('intent', 'sent', 'unknown'), price, 0), iif(state = 'paid', coalesce(cost, 0), 0)
     FROM purchase WHERE +scope = @scope`,
  );
  const findOutcome = db.prepare<[number, string], AskedPurchase>(
    `SELECT purchase.id, item, state, CASE WHEN asked_at > created_at THEN 0 ELSE cost END AS cost
     FROM ask JOIN purchase ON purchase.id = purchase_id WHERE machine_id = ? AND request_id = ?`,
  );
  const lacking = db.prepare<[string, number], { item: string }>(
    `SELECT item FROM purchase WHERE scope = ? AND state IN ('paid', 'unknown') AND superseded_by IS NULL AND NOT EXISTS
       (SELECT 1 FROM owned WHERE owned.scope = purchase.scope AND owned.item = purchase.item) ORDER BY random() LIMIT ?`,
  );
  const removeAsks = db.prepare(`DELETE FROM ask WHERE asked_at < ?`);

  return {
    showBudgets: async () => budget.listLimits().map(limitView),
    setBudget: async (payer, period, credits) => {
      if (payer === ALL_PAYERS && period === 'total') throw noTotal();
      budget.setLimit(payer, period, credits);
      note.run(clock.now(), payer, JSON.stringify({ period, credits }));
    },
    listPurchases: async ({ limit, payers: wanted, since = 0, before = Number.MAX_SAFE_INTEGER, state = null }) => {
      const found: HubPurchaseView[] = [];
      const filter = { scope, limit, payers: JSON.stringify(wanted), since, before, state };
      await readInSteps(list, filter, clock, ({ payers, ...row }) => {
        found.push(purchaseView({ ...row, payers: JSON.parse(payers) as string[] }));
      });
      return found;
    },
    ofMonth: async (month = budget.day().slice(0, 7)) => {
      const found = new Map<string, Sum<StateSum> & { payers: string[] }>();
      await readInSteps(ofMonth, { scope, month }, clock, ({ payers, state, purchases, credits }) => {
        const key = state + payers;
        const sum = found.get(key) ?? { payers: JSON.parse(payers) as string[], state, purchases: 0, credits: 0 };
        found.set(key, sum);
        sum.purchases += purchases;
        sum.credits += credits;
      });
      return { month, sums: [...found.values()] };
    },
    audit: async () => {
      const lines = new Map<string, Sum<AuditRow>>();
      const lineOf = (payer: string, day: string) => {
        const key = `${day} ${payer}`;
        const line = lines.get(key) ?? { payer, day, reserved: 0, spent: 0, journalReserved: 0, journalSpent: 0 };
        lines.set(key, line);
        return line;
      };
      const states = new Map<PurchaseState, Sum<StateSum>>();
      await readInSteps(audited, { scope }, clock, ({ payers, day, state, reserved, spent }) => {
        if (state === null) return void Object.assign(lineOf(payers, day), { reserved, spent });
        const all = states.get(state) ?? { state, purchases: 0, credits: 0 };
        states.set(state, all);
        all.purchases += 1;
        all.credits += reserved + spent;
        for (const payer of JSON.parse(payers) as string[]) {
          lineOf(payer, day).journalReserved += reserved;
          lineOf(payer, day).journalSpent += spent;
        }
      });
      const inOrder = [...lines].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, line]) => line);
      return auditOf(inOrder, [...states.values()]);
    },
    forgetAsks: async () => void removeAsks.run(clock.now() - ASKS_KEPT_MS),
    findOutcome: async (machineId, requestId) => outcomeOf(findOutcome.get(machineId, requestId)),
    sumsOf: async (kind) => new Map(sums.all(scope, kind).map(({ payer, ...sum }) => [payer, sum])),
    findUnknown: async () => findUnknown(db, scope),
    listLacking: async (limit) => lacking.all(scope, limit).map(({ item }) => item),
    linesOfAll: async () => budget.spentBy(ALL_PAYERS),
  };
}

/** Nothing is counted of a limit per request. */
export function limitView({ payer, period, credits, spent, reserved }: Limit): HubBudgetView {
  const isCounted = period !== 'request';
  return { payer, period, credits, spent: isCounted ? spent : null, reserved: isCounted ? reserved : null };
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
export function outcomeOf(found: AskedPurchase | undefined): RequestOutcome {
  if (found === undefined) return { state: 'none', purchase: null, item: null, cost: null };
  return { state: found.state, purchase: found.id, item: found.item, cost: found.cost };
}

export function noTotal(): SvcdError {
  return new SvcdError('invalid_request', 'the limit of all together is one of a request, a day or a month', {
    hint: 'Give a project one for good: "svcd hub budget set project:NAME --total N".',
  });
}
