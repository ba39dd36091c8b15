// An owned.db that is only the disk cache of a database with the purchases.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openPurchases } from './open-test-purchases.js';

const PLACE = 'postgres://svcd@db.example.com:5432/svcd';

function makeHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'svcd-elsewhere-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return home;
}

it('buys with its database, and nothing without it', () => {
  const home = makeHome();
  const cache = openPurchases({ home, cacheOf: PLACE });
  expect(cache.guard.findStop()).toBeUndefined();
  const alone = cache.reopen();
  onTestFinished(() => alone.close());
  expect(alone.elsewhere).toBe(PLACE);
  expect(alone.guard.findStop()).toMatchObject({ by: 'elsewhere', why: expect.stringContaining(PLACE) as unknown });
  expect(() => alone.guard.check()).toThrow(PLACE);
});

it.each([
  ['unknown', false],
  ['paid', false],
  ['paid', true],
  ['refused', false],
])('becomes one unless it bought what the database cannot know: %s, with its file: %s', (state, hasFile) => {
  const home = makeHome();
  const own = openPurchases({ home });
  const { database } = own;
  database
    .prepare(
      `INSERT INTO purchase (id, scope, item, kind, state, price, cost, key_id, payers, day, created_at)
       VALUES (1, 'test', 'sticker:a/b', 'sticker', ?, 1, ?, 'k', '["all"]', '2026-11-21', 1)`,
    )
    .run(state, { unknown: null, paid: 1, refused: 0 }[state]);
  if (hasFile)
    database
      .prepare(
        `INSERT INTO owned (scope, item, purchase_id, content_type, sha256, size, kept_at, gzip)
         VALUES ('test', 'sticker:a/b', 1, 'application/json', 'x', 1, 1, x'00')`,
      )
      .run();
  const open = () => openPurchases({ home, cacheOf: PLACE }).close();
  if (state !== 'unknown' && (state !== 'paid' || hasFile)) return expect(open).not.toThrow();
  expect(open).toThrow(/1 purchase is of unknown outcome/);
  // What SQLite does only where nobody else has the file open.
  expect(database.pragma('journal_mode = DELETE', { simple: true })).toBe('delete');
  own.close();
});
