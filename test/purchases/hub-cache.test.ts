// What a machine keeps of a hub, on a disk that takes nothing.

import { expect, it, onTestFinished } from 'vitest';
import { silentLog } from '../../src/platform/log.js';
import { openHubCache } from '../../src/hub/member/connect-member.js';
import { fileOf, order } from './hub-orders.js';
import { mine } from './claims.js';
import { movableClock, openPurchases } from './open-test-purchases.js';

it('goes on where nothing can be written, and writes down later what was used', async () => {
  const clock = movableClock();
  const stores = openPurchases({ clock });
  onTestFinished(() => stores.close());
  const { database: db, journal, owned } = stores;
  const warnings: string[] = [];
  const cache = openHubCache(db, 'test', clock, { ...silentLog, warn: (event) => void warnings.push(event) });
  const id = mine(await journal.intend(order('a')));
  await journal.send(id);
  await owned.keep(id, 1, { ...fileOf('a'), receipt: 'v1.1.of-a-hub' });
  const usedAt = () => db.prepare<[], { at: number | null }>('SELECT used_at AS at FROM owned').get()?.at;
  clock.at += 1000;
  const used = clock.now();
  await cache.noting(owned).find('sticker:a');

  db.pragma('query_only = ON');
  expect(cache.trim(1, () => undefined)).toBe(0);
  expect(warnings).toHaveLength(1);
  db.pragma('query_only = OFF');
  clock.at += 1000;
  expect(cache.trim(undefined, () => undefined)).toBe(0);
  expect(usedAt()).toBe(used);
  expect(cache.trim(1, () => undefined)).toBe(1);
});
