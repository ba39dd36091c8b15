// The credits of the sandbox against a model so plain that it can be read: lists and sums, no ledger.

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as ledger from '../../src/sandbox/money/ledger.js';
import { SANDBOX_MIGRATIONS } from '../../src/sandbox/state/schema.js';
import { SandboxClock, Seed } from '../../src/sandbox/state/sandbox-state.js';
import { SandboxDatabase } from '../../src/sandbox/state/sandbox-database.js';
import { createMovingClock } from '../support/moving-clock.js';
import { DAY_MS, openControlled, START, type OpenedSandbox } from './open-control.js';

const NAMES = ['main', 'ada', 'bob', 'cleo'] as const;
type Name = (typeof NAMES)[number];

interface ModelPayment {
  by: Name;
  id: string;
  fen: number;
  bought: number;
  at: number;
  inviter: Name | undefined;
  refunded: boolean;
  anomaly: boolean;
  /** Who has got the reward; it is got once, when every condition holds at some moment that somebody looks. */
  got: Set<Name>;
}

/** What the document says, written down in the shortest way there is. */
class Model {
  now = Date.parse(START);
  payments: ModelPayment[] = [];
  inviters = new Map<Name, Name>();
  unverified = new Set<Name>();
  spent = new Map<Name, number>();

  settle(): void {
    for (const payment of this.payments) {
      if (payment.refunded || payment.anomaly || this.now - payment.at < 14 * DAY_MS) continue;
      for (const name of this.rewarded(payment)) if (!this.unverified.has(name)) payment.got.add(name);
    }
  }

  rewarded({ by, inviter }: ModelPayment): Name[] {
    return inviter === undefined ? [by] : [by, inviter];
  }

  balance(name: Name): number {
    let credits = 0 - (this.spent.get(name) ?? 0);
    for (const payment of this.payments.filter((one) => !one.refunded)) {
      if (payment.by === name) credits += payment.bought;
      if (payment.got.has(name)) credits += Math.floor((payment.fen * 5) / 1000);
    }
    return credits;
  }

  pending(name: Name): number {
    const waiting = this.payments.filter((one) => !one.refunded && this.rewarded(one).includes(name));
    return waiting.filter((one) => !one.got.has(name)).reduce((sum, one) => sum + Math.floor((one.fen * 5) / 1000), 0);
  }

  invites(inviter: Name, invited: Name): boolean {
    if (this.inviters.has(invited)) return false;
    for (let one: Name | undefined = inviter; one !== undefined; one = this.inviters.get(one)) {
      if (one === invited) return false;
    }
    this.inviters.set(invited, inviter);
    return true;
  }
}

interface World {
  model: Model;
  real: OpenedSandbox;
  keys: Record<string, string>;
}
type Step = (world: World) => Promise<void>;

const name = fc.constantFrom(...NAMES);
const nth = fc.nat({ max: 30 });
const pay =
  (by: Name, fen: number, template: boolean): Step =>
  async ({ model, real }) => {
    const amount = (fen / 100).toFixed(2);
    const body = { account: by, amount, ...(template ? { template: 'promo@1.0.0' } : {}) };
    const { id } = await real.control<{ id: string }>('POST', template ? 'purchases' : 'topups', body);
    const bought = template ? 0 : Math.floor(fen / 10);
    const fresh = { refunded: false, anomaly: false, got: new Set<Name>() };
    model.payments.push({ by, id, fen, bought, at: model.now, inviter: model.inviters.get(by), ...fresh });
  };
const onPayment =
  (n: number, work: (world: World, payment: ModelPayment) => Promise<void>): Step =>
  async (world) => {
    const { payments } = world.model;
    const payment = payments[n % Math.max(1, payments.length)];
    if (payment !== undefined) await work(world, payment);
  };
const refund = (n: number): Step =>
  onPayment(n, async ({ real, model }, payment) => {
    model.settle();
    const done = real.control('POST', `payments/${payment.id}/refund`);
    if (payment.refunded) return expect(done).rejects.toThrow('refunded already');
    await done;
    payment.refunded = true;
  });
const judge = (n: number, anomaly: boolean): Step =>
  onPayment(n, async ({ real, model }, payment) => {
    model.settle();
    await real.control('PATCH', `payments/${payment.id}`, { anomaly });
    payment.anomaly = anomaly;
  });
const invite =
  (inviter: Name, account: Name): Step =>
  async ({ model, real }) => {
    const done = real.control('POST', 'invitations', { inviter, account });
    if (!model.invites(inviter, account)) return expect(done).rejects.toThrow('invited');
    await done;
  };
const verify =
  (account: Name, verified: boolean): Step =>
  async ({ model, real }) => {
    model.settle();
    await real.control('PATCH', `accounts/${account}`, { email_verified: verified });
    if (verified) model.unverified.delete(account);
    else model.unverified.add(account);
  };
const move =
  (days: number): Step =>
  async ({ model, real }) => {
    await real.advance(days * DAY_MS);
    model.now += days * DAY_MS;
  };
const spend =
  (by: Name, times: number): Step =>
  async ({ model, real, keys }) => {
    for (let i = 0; i < times; i++) {
      model.settle();
      const can = model.balance(by) >= 1;
      expect(await real.download(keys[by])).toBe(can ? 200 : 402);
      if (can) model.spent.set(by, (model.spent.get(by) ?? 0) + 1);
    }
  };

const fen = fc.oneof(fc.integer({ min: 1, max: 400 }), fc.integer({ min: 1, max: 100_000 }));
/** Steps that a counterexample shows by name. */
function stepsOf<A extends unknown[]>(how: (...parts: A) => Step, ...parts: { [I in keyof A]: fc.Arbitrary<A[I]> }) {
  return fc.tuple(...parts).map((told) => {
    const label = `${how.name}(${told.join(', ')})`;
    return Object.assign(how(...(told as A)), { [fc.toStringMethod]: () => label });
  });
}

const step: fc.Arbitrary<Step> = fc.oneof(
  stepsOf(pay, name, fen, fc.boolean()),
  stepsOf(pay, name, fen, fc.constant(false)),
  stepsOf(refund, nth),
  stepsOf(judge, nth, fc.boolean()),
  stepsOf(invite, name, name),
  stepsOf(verify, name, fc.boolean()),
  stepsOf(move, fc.constantFrom(0.5, 1, 7, 13, 13.99, 14, 30)),
  stepsOf(spend, name, fc.integer({ min: 1, max: 12 })),
);

describe('the credits', () => {
  test('are what a plain model says, whatever is paid, refunded, released and spent, and always add up', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const world = await openWorld();
        for (const one of steps) {
          await one(world);
          await compare(world);
        }
        world.real.sandbox.close();
      }),
      { numRuns: 60 },
    );
  });

  test('can be moved, but neither made nor lost', () => {
    const db = new SandboxDatabase(':memory:', SANDBOX_MIGRATIONS);
    db.exec(`INSERT INTO account (id, name, email_verified, created_at) VALUES (1, 'ada', 1, 0)`);
    const state = { db, clock: new SandboxClock(db, createMovingClock(START)), seed: new Seed(db, 1) };
    const give = (credits: number, house: number) =>
      ledger.record(state, { reason: 'top_up' }, [
        ['spendable', 1, credits],
        ['house', 1, house],
      ]);
    give(5, -5);
    expect(() => give(5, -4)).toThrow('from nowhere');
    expect([ledger.balance(state, 1), ledger.balance(state, 1, 'house')]).toEqual([5, -5]);
    expect(() => db.exec('UPDATE posting SET credits = 6')).toThrow('never changed');
    expect(ledger.audit(state)).toEqual({ movements: 1, unbalanced: 0, wrong_balances: 0 });
    db.exec(`UPDATE balance SET credits = 6 WHERE book = 'spendable'`);
    expect(ledger.audit(state).wrong_balances).toBe(1);
    db.close();
  });
});

async function openWorld(): Promise<World> {
  const real = openControlled({ credits: 0 });
  const keys: Record<string, string> = { main: real.sandbox.key };
  for (const one of NAMES.slice(1)) {
    keys[one] = (await real.control<{ key: string }>('POST', 'accounts', { name: one })).key;
  }
  return { model: new Model(), real, keys };
}

async function compare({ model, real }: World): Promise<void> {
  model.settle();
  type Told = { accounts: { name: Name; credits: number; pending_credits: number }[] };
  const { accounts } = await real.control<Told>('GET', 'accounts');
  const told = accounts.map((one) => [one.name, one.credits, one.pending_credits]);
  expect(told).toEqual(NAMES.map((one) => [one, model.balance(one), model.pending(one)]));
  expect(real.sandbox.audit()).toMatchObject({ unbalanced: 0, wrong_balances: 0 });
}
