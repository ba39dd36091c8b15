// Settling by the balance: what it concludes must be true, and it may conclude nothing.

import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  GRACE_MS,
  movableClock,
  openPurchases,
  type MovableClock,
  type PurchaseStores,
} from './open-test-purchases.js';
import { KEY_ID, openAccount, type Fate } from './test-account.js';

let clock: MovableClock;
let stores: PurchaseStores;

beforeEach(() => {
  clock = movableClock();
  stores = openPurchases({ clock });
});

afterEach(() => stores.close());

const stateOf = async (item: string) => (await stores.journal.list({ limit: 1, item }))[0]?.state;

describe('a purchase whose end was not seen', () => {
  it('is paid when the balance fell by its price', async () => {
    const { buy, settle } = openAccount(stores, 100);
    await buy('a', 'answered');
    expect((await buy('b', 'lost charged')).kind).toBe('unsettled');
    await settle();
    expect(await stateOf('b')).toBe('paid');
  });

  it('is refused when the balance did not move, and can then be bought', async () => {
    const { buy, settle, state } = openAccount(stores, 100);
    await buy('a', 'answered');
    await buy('b', 'lost free');
    clock.at += GRACE_MS;
    await settle();
    expect(await stateOf('b')).toBe('refused');
    expect((await buy('b', 'answered')).kind).toBe('bought');
    expect(state.charges.get('b')).toBe(1);
  });

  it('is left unknown while the remote may still be at work on it', async () => {
    const { buy, settle } = openAccount(stores, 100);
    await buy('a', 'answered');
    await buy('b', 'lost free');
    clock.at += GRACE_MS - 1;
    await settle();
    expect(await stateOf('b')).toBe('unknown');
  });

  it('is settled no sooner because the clock was set forward', async () => {
    const { buy, settle } = openAccount(stores, 100);
    await buy('a', 'answered');
    await buy('b', 'lost free');
    clock.setForwardMs = 1000 * GRACE_MS;
    await settle();
    expect(await stateOf('b')).toBe('unknown');
  });

  it('is waited for as long in all, where svcd is started again meanwhile', async () => {
    const { buy, settle, renew } = openAccount(stores, 100);
    await buy('a', 'answered');
    await buy('b', 'lost free');
    clock.at += GRACE_MS - 100;
    await settle();
    stores = stores.reopen();
    renew(stores);
    // While it did not run nobody can say how long that was: the clock may have been set.
    clock.at += 99;
    await settle();
    expect(await stateOf('b')).toBe('unknown');
    clock.at += 2000;
    await settle();
    expect(await stateOf('b')).toBe('refused');
  });

  it('is looked at within a second, and a rise of the balance after that leaves it to the user', async () => {
    const { buy, settle, state } = openAccount(stores, 100);
    await buy('a', 'answered');
    await buy('picture', 'late', 10, 'image');
    await buy('other', 'lost charged', 10, 'image');
    await settle();
    expect([await stateOf('picture'), await stateOf('other')]).toEqual(['unknown', 'unknown']);
    // The late one comes, and somebody buys just as many credits.
    for (const arrive of state.onTheirWay) arrive();
    state.balance += 20;
    clock.at += 20 * GRACE_MS;
    await settle();
    expect([await stateOf('picture'), await stateOf('other')]).toEqual(['unknown', 'unknown']);
  });

  it('says how long an untouched balance proves nothing, and when it is looked at', async () => {
    const { buy } = openAccount(stores, 100);
    await buy('a', 'answered');
    await buy('b', 'lost free');
    const row = (await stores.journal.list({ limit: 1, item: 'b' }))[0];
    if (row === undefined) throw new Error('nothing was written down');
    const { graceLeftMs, nextLookMs = Infinity } = stores.settlement.expectLook(row);
    expect([graceLeftMs, nextLookMs <= 1000]).toEqual([GRACE_MS, true]);
  });

  // A charge of 1, an allowance that begins anew and gives back 1: the balance is what it was.
  const midnights = {
    UTC: Date.UTC(2026, 10, 30, 24),
    China: Date.UTC(2026, 10, 30, 16),
    'New York': Date.UTC(2026, 10, 30, 5),
    'New York in summer': Date.UTC(2026, 6, 30, 4),
    'Los Angeles': Date.UTC(2026, 10, 30, 8),
    'Los Angeles in summer': Date.UTC(2026, 6, 30, 7),
  };
  it.each(Object.entries(midnights))('is left to the user when a day ended meanwhile in %s', async (_, midnight) => {
    clock.at = midnight - 30 * 60_000;
    const { buy, settle, state } = openAccount(stores, 100);
    await buy('a', 'answered');
    await buy('b', 'lost charged');
    clock.at = midnight + 30 * 60_000;
    state.balance += 1;
    await settle();
    expect(await stateOf('b')).toBe('unknown');
    clock.at += 2 * 60 * 60_000;
    await settle();
    expect(await stateOf('b')).toBe('unknown');
  });

  it('is left to the user when the service’s day may have ended, its clock being minutes ahead', async () => {
    clock.at = midnights.UTC - 20 * 60_000;
    const { buy, settle } = openAccount(stores, 100);
    await buy('a', 'answered');
    await buy('b', 'lost free');
    clock.at = midnights.UTC - 5 * 60_000;
    await settle();
    expect(await stateOf('b')).toBe('unknown');
  });

  it('is left to the user when the balance before it is older than an hour, and a newer one is not told', async () => {
    const { buy, settle, state } = openAccount(stores, 100);
    await buy('a', 'answered');
    clock.at += 61 * 60_000;
    state.tells = false;
    await buy('b', 'lost free');
    clock.at += GRACE_MS;
    await settle();
    expect(await stateOf('b')).toBe('unknown');
  });

  it('is left to the user when the balance rose and fell again meanwhile', async () => {
    const { buy, settle, state } = openAccount(stores, 100);
    await buy('a', 'answered');
    await buy('b', 'lost free');
    state.balance += 1;
    clock.at += GRACE_MS - 1;
    await settle();
    state.balance -= 1;
    clock.at += 2 * GRACE_MS;
    await settle();
    expect(await stateOf('b')).toBe('unknown');
    const [row] = await stores.journal.list({ limit: 1, item: 'b' });
    expect(row?.reason).toBe('balance_rose');
  });

  it('that was bought again meanwhile is settled by the next quiet balance too', async () => {
    const { buy, settle, state } = openAccount(stores, 100);
    await buy('a', 'answered');
    await buy('b', 'lost charged');
    await buy('b', 'answered', 1, 'sticker', true);
    expect(state.charges.get('b')).toBe(2);
    clock.at += GRACE_MS;
    await settle();
    expect((await stores.journal.list({ limit: 9, item: 'b' })).map((one) => one.state)).toEqual(['paid', 'paid']);
  });

  it('weighs on the budget of its own day and no other', async () => {
    const { buy } = openAccount(stores, 100);
    await stores.budget.set('day', 1);
    await buy('b', 'lost charged');
    expect((await buy('c', 'answered')).kind).toBe('refused');
    clock.at += 24 * 60 * 60_000;
    expect((await buy('c', 'answered')).kind).toBe('bought');
  });

  it('is asked about no more once the stores are closed', async () => {
    const { buy } = openAccount(stores, 100);
    await buy('a', 'answered');
    await buy('b', 'lost charged');
    let asked = 0;
    const readBalance = async () => ((asked += 1), 100);
    stores.settlement.close();
    stores.settlement.settleLater(KEY_ID, readBalance);
    await new Promise((resolve) => setTimeout(resolve, GRACE_MS + 200));
    expect(asked).toBe(0);
  });

  it.each([
    ['lost charged', 'paid'],
    ['lost free', 'refused'],
  ] as const)(
    '(%s) is settled although it is the first of all, for the balance was asked before it',
    async (fate, end) => {
      const { buy, settle } = openAccount(stores, 100);
      await buy('a', fate);
      clock.at += GRACE_MS;
      await settle();
      expect(await stateOf('a')).toBe(end);
    },
  );

  it('is left unknown when no balance could be had before', async () => {
    const { buy, settle, state } = openAccount(stores, 100);
    state.tells = false;
    await buy('b', 'lost charged');
    state.tells = true;
    clock.at += GRACE_MS;
    await settle();
    expect(await stateOf('b')).toBe('unknown');
  });

  it('is left unknown among several when only some of them were charged', async () => {
    const { buy, settle } = openAccount(stores, 100);
    await buy('a', 'answered');
    await buy('b', 'lost charged');
    await buy('c', 'lost free');
    clock.at += GRACE_MS;
    await settle();
    expect([await stateOf('b'), await stateOf('c')]).toEqual(['unknown', 'unknown']);
  });

  it('is settled by the next answer that comes alone, without a question of its own', async () => {
    const { buy } = openAccount(stores, 100);
    await buy('a', 'answered');
    await buy('b', 'lost charged');
    clock.at += GRACE_MS;
    await buy('c', 'answered');
    expect(await stateOf('b')).toBe('paid');
  });

  it('is settled when it is asked for again', async () => {
    const { buy, state } = openAccount(stores, 100);
    await buy('a', 'answered');
    await buy('b', 'lost free');
    clock.at += 10 * GRACE_MS;
    expect((await buy('b', 'answered')).kind).toBe('bought');
    expect(state.charges.get('b')).toBe(1);
  });

  it('is left to the user when something else was booked on a guess', async () => {
    const { buy, settle, state } = openAccount(stores, 100);
    await buy('a', 'answered');
    await buy('page', 'unusable free');
    await buy('b', 'lost charged');
    clock.at += GRACE_MS;
    await settle();
    expect([await stateOf('b'), state.charges.get('b')]).toEqual(['unknown', 1]);
  });

  it.each([
    ['paid', 1],
    ['refused', 0],
  ])('whose answer is no sticker is settled by the balance as well: %s', async (end, charged) => {
    const { buy, settle, state } = openAccount(stores, 100);
    await buy('a', 'answered');
    expect(await buy('page', 'unusable free')).toMatchObject({ kind: 'unsettled', cost: 'unknown' });
    state.balance -= charged;
    clock.at += GRACE_MS;
    await settle();
    expect(await stateOf('page')).toBe(end);
  });

  it('is given longer when it is an image, which may be charged minutes later', async () => {
    const { buy, settle } = openAccount(stores, 100);
    await buy('a', 'answered');
    await buy('picture', 'lost free', 10, 'image');
    clock.at += 5 * GRACE_MS;
    await settle();
    expect(await stateOf('picture')).toBe('unknown');
  });

  it('can be decided by the user, once', async () => {
    const { buy } = openAccount(stores, 100);
    await buy('b', 'lost charged');
    const [purchase] = await stores.journal.list({ limit: 1 });
    expect((await stores.journal.decide(purchase?.id ?? 0, 'refused')).state).toBe('refused');
    await expect(stores.journal.decide(purchase?.id ?? 0, 'paid')).rejects.toMatchObject({
      code: 'invalid_request',
    });
  });
});

/** Each is thirty purchases; a thousand in `npm run test:long`. */
const RUNS = Number(process.env['SVCD_FAULT_RUNS'] ?? 50);

describe('whatever happens, one at a time, to an account of one user', () => {
  const step = fc.record({
    item: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
    fate: fc.constantFrom<Fate[]>('answered', 'answered', 'lost charged', 'lost free', 'refused'),
    price: fc.constantFrom(1, 1, 10),
    pauseMs: fc.constantFrom(0, 100, GRACE_MS, 10 * GRACE_MS, 7 * 60 * 60_000),
    settle: fc.boolean(),
  });

  it('nothing is charged twice, and what is settled is settled truly', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        stores.close();
        clock = movableClock();
        stores = openPurchases({ clock });
        const { buy, settle, state } = openAccount(stores, 1000);
        const charged = new Map<number, boolean>();
        let day = Math.floor(clock.at / (24 * 60 * 60_000));
        for (const { item: name, fate, price, pauseMs, settle: asks } of steps) {
          const item = `${name}${price}`;
          const before = state.calls;
          // The allowance begins anew with each day, and gives back what was charged.
          const today = Math.floor(clock.at / (24 * 60 * 60_000));
          if (today !== day) state.balance = 1000;
          day = today;
          await buy(item, fate, price);
          const [row] = await stores.journal.list({ limit: 1, item });
          if (state.calls > before) charged.set(row?.id ?? 0, fate === 'answered' || fate === 'lost charged');
          clock.at += pauseMs;
          if (asks) await settle();
        }
        for (const [item, times] of state.charges) expect(times, item).toBe(1);
        for (const row of await stores.journal.list({ limit: 1000 })) {
          if (row.state === 'paid') expect(charged.get(row.id), JSON.stringify(row)).toBe(true);
          if (row.state === 'refused') expect(charged.get(row.id), JSON.stringify(row)).toBe(false);
        }
      }),
      { numRuns: RUNS },
    );
  });
});
