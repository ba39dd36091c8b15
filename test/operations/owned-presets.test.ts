// The presets of all that is owned, as lists, tiles and plans ask for them with every request.

import { expect, it, onTestFinished } from 'vitest';
import { createOwnedPresets } from '../../src/operations/owned/owned-files.js';
import { openOwnedDigests } from '../../src/purchases/sqlite/owned-digests.js';
import { openPurchases } from '../purchases/open-test-purchases.js';

it('are one set until something changes, and are read as a whole only where something was taken away', () => {
  const rows = [
    { id: 1, preset: 'food/cake' },
    { id: 2, preset: 'food/tea' },
  ];
  let whole = 0;
  const presets = createOwnedPresets({
    listPresets: () => {
      whole += 1;
      return rows.map(({ preset }) => preset);
    },
    listStickers: (afterId, limit) =>
      rows
        .filter(({ id }) => id > afterId)
        .toReversed()
        .slice(0, limit),
    countStickers: () => rows.length,
  });
  const first = presets();
  expect(presets()).toBe(first);
  rows.push({ id: 3, preset: 'food/pie' });
  const second = presets();
  expect([...second]).toEqual(['food/cake', 'food/tea', 'food/pie']);
  expect(second).not.toBe(first);
  expect(whole).toBe(1);
  // One is found damaged, and another is bought.
  rows.splice(0, 1);
  rows.push({ id: 4, preset: 'food/jam' });
  expect([...presets()].toSorted()).toEqual(['food/jam', 'food/pie', 'food/tea']);
  expect(whole).toBe(2);
});

it('know one that was kept right after the last was taken away, as do digests', async () => {
  const stores = openPurchases();
  onTestFinished(() => stores.close());
  const { owned, journal, database } = stores;
  const keep = async (item: string) => {
    const claim = await journal.intend({ item, kind: 'sticker', price: 1, keyId: 'k' });
    await journal.send(claim.mine ? claim.id : 0);
    const bytes = new TextEncoder().encode(JSON.stringify({ of: item }));
    return owned.keep(claim.mine ? claim.id : 0, 1, { item, bytes, contentType: 'application/json' });
  };
  const presets = createOwnedPresets(owned);
  const digests = openOwnedDigests(database);
  await keep('sticker:a');
  const last = await keep('sticker:b');
  expect([...presets()].toSorted()).toEqual(['a', 'b']);
  expect(await digests.find(last.sha256)).toMatchObject({ item: 'sticker:b' });
  database.prepare(`UPDATE owned SET gzip = x'00' WHERE item = 'sticker:b'`).run();
  owned.forget('sticker:b');
  expect(await owned.find('sticker:b')).toBeUndefined();
  const next = await keep('sticker:c');
  expect([...presets()].toSorted()).toEqual(['a', 'c']);
  expect(await digests.find(next.sha256)).toMatchObject({ item: 'sticker:c' });
});
