// Whatever happens in whatever order, the promises about money hold: random histories of requests, troubles of
// the remote, restarts, crashes, jumps of the clock, settlements and budgets, against a plain account of the truth.
// A failure names its seed.

import { setTimeout as sleep } from 'node:timers/promises';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Trouble } from './faulty-remote.js';
import {
  claimsTruth,
  isPurchaseOf,
  isTrue,
  subjectOf,
  World,
  type AskOptions,
  digestOf,
  type CrashCharge,
  type Given,
  type PrefetchOptions,
  type Want,
} from './model-world.js';

const DAY_MS = 86_400_000;
const MOVES_TIME: ReadonlySet<string> = new Set(['time passes', 'clock jumps']);
/** Of a second each: together less than the grace. */
const EVENTS_BEFORE_LANDING = 10;

const stickers = ['a', 'b', 'c', 'd'].map((letter): Want => ({ kind: 'sticker', name: `model/${letter}` }));
const image: Want = { kind: 'image', name: 'a cat on the moon' };
const WANTS = [...stickers, image];

const refusal = (status: number, code: string): Trouble => ({
  answer: { status, body: JSON.stringify({ code }) },
});

// Nobody here waits for the call in flight: the clock stands still meanwhile.
const NOT_SOON = { 'Retry-After': '600' };

const TROUBLES: Record<string, Trouble> = {
  none: {},
  'slow answer': { inBody: () => sleep(10) },
  'reset before the charge': { cut: { how: 'reset', after: 'request' } },
  'reset after the charge': { cut: { how: 'reset', after: 'charge' } },
  'reset in the headers': { cut: { how: 'reset', after: 'headers' } },
  'reset in the body': { cut: { how: 'reset', after: 'body' } },
  HTML: { answer: { contentType: 'text/html', body: '<html>' } },
  'plain 500': refusal(500, 'oops'),
  // Without a code: the service itself charges for no image that it failed to make.
  'charged 500': { answer: { status: 500, body: '<h1>Sorry</h1>' }, charged: true },
  402: refusal(402, 'insufficient_credits'),
  409: { answer: { ...refusal(409, 'duplicate_request').answer, headers: NOT_SOON } },
  'not enabled': refusal(503, 'not_enabled'),
};

type Event =
  | { kind: 'ask'; wants: Want[]; trouble: string; options: AskOptions }
  | { kind: 'prefetch'; wants: Want[]; trouble: string; options: PrefetchOptions }
  | { kind: 'crash'; wants: Want[]; charge: CrashCharge }
  | { kind: 'restart' }
  | { kind: 'time passes'; ms: number }
  | { kind: 'clock jumps'; ms: number }
  | { kind: 'settle'; nth: number; byUser: boolean }
  | { kind: 'budget'; credits: number | null }
  | { kind: 'usage' }
  | { kind: 'offline'; offline: boolean };

const event: fc.Arbitrary<Event> = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({
      kind: fc.constant('ask' as const),
      wants: fc.array(fc.constantFrom(...WANTS), { minLength: 1, maxLength: 4 }),
      trouble: fc.oneof(fc.constant('none'), fc.constantFrom(...Object.keys(TROUBLES))),
      options: fc.record({
        fallback: fc.boolean(),
        allowRepay: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, fc.boolean()),
      }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('prefetch' as const),
      wants: fc.array(fc.constantFrom(...WANTS), { minLength: 1, maxLength: 6 }),
      trouble: fc.oneof(fc.constant('none'), fc.constantFrom(...Object.keys(TROUBLES))),
      options: fc.record({ maxCredits: fc.constantFrom(0, 1, 2, 11, 14, 1e9), fallback: fc.boolean() }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('crash' as const),
      wants: fc.array(fc.constantFrom(...WANTS), { minLength: 1, maxLength: 3 }),
      charge: fc.constantFrom<CrashCharge[]>('before', 'after', 'never'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart' as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('time passes' as const),
      ms: fc.constantFrom(100, 2000, 16_000, 90_000, DAY_MS),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('clock jumps' as const),
      ms: fc.constantFrom(-40 * DAY_MS, -DAY_MS, -3_600_000, 3_600_000, DAY_MS),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('settle' as const), nth: fc.nat(9), byUser: fc.boolean() }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('budget' as const),
      credits: fc.constantFrom(null, 0, 2, 12, 1000),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('usage' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('offline' as const), offline: fc.boolean() }) },
);

/** As many histories as `runs`. */
export function proveHistories(runs: number): void {
  it('keeps every promise about money in any history', { timeout: 300_000 + runs * 20_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(event, { minLength: 5, maxLength: 25 }), async (history) => {
        const world = await World.open();
        try {
          for (const [nth, one] of history.entries()) {
            // A late charge comes within the grace that svcd allows for, whatever else happens until then.
            if (nth % EVENTS_BEFORE_LANDING === 0 || MOVES_TIME.has(one.kind)) world.land();
            await happen(world, one);
            await checkAccounts(world);
            // Purchases of different moments; the remote's limit on requests a minute is not the matter here.
            world.clock.pass(1000);
          }
          await checkOwned(world);
        } finally {
          await world.close();
        }
      }),
      { numRuns: runs },
    );
  });
}

/** The same where what was under way at a crash arrives at any time of the next days, beyond the grace too. */
export function proveLateHistories(runs: number): void {
  it(
    'accounts for every charge at a look after the last arrival, however late it came',
    { timeout: 300_000 + runs * 20_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(event, { minLength: 5, maxLength: 25 }), async (history) => {
          const world = await World.open();
          try {
            for (const one of history) {
              // What was settled as free is watched on for a week, of a clock that runs on.
              if (one.kind === 'clock jumps' || (one.kind === 'time passes' && one.ms >= DAY_MS)) world.land();
              await happen(world, one);
              world.clock.pass(1000);
            }
            await checkBooks(world);
          } finally {
            await world.close();
          }
        }),
        { numRuns: runs },
      );
    },
  );
}

/** In credits: paid ≤ charged ≤ paid, unknown and under way. */
async function checkBooks(world: World): Promise<void> {
  await world.switchOffline(false);
  world.land();
  await sleep(50);
  await world.settleAll();
  const purchases = await world.purchases();
  const sum = (...states: string[]) =>
    purchases.reduce((all, { state, price }) => all + (states.includes(state) ? price : 0), 0);
  const told = purchases
    .map(({ id, preset, state, reason }) => `${id} ${preset ?? 'image'} ${state} ${reason}`)
    .join(', ');
  const charged = world.remote.account.spent();
  expect(charged, told).toBeGreaterThanOrEqual(sum('paid'));
  expect(charged, told).toBeLessThanOrEqual(sum('paid', 'unknown', 'sent'));
}

async function happen(world: World, one: Event): Promise<void> {
  switch (one.kind) {
    case 'ask':
      return ask(world, one);
    case 'prefetch':
      return prefetch(world, one);
    case 'crash':
      return world.crash(one.wants, one.charge);
    case 'restart':
      return world.restart();
    case 'time passes':
      return world.clock.pass(one.ms);
    case 'clock jumps':
      return world.clock.set(world.clock.now() + one.ms);
    case 'settle':
      return settle(world, one.nth, one.byUser);
    case 'budget':
      return world.setDayBudget(one.credits);
    case 'usage':
      return world.readUsage();
    case 'offline':
      return world.switchOffline(one.offline);
  }
}

async function ask(world: World, { wants, trouble, options }: Event & { kind: 'ask' }): Promise<void> {
  const before = await world.dayBudget();
  const spentBefore = world.remote.account.spent();
  const answers = await world.ask(wants, TROUBLES[trouble] ?? {}, options);
  for (const answer of answers) checkAnswer(answer, options.fallback);
  const room = before.limit === null ? Infinity : Math.max(0, before.limit - before.spent);
  const after = await world.dayBudget();
  expect(after.spent - before.spent).toBeLessThanOrEqual(room);
  expect(world.remote.account.spent() - spentBefore).toBeLessThanOrEqual(room);
}

/** All or nothing: what it cost is within its maximum and the budget, and each place is told of once. */
async function prefetch(world: World, { wants, trouble, options }: Event & { kind: 'prefetch' }): Promise<void> {
  const before = await world.dayBudget();
  const spentBefore = world.remote.account.spent();
  const told = await world.prefetch(wants, TROUBLES[trouble] ?? {}, options);
  const spent = world.remote.account.spent() - spentBefore;
  const room = before.limit === null ? Infinity : Math.max(0, before.limit - before.spent);
  expect(spent).toBeLessThanOrEqual(told === undefined ? 0 : Math.min(room, options.maxCredits));
  if (told === undefined) return;
  expect(told.map(({ event: { place } }) => place).toSorted((a, b) => a - b)).toEqual(wants.map((_, nth) => nth));
  for (const { want, event: one } of told) {
    if (one.event === 'failed') expect(options.fallback, one.code).toBe(false);
    else if (one.source !== 'default') expect(one.sha256).toBe(digestOf(want));
    else expect([options.fallback, one.reason]).toEqual([true, expect.any(String)]);
  }
}

function checkAnswer(answer: Given, fallback: boolean): void {
  if (claimsTruth(answer)) {
    expect(isTrue(answer)).toBe(true);
  } else if (fallback) {
    expect([answer.status, answer.source, isTrue(answer)]).toEqual([200, 'default', false]);
    expect(answer.reason).toMatch(
      /^(offline|insufficient_credits|budget|not_enabled|rate_limited|upstream_failure|unsettled)$/,
    );
  } else {
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.code).toMatch(
      /^(offline|insufficient_credits|budget|not_enabled|upstream_failure|unsettled|duplicate_request)$/,
    );
  }
}

/** Settles an unknown purchase by the balance, or by the word of a user who tells the truth. */
async function settle(world: World, nth: number, byUser: boolean): Promise<void> {
  const unknown = (await world.purchases()).filter(({ state }) => state === 'unknown');
  const purchase = unknown[nth % Math.max(1, unknown.length)];
  if (purchase === undefined) return;
  if (!byUser) return world.settle(purchase.id);
  // Somebody who looks it up does so when all is over.
  world.land();
  const want = WANTS.find((one) => isPurchaseOf(one, purchase));
  const rows = (await world.purchases()).filter((row) => want !== undefined && isPurchaseOf(want, row));
  const others = rows.filter(({ id, state }) => id !== purchase.id && state === 'unknown');
  // With several of one thing in doubt the user cannot know either.
  if (want === undefined || others.length > 0) return;
  const paid = rows.filter(({ state }) => state === 'paid').length;
  const charged = world.remote.account.timesCharged(subjectOf(want)) > paid;
  await world.settle(purchase.id, charged ? 'charged' : 'free');
}

/** Nothing is charged twice unless somebody asked for it, and the journal accounts for every charge. */
async function checkAccounts(world: World): Promise<void> {
  const purchases = await world.purchases();
  const { remote, repays } = world;
  for (const want of WANTS) {
    const subject = subjectOf(want);
    const rows = purchases.filter((row) => isPurchaseOf(want, row));
    const count = (...states: string[]) => rows.filter(({ state }) => states.includes(state)).length;
    const charges = remote.account.timesCharged(subject);
    const told = `${subject}: ${rows.map(({ state, reason }) => `${state} ${reason}`).join(', ')}`;
    expect(charges, told).toBeLessThanOrEqual(1 + (repays.get(subject) ?? 0));
    expect(charges, told).toBeGreaterThanOrEqual(count('paid'));
    expect(charges, told).toBeLessThanOrEqual(count('paid', 'unknown', 'sent'));
    expect(count('intent', 'sent'), told).toBe(0);
  }
  for (const { state, cost, price } of purchases) if (state === 'paid') expect(cost).toBe(price);
}

/** What was given to anybody as the true thing is there for everybody. */
async function checkOwned(world: World): Promise<void> {
  for (const want of world.acknowledged.values()) {
    const answer = await world.recall(want);
    expect([answer.status, answer.source, isTrue(answer)]).toEqual([200, 'owned', true]);
  }
}
