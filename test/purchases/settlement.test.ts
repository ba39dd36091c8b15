// Settling by the balance: what it concludes must be true, and it may conclude nothing.

import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SvcdError } from '../../src/model/errors.js';
import type { PaidAnswer, PaySteps } from '../../src/purchases/purchase-coordinator.js';
import {
  GRACE_MS,
  movableClock,
  openPurchases,
  type MovableClock,
  type PurchaseStores,
} from './open-test-purchases.js';

const KEY = 'account';
const lost = new SvcdError('timeout', 'cut off');

let clock: MovableClock;
let till: PurchaseStores;

beforeEach(() => {
  clock = movableClock();
  till = openPurchases({ clock });
});

afterEach(() => till.close());

type Fate = 'answered' | 'lost charged' | 'lost free' | 'refused' | 'unusable free';

/** A remote with an account: each call says whether it charges and whether its answer arrives. */
function account(credits: number) {
  const state = { balance: credits, calls: 0, charges: new Map<string, number>() };
  const buy = (
    item: string,
    fate: Fate,
    price = 1,
    kind: 'sticker' | 'image' = 'sticker',
    allowRepay = false,
  ) => {
    const pay = async ({ beforeSend }: PaySteps): Promise<PaidAnswer> => {
      await beforeSend();
      state.calls += 1;
      if (fate === 'answered' || fate === 'lost charged') {
        state.balance -= price;
        state.charges.set(item, (state.charges.get(item) ?? 0) + 1);
      }
      if (fate === 'refused')
        return { kind: 'refused', error: new SvcdError('busy', 'later'), balance: state.balance };
      const brought = { item, bytes: new TextEncoder().encode(item), contentType: 'application/json' };
      if (fate === 'unusable free') return { kind: 'unusable', brought, error: lost };
      if (fate !== 'answered') return { kind: 'lost', error: lost };
      return { kind: 'delivered', brought, balance: state.balance };
    };
    const readBalance = async () => state.balance;
    return till.desk.buy({ item, kind, price, keyId: KEY, allowRepay }, { pay, readBalance });
  };
  return { state, buy, settle: () => till.settlement.settle(KEY, async () => state.balance) };
}

const stateOf = async (item: string) => (await till.journal.list({ limit: 1, item }))[0]?.state;

describe('a purchase whose end was not seen', () => {
  it('is paid when the balance fell by its price', async () => {
    const { buy, settle } = account(100);
    await buy('a', 'answered');
    expect((await buy('b', 'lost charged')).kind).toBe('unsettled');
    await settle();
    expect(await stateOf('b')).toBe('paid');
  });

  it('is refused when the balance did not move, and can then be bought', async () => {
    const { buy, settle, state } = account(100);
    await buy('a', 'answered');
    await buy('b', 'lost free');
    clock.at += GRACE_MS;
    await settle();
    expect(await stateOf('b')).toBe('refused');
    expect((await buy('b', 'answered')).kind).toBe('bought');
    expect(state.charges.get('b')).toBe(1);
  });

  it('is left unknown while the remote may still be at work on it', async () => {
    const { buy, settle } = account(100);
    await buy('a', 'answered');
    await buy('b', 'lost free');
    clock.at += GRACE_MS - 1;
    await settle();
    expect(await stateOf('b')).toBe('unknown');
  });

  it('is settled no sooner because somebody set the clock forward', async () => {
    const { buy, settle } = account(100);
    await buy('a', 'answered');
    await buy('b', 'lost free');
    clock.setForwardMs = 1000 * GRACE_MS;
    await settle();
    expect(await stateOf('b')).toBe('unknown');
  });

  it('is given the whole time again after a restart, or a day of the clock on the wall', async () => {
    const { buy, settle } = account(100);
    await buy('a', 'answered');
    await buy('b', 'lost free');
    clock.at += GRACE_MS - 1;
    till = till.reopen();
    clock.at += GRACE_MS - 1;
    await settle();
    expect(await stateOf('b')).toBe('unknown');
    till = till.reopen();
    clock.setForwardMs = 24 * 60 * 60_000;
    await settle();
    expect(await stateOf('b')).toBe('refused');
  });

  it('that was bought again meanwhile is settled by the next quiet balance too', async () => {
    const { buy, settle, state } = account(100);
    await buy('a', 'answered');
    await buy('b', 'lost charged');
    await buy('b', 'answered', 1, 'sticker', true);
    expect(state.charges.get('b')).toBe(2);
    clock.at += GRACE_MS;
    await settle();
    expect((await till.journal.list({ limit: 9, item: 'b' })).map((one) => one.state)).toEqual([
      'paid',
      'paid',
    ]);
  });

  it('weighs on the budget of its own day and no other', async () => {
    const { buy } = account(100);
    till.budget.set('day', 1);
    await buy('b', 'lost charged');
    expect((await buy('c', 'answered')).kind).toBe('refused');
    clock.at += 24 * 60 * 60_000;
    expect((await buy('c', 'answered')).kind).toBe('bought');
  });

  it('is asked about no more once the till is closed', async () => {
    const { buy } = account(100);
    await buy('a', 'answered');
    await buy('b', 'lost charged');
    let asked = 0;
    const readBalance = async () => ((asked += 1), 100);
    till.settlement.close();
    till.settlement.settleLater(KEY, readBalance);
    await new Promise((resolve) => setTimeout(resolve, GRACE_MS + 200));
    expect(asked).toBe(0);
  });

  it('is left unknown when no balance was known before', async () => {
    const { buy, settle } = account(100);
    await buy('b', 'lost charged');
    clock.at += GRACE_MS;
    await settle();
    expect(await stateOf('b')).toBe('unknown');
  });

  it('is left unknown among several when only some of them were charged', async () => {
    const { buy, settle } = account(100);
    await buy('a', 'answered');
    await buy('b', 'lost charged');
    await buy('c', 'lost free');
    clock.at += GRACE_MS;
    await settle();
    expect([await stateOf('b'), await stateOf('c')]).toEqual(['unknown', 'unknown']);
  });

  it('is settled by the next answer that comes alone, without a question of its own', async () => {
    const { buy } = account(100);
    await buy('a', 'answered');
    await buy('b', 'lost charged');
    clock.at += GRACE_MS;
    await buy('c', 'answered');
    expect(await stateOf('b')).toBe('paid');
  });

  it('is settled when somebody asks for it again', async () => {
    const { buy, state } = account(100);
    await buy('a', 'answered');
    await buy('b', 'lost free');
    clock.at += 10 * GRACE_MS;
    expect((await buy('b', 'answered')).kind).toBe('bought');
    expect(state.charges.get('b')).toBe(1);
  });

  it('is left to the user when something else was booked on a guess', async () => {
    const { buy, settle, state } = account(100);
    await buy('a', 'answered');
    await buy('page', 'unusable free');
    await buy('b', 'lost charged');
    clock.at += GRACE_MS;
    await settle();
    expect([await stateOf('b'), state.charges.get('b')]).toEqual(['unknown', 1]);
  });

  it('is given longer when it is an image, which may be charged minutes later', async () => {
    const { buy, settle } = account(100);
    await buy('a', 'answered');
    await buy('picture', 'lost free', 10, 'image');
    clock.at += 5 * GRACE_MS;
    await settle();
    expect(await stateOf('picture')).toBe('unknown');
  });

  it('can be decided by the user, once', async () => {
    const { buy } = account(100);
    await buy('b', 'lost charged');
    const [purchase] = await till.journal.list({ limit: 1 });
    expect((await till.journal.decide(purchase?.id ?? 0, 'refused')).state).toBe('refused');
    await expect(till.journal.decide(purchase?.id ?? 0, 'paid')).rejects.toMatchObject({
      code: 'invalid_request',
    });
  });
});

describe('whatever happens, one at a time, to an account nobody else uses', () => {
  const step = fc.record({
    item: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
    fate: fc.constantFrom<Fate[]>('answered', 'answered', 'lost charged', 'lost free', 'refused'),
    price: fc.constantFrom(1, 1, 10),
    pauseMs: fc.constantFrom(0, 100, GRACE_MS, 10 * GRACE_MS),
    settle: fc.boolean(),
  });

  it('nothing is charged twice, and what is settled is settled truly', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        till.close();
        clock = movableClock();
        till = openPurchases({ clock });
        const { buy, settle, state } = account(1000);
        const charged = new Map<number, boolean>();
        for (const { item: name, fate, price, pauseMs, settle: asks } of steps) {
          const item = `${name}${price}`;
          const before = state.calls;
          await buy(item, fate, price);
          const [row] = await till.journal.list({ limit: 1, item });
          if (state.calls > before) charged.set(row?.id ?? 0, fate === 'answered' || fate === 'lost charged');
          clock.at += pauseMs;
          if (asks) await settle();
        }
        for (const [item, times] of state.charges) expect(times, item).toBe(1);
        for (const row of await till.journal.list({ limit: 1000 })) {
          if (row.state === 'paid') expect(charged.get(row.id), JSON.stringify(row)).toBe(true);
          if (row.state === 'refused') expect(charged.get(row.id), JSON.stringify(row)).toBe(false);
        }
      }),
      { numRuns: 150 },
    );
  });
});
