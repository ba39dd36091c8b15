// What a hub on PostgreSQL tells of its money, of all hubs together; and its stores, which all hubs of the database share.

import type { Clock } from '../../platform/clock.js';
import type { PostgresHub } from '../../purchases/postgres/open-postgres-purchases.js';
import { openPostgresRegister } from '../register/postgres-register.js';
import { openLate, type LateHubStores } from './hub-stores.js';
import {
  outcomeOf,
  limitView,
  ASKS_KEPT_MS,
  auditOf,
  noTotal,
  purchaseView,
  type AskedPurchase,
  type AuditRow,
  type HubBooks,
  type HubPurchaseRow,
  type PayerSum,
  type StateSum,
} from './hub-books.js';
import { listLimits, setLimit, spentBy } from '../../purchases/postgres/postgres-budget.js';
import { ALL_PAYERS } from '../../purchases/budget.js';
import { someOf, type UnknownPurchases } from '../../purchases/journal.js';

/** The same as `hubStoresIn`, in PostgreSQL. */
export function hubStoresInPostgres(hub: PostgresHub, clock: Clock): LateHubStores {
  return openLate(() => ({ books: openPostgresBooks(hub), machines: openPostgresRegister(hub.db, clock, hub.memory) }));
}

/**
 * What `budget_line` says of a scope, added up before it is spread over payers and periods: who pays and on which day is the same
 * for many purchases. Of 100,000 the view makes more than a million rows, for which no statement has the time.
 */
const LINES_BY_JOURNAL = `
  SELECT scope, payer, period, budget_starts(period, day) AS starts_on, sum(reserved)::bigint AS reserved, sum(spent)::bigint AS spent
  FROM (SELECT scope, payers, day,
      sum(CASE WHEN state IN ('intent', 'sent', 'unknown') THEN price ELSE 0 END) AS reserved,
      sum(CASE state WHEN 'paid' THEN cost ELSE 0 END) AS spent
    FROM purchase WHERE scope = $1 GROUP BY 1, 2, 3) AS added,
    unnest(payers) AS payer, unnest(ARRAY['day', 'month', 'total']) AS period
  GROUP BY 1, 2, 3, 4`;

function openPostgresBooks({ db, scope, untilBudgeted }: PostgresHub): HubBooks {
  return {
    showBudgets: async () => (await listLimits(db, scope)).map(limitView),
    setBudget: async (payer, period, credits) => {
      if (payer === ALL_PAYERS && period === 'total') throw noTotal();
      await untilBudgeted();
      await setLimit(db, scope, payer, period, credits);
    },
    listPurchases: async ({ limit, payers, since = 0, before = Number.MAX_SAFE_INTEGER, state = null }) => {
      const rows = await db.all<HubPurchaseRow>(
        `SELECT p.id, item, state, price, cost, reason, payers, machine_id AS "machineId", m.name AS "machineName",
           created_at AS "createdAt", settled_at AS "settledAt"
         FROM purchase AS p LEFT JOIN machine AS m ON m.id = p.machine_id
         WHERE scope = $1 AND ($2::text IS NULL OR state = $2) AND payers @> $3::text[] AND created_at >= $4 AND p.id < $5
         ORDER BY p.id DESC LIMIT $6`,
        [scope, state, payers, since, before, limit],
      );
      return rows.map(purchaseView);
    },
    ofMonth: async (asked) => {
      const month =
        asked ??
        (await db.one<{ month: string }>(`SELECT to_char(svcd_today($1), 'YYYY-MM') AS month`, [scope]))?.month ??
        '';
      const sums = await db.all<StateSum & { payers: string[] }>(
        `SELECT payers, state, count(*) AS purchases, sum(coalesce(cost, price))::bigint AS credits FROM purchase
         WHERE scope = $1 AND to_char(day, 'YYYY-MM') = $2 AND state IN ('paid', 'unknown') GROUP BY 1, 2`,
        [scope, month],
      );
      return { month, sums };
    },
    audit: async () => {
      const rows = await db.all<AuditRow>(
        `SELECT payer, CASE period WHEN 'day' THEN starts_on::text WHEN 'month' THEN to_char(starts_on, 'YYYY-MM') ELSE 'total' END AS day,
           coalesce(u.reserved, 0) AS reserved, coalesce(u.spent, 0) AS spent,
           coalesce(j.reserved, 0) AS "journalReserved", coalesce(j.spent, 0) AS "journalSpent"
         FROM (SELECT * FROM budget_use WHERE scope = $1) AS u
           FULL JOIN (${LINES_BY_JOURNAL}) AS j USING (scope, payer, period, starts_on)
         ORDER BY starts_on, array_position(ARRAY['day', 'month', 'total'], period), payer`,
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
    findOutcome: async (machineId, requestId) =>
      outcomeOf(
        await db.one<AskedPurchase>(
          `SELECT p.id, item, state, CASE WHEN asked_at > p.created_at THEN 0 ELSE cost END AS cost
           FROM ask JOIN purchase AS p ON p.id = purchase_id WHERE ask.machine_id = $1 AND request_id = $2`,
          [machineId, requestId],
        ),
      ),
    sumsOf: async (kind) => {
      const rows = await db.all<PayerSum & { payer: string }>(
        `SELECT payer, spent, reserved FROM budget_use WHERE scope = $1 AND payer LIKE $2 || ':%' AND period = 'total'`,
        [scope, kind],
      );
      return new Map(rows.map(({ payer, ...sum }) => [payer, sum]));
    },
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
    linesOfAll: () => spentBy(db, scope, ALL_PAYERS),
  };
}
