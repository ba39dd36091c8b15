// A prefetch while others buy, limits move, the service refuses and clients leave: nothing is paid twice or beyond what was
// agreed, and what was not sent is given back.

import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { PrefetchEvent } from '../../src/api/prefetch.js';
import { assetsIn, eventsOf } from '../support/prefetch.js';
import { listPurchases } from '../support/purchases.js';
import { changeOwned } from '../support/sqlite.js';
import { startTestDaemon, type StartedDaemon, type StartOptions } from '../support/start-daemon.js';
import { hold, startFaultyRemote, type FaultyRemote } from './faulty-remote.js';
import { createRandom } from './random.js';

const SEED = Number(process.env['SVCD_FAULT_SEED'] ?? Math.floor(Math.random() * 1e9));
const REFUSED_FOR_NOW = { answer: { status: 429, body: '{"code":"rate_limited"}', headers: { 'Retry-After': '1' } } };

interface Stage {
  readonly remote: FaultyRemote;
  readonly svcd: StartedDaemon;
}

const presets = (count: number, from = 0) => Array.from({ length: count }, (_, nth) => `many/${from + nth}`);
const stickerPath = (preset: string) => `/api/v1/stickers/${encodeURIComponent(preset)}`;

async function start(options: StartOptions = {}): Promise<Stage> {
  const remote = await startFaultyRemote();
  const svcd = await startTestDaemon({ userKey: remote.key, flags: { remote: remote.url }, ...options });
  return { remote, svcd };
}

const ask = (svcd: StartedDaemon, body: object, headers: Record<string, string> = {}) =>
  svcd.post('/svcd/prefetch', { max_credits: 1e9, ...body }, headers);

async function put(svcd: StartedDaemon, path: string, body: object): Promise<void> {
  expect((await svcd.send('PUT', path, body)).status).toBe(200);
}

/** Credits spent or reserved today. */
async function taken(svcd: StartedDaemon): Promise<number> {
  const { budgets } = (await (await svcd.get('/svcd/spending')).json()) as {
    budgets: { period: string; spent: number }[];
  };
  return budgets.find(({ period }) => period === 'day')?.spent ?? NaN;
}

const paidCalls = (remote: FaultyRemote) => remote.seen.filter((line) => line.includes('/stickers/'));

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(5);
}

/** Nothing was charged twice, and the journal tells of every charge. */
async function expectHonest({ remote, svcd }: Stage): Promise<void> {
  const subjects = remote.account.charges.map(({ subject }) => subject);
  expect(new Set(subjects).size).toBe(subjects.length);
  const rows = await listPurchases(svcd.get);
  const paid = rows.filter(({ state }) => state === 'paid').map(({ kind, preset }) => `${kind}:${preset ?? ''}`);
  expect(paid.toSorted()).toEqual(subjects.toSorted());
  expect(rows.filter(({ state }) => state === 'intent' || state === 'sent')).toEqual([]);
  expect(await taken(svcd)).toBe(remote.account.spent());
}

const costOf = (events: readonly PrefetchEvent[]) => {
  const last = events.at(-1);
  return last?.event === 'ended' ? last.cost : NaN;
};
const reasons = (events: readonly PrefetchEvent[]) => [
  ...new Set(assetsIn(events).flatMap(({ reason }) => reason ?? [])),
];

/** A prefetch whose first calls are held at the remote; the rest is reserved. */
async function startHeld({ remote, svcd }: Stage, body: object, headers: Record<string, string> = {}) {
  const held = hold();
  remote.trouble = () => ({ until: held.until });
  const gone = new AbortController();
  const answer = await svcd.post('/svcd/prefetch', { max_credits: 1e9, ...body }, headers, gone.signal);
  await until(() => paidCalls(remote).length === 4);
  return { events: eventsOf(answer), hangUp: () => gone.abort(), release: held.release };
}

describe('who hangs up', () => {
  it('gets back at once what had not begun, owns what was under way, and goes on the next time', async () => {
    const stage = await start();
    const { remote, svcd } = stage;
    const { events, hangUp, release } = await startHeld(stage, { presets: presets(10) });
    expect(await taken(svcd)).toBe(10);
    hangUp();
    await expect(events).rejects.toThrow('aborted');
    await until(async () => (await taken(svcd)) === 4);
    expect(remote.account.spent()).toBe(0);
    release();
    await until(async () => (await listPurchases(svcd.get)).filter(({ state }) => state === 'paid').length === 4);
    await expectHonest(stage);
    const again = await eventsOf(await ask(svcd, { presets: presets(10), max_credits: 6 }));
    expect(again[0]).toEqual({ event: 'begun', of: 10, have: 4, buy: 6, cost: 6 });
    expect(again.at(-1)).toMatchObject({ cost: 6, defaults: 0, failed: [] });
    expect(remote.account.spent()).toBe(10);
    await expectHonest(stage);
  });

  it('gets back at once what waits for its turn', async () => {
    // Two leave, and nobody else for a minute.
    const stage = await start({ pace: { burst: 2, limit: 3, windowMs: 120_000 } });
    const { remote, svcd } = stage;
    // The balance before the first purchase takes one of the turns.
    const gone = new AbortController();
    const answer = await svcd.post('/svcd/prefetch', { presets: presets(6), max_credits: 6 }, {}, gone.signal);
    await until(() => remote.account.spent() === 1);
    expect(await taken(svcd)).toBe(6);
    gone.abort();
    await expect(answer.text()).rejects.toThrow('aborted');
    await until(async () => (await taken(svcd)) === 1);
    expect(paidCalls(remote)).toHaveLength(1);
  });

  it('leaves to others what they wait for', async () => {
    const stage = await start();
    const { remote, svcd } = stage;
    const { events, hangUp, release } = await startHeld(stage, { presets: presets(8) });
    const single = svcd.get(stickerPath('many/6'));
    await until(() => paidCalls(remote).length === 5);
    hangUp();
    await expect(events).rejects.toThrow('aborted');
    release();
    const answer = await single;
    expect([answer.headers.get('x-svcd-source'), answer.headers.get('x-svcd-cost')]).toEqual(['remote', '0']);
    await until(async () => (await taken(svcd)) === 5);
    await expectHonest(stage);
  });
});

describe('beside others', () => {
  it('two overlapping prefetches at once pay for each thing once, within one budget', async () => {
    const stage = await start();
    await put(stage.svcd, '/svcd/budget', { day: 12 });
    const both = await Promise.all([presets(8), presets(8, 4)].map((all) => ask(stage.svcd, { presets: all })));
    const [a = [], b = []] = await Promise.all(both.map(eventsOf));
    expect([costOf(a) + costOf(b), stage.remote.account.spent()]).toEqual([12, 12]);
    for (const events of [a, b]) expect(events.at(-1)).toMatchObject({ defaults: 0, failed: [] });
    await expectHonest(stage);
  });

  it('any number of them at once are had whole or refused whole, and never go over a budget', async () => {
    const random = createRandom(SEED);
    const stage = await start({ pace: { burst: 120 } });
    await put(stage.svcd, '/svcd/budget', { day: 15 });
    const orders = Array.from({ length: 16 }, () => presets(random.whole(1, 9), random.whole(0, 12)));
    const answers = await Promise.all(orders.map((all) => ask(stage.svcd, { presets: all })));
    for (const [nth, answer] of answers.entries()) {
      expect([200, 402], `seed ${SEED}`).toContain(answer.status);
      if (!answer.ok) continue;
      const events = await eventsOf(answer);
      expect(assetsIn(events).map(({ preset }) => preset)).toEqual(orders[nth]);
      expect(events.at(-1), `seed ${SEED}`).toMatchObject({ defaults: 0, failed: [] });
    }
    expect(stage.remote.account.spent()).toBeLessThanOrEqual(15);
    expect(answers.some(({ ok }) => ok)).toBe(true);
    await expectHonest(stage);
  });

  it('what another one could not reserve is not left to that one', async () => {
    const stage = await start();
    await put(stage.svcd, '/svcd/budget', { day: 15 });
    const [first, tooMany, stillTooMany] = await Promise.all(
      [presets(8), presets(9, 8), presets(8, 8)].map((all) => ask(stage.svcd, { presets: all })),
    );
    expect([first?.status, tooMany?.status, stillTooMany?.status]).toEqual([200, 402, 402]);
    if (first !== undefined) expect((await eventsOf(first)).at(-1)).toMatchObject({ cost: 8, defaults: 0 });
    await expectHonest(stage);
  });

  it('single requests join what is reserved, begin it, and pay nothing more', async () => {
    const stage = await start();
    const { remote, svcd } = stage;
    const { events, release } = await startHeld(stage, { presets: presets(8) });
    const single = ['many/0', 'many/7', 'other/1'].map((preset) => svcd.get(stickerPath(preset)));
    await until(() => paidCalls(remote).length === 6);
    expect(paidCalls(remote)).toContain(`GET ${stickerPath('many/7')}`);
    release();
    const costs = (await Promise.all(single)).map(({ headers }) => headers.get('x-svcd-cost'));
    expect(costs).toEqual(['0', '0', '1']);
    expect(costOf(await events)).toBe(8);
    expect(remote.account.spent()).toBe(9);
    await expectHonest(stage);
  });

  it('single requests go first', async () => {
    const stage = await start({ pace: { burst: 4, limit: 8, windowMs: 4000 } });
    const { remote, svcd } = stage;
    const answer = await ask(svcd, { presets: presets(10) });
    await until(() => paidCalls(remote).length >= 2);
    const single = await svcd.get(stickerPath('other/1'));
    expect(single.headers.get('x-svcd-source')).toBe('remote');
    // At most the turns that were taken when it came are before it.
    expect(paidCalls(remote).indexOf(`GET ${stickerPath('other/1')}`)).toBeLessThan(8);
    expect(costOf(await eventsOf(answer))).toBe(10);
    await expectHonest(stage);
  }, 30_000);

  it('buys what another did not get after all, within its own maximum', async () => {
    const stage = await start();
    const { remote, svcd } = stage;
    const { events, hangUp, release } = await startHeld(stage, { presets: presets(8) });
    const second = await ask(svcd, { presets: presets(3, 5), max_credits: 2 });
    expect(second.ok).toBe(true);
    const told = eventsOf(second);
    hangUp();
    await expect(events).rejects.toThrow('aborted');
    release();
    const all = await told;
    expect(all[0]).toEqual({ event: 'begun', of: 3, have: 3, buy: 0, cost: 0 });
    expect(costOf(all)).toBeLessThanOrEqual(2);
    await until(async () => (await taken(svcd)) === remote.account.spent());
    await expectHonest(stage);
  });
});

describe('in the middle', () => {
  it('what was owned and proves to be damaged is bought within the maximum only', async () => {
    const first = await start();
    expect(costOf(await eventsOf(await ask(first.svcd, { presets: presets(2) })))).toBe(2);
    const bundle = await (await first.svcd.get('/svcd/owned/export')).text();
    const options = { userKey: first.remote.key, flags: { remote: first.remote.url } };
    const before = await startTestDaemon(options);
    const imported = await before.post('/svcd/owned/import', bundle, { 'Content-Type': 'application/x-ndjson' });
    expect(imported.status).toBe(200);
    await before.daemon.close();
    changeOwned(before, `UPDATE owned SET gzip = x'1f8b', brotli = NULL`);
    const svcd = await startTestDaemon({ ...options, home: before.home });
    const events = await eventsOf(await ask(svcd, { presets: presets(2), max_credits: 1 }));
    expect(events[0]).toMatchObject({ have: 2, buy: 0, cost: 0 });
    expect([costOf(events), reasons(events)]).toEqual([1, ['budget']]);
    expect(first.remote.account.spent()).toBe(3);
  });

  it('a budget that is lowered keeps the rest from being bought', async () => {
    const stage = await start();
    const { events, release } = await startHeld(stage, { presets: presets(10) });
    await put(stage.svcd, '/svcd/budget', { day: 6 });
    release();
    const all = await events;
    expect(stage.remote.account.spent()).toBe(6);
    expect([costOf(all), reasons(all)]).toEqual([6, ['budget']]);
    await expectHonest(stage);
  });

  it('a token that is revoked buys nothing more', async () => {
    const stage = await start();
    const { svcd, remote } = stage;
    const made = (await (await svcd.post('/svcd/tokens', { name: 'gone' })).json()) as { token: string };
    const headers = { Authorization: `Bearer ${made.token}` };
    const { events, release } = await startHeld(stage, { presets: presets(10) }, headers);
    await svcd.send('DELETE', '/svcd/tokens/gone');
    release();
    const all = await events;
    expect(all.filter(({ event }) => event === 'failed')).toMatchObject(
      Array.from({ length: 6 }, () => ({ code: 'invalid_token' })),
    );
    expect([costOf(all), remote.account.spent()]).toEqual([4, 4]);
    await expectHonest(stage);
  });

  it('stopped spending buys nothing more, and begins nothing', async () => {
    const stage = await start();
    const { svcd, remote } = stage;
    const { events, release } = await startHeld(stage, { presets: presets(10) });
    await svcd.post('/svcd/spending', { stopped: true });
    release();
    const all = await events;
    expect([costOf(all), reasons(all), remote.account.spent()]).toEqual([4, ['spending_stopped'], 4]);
    const refused = await ask(svcd, { presets: presets(10) });
    expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([403, 'spending_stopped']);
    expect((await eventsOf(await ask(svcd, { presets: presets(4) }))).at(-1)).toMatchObject({ cost: 0, defaults: 0 });
    await expectHonest(stage);
  });

  it('a stop of svcd ends the lines with an error, and the next run buys the rest', async () => {
    const stage = await start();
    const { remote, svcd } = stage;
    const { events, release } = await startHeld(stage, { presets: presets(10) });
    const closed = svcd.daemon.close();
    expect((await events).at(-1)).toMatchObject({ event: 'error', code: 'not_running' });
    release();
    await closed;
    expect(remote.account.spent()).toBe(4);
    const next = await startTestDaemon({ userKey: remote.key, flags: { remote: remote.url }, home: svcd.home });
    const again = await eventsOf(await ask(next, { presets: presets(10) }));
    expect(again[0]).toMatchObject({ have: 4, buy: 6, cost: 6 });
    await expectHonest({ remote, svcd: next });
    expect(remote.account.spent()).toBe(10);
  });

  it('a storm of refusals for now only makes it wait', async () => {
    const stage = await start();
    const { remote, svcd } = stage;
    let refused = 0;
    remote.trouble = () => (refused++ < 9 ? REFUSED_FOR_NOW : undefined);
    const events = await eventsOf(await ask(svcd, { presets: presets(8) }));
    expect(events.at(-1)).toMatchObject({ cost: 8, defaults: 0, failed: [] });
    expect(events.some((one) => one.event === 'waiting' && one.why === 'pace')).toBe(true);
    await expectHonest(stage);
  }, 60_000);

  it('an image whose picture cannot be had is told as bought and failed, and costs nothing the next time', async () => {
    const stage = await start();
    const { remote, svcd } = stage;
    remote.hasPictures = false;
    const body = { images: [{ prompt: 'a cat', size: '1024x1024' }], max_credits: 10 };
    const events = await eventsOf(await ask(svcd, body));
    expect(events.at(-2)).toMatchObject({ event: 'failed', place: 0, image: true, code: 'upstream_failure', cost: 10 });
    expect(events.at(-1)).toMatchObject({ cost: 10, failed: [0] });
    remote.hasPictures = true;
    await until(async () => {
      const again = await eventsOf(await ask(svcd, { ...body, max_credits: 0 }));
      expect(costOf(again)).toBe(0);
      return assetsIn(again)[0]?.source === 'owned';
    });
    expect(remote.account.spent()).toBe(10);
  });

  it('a call that is lost is told as uncertain, and is not bought again', async () => {
    const stage = await start();
    const { remote, svcd } = stage;
    remote.trouble = ({ path }) => (path.endsWith('2') ? { cut: { how: 'reset', after: 'charge' } } : undefined);
    const events = await eventsOf(await ask(svcd, { presets: presets(5), fallback: false }));
    expect(events.find(({ event }) => event === 'failed')).toMatchObject({ place: 2, cost: 'unknown' });
    expect(events.at(-1)).toMatchObject({ cost: 4, uncertain: [2], failed: [2] });
    remote.trouble = () => undefined;
    const again = await eventsOf(await ask(svcd, { presets: presets(5), fallback: false, max_credits: 0 }));
    expect(again[0]).toEqual({ event: 'begun', of: 5, have: 4, buy: 0, cost: 0 });
    expect(again.find(({ event }) => event === 'failed')).toMatchObject({ place: 2, code: 'unsettled', cost: 0 });
    const soft = await eventsOf(await ask(svcd, { presets: presets(5), max_credits: 0 }));
    expect([costOf(soft), reasons(soft)]).toEqual([0, ['unsettled']]);
    expect(remote.account.timesCharged('sticker:many/2')).toBe(1);
  });
});
