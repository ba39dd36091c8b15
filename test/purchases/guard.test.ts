// What the file itself holds, whoever writes to it: one purchase of an item counts, states move one way, the lines of the
// budgets agree with the journal. And how homes of earlier versions come to that.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Sqlite } from '../support/sqlite.js';
import { LEGAL_MOVES, STATES } from './claims.js';
import { openPurchases, type PurchaseStores } from './open-test-purchases.js';

const SCHEMA_5 = join(import.meta.dirname, '..', 'platform', 'schemas', 'owned-5.sql');
let stores: PurchaseStores;
beforeEach(() => {
  stores = openPurchases();
});
afterEach(() => stores.close());

const run = (sql: string, ...values: unknown[]) => stores.database.prepare(sql).run(...values);
const all = (sql: string) => stores.database.prepare(sql).all();
const put = (id: number, item: string, state: string, price = 1) =>
  run(
    `INSERT INTO purchase (id, scope, item, kind, state, price, cost, key_id, payers, day, created_at)
     VALUES (?, 'test', ?, 'sticker', ?, ?, ?, 'k', '["all","project:a"]', '2026-11-21', 1)`,
    id,
    item,
    state,
    price,
    state === 'paid' ? price : state === 'refused' ? 0 : null,
  );
const linesAgree = () =>
  expect(all(`SELECT * FROM budget_use WHERE reserved > 0 OR spent > 0 ORDER BY scope, payer, day`)).toEqual(
    all(`SELECT * FROM budget_line WHERE reserved > 0 OR spent > 0 ORDER BY scope, payer, day`),
  );
const countingOf = (item: string) =>
  all(`SELECT id FROM purchase WHERE item = '${item}' AND state <> 'refused' AND superseded_by IS NULL`);

describe('the file of purchases', () => {
  it.each(STATES.flatMap((from) => STATES.map((to) => [from, to] as const)))(
    'lets %s become %s only as it may',
    (from, to) => {
      put(1, 'a', from);
      const move = () => run(`UPDATE purchase SET state = ?, cost = ? WHERE id = 1`, to, to === 'paid' ? 1 : 0);
      if (from === to || LEGAL_MOVES.has(`${from} ${to}`)) move();
      else expect(move).toThrow('a purchase does not change like that');
      linesAgree();
    },
  );

  it.each(['scope', 'item', 'price', 'key_id', 'payers', 'id'])('lets nobody change the %s of a purchase', (column) => {
    put(1, 'a', 'sent');
    expect(() => run(`UPDATE purchase SET ${column} = 7 WHERE id = 1`)).toThrow('a purchase does not change like that');
  });

  it('forgets no purchase', () => {
    put(1, 'a', 'refused');
    expect(() => run(`DELETE FROM purchase`)).toThrow('the journal forgets nothing');
  });

  it.each(STATES)('takes no second purchase of an item while one is %s, but after a refused one', (state) => {
    put(1, 'a', state);
    const again = () => put(2, 'a', 'intent');
    if (state === 'refused') again();
    else expect(again).toThrow(/UNIQUE/);
  });

  it('keeps a consent no longer than the try it was given for', () => {
    put(1, 'a', 'unknown');
    const pays = (old: number, next: number, state: string) =>
      stores.database.transaction(() => {
        run(`UPDATE purchase SET superseded_by = ? WHERE id = ?`, next, old);
        put(next, 'a', state);
      })();
    pays(1, 2, 'sent');
    expect(() => run(`UPDATE purchase SET superseded_by = NULL WHERE id = 1`)).toThrow('does not change like that');
    run(`UPDATE purchase SET state = 'unknown' WHERE id = 2`);
    pays(2, 3, 'sent');
    // The one in the middle turns out to have been free: the first is superseded by the last now.
    run(`UPDATE purchase SET state = 'refused', cost = 0 WHERE id = 2`);
    expect(countingOf('a')).toEqual([{ id: 3 }]);
    run(`UPDATE purchase SET state = 'refused', cost = 0 WHERE id = 3`);
    expect(countingOf('a')).toEqual([{ id: 1 }]);
    linesAgree();
  });

  it('lets nothing supersede what is still open', () => {
    put(1, 'a', 'sent');
    expect(() => run(`UPDATE purchase SET superseded_by = 1 WHERE id = 1`)).toThrow('does not change like that');
  });

  it('keeps the lines of the budgets beside the journal, whatever happens in whatever order', () => {
    const step = fc.record({ item: fc.constantFrom('a', 'b', 'c'), to: fc.constantFrom(...STATES), price: fc.nat(9) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        stores.close();
        stores = openPurchases();
        for (const [n, { item, to, price }] of steps.entries()) {
          try {
            const [open] = countingOf(item) as { id: number }[];
            if (open === undefined) put(n + 1, item, to, price);
            else
              run(
                `UPDATE purchase SET state = ?, cost = iif(? = 'paid', price, 0), day = ? WHERE id = ?`,
                to,
                to,
                `2026-11-2${n % 3}`,
                open.id,
              );
          } catch (error) {
            expect(String(error)).toContain('does not change like that');
          }
          expect(countingOf(item).length).toBeLessThanOrEqual(1);
        }
        linesAgree();
      }),
      { numRuns: 40 },
    );
  });
});

describe('a home of the version before', () => {
  let home: string;
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'svcd-guard-'));
    const db = new Sqlite(join(home, 'owned.db'));
    db.exec(readFileSync(SCHEMA_5, 'utf8'));
    // Left open by a kill.
    db.exec(
      `INSERT INTO purchase (id, scope, item, kind, state, price, key_id, day, created_at, sent_at, token_id) VALUES
         (907, 'test', 'image:open', 'image', 'sent', 10, 'k', '2026-11-03', 1000, 1001, 1),
         (908, 'test', 'sticker:waits', 'sticker', 'intent', 1, 'k', '2026-11-03', 1000, NULL, NULL)`,
    );
    db.close();
    stores.close();
    stores = openPurchases({ home });
  });
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  it('keeps every purchase, and of each item the last that may have cost something counts', () => {
    expect(all(`SELECT id, superseded_by AS by FROM purchase WHERE id > 900 AND superseded_by IS NOT NULL`)).toEqual([
      { id: 901, by: 902 },
      { id: 904, by: 905 },
    ]);
    expect(countingOf('sticker:again')).toEqual([{ id: 902 }]);
  });

  it('has the lines of its budgets and tokens, and what was open is over', () => {
    linesAgree();
    expect(all(`SELECT payer, reserved, spent FROM budget_use WHERE payer = 'token:1' AND day = '2026-11-03'`)).toEqual(
      [{ payer: 'token:1', reserved: 10, spent: 1 }],
    );
    expect(all(`SELECT state FROM purchase WHERE id IN (907, 908) ORDER BY id`)).toEqual([
      { state: 'unknown' },
      { state: 'refused' },
    ]);
  });
});
