// Budgets: reserved with the intent, counted by the user's days, never given away by a clock.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import { SvcdError } from '../../src/model/errors.js';
import { mine } from './claims.js';
import { movableClock, openPurchases, type MovableClock, type PurchaseStores } from './open-test-purchases.js';

const DAY_MS = 86_400_000;

let clock: MovableClock;
let stores: PurchaseStores;

beforeEach(() => {
  clock = movableClock();
  stores = openPurchases({ clock });
});

afterEach(() => stores.close());

const intend = async (item: string, price = 1) =>
  mine(await stores.journal.intend({ item, kind: 'sticker', price, keyId: 'k' }));
const dayOf = (id: number) =>
  stores.database.prepare('SELECT day FROM purchase WHERE id = ?').pluck().get(id) as string;
const spentToday = async () => (await stores.budget.show()).find(({ period }) => period === 'day')?.spent;

describe('a budget', () => {
  it('lets through exactly what it allows', async () => {
    await stores.budget.set('day', 10);
    const tries = await Promise.allSettled(Array.from({ length: 100 }, (_, n) => intend(`s${n}`)));
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    const refused = tries.find((one) => one.status === 'rejected');
    expect(refused?.reason).toMatchObject({
      code: 'budget',
      message: 'the budget per day is 10 credits (10 spent or reserved), and this costs 1',
    });
  });

  it('gives back what was reserved for a purchase that cost nothing', async () => {
    await stores.budget.set('day', 1);
    const id = await intend('a');
    await stores.journal.send(id);
    await stores.journal.refuse(id, 'busy');
    await expect(intend('b')).resolves.toBeGreaterThan(id);
  });

  it('counts what is unknown as spent', async () => {
    await stores.budget.set('day', 1);
    const id = await intend('a');
    await stores.journal.send(id);
    await stores.journal.lose(id, 'timeout');
    await expect(intend('b')).rejects.toBeInstanceOf(SvcdError);
  });

  it('per request refuses what alone is too dear', async () => {
    await stores.budget.set('request', 5);
    await expect(intend('image', 10)).rejects.toMatchObject({ code: 'budget' });
    await expect(intend('sticker', 1)).resolves.toBeGreaterThan(0);
  });

  it('of nothing allows nothing, and none allows everything', async () => {
    await stores.budget.set('month', 0);
    await expect(intend('a')).rejects.toMatchObject({ code: 'budget' });
    await stores.budget.set('month', null);
    await expect(intend('a')).resolves.toBeGreaterThan(0);
  });

  it('begins anew at midnight where the user lives', async () => {
    clock.at = Date.UTC(2026, 10, 21, 15, 59, 59);
    await stores.budget.set('day', 1);
    await intend('a');
    await expect(intend('b')).rejects.toMatchObject({ code: 'budget' });
    clock.at = Date.UTC(2026, 10, 21, 16);
    await expect(intend('b')).resolves.toBeGreaterThan(0);
  });

  it('per month counts the days of the month together and begins anew with the next', async () => {
    await stores.budget.set('month', 2);
    await intend('a');
    clock.at += DAY_MS;
    await intend('b');
    clock.at += DAY_MS;
    await expect(intend('c')).rejects.toMatchObject({ code: 'budget' });
    clock.at = Date.UTC(2026, 11, 1, 4);
    await expect(intend('c')).resolves.toBeGreaterThan(0);
  });

  it('does not begin anew when the clock is set back', async () => {
    await stores.budget.set('day', 1);
    await intend('a');
    clock.at -= DAY_MS;
    await expect(intend('b')).rejects.toMatchObject({ code: 'budget' });
    expect(await spentToday()).toBe(1);
  });

  it('is never overspent on the furthest day reached, however the clock jumps', async () => {
    const jump = fc.integer({ min: -3 * DAY_MS, max: 2 * DAY_MS });
    await fc.assert(
      fc.asyncProperty(fc.array(jump, { maxLength: 40 }), async (jumps) => {
        stores.close();
        clock = movableClock();
        stores = openPurchases({ clock, timeZone: 'America/New_York' });
        await stores.budget.set('day', 3);
        const spentOn = new Map<string, number>();
        let furthest = '';
        for (const [n, ms] of jumps.entries()) {
          clock.at += ms;
          const bought = await intend(`s${n}`).catch(() => undefined);
          if (bought === undefined) continue;
          const day = dayOf(bought);
          expect(day >= furthest).toBe(true);
          furthest = day;
          spentOn.set(day, (spentOn.get(day) ?? 0) + 1);
        }
        for (const credits of spentOn.values()) expect(credits).toBeLessThanOrEqual(3);
      }),
      { numRuns: 60 },
    );
  });
});
