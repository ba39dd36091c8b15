// What has not left yet can still be stopped: by ending the token, by a budget, by "svcd stop-spending", or because every
// client that waited has gone. What has left is paid for and kept.

import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { stickerPath } from '../../src/model/sticker.js';
import { listPurchases } from '../support/purchases.js';
import { startTestDaemon, type StartedDaemon } from '../support/start-daemon.js';
import { hold, startFaultyRemote, type FaultyRemote } from './faulty-remote.js';

const MANY = 60;

interface World {
  readonly svcd: StartedDaemon;
  readonly remote: FaultyRemote;
  /** Lets the remote answer what it got. */
  readonly release: () => void;
  /** How many purchases have left. */
  readonly sent: () => Promise<number>;
}

const releases: (() => void)[] = [];
afterEach(() => releases.splice(0).forEach((release) => release()));

/** A remote that answers nothing that costs before it is released. */
async function makeWorld(): Promise<World> {
  const remote = await startFaultyRemote();
  const { until, release } = hold();
  releases.push(release);
  remote.trouble = () => ({ until });
  const svcd = await startTestDaemon({ userKey: remote.key, flags: { remote: remote.url } });
  const sent = async () => (await listPurchases(svcd.get)).filter(({ state }) => state === 'sent').length;
  return { svcd, remote, release, sent };
}

/** Asks for many stickers with a token; the service gets the first of them, the others wait for their turns. */
async function askMany({ svcd, sent }: World, token: string, signal?: AbortSignal) {
  const headers = { Authorization: `Bearer ${token}` };
  const answers = Array.from({ length: MANY }, (_, i) =>
    svcd
      .call(stickerPath(`many/${i}`), { headers, ...(signal === undefined ? {} : { signal }) })
      .catch(() => undefined),
  );
  await expect.poll(sent).toBeGreaterThan(0);
  return { answers: Promise.all(answers) };
}

/** Purchases by state, once none is open. */
async function settled({ svcd }: World): Promise<Record<string, number>> {
  const rows = async () => listPurchases(svcd.get);
  await expect
    .poll(async () => (await rows()).filter(({ state }) => state === 'intent' || state === 'sent'))
    .toEqual([]);
  const counts: Record<string, number> = {};
  for (const { state } of await rows()) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
}

async function expectOnlyArrivedPaid(world: World, stoppedAt: number): Promise<void> {
  const { paid = 0, refused = 0 } = await settled(world);
  // One may be on its way while it is stopped.
  expect(paid).toBeLessThanOrEqual(stoppedAt + 1);
  expect(world.remote.account.spent()).toBe(paid);
  expect(paid + refused).toBe(MANY);
}

describe('many purchases, most of which wait for their turn', () => {
  it('are dropped when their token is revoked', async () => {
    const world = await makeWorld();
    const { svcd } = world;
    const made = await svcd.post('/svcd/tokens', { name: 'render' });
    const { token } = (await made.json()) as { token: string };
    const { answers } = await askMany(world, token);
    const headers = { Authorization: `Bearer ${svcd.token}` };
    expect((await svcd.call('/svcd/tokens/render', { method: 'DELETE', headers })).status).toBe(200);
    const stoppedAt = await world.sent();
    world.release();
    await answers;
    await expectOnlyArrivedPaid(world, stoppedAt);
  });

  it('are dropped when a budget of 0 is set', async () => {
    const world = await makeWorld();
    const { svcd } = world;
    const { answers } = await askMany(world, svcd.token);
    const headers = { Authorization: `Bearer ${svcd.token}`, 'Content-Type': 'application/json' };
    await svcd.call('/svcd/budget', { method: 'PUT', headers, body: '{"day":0}' });
    const stoppedAt = await world.sent();
    world.release();
    const reasons = (await answers).map((answer) => answer?.headers.get('x-svcd-reason') ?? 'none');
    expect(reasons).toContain('budget');
    await expectOnlyArrivedPaid(world, stoppedAt);
  });

  it('are dropped when spending is stopped', async () => {
    const world = await makeWorld();
    const { answers } = await askMany(world, world.svcd.token);
    await world.svcd.post('/svcd/spending', { stopped: true });
    const stoppedAt = await world.sent();
    world.release();
    const reasons = (await answers).map((answer) => answer?.headers.get('x-svcd-reason') ?? 'none');
    expect(reasons).toContain('spending_stopped');
    await expectOnlyArrivedPaid(world, stoppedAt);
  });

  it('are dropped when every client that waited has gone', async () => {
    const world = await makeWorld();
    const leave = new AbortController();
    const { answers } = await askMany(world, world.svcd.token, leave.signal);
    leave.abort();
    await answers;
    // The daemon hears of closed connections a moment later.
    await sleep(500);
    const stoppedAt = await world.sent();
    world.release();
    await expectOnlyArrivedPaid(world, stoppedAt);
  });
});

describe('a purchase that waits for its turn', () => {
  it('is made when one of two clients has gone, or had its default in time', async () => {
    const world = await makeWorld();
    const { svcd } = world;
    const full = askMany(world, svcd.token);
    const { answers } = await full;
    const bearer = { Authorization: `Bearer ${svcd.token}` };
    const leave = new AbortController();
    const gone = svcd.call(stickerPath('two/a'), { headers: bearer, signal: leave.signal }).catch(() => undefined);
    const late = await svcd.call(stickerPath('two/a'), { headers: { ...bearer, 'X-Svcd-Deadline-Ms': '50' } });
    expect(late.headers.get('x-svcd-reason')).toBe('rate_limited');
    leave.abort();
    await gone;
    world.release();
    await answers;
    await expect.poll(async () => (await svcd.get(stickerPath('two/a'))).headers.get('x-svcd-source')).toBe('owned');
  });
});
