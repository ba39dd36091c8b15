// The rate limit: never more than the limit in any window, first come first served, people first, none waits for ever.

import {
  array,
  boolean,
  assert,
  asyncProperty,
  constant,
  constantFrom,
  nat,
  oneof,
  record,
  type Arbitrary,
} from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SvcdError } from '../../src/model/errors.js';
import type { Exchange, Exchanger, Layer, RemoteRequest } from '../../src/upstream/exchange.js';
import type { RateLimiterRules } from '../../src/upstream/rate-limiter.js';
import { withRateLimit } from '../../src/upstream/with-rate-limit.js';
import { createFakeTime, settle, type FakeTime } from './fake-time.js';
import { answer, lost, outcome, requestOf, unreached } from './requests.js';

const LIMIT = 4;
const WINDOW_MS = 1000;

describe('the pace', () => {
  it('lets as many leave at once as the limit allows, and the next when the window has moved on', async () => {
    const { time, send, left } = setUp();
    for (let i = 0; i < 6; i++) void send();
    await settle();
    expect(left()).toHaveLength(LIMIT);
    await time.advance(WINDOW_MS - 1);
    expect(left()).toHaveLength(LIMIT);
    await time.advance(1);
    expect(left()).toHaveLength(6);
  });

  it('counts each Key for itself, and those without a Key together', async () => {
    const { send, left } = setUp();
    for (const key of ['sk-one', 'sk-two', undefined]) {
      for (let i = 0; i < 6; i++) void send({ key });
    }
    await settle();
    expect(left()).toHaveLength(3 * LIMIT);
  });

  it('counts from when the first byte leaves, not from when the turn was given', async () => {
    const { time, send, left } = setUp({ connectMs: 700 });
    for (let i = 0; i < 5; i++) void send();
    await time.advance(700);
    expect(left()).toHaveLength(LIMIT);
    await time.advance(WINDOW_MS - 1);
    expect(left()).toHaveLength(LIMIT);
    await time.advance(701);
    expect(left().at(-1)?.at).toBe(1000 + 700 + WINDOW_MS + 700);
  });

  it('uses up the limit for good where it is steady, evenly after the first window, and never more', async () => {
    const { time, send, left } = setUp({ burst: 2, steady: true, maxWaiting: 50 });
    for (let i = 0; i < 8 * LIMIT; i++) void send();
    await time.advance(6 * WINDOW_MS - 1);
    const times = left().map(({ at }) => at - (left()[0]?.at ?? 0));
    expect(times).toHaveLength(6 * LIMIT);
    const gaps = times.slice(LIMIT + 1).map((at, nth) => at - (times[LIMIT + nth] ?? 0));
    expect(Math.max(...gaps) - Math.min(...gaps)).toBeLessThanOrEqual(LIMIT);
    for (const at of times)
      expect(times.filter((one) => one > at - WINDOW_MS && one <= at).length).toBeLessThanOrEqual(LIMIT);
  });

  it('gives the turn of one that did not leave to the next', async () => {
    const { send, left } = setUp({ result: () => unreached(), connectMs: undefined });
    const results = await Promise.all(Array.from({ length: LIMIT + 10 }, () => send()));
    expect(new Set(results.map((result) => outcome(result).join()))).toEqual(new Set(['unreached,offline']));
    expect(left()).toEqual([]);
  });

  it('counts what never said that it left, unless it was unreached', async () => {
    const { send, asked } = setUp({ result: () => lost(), connectMs: undefined });
    for (let i = 0; i < 6; i++) void send();
    await settle();
    expect(asked()).toHaveLength(LIMIT);
  });

  it('lets people pass background work that waits', async () => {
    const { time, send, asked } = setUp();
    for (let i = 0; i < LIMIT; i++) void send();
    void send({ urgency: 'background', path: '/work' });
    void send({ path: '/person' });
    await time.advance(WINDOW_MS);
    expect(asked().map(({ path }) => path)).toEqual([
      ...Array.from({ length: LIMIT }, () => '/api/v1/me'),
      '/person',
      '/work',
    ]);
  });

  it('leaves background work its share only, so that a person need not wait for it', async () => {
    const { send, asked } = setUp();
    for (let i = 0; i < 10; i++) void send({ urgency: 'background', path: '/work' });
    void send({ path: '/person' });
    await settle();
    expect(asked().map(({ path }) => path)).toEqual(['/work', '/work', '/person']);
  });

  it('refuses at once when too many wait, and says when to come back', async () => {
    const { send } = setUp();
    for (let i = 0; i < LIMIT + 10; i++) void send();
    await settle();
    const result = await send();
    expect(result).toMatchObject({ kind: 'unreached', error: { code: 'rate_limited', retryAfterS: 3 } });
    const work = send({ urgency: 'background' });
    expect(await Promise.race([work, settle()])).toBeUndefined();
  });

  it('lets go of one that does not want to wait that long', async () => {
    const { time, send, asked } = setUp();
    for (let i = 0; i < LIMIT; i++) void send();
    const impatient = send({ queueTimeoutMs: 300 });
    const patient = send({ queueTimeoutMs: 3000 });
    await time.advance(300);
    expect(outcome(await impatient)).toEqual(['unreached', 'rate_limited']);
    await time.advance(WINDOW_MS);
    expect(outcome(await patient)).toEqual(['answer', 200]);
    expect(asked()).toHaveLength(LIMIT + 1);
    expect(time.sleepers()).toEqual([]);
  });

  it('lets go of one that is recalled, and sleeps for none then', async () => {
    const { time, send } = setUp();
    const recall = new AbortController();
    for (let i = 0; i < LIMIT; i++) void send();
    const waiting = [1, 2, 3].map(() => send({ recall: recall.signal }));
    await settle();
    expect(time.sleepers()).toHaveLength(1);
    recall.abort(new SvcdError('offline', 'svcd is stopping'));
    for (const result of await Promise.all(waiting)) expect(outcome(result)).toEqual(['unreached', 'offline']);
    expect(outcome(await send({ recall: recall.signal }))).toEqual(['unreached', 'offline']);
    expect(time.sleepers()).toEqual([]);
  });

  it('obeys Retry-After of a 429 for that Key, whichever request waits', async () => {
    let status = 429;
    const { time, send, asked } = setUp({ result: () => answer(status, { 'retry-after': '7' }) });
    await send();
    status = 200;
    const waiting = send();
    await time.advance(6999);
    expect(asked()).toHaveLength(1);
    void send({ key: 'sk-two' });
    await settle();
    expect(asked()).toHaveLength(2);
    await time.advance(1);
    expect(outcome(await waiting)).toEqual(['answer', 200]);
  });

  it('keeps no other request waiting for a busy service', async () => {
    const busy = answer(429, { 'retry-after': '7' }, '{"code":"busy"}');
    const { send } = setUp({ result: ({ path }) => (path === '/image' ? busy : answer()) });
    expect(outcome(await send({ path: '/image' }))).toEqual(['answer', 429]);
    expect(outcome(await send())).toEqual(['answer', 200]);
  });

  it('reads Retry-After as a date too, by the clock of the remote', async () => {
    const headers = { 'retry-after': 'Sun, 06 Nov 1994 08:49:40 GMT', date: 'Sun, 06 Nov 1994 08:49:37 GMT' };
    const { time, send, asked } = setUp({ result: () => answer(429, headers) });
    await send();
    void send();
    await time.advance(2999);
    expect(asked()).toHaveLength(1);
    await time.advance(1);
    expect(asked()).toHaveLength(2);
  });

  it('lets no request wait for a remote that wants to be left alone for very long', async () => {
    const { time, send, asked } = setUp({ result: () => answer(429, { 'retry-after': '86400' }) });
    const all = Array.from({ length: LIMIT + 3 }, () => send());
    const results = await Promise.all(all);
    expect(asked()).toHaveLength(LIMIT);
    expect(results.at(-1)).toMatchObject({ kind: 'unreached', error: { retryAfterS: 3600 } });
    expect(await send()).toMatchObject({ kind: 'unreached', error: { code: 'rate_limited' } });
    expect(time.sleepers()).toEqual([]);
  });

  it.each(['999999999', '99999999999999', 'Tue, 06 Nov 2096 08:49:37 GMT'])(
    'believes a Retry-After of %s for an hour, and asks again then',
    async (said) => {
      const headers = { 'retry-after': said, date: 'Sun, 06 Nov 1994 08:49:37 GMT' };
      const { time, send, asked } = setUp({ result: () => answer(429, headers) });
      await send();
      await time.advance(3_600_000 - 10);
      const early = send({ queueTimeoutMs: 1 });
      await time.advance(2);
      expect(outcome(await early)).toEqual(['unreached', 'rate_limited']);
      await time.advance(8);
      const late = send();
      await time.advance(1);
      expect(outcome(await late)).toEqual(['answer', 429]);
      expect(asked()).toHaveLength(2);
    },
  );

  it('holds for any arrivals, spread or not', async () => {
    const burst = constantFrom(1, 2, LIMIT);
    await assert(asyncProperty(array(arrival(), { minLength: 1, maxLength: 40 }), burst, boolean(), holds), {
      numRuns: 150,
    });
  });
});

interface Arrival {
  readonly afterMs: number;
  readonly key: string;
  readonly urgency: 'person' | 'background';
  readonly connectMs: number;
  readonly end: 'answer' | 'unreached' | 'lost' | 'busy';
}

function arrival(): Arbitrary<Arrival> {
  return record({
    afterMs: oneof({ weight: 3, arbitrary: constant(0) }, nat(700)),
    key: constantFrom('sk-one', 'sk-one', 'sk-two'),
    urgency: constantFrom('person', 'person', 'background'),
    connectMs: oneof(constant(0), nat(400)),
    end: constantFrom('answer', 'answer', 'answer', 'unreached', 'lost', 'busy'),
  });
}

async function holds(arrivals: readonly Arrival[], burst: number, steady: boolean): Promise<void> {
  const byPath = (path: string) => arrivals[Number(path.slice(1))];
  const { time, send, left, asked } = setUp({
    burst,
    steady,
    connectMs: (request) => byPath(request.path)?.connectMs ?? 0,
    result: (request) => {
      const end = byPath(request.path)?.end;
      if (end === 'unreached') return unreached();
      if (end === 'lost') return lost();
      return end === 'busy' ? answer(429, { 'retry-after': '1' }) : answer();
    },
  });
  const results: Promise<Exchange>[] = [];
  for (const [index, { afterMs, key, urgency }] of arrivals.entries()) {
    await time.advance(afterMs);
    results.push(send({ key, urgency, path: `/${index}` }));
    await settle();
  }
  await time.advance(arrivals.length * 3 * WINDOW_MS);
  // None waits for ever: every one has been answered by now.
  const stillWaiting = Promise.race([Promise.all(results), settle().then(() => 'waiting')]);
  expect(await stillWaiting).toHaveLength(arrivals.length);
  expect(time.sleepers()).toEqual([]);
  for (const key of ['sk-one', 'sk-two']) {
    const departures = left().filter((one) => one.request.key === key);
    for (const { at } of departures) {
      const window = departures.filter((one) => one.at > at - WINDOW_MS && one.at <= at);
      expect(window.length).toBeLessThanOrEqual(LIMIT);
      const work = window.filter((one) => one.request.urgency === 'background');
      expect(work.length).toBeLessThanOrEqual(LIMIT / 2);
    }
    for (const urgency of ['person', 'background']) {
      const turns = asked().filter((one) => one.key === key && one.urgency === urgency);
      const order = turns.map(({ path }) => Number(path.slice(1)));
      expect(order).toEqual(order.toSorted((a, b) => a - b));
    }
  }
}

interface SetUp {
  readonly burst?: number;
  readonly steady?: boolean;
  readonly maxWaiting?: number;
  /** Milliseconds from the turn to the first byte; undefined for an exchanger that never says that it sent. */
  readonly connectMs?: number | undefined | ((request: RemoteRequest) => number);
  readonly result?: (request: RemoteRequest) => Exchange;
}

function setUp(options: SetUp = {}) {
  const time: FakeTime = createFakeTime();
  const asked: RemoteRequest[] = [];
  const left: { readonly at: number; readonly request: RemoteRequest }[] = [];
  const connectMs = 'connectMs' in options ? options.connectMs : 0;
  const next: Exchanger = async (request) => {
    asked.push(request);
    const ms = typeof connectMs === 'function' ? connectMs(request) : connectMs;
    if (ms !== undefined && ms > 0) await time.sleep(ms);
    const result = options.result?.(request) ?? answer();
    if (result.kind === 'unreached' || ms === undefined) return result;
    await request.beforeSend?.();
    left.push({ at: time.clock.monotonic(), request });
    return result;
  };
  const rules: RateLimiterRules = {
    limit: LIMIT,
    windowMs: WINDOW_MS,
    burst: options.burst ?? LIMIT,
    steady: options.steady,
    backgroundShare: 0.5,
    maxWaiting: options.maxWaiting ?? 10,
    maxBlockMs: 60_000,
    clock: time.clock,
    sleep: time.sleep,
  };
  const layer: Layer = withRateLimit({ ...rules, ...(typeof connectMs === 'function' ? { maxWaiting: 50 } : {}) });
  const exchange = layer(next);
  const send = (more: Partial<RemoteRequest> = {}) => exchange(requestOf(more));
  return { time, send, left: () => left, asked: () => asked };
}
