// What a batch reserves beside others who buy the same: never beyond its maximum, and nothing stays reserved for nobody.

import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Batch } from '../../src/purchases/batch.js';
import type { PurchaseItem } from '../../src/purchases/item.js';
import { openPurchases, type PurchaseStores } from './open-test-purchases.js';
import { createTestBuyer, delivered, KEY, type TestBuyer } from './test-buyer.js';

const PAYER = { kind: 'key', key: KEY } as const;

let stores: PurchaseStores;
let buyer: TestBuyer;

beforeEach(() => {
  stores = openPurchases();
  buyer = createTestBuyer(stores, () => undefined);
});
afterEach(() => stores.close());

const items = (count: number): PurchaseItem[] =>
  Array.from({ length: count }, (_, nth) => buyer.itemOf(`sticker:${nth}`, () => delivered('{}')));

const stateCounts = async () =>
  Object.fromEntries((await stores.journal.sums()).map(({ state, purchases }) => [state, purchases]));

/** A batch that joined these things of another client, whose token then may buy none of them. */
async function joinInVain(wanted: readonly PurchaseItem[], maxCredits: number) {
  const limits = { request: null, day: null, month: null, total: null };
  const token = stores.tokens.add({ name: 'ends', only: ['stickers'], limits });
  const tokenId = stores.tokens.find(token)?.id ?? -1;
  const other = await buyer.coordinator.reserve(wanted, { ...PAYER, tokenId }, { maxCredits: 100 });
  const batch = await buyer.coordinator.reserve(wanted, PAYER, { maxCredits });
  expect(batch.reserved).toEqual({ items: 0, credits: 0, byOthers: wanted.length });
  stores.tokens.revoke('ends');
  const receipts = await Promise.all(wanted.map((item) => batch.buy(item)));
  await Promise.all([other.release(), batch.release()]);
  return receipts.map((receipt) => (receipt.kind === 'refused' ? receipt.error.code : receipt.kind));
}

it('that takes over many things at once stays within its maximum', async () => {
  expect((await joinInVain(items(5), 2)).toSorted()).toEqual(['bought', 'bought', 'budget', 'budget', 'budget']);
  expect(await stateCounts()).toEqual({ paid: 2, refused: 5 });
});

it('counts as one request, also what it takes over later', async () => {
  await stores.budget.set('request', 3);
  const [first, ...others] = items(4);
  if (first === undefined) throw new Error('no item');
  const limits = { request: 3, day: null, month: null, total: null };
  const tokenId = stores.tokens.find(stores.tokens.add({ name: 'three', only: ['stickers'], limits }))?.id ?? -1;
  for (const payer of [PAYER, { ...PAYER, tokenId }]) {
    const batch = await buyer.coordinator.reserve(others, payer, { maxCredits: 100 });
    expect(batch.reserved.credits).toBe(3);
    expect(await batch.buy(first)).toMatchObject({ kind: 'refused', error: { code: 'budget' } });
    await batch.release();
  }
  expect(await stateCounts()).toEqual({ refused: 6 });
});

it('gives back what it was reserving when its client went', async () => {
  const made: Batch[] = [];
  const journal: PurchaseStores['journal'] = {
    ...stores.journal,
    intendAll: (orders, request) => {
      const ids = stores.journal.intendAll(orders, request);
      for (const one of made) void one.release();
      return ids;
    },
  };
  const late = createTestBuyer({ ...stores, journal }, () => undefined);
  const batch = await late.coordinator.reserve([], PAYER, { maxCredits: 5 });
  made.push(batch);
  const item = late.itemOf('sticker:late', () => delivered('{}'));
  expect(await batch.buy(item)).toMatchObject({ kind: 'refused', error: { code: 'interrupted' } });
  expect(await stateCounts()).toEqual({ refused: 1 });
  expect(late.coordinator.isBuying(item.name)).toBe(false);
});

it('leaves what another client began to whoever asks for it next, though both have gone', async () => {
  let answer = (): void => undefined;
  const answered = new Promise<void>((resolve) => (answer = resolve));
  const item = buyer.itemOf('sticker:slow', async () => {
    await answered;
    return delivered('{}');
  });
  const batch = await buyer.coordinator.reserve([item], PAYER, { maxCredits: 1 });
  let isGone = false;
  const second = buyer.coordinator.buy(item, PAYER, { isGone: () => isGone });
  await expect.poll(stateCounts).toEqual({ sent: 1 });
  isGone = true;
  await batch.release();
  const third = buyer.coordinator.buy(item, PAYER);
  answer();
  expect(await Promise.all([second, third])).toMatchObject([
    { kind: 'bought', cost: 0 },
    { kind: 'bought', cost: 0 },
  ]);
  expect(await stateCounts()).toEqual({ paid: 1 });
});

it('is not paid by a client who went for another who joined: each token pays for itself, or is refused', async () => {
  const tokenOf = (name: string, day: number) => {
    const limits = { request: null, day, month: null, total: null };
    return stores.tokens.find(stores.tokens.add({ name, only: ['stickers'], limits }))?.id ?? -1;
  };
  const payers = { payer: tokenOf('payer', 9), poor: tokenOf('poor', 0), other: tokenOf('other', 9) };
  let leave = (): void => undefined;
  const turn = new Promise<void>((resolve) => (leave = resolve));
  const wanted = Array.from({ length: 4 }, (_, nth) => buyer.itemOf(`sticker:${nth}`, () => delivered('{}'), { turn }));
  const batch = await buyer.coordinator.reserve(wanted, { ...PAYER, tokenId: payers.payer }, { maxCredits: 9 });
  const asked = wanted.map((item, nth) =>
    buyer.coordinator.buy(item, { ...PAYER, tokenId: nth < 3 ? payers.poor : payers.other }),
  );
  await batch.release();
  leave();
  const receipts = await Promise.all(asked);
  expect(receipts.map((one) => (one.kind === 'refused' ? one.error.code : one.kind))).toEqual([
    ...Array.from({ length: 3 }, () => 'budget'),
    'bought',
  ]);
  expect(stores.tokens.list().map(({ name, spent }) => [name, spent.total])).toEqual([
    ['payer', 0],
    ['poor', 0],
    ['other', 1],
  ]);
});
