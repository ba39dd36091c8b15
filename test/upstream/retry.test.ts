// Asking again: free GETs only, a little later each time, and never so often that it makes things worse.

import { describe, expect, it } from 'vitest';
import type { Exchange, RemoteRequest } from '../../src/upstream/exchange.js';
import { withRetry } from '../../src/upstream/retry.js';
import { createFakeTime } from './fake-time.js';
import { answer, lost, outcome, requestOf, unreached } from './requests.js';

const BROKEN = answer(500);

describe('asking again', () => {
  it.each<[string, Exchange]>([
    ['a lost answer', lost()],
    ['a 500', answer(500)],
    ['a 502', answer(502)],
    ['a 503 of something between', answer(503, {}, '<html>')],
    ['a 504', answer(504)],
  ])('helps against %s, twice at most', async (_what, stumble) => {
    const { send, asked } = setUp([stumble, stumble, answer(), answer()]);
    expect(outcome(await send())).toEqual(['answer', 200]);
    expect(asked()).toHaveLength(3);
    const hopeless = setUp([stumble, stumble, stumble, stumble]);
    expect(await hopeless.send()).toBe(stumble);
    expect(hopeless.asked()).toHaveLength(3);
  });

  it.each<[string, Exchange]>([
    ['a success', answer(200)],
    ['a redirect', answer(302)],
    ['a refusal', answer(404)],
    ['a 429, which says itself when to come back', answer(429, { 'retry-after': '1' })],
    ['a 501', answer(501)],
    ['a capability that is not open', answer(503, {}, '{"code":"not_enabled"}')],
    ['an answer that took all the time', lost('timeout')],
    ['a remote that is away, for the breaker finds the way back', unreached()],
    ['a turn that did not come', unreached('rate_limited')],
  ])('is not tried against %s', async (_what, result) => {
    const { send, asked } = setUp([result]);
    expect(await send()).toBe(result);
    expect(asked()).toHaveLength(1);
  });

  it.each<[string, Partial<RemoteRequest>]>([
    ['what is paid', { cost: 'paid' }],
    ['a paid POST', { cost: 'paid', method: 'POST' }],
    ['a free POST', { method: 'POST' }],
  ])('is never done for %s', async (_what, more) => {
    for (const stumble of [BROKEN, lost(), unreached()]) {
      const { send, asked } = setUp([stumble, answer()]);
      expect(await send(more)).toBe(stumble);
      expect(asked()).toHaveLength(1);
    }
  });

  it('waits longer each time, by chance between half and all of the pause', async () => {
    for (const [chance, pauses] of [
      [0, [100, 200]],
      [0.5, [150, 300]],
    ] as const) {
      const { send, slept } = setUp([BROKEN, BROKEN, BROKEN], { random: () => chance });
      await send();
      expect(slept()).toEqual(pauses);
    }
  });

  it('waits as long as the remote wants, if the request may take that long', async () => {
    const patient = setUp([answer(503, { 'retry-after': '3' }), answer()]);
    expect(outcome(await patient.send())).toEqual(['answer', 200]);
    expect(patient.slept()).toEqual([3000]);
    const impatient = setUp([answer(503, { 'retry-after': '10' }), answer()]);
    expect(outcome(await impatient.send())).toEqual(['answer', 503]);
  });

  it('keeps all tries together within the time of one', async () => {
    const { send, asked } = setUp([BROKEN, BROKEN, BROKEN], { tookMs: 3000 });
    await send({ timeoutMs: 6000 });
    expect(asked().map(({ timeoutMs }) => timeoutMs)).toEqual([6000, 2850]);
  });
});

describe('the budget for asking again', () => {
  it('is three a minute when little is asked, and comes back after a minute', async () => {
    const { time, send, asked } = setUp(Array.from({ length: 50 }, () => BROKEN));
    for (let i = 0; i < 6; i++) await send();
    expect(asked()).toHaveLength(6 + 3);
    await time.advance(61_000);
    await send();
    expect(asked()).toHaveLength(6 + 3 + 3);
  });

  it('is one to ten requests when much is asked', async () => {
    const good = Array.from({ length: 100 }, () => answer());
    const bad = Array.from({ length: 200 }, () => BROKEN);
    const { send, asked } = setUp([...good, ...bad]);
    for (let i = 0; i < 120; i++) await send();
    expect(asked()).toHaveLength(120 + 12);
  });

  it('does not grow by what never left', async () => {
    const away = Array.from({ length: 100 }, () => unreached());
    const { send, asked } = setUp([...away, ...Array.from({ length: 50 }, () => BROKEN)]);
    for (let i = 0; i < 106; i++) await send();
    expect(asked()).toHaveLength(106 + 3);
  });
});

interface SetUp {
  readonly random?: () => number;
  readonly tookMs?: number;
}

function setUp(results: readonly Exchange[], { random = () => 0.5, tookMs = 0 }: SetUp = {}) {
  const time = createFakeTime();
  const asked: RemoteRequest[] = [];
  const slept: number[] = [];
  // Time passes while it sleeps, and nobody need wind it on.
  const sleep = async (ms: number) => {
    slept.push(ms);
    await time.advance(ms);
  };
  const exchange = withRetry({ maxRetries: 2, pauseMs: 200, clock: time.clock, sleep, random })(async (request) => {
    await time.advance(tookMs);
    return results[asked.push(request) - 1] ?? answer();
  });
  const send = (more: Partial<RemoteRequest> = {}) => exchange(requestOf(more));
  return { time, send, asked: () => asked, slept: () => slept };
}
