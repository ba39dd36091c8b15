// A large file is owned before it is compressed, and files are compressed one after another.

import { expect, it, onTestFinished } from 'vitest';
import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { mine } from './claims.js';
import { fileOf, order } from './hub-orders.js';
import { openPurchases } from './open-test-purchases.js';

const BYTES = Buffer.from(JSON.stringify({ text: 'a text that repeats '.repeat(200_000) }));

it('is kept with its purchase as it came, and is compressed after that', async () => {
  const stores = openPurchases();
  onTestFinished(() => stores.close());
  const { journal, owned, database } = stores;
  const row = (item: string) =>
    database
      .prepare<[string], { gzip: number; brotli: number | null; state: string }>(
        `SELECT length(gzip) AS gzip, length(brotli) AS brotli, state FROM owned JOIN purchase ON purchase.id = purchase_id
         WHERE owned.item = ?`,
      )
      .get(item);
  for (const name of ['a', 'b']) {
    const id = mine(await journal.intend(order(name)));
    await journal.send(id);
    await owned.keep(id, 1, { ...fileOf(name), bytes: BYTES });
  }
  const last = row('sticker:b');
  expect(last).toMatchObject({ state: 'paid', brotli: null });
  expect(last?.gzip).toBeGreaterThan(BYTES.byteLength);
  for (const item of ['sticker:a', 'sticker:b']) {
    await expect.poll(() => row(item)?.brotli).toBeGreaterThan(0);
    expect(row(item)?.gzip).toBe(gzipSync(BYTES).byteLength);
    expect(Buffer.from((await owned.find(item))?.bytes ?? []).equals(BYTES)).toBe(true);
  }
});

it('stays as it came where compressing gains little', async () => {
  const stores = openPurchases();
  onTestFinished(() => stores.close());
  const { journal, owned, database } = stores;
  const bytes = Buffer.from(JSON.stringify({ picture: randomBytes(1_500_000).toString('base64') }));
  const keep = async (name: string, kept: Buffer) => {
    const id = mine(await journal.intend(order(name)));
    await journal.send(id);
    await owned.keep(id, 1, { ...fileOf(name), bytes: kept });
  };
  await keep('dense', bytes);
  await keep('loose', BYTES);
  const length = database.prepare<[string], { gzip: number }>('SELECT length(gzip) AS gzip FROM owned WHERE item = ?');
  await expect.poll(() => length.get('sticker:loose')?.gzip).toBeLessThan(BYTES.byteLength / 10);
  expect(length.get('sticker:dense')?.gzip).toBeGreaterThan(bytes.byteLength);
  // What is large is in the file itself as soon as what is small.
  expect(database.pragma('wal_autocheckpoint', { simple: true })).toBe(1);
  await expect.poll(() => statSync(database.name).size).toBeGreaterThan(bytes.byteLength);
});
