// The contract of purchases over PostgreSQL, which several hubs share.

import { afterAll, beforeAll, expect } from 'vitest';
import { systemClock } from '../../src/platform/clock.js';
import type { PostgresPurchases } from '../support/postgres-purchases.js';
import { makeHubHome, type HubHome } from '../support/postgres-purchases.js';
import { POSTGRESQL, startPostgres, type PostgresServer } from '../support/postgres.js';
import { describeIf } from '../support/requires.js';
import { itKeepsHistories } from './histories.js';
import { describePurchases, type PurchaseWorld } from './purchases.js';

const DAY_MS = 86_400_000;
// A database for each; the many of the long form are made over owned.db.
const RUNS = Math.min(100, Number(process.env['SVCD_FAULT_RUNS'] ?? 8));

const OPEN_OF_DEAD = `SELECT count(*) AS open FROM purchase AS p JOIN holder AS h ON h.id = p.holder
  WHERE p.state IN ('intent', 'sent') AND h.stopped_at IS NOT NULL`;

describeIf(POSTGRESQL, 'PostgreSQL', () => {
  let server: PostgresServer;
  beforeAll(async () => (server = await startPostgres()));
  afterAll(() => server.remove());

  const openWorld = async (): Promise<PurchaseWorld> => {
    const url = await server.newDatabase();
    const name = url.slice(url.lastIndexOf('/') + 1);
    const homes: HubHome[] = [];
    const opened: PostgresPurchases[] = [];
    let slept = 0;
    const clock = { now: () => systemClock.now() + slept, monotonic: () => systemClock.monotonic() };
    const openAt = async (home: HubHome) => {
      const stores = await home.open({ clock });
      opened.push(stores);
      return stores;
    };
    const makeHome = () => {
      const home = makeHubHome(url);
      homes.push(home);
      return home;
    };
    const first = makeHome();
    let stores = await openAt(first);
    let days = 0;
    return {
      get stores() {
        return stores;
      },
      openSecond: async () => {
        const second = await makeHome().open();
        opened.push(second);
        return second;
      },
      // Its home is opened again, so that the one before is known to be gone.
      afterKill: async () => {
        const limits = await stores.budget.show();
        stores = await openAt(first);
        for (const { period, limit } of limits) await stores.budget.set(period, limit);
        await stores.hub.lookNow();
        // What the other hub is just ending is left to it.
        await expect
          .poll(async () => Number((await server.sql<{ open: string }>(OPEN_OF_DEAD, name))[0]?.open))
          .toBe(0);
        return stores;
      },
      passDays: async (more) => {
        days += more;
        await server.sql(
          `CREATE OR REPLACE FUNCTION svcd_ms() RETURNS bigint LANGUAGE sql VOLATILE AS
             $$ SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint + ${days * DAY_MS} $$`,
          name,
        );
      },
      // By the wall clock alone: the other one stands still while a machine sleeps.
      sleepFor: async (ms) => void (slept += ms),
      addMachine: async (machine) => {
        const [row] = await server.sql<{ id: string }>(
          `INSERT INTO machine (name, digest, projects, only_for) VALUES ('${machine}', '${machine}', '["promo"]', 'stickers') RETURNING id`,
          name,
        );
        return Number(row?.id);
      },
      revoke: async (id) => void (await server.sql(`UPDATE machine SET revoked_at = 1 WHERE id = ${id}`, name)),
      limit: async (payer, period, credits) =>
        void (await server.sql(
          `INSERT INTO spending_limit VALUES ('test', '${payer}', '${period}', ${credits})`,
          name,
        )),
      damage: async (item) => {
        await server.sql(`UPDATE owned SET gzip = '\\x00' WHERE item = '${item}'`, name);
        stores.database.prepare(`UPDATE owned SET gzip = x'00' WHERE item = ?`).run(item);
      },
      run: async (sql) => void (await server.sql(sql, name)),
      audit: async () => {
        const rows = await server.sql<{ line: string }>(
          `SELECT payer || ' ' || period || ' ' || starts_on AS line FROM (
             SELECT * FROM budget_use WHERE reserved > 0 OR spent > 0 EXCEPT SELECT * FROM budget_line) AS more
           UNION SELECT payer || ' ' || period || ' ' || starts_on FROM (
             SELECT * FROM budget_line WHERE reserved > 0 OR spent > 0 EXCEPT SELECT * FROM budget_use) AS less`,
          name,
        );
        return rows.map(({ line }) => line);
      },
      close: async () => {
        for (const one of opened) await one.close();
        for (const home of homes) home.remove();
      },
    };
  };

  describePurchases('PostgreSQL', openWorld);
  itKeepsHistories(openWorld, RUNS);
});
