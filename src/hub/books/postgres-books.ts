// What a hub on PostgreSQL tells of its money, of all hubs together.

import { ALL_PAYERS } from '../../auth/payer-lines.js';
import type { Postgres } from '../../platform/postgres/transaction.js';
import {
  askOf,
  ASKS_KEPT_MS,
  auditOf,
  noTotal,
  purchaseView,
  type AskedPurchase,
  type AuditRow,
  type HubBooks,
  type HubPeriod,
  type HubPurchaseRow,
  type PayerSum,
  type StateSum,
} from './hub-books.js';
import { someOf, type UnknownPurchases } from '../../purchases/unknown-purchases.js';
import { setLimit } from '../../purchases/postgres/postgres-budget.js';

const ORDER = `array_position(ARRAY['request', 'day', 'month', 'total'], period)`;

/** Opens the books of one scope. */
export function openPostgresBooks(db: Postgres, scope: string): HubBooks {
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
      const rows = await db.all<HubPurchaseRow>(
        `SELECT p.id, item, state, price, cost, reason, payers, machine_id AS "machineId", m.name AS "machineName",
           created_at AS "createdAt", settled_at AS "settledAt"
         FROM purchase AS p LEFT JOIN machine AS m ON m.id = p.machine_id
         WHERE scope = $1 AND ($2::text IS NULL OR state = $2) AND ($3::text IS NULL OR $3 = ANY(payers))
         ORDER BY p.id DESC LIMIT $4`,
        [scope, state, payer, limit],
      );
      return rows.map(purchaseView);
    },
    audit: async () => {
      const rows = await db.all<AuditRow>(
        `SELECT payer, CASE period WHEN 'day' THEN starts_on::text WHEN 'month' THEN to_char(starts_on, 'YYYY-MM') ELSE 'total' END AS day,
           coalesce(u.reserved, 0) AS reserved, coalesce(u.spent, 0) AS spent,
           coalesce(j.reserved, 0) AS "journalReserved", coalesce(j.spent, 0) AS "journalSpent"
         FROM (SELECT * FROM budget_use WHERE scope = $1) AS u
           FULL JOIN (SELECT * FROM budget_line WHERE scope = $1) AS j USING (scope, payer, period, starts_on)
         ORDER BY starts_on, ${ORDER}, payer`,
        [scope],
      );
      const sums = await db.all<StateSum>(
        `SELECT state, count(*) AS purchases, sum(coalesce(cost, price))::bigint AS credits FROM purchase WHERE scope = $1 GROUP BY state`,
        [scope],
      );
      return auditOf(rows, sums);
    },
    forgetAsks: async () => {
      await db.transaction((tx) => tx.run('DELETE FROM ask WHERE asked_at < svcd_ms() - $1::bigint', [ASKS_KEPT_MS]));
    },
    findAsk: async (machineId, requestId) =>
      askOf(
        await db.one<AskedPurchase>(
          `SELECT p.id, item, state, CASE WHEN asked_at > p.created_at THEN 0 ELSE cost END AS cost
           FROM ask JOIN purchase AS p ON p.id = purchase_id WHERE ask.machine_id = $1 AND request_id = $2`,
          [machineId, requestId],
        ),
      ),
    sumOf: async (payer) =>
      (await db.one<PayerSum>(
        `SELECT spent, reserved FROM budget_use WHERE scope = $1 AND payer = $2 AND period = 'total'`,
        [scope, payer],
      )) ?? { spent: 0, reserved: 0 },
    findUnknown: async () =>
      someOf(
        await db.one<UnknownPurchases>(
          `SELECT min(id) AS id, count(*) AS purchases, min(created_at) AS since FROM purchase
           WHERE scope = $1 AND state = 'unknown'`,
          [scope],
        ),
      ),
    listLacking: async (limit) => {
      const rows = await db.all<{ item: string }>(
        `SELECT item FROM purchase AS p WHERE scope = $1 AND state IN ('paid', 'unknown') AND superseded_by IS NULL
           AND NOT EXISTS (SELECT 1 FROM owned WHERE owned.scope = p.scope AND owned.item = p.item) ORDER BY random() LIMIT $2`,
        [scope, limit],
      );
      return rows.map(({ item }) => item);
    },
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
