// What a hub on PostgreSQL tells of its money, of all hubs together.

import type { Audit, HubPurchaseView } from '../../api/hub.js';
import { payerOfMachine } from '../../auth/live-machines.js';
import { ALL_PAYERS } from '../../auth/payer-lines.js';
import type { Postgres } from '../../platform/postgres/transaction.js';
import { noTotal, type HubBooks, type HubPeriod, type PayerSum } from '../hub-books.js';
import type { PurchaseState } from '../journal.js';
import { setLimit } from './postgres-budget.js';

interface PurchaseRow {
  readonly id: number;
  readonly item: string;
  readonly state: PurchaseState;
  readonly price: number;
  readonly cost: number | null;
  readonly reason: string | null;
  readonly payers: string[];
  readonly machineId: number | null;
  readonly machineName: string | null;
  readonly createdAt: number;
  readonly settledAt: number | null;
}

interface AuditRow extends PayerSum {
  readonly payer: string;
  readonly day: string;
  readonly journalSpent: number;
  readonly journalReserved: number;
}

/** For so long a machine may ask what became of its request. */
const ASKS_KEPT_MS = 7 * 24 * 60 * 60_000;
const ORDER = `array_position(ARRAY['request', 'day', 'month', 'total'], period)`;

/** Opens the books of one scope. */
export function openPostgresBooks(db: Postgres, scope: string): HubBooks {
  void db
    .transaction((tx) => tx.run('DELETE FROM ask WHERE asked_at < svcd_ms() - $1::bigint', [ASKS_KEPT_MS]))
    .catch(
      // Old ones are in nobody's way.
      () => undefined,
    );
  return {
    showBudgets: async () => {
      const rows = await db.all<{ payer: string; period: HubPeriod; credits: number } & PayerSum>(
        `SELECT l.payer, l.period, l.credits, coalesce(u.spent, 0) AS spent, coalesce(u.reserved, 0) AS reserved
         FROM hub_budget AS l LEFT JOIN budget_use AS u ON u.scope = l.scope AND u.payer = l.payer AND u.period = l.period
           AND u.starts_on = budget_starts(l.period, svcd_today($1))
         WHERE l.scope = $1 ORDER BY l.payer <> $2, l.payer, ${ORDER.replace('period)', 'l.period)')}`,
        [scope, ALL_PAYERS],
      );
      return rows.map(({ payer, period, credits, spent, reserved }) =>
        period === 'request'
          ? { payer, period, credits, spent: null, reserved: null }
          : { payer, period, credits, spent, reserved },
      );
    },
    setBudget: async (payer, period, credits) => {
      if (payer === ALL_PAYERS && period === 'total') throw noTotal();
      await setLimit(db, scope, payer, period, credits);
    },
    listPurchases: async ({ limit, payer = null, state = null }) => {
      const rows = await db.all<PurchaseRow>(
        `SELECT p.id, item, state, price, cost, reason, payers, machine_id AS "machineId", m.name AS "machineName",
           created_at AS "createdAt", settled_at AS "settledAt"
         FROM purchase AS p LEFT JOIN machine AS m ON m.id = p.machine_id
         WHERE scope = $1 AND ($2::text IS NULL OR state = $2) AND ($3::text IS NULL OR $3 = ANY(payers))
         ORDER BY p.id DESC LIMIT $4`,
        [scope, state, payer, limit],
      );
      return rows.map(purchaseView);
    },
    audit: async (): Promise<Audit> => {
      const rows = await db.all<AuditRow>(
        `SELECT payer, CASE period WHEN 'day' THEN starts_on::text WHEN 'month' THEN to_char(starts_on, 'YYYY-MM') ELSE 'total' END AS day,
           coalesce(u.reserved, 0) AS reserved, coalesce(u.spent, 0) AS spent,
           coalesce(j.reserved, 0) AS "journalReserved", coalesce(j.spent, 0) AS "journalSpent"
         FROM (SELECT * FROM budget_use WHERE scope = $1) AS u
           FULL JOIN (SELECT * FROM budget_line WHERE scope = $1) AS j USING (scope, payer, period, starts_on)
         ORDER BY starts_on, ${ORDER}, payer`,
        [scope],
      );
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
      const states = await db.all<{ state: PurchaseState; purchases: number; credits: number }>(
        `SELECT state, count(*) AS purchases, sum(coalesce(cost, price))::bigint AS credits FROM purchase WHERE scope = $1 GROUP BY state`,
        [scope],
      );
      for (const row of states) {
        purchases[row.state] = row.purchases;
        credits[row.state] = row.credits;
      }
      return {
        right: lines.every(({ right }) => right),
        lines,
        purchases,
        charged: credits.paid,
        unknown: credits.unknown,
      };
    },
    findAsk: async (machineId, requestId) => {
      const found = await db.one<{ id: number; item: string; state: PurchaseState; cost: number | null }>(
        `SELECT p.id, item, state, cost FROM ask JOIN purchase AS p ON p.id = purchase_id
         WHERE ask.machine_id = $1 AND request_id = $2`,
        [machineId, requestId],
      );
      if (found === undefined) return { state: 'none', purchase: null, item: null, cost: null };
      return { state: found.state, purchase: found.id, item: found.item, cost: found.cost };
    },
    sumOf: async (payer) =>
      (await db.one<PayerSum>(
        `SELECT spent, reserved FROM budget_use WHERE scope = $1 AND payer = $2 AND period = 'total'`,
        [scope, payer],
      )) ?? { spent: 0, reserved: 0 },
    linesOfAll: async () => {
      const rows = await db.all<{ period: 'day' | 'month' | 'total'; credits: number }>(
        `SELECT period, reserved + spent AS credits FROM budget_use
         WHERE scope = $1 AND payer = $2 AND starts_on = budget_starts(period, svcd_today($1))`,
        [scope, ALL_PAYERS],
      );
      return {
        day: 0,
        month: 0,
        total: 0,
        ...Object.fromEntries(rows.map(({ period, credits }) => [period, credits])),
      };
    },
  };
}

function purchaseView({ machineId, machineName, createdAt, settledAt, ...row }: PurchaseRow): HubPurchaseView {
  return {
    ...row,
    machine: machineId === null ? null : { id: machineId, name: machineName ?? payerOfMachine(machineId) },
    created_at: new Date(createdAt).toISOString(),
    settled_at: settledAt === null ? null : new Date(settledAt).toISOString(),
  };
}
