// How long an answer waits for the remote, and after which failure the next question is asked again.

import { expect, it } from 'vitest';
import { createAsker, type Question } from '../../src/operations/search/ask-remote.js';
import type { Exchanger } from '../../src/upstream/exchange.js';
import { answer, unreached } from '../upstream/requests.js';

const LISTED = JSON.stringify({ query: '猫', total: 1, results: [{ preset: 'zoo/cat', title: '猫' }] });
const PATIENT = { answerMs: 60_000, allMs: 60_000 };
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const heard = answer(200, {}, LISTED);

function question(q: string): Question {
  const request = { method: 'GET', path: `/api/v1/stickers/search?q=${q}` } as const;
  return { shape: 'search', words: [q], request, modest: request };
}

function setUp(exchange: Exchanger) {
  const time = { now: 1000 };
  const asked: string[] = [];
  const ask = createAsker({
    learn: () => undefined,
    remote: {
      exchange: (request) => {
        asked.push(request.path.split('=')[1] ?? '');
        return exchange(request);
      },
    },
    clock: { now: () => time.now, monotonic: () => time.now },
  });
  return { time, asked, ask: (q: string, patience = PATIENT) => ask([question(q)], 'sk-one', patience) };
}

it('counts the time of an answer from when its question leaves', async () => {
  const { ask } = setUp(async ({ beforeSend }) => {
    await pause(300);
    await beforeSend?.();
    return heard;
  });
  expect(await ask('cat', { answerMs: 50, allMs: 60_000 })).toEqual({ learned: true, unheard: undefined });
});

it('does not count the time for which the process is busy', async () => {
  const { ask } = setUp(async ({ beforeSend }) => {
    await beforeSend?.();
    await pause(1);
    for (const until = performance.now() + 500; performance.now() < until;);
    for (let turn = 0; turn < 3; turn++) await pause(1);
    return heard;
  });
  expect(await ask('cat', { answerMs: 200, allMs: 200 })).toEqual({ learned: true, unheard: undefined });
});

it('waits for no turn without end', async () => {
  const { ask } = setUp(() => new Promise(() => undefined));
  expect(await ask('cat', { answerMs: 60_000, allMs: 50 })).toEqual({ learned: false, unheard: 'late' });
});

it('waits for none while an answer is long overdue, until one is heard', async () => {
  let isHanging = true;
  const { ask, asked, time } = setUp(() => (isHanging ? new Promise(() => undefined) : Promise.resolve(heard)));
  await ask('cat', { answerMs: 1000, allMs: 50 });
  time.now += 1999;
  expect(ask('dog', { answerMs: 1000, allMs: 50 })).toBeInstanceOf(Promise);
  time.now += 1;
  isHanging = false;
  expect(ask('cow', { answerMs: 1000, allMs: 50 })).toEqual({ learned: false, unheard: 'late' });
  await pause(0);
  expect(await ask('hen')).toEqual({ learned: true, unheard: undefined });
  expect(asked).toEqual(['cat', 'dog', 'cow', 'hen']);
});

it.each([
  ['429 for Retry-After', answer(429, { 'retry-after': '100' }, '{"code":"rate_limited"}'), 100_000, 'rate_limited'],
  ['a failure for 5 s', answer(500), 5000, 'upstream_failure'],
  ['a failure for Retry-After', answer(503, { 'retry-after': '60' }), 60_000, 'upstream_failure'],
  ['a refused Key for half a minute', answer(403, {}, '{"code":"key_disabled"}'), 30_000, 'key_disabled'],
])('leaves a Key alone after %s, and asks the same again then', async (_what, refusal, ms, unheard) => {
  let result = refusal;
  const { ask, asked, time } = setUp(() => Promise.resolve(result));
  expect(await ask('cat')).toEqual({ learned: false, unheard });
  result = heard;
  time.now += ms - 1;
  expect(ask('cat', { answerMs: 1, allMs: 0 })).toEqual({ learned: false, unheard });
  time.now += 1;
  expect(await ask('cat')).toEqual({ learned: true, unheard: undefined });
  expect(asked).toEqual(['cat', 'cat']);
});

it('remembers no question that got no answer, and no answer that refuses its words alone for others', async () => {
  let result = unreached();
  const { ask, asked } = setUp(() => Promise.resolve(result));
  expect(await ask('cat')).toEqual({ learned: false, unheard: 'offline' });
  result = answer(400);
  await ask('cat');
  result = heard;
  expect(ask('cat')).toEqual({ learned: false, unheard: 'invalid_request' });
  expect(await ask('dog')).toEqual({ learned: true, unheard: undefined });
  expect(asked).toEqual(['cat', 'cat', 'cat', 'dog']);
});
