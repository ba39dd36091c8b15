// What was taken as free may be charged after all, however late its request arrives: then it is told, and sold no third time.

import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { silentLog } from '../../src/platform/log.js';
import { createSettlementAsks } from '../../src/purchases/settlement.js';
import { createGrace, judgeBalance } from '../../src/purchases/settlement-rules.js';
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

describe('a purchase that was taken as free', () => {
  const takenAsFree = async () => {
    const all = openAccount(stores, 100);
    await all.buy('a', 'answered');
    await all.buy('b', 'late');
    clock.at += 3000;
    await all.settle();
    expect(await stateOf('b')).toBe('refused');
    const arrive = () => all.state.onTheirWay.splice(0).forEach((charge) => charge());
    const first = async () => (await stores.journal.list({ limit: 10, item: 'b' })).at(-1);
    return { ...all, arrive, first };
  };

  it('is unknown again when the balance falls for no other reason, also where it was bought since', async () => {
    const { buy, settle, arrive, first, state } = await takenAsFree();
    expect((await buy('b', 'answered')).kind).toBe('bought');
    arrive();
    await settle();
    clock.at += 3000;
    await settle();
    expect(state.charges.get('b')).toBe(2);
    expect(await first()).toMatchObject({ state: 'unknown', reason: 'late' });
    expect((await stores.journal.sums()).find((sum) => sum.state === 'unknown')).toMatchObject({ credits: 1 });
    // It is not sold a third time, and the user can say what it was.
    expect(await buy('b', 'answered')).toMatchObject({ kind: 'bought', cost: 0 });
    expect(await stores.journal.decide((await first())?.id ?? 0, 'paid')).toMatchObject({ state: 'paid', cost: 1 });
  });

  it('is unknown again when it was not bought since, and then it is not bought', async () => {
    const { buy, settle, arrive, first, state } = await takenAsFree();
    arrive();
    clock.at += 3000;
    await settle();
    expect(await first()).toMatchObject({ state: 'unknown', reason: 'late' });
    expect(await buy('b', 'answered')).toMatchObject({ kind: 'unsettled' });
    expect(state.charges.get('b')).toBe(1);
  });

  it('is left as it is when the balance falls by less than its price, or what was bought explains it', async () => {
    const { buy, settle, first } = await takenAsFree();
    await buy('c', 'answered', 10);
    clock.at += 3000;
    await settle();
    expect(await first()).toMatchObject({ state: 'refused' });
  });

  it('is left to the user when credits came, which can hide a charge', async () => {
    const { settle, state, first } = await takenAsFree();
    state.balance += 500;
    clock.at += 3000;
    await settle();
    expect(await first()).toMatchObject({ state: 'unknown', reason: 'balance_rose' });
  });

  it('is put in doubt by no word of the user on another: what is decided raises no balance', async () => {
    const { buy, settle, first } = await takenAsFree();
    clock.at += 3000 - GRACE_MS / 2;
    await buy('c', 'lost charged');
    await buy('d', 'lost free');
    // Within the grace of both.
    clock.at += GRACE_MS / 2;
    await settle();
    const [charged] = await stores.journal.list({ limit: 1, item: 'c' });
    await stores.journal.decide(charged?.id ?? 0, 'paid');
    clock.at += 3000;
    await settle();
    expect(await first()).toMatchObject({ state: 'refused', reason: 'not_charged' });
    expect(await stateOf('d')).toBe('refused');
  });

  it('may be what was charged in place of one that is unknown, and then a person says which', async () => {
    const { buy, settle, arrive, first } = await takenAsFree();
    await buy('c', 'lost free');
    arrive();
    await settle();
    expect(await stateOf('c')).toBe('unknown');
    clock.at += GRACE_MS;
    await settle();
    expect([await stateOf('c'), (await first())?.state]).toEqual(['unknown', 'refused']);
  });

  it('keeps no dearer one from being settled as paid, whose price it cannot make up', async () => {
    const { buy, settle, first } = await takenAsFree();
    await buy('c', 'lost charged', 10);
    clock.at += 3000;
    await settle();
    expect([await stateOf('c'), (await first())?.state]).toEqual(['paid', 'refused']);
  });

  it('stays what the user said of it', async () => {
    const { settle, arrive, first } = await takenAsFree();
    arrive();
    clock.at += 3000;
    await settle();
    await stores.journal.decide((await first())?.id ?? 0, 'refused');
    clock.at += 3000;
    await settle();
    expect(await first()).toMatchObject({ state: 'refused', reason: 'decided' });
  });
});

describe('what was taken as free', () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => vi.useRealTimers());

  const pass = async (ms: number) => {
    clock.at += ms;
    await vi.advanceTimersByTimeAsync(ms);
  };
  const QUARTER_MS = 15 * 60_000;

  it.each([false, true])(
    'is looked at by itself a quarter of an hour later (after a restart: %s)',
    async (restarts) => {
      const { buy, renew, state } = openAccount(stores, 100);
      await buy('a', 'answered');
      await buy('b', 'late');
      await buy('c', 'lost free');
      // The answer of another purchase settles both.
      clock.at += 20 * GRACE_MS;
      await buy('d', 'answered');
      expect([await stateOf('b'), await stateOf('c')]).toEqual(['refused', 'refused']);
      await pass(3 * 60_000);
      if (restarts) {
        stores = stores.reopen();
        renew(stores);
        stores.settlement.settleLater(KEY_ID, async () => state.balance);
      }
      // After the looks that follow a loss and a start, the last of them after five minutes.
      await pass(QUARTER_MS - 3 * 60_000 - 1000);
      state.onTheirWay.forEach((charge) => charge());
      await pass(2000);
      expect([await stateOf('c'), await stateOf('b')]).toEqual(['unknown', 'refused']);
    },
  );
});

describe('a look that a database stops', () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => vi.useRealTimers());

  it('is followed by the next all the same', async () => {
    const asks = createSettlementAsks({
      settleNow: async () => undefined,
      prepareNow: async () => undefined,
      isPrepared: () => true,
      isWatched: () => Promise.reject(new Error('the database is away')),
      findFreedAge: () => null,
      doubted: new Set(),
      listUnknown: () => [],
      grace: createGrace(clock, GRACE_MS, GRACE_MS),
      clock,
      log: silentLog,
    });
    const next = () => asks.expectLook({ id: 1, kind: 'sticker', keyId: KEY_ID }).nextLookMs;
    asks.settleLater(KEY_ID, async () => 1);
    for (let i = 0; i < 4; i++) {
      const ms = next();
      expect(ms).toBeDefined();
      clock.at += ms ?? 0;
      await vi.advanceTimersByTimeAsync(ms ?? 0);
    }
    asks.close();
  });
});

describe('whatever happens to an account', () => {
  const event = fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constant('buy' as const),
        item: fc.constantFrom('a', 'b', 'c', 'd'),
        fate: fc.constantFrom<Fate[]>('answered', 'late', 'late', 'lost charged', 'lost free'),
        price: fc.constantFrom(1, 1, 10),
      }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('arrive' as const), nth: fc.nat(5) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('top-up' as const) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('other program' as const), credits: fc.nat(12) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart' as const) }) },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('time' as const),
        ms: fc.constantFrom(100, GRACE_MS, 10 * GRACE_MS, 60 * 60_000),
      }),
    },
  );

  it('however late calls arrive, whoever else spends, and though credits come: what may have been charged is told', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(event, { maxLength: 40 }), async (events) => {
        stores.close();
        clock = movableClock(Date.UTC(2026, 10, 21, 9));
        stores = openPurchases({ clock });
        const all = openAccount(stores, 10_000);
        const { settle, state } = all;
        let [ours, others] = [0, 0];
        const look = async () => {
          // Later than the last, which it would join.
          clock.at += 2001;
          await settle();
          const sums = new Map((await stores.journal.sums()).map((sum) => [sum.state, sum.credits]));
          const [paid, unknown] = [sums.get('paid') ?? 0, sums.get('unknown') ?? 0];
          const told = JSON.stringify(await stores.journal.list({ limit: 100 }));
          expect(ours, told).toBeLessThanOrEqual(paid + unknown);
          expect(paid, told).toBeLessThanOrEqual(ours + others);
        };
        for (const one of events) {
          const before = state.balance;
          if (one.kind === 'buy') await all.buy(`${one.item}${one.price}`, one.fate, one.price);
          if (one.kind === 'arrive') state.onTheirWay.splice(one.nth, 1).forEach((charge) => charge());
          ours += before - state.balance;
          if (one.kind === 'top-up') state.balance += 500;
          if (one.kind === 'other program') {
            state.balance -= one.credits;
            others += one.credits;
          }
          if (one.kind === 'restart') {
            stores = stores.reopen();
            all.renew(stores);
          }
          if (one.kind === 'time') clock.at += one.ms;
          await look();
        }
      }),
      { numRuns: 60 },
    );
  });
});

describe('what is called paid before its charge has come', () => {
  it('leaves the others to the user, for the charge that comes may be of any of them', () => {
    const at = 1_800_000_000_000;
    const judged = judgeBalance({
      anchor: { balance: 100, low: 100, readAt: at },
      unknown: [{ id: 2, kind: 'sticker', price: 1, sentAt: at, reason: null }],
      freed: [],
      paid: 1,
      paidLater: 1,
      balance: 100,
      now: at + 1000,
      certain: true,
      isOver: false,
      timeZone: undefined,
    });
    expect(judged).toMatchObject({ end: 'unclear', rose: true, taken: 0 });
  });
});
