// The contract of purchases over owned.db, which one process holds.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { movableClock, openPurchases } from '../purchases/open-test-purchases.js';
import { itKeepsHistories } from './histories.js';
import { describePurchases, type PurchaseWorld } from './purchases.js';

const DAY_MS = 86_400_000;
const RUNS = Number(process.env['SVCD_FAULT_RUNS'] ?? 40);

const openWorld = async (): Promise<PurchaseWorld> => {
  const home = mkdtempSync(join(tmpdir(), 'svcd-contract-'));
  const clock = movableClock();
  let stores = openPurchases({ home, clock });
  const run = (sql: string, ...values: unknown[]) => stores.database.prepare(sql).run(...values);
  return {
    get stores() {
      return stores;
    },
    openSecond: async () => undefined,
    afterKill: async () => (stores = stores.reopen()),
    passDays: async (days) => void (clock.at += days * DAY_MS),
    sleepFor: async (ms) => void (clock.at += ms),
    addMachine: async (name) => {
      const made = run(
        `INSERT INTO machine (name, digest, projects, only_for, joined_at) VALUES (?, ?, '["promo"]', 'stickers', 0)`,
        name,
        Buffer.from(name),
      );
      return Number(made.lastInsertRowid);
    },
    revoke: async (id) => void run(`UPDATE machine SET revoked_at = 1 WHERE id = ?`, id),
    limit: async (payer, period, credits) =>
      void run(
        `INSERT INTO spending_limit (scope, payer, period, credits) VALUES ('test', ?, ?, ?)`,
        payer,
        period,
        credits,
      ),
    damage: async (item) => void run(`UPDATE owned SET gzip = x'00' WHERE item = ?`, item),
    run: async (sql) => void run(sql),
    audit: async () =>
      stores.database
        .prepare(
          `SELECT payer || ' ' || day FROM (
             SELECT scope, payer, day, reserved, spent FROM budget_use WHERE reserved > 0 OR spent > 0
             EXCEPT SELECT scope, payer, day, reserved, spent FROM budget_line)
           UNION SELECT payer || ' ' || day FROM (
             SELECT scope, payer, day, reserved, spent FROM budget_line WHERE reserved > 0 OR spent > 0
             EXCEPT SELECT scope, payer, day, reserved, spent FROM budget_use)`,
        )
        .pluck()
        .all() as string[],
    close: async () => {
      stores.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
};

describePurchases('owned.db', openWorld);
itKeepsHistories(openWorld, RUNS);
