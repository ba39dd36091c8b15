// Random histories of purchases over a store, against a plain account of what was charged: by one process and, where two may
// share the store, by two at once, with answers that are lost, processes that are killed, and days that pass.

import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { createTestBuyer, delivered, KEY, lost, refused, type TestBuyer } from '../purchases/test-buyer.js';
import type { PurchaseWorld } from './purchases.js';
import type { PurchaseStores } from '../../src/purchases/purchase-stores.js';

const ITEMS = ['a', 'b', 'c'].map((letter) => `sticker:${letter}`);
const DAY_LIMIT = 5;
const CREDITS = 1000;

type End = 'delivered' | 'refused' | 'charged and lost' | 'lost';
type Event =
  | { kind: 'buy'; wants: { item: string; end: End; second: boolean; allowRepay: boolean }[] }
  | { kind: 'kill'; item: string; charged: boolean }
  | { kind: 'day' };

const item = fc.constantFrom(...ITEMS);
const want = fc.record({
  item,
  end: fc.constantFrom<End[]>('delivered', 'delivered', 'refused', 'charged and lost', 'lost'),
  second: fc.boolean(),
  allowRepay: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, fc.boolean()),
});
const event: fc.Arbitrary<Event> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('buy' as const), wants: fc.array(want, { minLength: 1, maxLength: 4 }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('kill' as const), item, charged: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('day' as const) }) },
);

/** A property of so many histories. */
export function itKeepsHistories(open: () => Promise<PurchaseWorld>, runs: number): void {
  it('keeps every promise about money in any history', { timeout: 60_000 + runs * 30_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(event, { minLength: 3, maxLength: 12 }), async (history) => {
        const world = await open();
        try {
          await live(world, history);
        } finally {
          await world.close();
        }
      }),
      { numRuns: runs },
    );
  });
}

async function live(world: PurchaseWorld, history: readonly Event[]): Promise<void> {
  const charges = new Map<string, number>();
  const repays = new Map<string, number>();
  const acknowledged = new Set<string>();
  let today = 0;
  const charge = (name: string) => {
    charges.set(name, (charges.get(name) ?? 0) + 1);
    today += 1;
  };
  const balance = () => CREDITS - [...charges.values()].reduce((sum, one) => sum + one, 0);
  const buyerOf = (stores: PurchaseStores) => createTestBuyer(stores, balance);
  await world.stores.budget.set('day', DAY_LIMIT);
  let first = buyerOf(world.stores);
  const other = await world.openSecond();
  const second = other && buyerOf(other);

  const endOf = (name: string, end: End) => () => {
    if (end === 'delivered' || end === 'charged and lost') charge(name);
    if (end === 'delivered') return delivered(`{"of":"${name}"}`);
    return end === 'refused' ? refused() : lost();
  };
  const happen = async (one: Event): Promise<void> => {
    if (one.kind === 'day') {
      today = 0;
      return world.passDays(1);
    }
    if (one.kind === 'kill') {
      await untilUnderWay(first, one.item, () => one.charged && charge(one.item));
      first = buyerOf(await world.afterKill());
      return;
    }
    const buying = one.wants.map(async ({ item: name, end, second: bySecond, allowRepay }) => {
      if (allowRepay) repays.set(name, (repays.get(name) ?? 0) + 1);
      const buyer = bySecond && second !== undefined ? second : first;
      const receipt = await buyer.buy(name, endOf(name, end), { allowRepay });
      if (receipt.kind === 'bought' && receipt.kept) acknowledged.add(name);
    });
    await Promise.all(buying);
  };

  for (const one of history) {
    await happen(one);
    const rows = await world.stores.journal.list({ limit: 1000 });
    for (const name of ITEMS) {
      const mine = rows.filter((row) => row.item === name);
      const count = (...states: string[]) => mine.filter(({ state }) => states.includes(state)).length;
      const told = `${name}: ${mine.map(({ state, reason }) => `${state} ${reason}`).join(', ')}`;
      const charged = charges.get(name) ?? 0;
      expect(charged, told).toBeLessThanOrEqual(1 + (repays.get(name) ?? 0));
      expect(charged, told).toBeGreaterThanOrEqual(count('paid'));
      expect(charged, told).toBeLessThanOrEqual(count('paid', 'unknown'));
      expect(count('intent', 'sent'), told).toBe(0);
    }
    expect(today).toBeLessThanOrEqual(DAY_LIMIT);
    expect(await world.audit()).toEqual([]);
  }
  for (const name of acknowledged) expect(await world.stores.owned.find(name), name).toBeDefined();
}

/** Asks for it; resolves when its call is under way for ever, or when there is nothing to call for. */
async function untilUnderWay(buyer: TestBuyer, name: string, leave: () => unknown): Promise<void> {
  await new Promise<void>((resolve) => {
    const neverEnds = () => {
      leave();
      resolve();
      return new Promise<never>(() => undefined);
    };
    void buyer.buy(name, neverEnds, { key: KEY }).then(() => resolve());
  });
}
