// The pace as a render meets it, on a clock of the test: the real purchase flow and the real policies, before the
// sandbox's own count of requests.

import { describe, expect, it } from 'vitest';
import { buyOrFallBack } from '../../src/operations/stickers/fallback-policy.js';
import { silentLog } from '../../src/platform/log.js';
import { stickerPath } from '../../src/model/sticker.js';
import { itemOf, stickerItem } from '../../src/purchases/item.js';
import { createPurchaseCoordinator } from '../../src/purchases/purchase-coordinator.js';
import { RateLimit } from '../../src/sandbox/rate-limit.js';
import type { Exchange, Exchanger, RemoteRequest } from '../../src/upstream/exchange.js';
import type { RateLimiterRules } from '../../src/upstream/rate-limiter.js';
import { createRemote } from '../../src/upstream/remote.js';
import { lottieOf } from '../faults/faulty-remote.js';
import { openPurchases } from '../purchases/open-test-purchases.js';
import { createFakeTime, settle, type FakeTime } from './fake-time.js';
import { answer, outcome, requestOf } from './requests.js';

const DEADLINE_MS = 8000;
const MINUTE_MS = 60_000;
const STEP_MS = 50;
const HURRY: Partial<RateLimiterRules> = { limit: 12, windowMs: 6100, burst: 2 };

describe('three hundred stickers', () => {
  it('asked for six at a time are all right within the default deadline, and no minute sees more than 120', async () => {
    const { reasons, waits, departures, bought } = await render({ callers: 6, stickers: 300 });
    expect(reasons).toEqual([]);
    expect(Math.max(...waits)).toBeLessThan(DEADLINE_MS * 0.9);
    expect(bought).toBe(300);
    expect(mostIn(MINUTE_MS, departures)).toBeLessThanOrEqual(120);
  });

  it('asked for twenty at a time are right as far as the pace goes, and the others say why', async () => {
    const { reasons, bought } = await render({ callers: 20, stickers: 300 });
    expect(new Set(reasons)).toEqual(new Set(['rate_limited']));
    // 10 turns in a deadline for 20 callers: those who still wait go before what is bought for nobody.
    expect(reasons.length).toBeLessThan(180);
    expect(bought).toBe(300);
  });
});

describe('a turn', () => {
  it('comes at once for a small burst, then evenly', async () => {
    const { time, remote, departures } = setUp();
    for (let i = 0; i < 45; i++) void remote.exchange(requestOf());
    await time.advance(5 * 763 + 5);
    expect(departures.filter((at) => at === departures[0])).toHaveLength(40);
    const gaps = departures.slice(40).map((at, i) => at - (departures[39 + i] ?? 0));
    expect(gaps.map((gap) => Math.round(gap / 10))).toEqual([76, 76, 76, 76, 76]);
  });

  it('comes at once for a handful when the remote wanted to be left alone, then evenly', async () => {
    const refused = new Set(['/0', '/1', '/2', '/3', '/4', '/5', '/6', '/7']);
    const once = ({ path }: RemoteRequest) => (refused.delete(path) ? answer(429, { 'retry-after': '1' }) : answer());
    const { time, remote, departures } = setUp({}, once);
    const all = [...refused].map((path) => remote.exchange(requestOf({ path, resendWithinMs: DEADLINE_MS })));
    await time.advance(1000 + 3 * 763 + 5);
    expect((await Promise.all(all)).map(outcome)).toEqual(all.map(() => ['answer', 200]));
    const again = departures.slice(8).map((at) => at - (departures[0] ?? 0));
    expect(again.filter((at) => at === again[0])).toHaveLength(5);
    expect(again[0]).toBeGreaterThanOrEqual(1000);
  });

  it('goes first to those who have waited longest, also when they were refused meanwhile', async () => {
    const refusedOnce = new Set(['/1', '/3']);
    const { time, remote, paths } = setUp(HURRY, ({ path }) => (refusedOnce.delete(path) ? answer(429) : answer()));
    const all = [];
    for (const i of [0, 1, 2, 3, 4, 5]) {
      all.push(remote.exchange(requestOf({ path: `/${i}`, resendWithinMs: 60_000 })));
      await time.advance(1);
    }
    await time.advance(60_000);
    expect((await Promise.all(all)).map(outcome)).toEqual(all.map(() => ['answer', 200]));
    expect(paths.filter((path, i) => paths.lastIndexOf(path) === i)).toEqual(['/0', '/1', '/2', '/3', '/4', '/5']);
  });

  it('goes to a client that waits before one whose client is gone, and to that before background work', async () => {
    const { time, remote, paths } = setUp(HURRY);
    for (const path of ['/a', '/b']) void remote.exchange(requestOf({ path }));
    void remote.exchange(requestOf({ path: '/background', urgency: 'background' }));
    void remote.exchange(requestOf({ path: '/gone', isAwaited: () => false }));
    void remote.exchange(requestOf({ path: '/awaited' }));
    await time.advance(10_000);
    expect(paths).toEqual(['/a', '/b', '/awaited', '/gone', '/background']);
  });

  it('that is late makes none of a hub later that comes after it', async () => {
    const windows = 10;
    const windowMs = 61_000;
    // Each fiftieth connection takes a second; where that was handed on, two turns of each window were gone for good.
    const connectMs = (nth: number) => (nth % 50 === 49 ? 1000 : 5);
    const { time, remote, departures } = setUp({ steady: true, maxWaiting: 2000 }, sell, connectMs);
    for (let i = 0; i < 120 * (windows + 1); i++) void remote.exchange(requestOf({ path: `/${i}` }));
    await time.advance(windows * windowMs);
    expect(departures.length).toBeGreaterThanOrEqual(windows * 120 - 2);
    expect(mostIn(windowMs, departures)).toBe(120);
    // After the first window there is no pause again.
    const later = departures.filter((at) => at >= 1000 + windowMs).toSorted((a, b) => a - b);
    expect(Math.max(...later.slice(1).map((at, i) => at - (later[i] ?? 0)))).toBeLessThan(3000);
  });

  it('is kept for people: background work never uses up the burst', async () => {
    const { time, remote, paths } = setUp();
    for (let i = 0; i < 100; i++) void remote.exchange(requestOf({ path: '/work', urgency: 'background' }));
    await time.advance(20_000);
    const before = paths.length;
    for (let i = 0; i < 10; i++) void remote.exchange(requestOf({ path: '/person' }));
    await time.advance(0);
    expect(paths.slice(before)).toEqual(Array.from({ length: 10 }, () => '/person'));
  });
});

interface Render {
  readonly callers: number;
  readonly stickers: number;
}

/** Every caller asks for the next sticker as soon as it has one. */
async function render({ callers, stickers }: Render) {
  const { time, remote, departures, sold } = setUp();
  const { clock, sleep } = time;
  const stores = openPurchases({ clock: { ...clock, at: 0, setForwardMs: 0 } });
  const coordinator = createPurchaseCoordinator({
    ...stores,
    remote,
    maxFileBytes: 10_000,
    log: silentLog,
    sleep,
    clock,
  });
  const reasons: string[] = [];
  const waits: number[] = [];
  let next = 0;
  const call = async (): Promise<void> => {
    while (next < stickers) {
      const item = stickerItem(`food/${next++}`);
      const spender = { kind: 'key', key: 'sk-one' } as const;
      const from = clock.monotonic();
      const given = await buyOrFallBack({ coordinator, remote }, item, {
        spender,
        deadlineMs: DEADLINE_MS,
        fallback: true,
      });
      waits.push(clock.monotonic() - from);
      if (given.kind === 'fallback') reasons.push(given.reason);
    }
  };
  const calls = Array.from({ length: callers }, call);
  // What was answered is packed by threads and kept on a disk that know nothing of this time, so time waits for them.
  const isKeeping = () => {
    for (const path of sold) if (!coordinator.isBuying(itemAt(path))) sold.delete(path);
    return sold.size > 0;
  };
  for (let passedMs = 0; passedMs < 300_000; passedMs += STEP_MS) {
    await time.advance(STEP_MS);
    // The journal commits in turns of the loop, which know nothing of this time.
    for (let turns = 0; turns < 5; turns++) await settle();
    while (isKeeping()) await settle();
  }
  await Promise.all(calls);
  const bought = (await stores.journal.sums()).find(({ state }) => state === 'paid')?.purchases;
  remote.close();
  stores.close();
  return { reasons, waits, departures, bought };
}

/** A remote in front of the sandbox's count of requests, a real minute long unless the pace is another. */
function setUp(
  pace: Partial<RateLimiterRules> = {},
  reply: (request: RemoteRequest) => Exchange = sell,
  connectMs: (nth: number) => number = () => 0,
) {
  const time: FakeTime = createFakeTime();
  const limit = new RateLimit(120, time.clock);
  const departures: number[] = [];
  const paths: string[] = [];
  const sold = new Set<string>();
  let asked = 0;
  const exchanger: Exchanger = async (request) => {
    const ms = connectMs(asked++);
    if (ms > 0) await time.sleep(ms);
    await request.beforeSend?.();
    departures.push(time.clock.monotonic());
    paths.push(request.path);
    const waitMs = limit.take(1);
    if (waitMs > 0) return answer(429, { 'retry-after': `${Math.ceil(waitMs / 1000)}` });
    sold.add(request.path);
    return reply(request);
  };
  const remote = createRemote({
    baseUrl: 'http://remote',
    exchanger,
    forcedOffline: false,
    watchBalance: () => () => undefined,
    log: silentLog,
    pace,
    ...time,
  });
  return { time, remote, departures, paths, sold };
}

/** The item that a request for a sticker buys. */
function itemAt(path: string): string {
  return itemOf(decodeURIComponent(path.slice(stickerPath('').length)));
}

function sell({ path }: RemoteRequest): Exchange {
  return answer(200, {}, lottieOf(path));
}

function mostIn(ms: number, departures: readonly number[]): number {
  return Math.max(...departures.map((from) => departures.filter((at) => at >= from && at < from + ms).length));
}
