// Budgets under load and under a clock that jumps: what is set is what can be spent, and no more.

import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { stickerPath } from '../../src/model/sticker.js';
import { createMovingClock } from '../support/moving-clock.js';
import { listPurchases } from '../support/purchases.js';
import { startTestDaemon, type StartedDaemon } from '../support/start-daemon.js';
import { startFaultyRemote, type FaultyRemote } from './faulty-remote.js';

const STRICT = { 'X-Svcd-Fallback': 'off' };
const HOUR_MS = 3_600_000;
// The remote's own limit on requests is another matter, so few are made in a minute.
const TRIES = 6;

describe('a budget of 10 a day', () => {
  it('lets exactly 10 of 100 different purchases at once through; the others get defaults', async () => {
    const { svcd, remote } = await startWithBudget({ day: 10 });
    remote.trouble = () => ({ until: () => sleep(30) });
    const answers = await Promise.all(presets(100).map((preset) => svcd.get(stickerPath(preset))));
    const facts = answers.map(({ status, headers }) => [
      status,
      headers.get('x-svcd-source'),
      headers.get('x-svcd-reason'),
    ]);
    expect(facts.filter(([, source]) => source === 'remote')).toHaveLength(10);
    const others = facts.filter(([, source]) => source !== 'remote');
    expect(new Set(others.map((fact) => fact.join()))).toEqual(new Set(['200,default,budget']));
    expect(remote.account.spent()).toBe(10);
    expect(remote.seen.filter((line) => line.includes('/stickers/'))).toHaveLength(10);
    expect(await spentToday(svcd)).toBe(10);
  });

  it('refuses the other 90 to strict clients with the figures', async () => {
    const { svcd, remote } = await startWithBudget({ day: 10 });
    const answers = await Promise.all(presets(100).map((preset) => svcd.get(stickerPath(preset), STRICT)));
    const refused = answers.filter(({ status }) => status === 402);
    expect(refused).toHaveLength(90);
    const told = await Promise.all(refused.map((answer): Promise<unknown> => answer.json()));
    expect(told[0]).toMatchObject({
      code: 'budget',
      message: expect.stringMatching(/per day is 10 credits \(10 spent or reserved\), and this costs 1/) as unknown,
    });
    expect(remote.account.spent()).toBe(10);
  });

  it('is not spent by what the remote refuses, and is by what was lost', async () => {
    const { svcd, remote } = await startWithBudget({ day: 3 });
    remote.trouble = () => ({ answer: { status: 404 } });
    await buyMany(svcd, 'refused', 5);
    remote.trouble = () => ({ cut: { how: 'reset', after: 'charge' } });
    await buyMany(svcd, 'lost', 5);
    remote.trouble = () => undefined;
    await buyMany(svcd, 'bought', 5);
    expect(remote.account.spent()).toBe(3);
    // The balance is looked at within a second, and shows what was charged.
    const states = (await listPurchases(svcd.get)).map(({ state }) => state);
    expect(states.filter((state) => state === 'unknown' || state === 'paid')).toHaveLength(3);
  });

  it('counts an image as what it costs, and lets none through that would go over it', async () => {
    const { svcd, remote } = await startWithBudget({ day: 25 });
    const prompts = ['a cat', 'a dog', 'a bird', 'a fish'];
    const answers = await Promise.all(
      prompts.map((prompt) => svcd.post('/api/v1/images', { prompt, size: '1536x1024' })),
    );
    const sources = answers.map(({ headers }) => String(headers.get('x-svcd-source'))).toSorted();
    expect(sources).toEqual(['default', 'default', 'remote', 'remote']);
    expect(remote.account.spent()).toBe(20);
  });
});

describe('a clock that jumps', () => {
  it('over midnight opens the new day, and back again opens nothing', async () => {
    const { svcd, remote, clock } = await startAt('2026-11-21T23:59:58+08:00', { day: 2 });
    await expectSpent(svcd, remote, 2);
    clock.pass(3000);
    await expectSpent(svcd, remote, 4);
    clock.set('2026-11-21T12:00:00+08:00');
    await expectSpent(svcd, remote, 4);
    clock.set('2026-11-22T00:00:00+08:00');
    await expectSpent(svcd, remote, 4);
    clock.set('2026-11-23T00:00:00+08:00');
    await expectSpent(svcd, remote, 6);
  });

  it('to and fro does not spend more than once for each day it reached', async () => {
    const { svcd, remote, clock } = await startAt('2026-11-21T12:00:00+08:00', { day: 1 });
    const reached = new Set<string>();
    for (const day of ['21', '20', '22', '19', '21', '22', '23', '01']) {
      clock.set(`2026-11-${day}T12:00:00+08:00`);
      const furthest = [...reached, day].toSorted().at(-1) ?? day;
      reached.add(furthest);
      await expectSpent(svcd, remote, reached.size);
    }
  });

  it('is not forgotten by a restart', async () => {
    const { svcd, remote, clock } = await startAt('2026-11-22T00:00:00+08:00', { day: 2 });
    await expectSpent(svcd, remote, 2);
    await svcd.daemon.close();
    clock.set('2026-11-21T12:00:00+08:00');
    const again = await start(remote, svcd.home, clock, 'Asia/Shanghai');
    await expectSpent(again, remote, 2);
  });

  it('over the end of a month opens the month’s budget once, also over the end of a year', async () => {
    const { svcd, remote, clock } = await startAt('2026-11-30T23:59:59+08:00', { month: 2 });
    await expectSpent(svcd, remote, 2);
    clock.pass(1000);
    await expectSpent(svcd, remote, 4);
    clock.set('2026-11-30T12:00:00+08:00');
    await expectSpent(svcd, remote, 4);
    clock.set('2026-12-31T23:00:00+08:00');
    await expectSpent(svcd, remote, 4);
    clock.pass(HOUR_MS);
    await expectSpent(svcd, remote, 6);
  });
});

describe('a clock that is far wrong', () => {
  it('80 years ahead for one run does not close the days of the right time', async () => {
    const { svcd, remote, clock } = await startAt('2106-11-22T12:00:00+08:00', { day: 2 });
    await expectSpent(svcd, remote, 2);
    await svcd.daemon.close();
    clock.set('2026-11-22T12:00:00+08:00');
    const again = await start(remote, svcd.home, clock, 'Asia/Shanghai');
    await expectSpent(again, remote, 4);
    clock.set('2026-11-23T12:00:00+08:00');
    await expectSpent(again, remote, 6);
  });

  it('and leaps 80 years ahead while svcd runs opens no day, and its return closes none', async () => {
    const { svcd, remote, clock } = await startAt('2026-11-22T12:00:00+08:00', { day: 2 });
    await expectSpent(svcd, remote, 2);
    clock.set('2106-11-22T12:00:00+08:00');
    await expectSpent(svcd, remote, 2);
    clock.set('2026-11-23T12:00:00+08:00');
    await expectSpent(svcd, remote, 4);
  });

  it('and begins in 1970 opens no day before it is set', async () => {
    const { svcd, remote, clock } = await startAt('2026-11-22T12:00:00+08:00', { day: 2 });
    await expectSpent(svcd, remote, 2);
    await svcd.daemon.close();
    clock.set('1970-01-01T12:00:00+08:00');
    const again = await start(remote, svcd.home, clock, 'Asia/Shanghai');
    await expectSpent(again, remote, 2);
    clock.set('2026-11-22T12:00:00+08:00');
    await expectSpent(again, remote, 2);
    clock.set('2026-11-23T12:00:00+08:00');
    await expectSpent(again, remote, 4);
  });
});

describe('a day', () => {
  it('of 23 or 25 hours is one day', async () => {
    const { svcd, remote, clock } = await startAt('2026-03-29T00:00:00+01:00', { day: 1 }, 'Europe/Berlin');
    await expectSpent(svcd, remote, 1);
    clock.set('2026-03-29T23:59:59+02:00');
    await expectSpent(svcd, remote, 1);
    clock.pass(1000);
    await expectSpent(svcd, remote, 2);
    clock.set('2026-10-25T00:00:00+02:00');
    await expectSpent(svcd, remote, 3);
    // The hour from two to three comes twice.
    for (const instant of ['2026-10-25T02:30:00+02:00', '2026-10-25T02:30:00+01:00', '2026-10-25T23:59:59+01:00']) {
      clock.set(instant);
      await expectSpent(svcd, remote, 3);
    }
    clock.pass(1000);
    await expectSpent(svcd, remote, 4);
  });

  it('is the user’s, and moving to a zone where it is still yesterday opens nothing', async () => {
    const { svcd, remote, clock } = await startAt('2026-11-22T06:00:00+08:00', { day: 1, month: 10 });
    await expectSpent(svcd, remote, 1);
    await svcd.daemon.close();
    const west = await start(remote, svcd.home, clock, 'America/Los_Angeles');
    await expectSpent(west, remote, 1);
    await west.daemon.close();
    const east = await start(remote, svcd.home, clock, 'Pacific/Kiritimati');
    await expectSpent(east, remote, 1);
    clock.set('2026-11-22T00:00:00+14:00');
    await expectSpent(east, remote, 1);
    clock.set('2026-11-23T00:00:00+14:00');
    await expectSpent(east, remote, 2);
  });
});

type Limits = Readonly<Partial<Record<'request' | 'day' | 'month', number>>>;

async function startWithBudget(limits: Limits) {
  const remote = await startFaultyRemote();
  const svcd = await startTestDaemon({ userKey: remote.key, flags: { remote: remote.url } });
  await setBudget(svcd, limits);
  return { svcd, remote };
}

async function startAt(instant: string, limits: Limits, timeZone = 'Asia/Shanghai') {
  const clock = createMovingClock(instant);
  const remote = await startFaultyRemote();
  const svcd = await start(remote, undefined, clock, timeZone);
  await setBudget(svcd, limits);
  return { svcd, remote, clock };
}

function start(
  remote: FaultyRemote,
  home: string | undefined,
  clock: ReturnType<typeof createMovingClock>,
  timeZone: string,
): Promise<StartedDaemon> {
  const flags = { remote: remote.url, 'time-zone': timeZone };
  return startTestDaemon({ userKey: remote.key, clock, flags, ...(home === undefined ? {} : { home }) });
}

async function setBudget(svcd: StartedDaemon, limits: Limits): Promise<void> {
  const answer = await svcd.send('PUT', '/svcd/budget', limits);
  expect(answer.status).toBe(200);
}

async function spentToday(svcd: StartedDaemon): Promise<number | undefined> {
  const { budgets } = (await (await svcd.get('/svcd/spending')).json()) as {
    budgets: { period: string; spent: number }[];
  };
  return budgets.find(({ period }) => period === 'day')?.spent;
}

function presets(count: number, set = 'budget'): string[] {
  return Array.from({ length: count }, (_, i) => `${set}/${i}`);
}

async function buyMany(svcd: StartedDaemon, set: string, count: number): Promise<void> {
  await Promise.all(presets(count, set).map((preset) => svcd.get(stickerPath(preset))));
}

let tried = 0;
/** Tries to buy more than any of the budgets allows; in all so many credits are gone afterwards. */
async function expectSpent(svcd: StartedDaemon, remote: FaultyRemote, credits: number): Promise<void> {
  await buyMany(svcd, `try-${tried++}`, TRIES);
  expect(remote.account.spent()).toBe(credits);
}
