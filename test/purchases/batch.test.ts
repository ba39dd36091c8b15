// What a batch reserves beside others who buy the same: never beyond its maximum, and nothing stays reserved for nobody.

import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Batch } from '../../src/purchases/batch.js';
import type { PurchaseItem } from '../../src/purchases/item.js';
import { hold } from '../faults/faulty-remote.js';
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

describe('beside a single request that is about to reserve', () => {
  /** A batch of five beside a request for the first of them, whose intent is written once the batch has looked. */
  const askBeside = async (maxCredits: number, tokenId?: number) => {
    const looked = hold();
    const intend: PurchaseStores['journal']['intend'] = async (order) => {
      await looked.until();
      return stores.journal.intend(order);
    };
    const journal = { ...stores.journal, intend };
    const beside = createTestBuyer({ ...stores, journal }, () => undefined);
    const wanted = Array.from({ length: 5 }, (_, nth) => beside.itemOf(`sticker:${nth}`, () => delivered('{}')));
    const [first] = wanted;
    if (first === undefined) throw new Error('no item');
    const payer = tokenId === undefined ? PAYER : { ...PAYER, tokenId };
    const single = beside.coordinator.buy(first, payer);
    const reserved = beside.coordinator.reserve(wanted, PAYER, { maxCredits });
    // Until it has looked at what is under way.
    await Promise.race([reserved.catch(() => undefined), setTimeout(50)]);
    looked.release();
    return { single, reserved, wanted };
  };

  it('is refused as a whole where a budget does not hold both', async () => {
    await stores.budget.set('day', 4);
    const { single, reserved } = await askBeside(100);
    await expect(reserved).rejects.toMatchObject({ code: 'budget' });
    expect(await single).toMatchObject({ kind: 'bought', cost: 1 });
    expect(await stateCounts()).toEqual({ paid: 1 });
  });

  it('is refused as a whole where that may not, and its maximum does not hold all of it', async () => {
    const limits = { request: null, day: 0, month: null, total: null };
    const tokenId = stores.tokens.find(stores.tokens.add({ name: 'none', only: ['stickers'], limits }))?.id ?? -1;
    const tooMuch = await askBeside(4, tokenId);
    await expect(tooMuch.reserved).rejects.toMatchObject({ code: 'budget' });
    expect(await tooMuch.single).toMatchObject({ kind: 'refused', error: { code: 'budget' } });
    expect(await stateCounts()).toEqual({});
    const enough = await askBeside(5, tokenId);
    expect((await enough.reserved).reserved).toEqual({ items: 5, credits: 5, byOthers: 0 });
    await (await enough.reserved).release();
  });

  it('leaves to that one what it has reserved', async () => {
    const { single, reserved, wanted } = await askBeside(4);
    const batch = await reserved;
    expect(batch.reserved).toEqual({ items: 4, credits: 4, byOthers: 1 });
    expect(await Promise.all(wanted.map((item) => batch.buy(item)))).toMatchObject(
      wanted.map(() => ({ kind: 'bought' })),
    );
    expect(await single).toMatchObject({ kind: 'bought', cost: 1 });
    expect(await stateCounts()).toEqual({ paid: 5 });
  });
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
