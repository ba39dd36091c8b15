// Asking the service about slots before they are chosen: patient with what passes, done with what does not.

import { expect, it } from 'vitest';
import type { Slot } from '../../src/api/slot.js';
import { askPatiently, type AskAbout } from '../../src/video/choose/ask-about-slots.js';

const NOBODY = { kind: 'none' } as never;
const slots: Slot[] = Array.from({ length: 50 }, (_, i) => ({ id: `s${i}`, text: `生日 ${i}` }));

/** A clock that only the questions and pauses move. */
function openStage(answer: (slot: string, times: number, allMs: number) => [why: string | undefined, ms: number]) {
  let now = 0;
  const times = new Map<string, number>();
  let under = 0;
  let most = 0;
  const ask: AskAbout = async ({ text = '' }, _asker, allMs = 0) => {
    times.set(text, (times.get(text) ?? 0) + 1);
    most = Math.max(most, (under += 1));
    await Promise.resolve();
    const [why, ms] = answer(text, times.get(text) ?? 0, allMs);
    now += ms;
    under -= 1;
    return why;
  };
  const pause = async (ms: number) => void (now += ms);
  const run = () => askPatiently(ask, slots, NOBODY, { monotonic: () => now }, pause);
  return { run, times, now: () => now, most: () => most };
}

it('asks about each slot once where it is heard, a few at a time', async () => {
  const stage = openStage(() => [undefined, 200]);
  expect(await stage.run()).toEqual(new Map());
  expect([...stage.times.values()]).toEqual(slots.map(() => 1));
  expect(stage.most()).toBeLessThanOrEqual(8);
});

it.each(['late', 'rate_limited', 'upstream_failure', 'timeout'])('asks again what was %s', async (why) => {
  const stage = openStage((_, times) => [times < 3 ? why : undefined, 50]);
  expect((await stage.run()).size).toBe(0);
  expect([...stage.times.values()]).toEqual(slots.map(() => 3));
});

it.each([
  ['slow', 'late', 9000],
  ['lying', 'upstream_failure', 100],
  ['limiting', 'rate_limited', 1000],
])('gives up after a minute before a service that is %s, and says so of each slot', async (_what, why, ms) => {
  const stage = openStage(() => [why, ms]);
  const left = await stage.run();
  expect([...left.values()]).toEqual(slots.map(() => why));
  expect(stage.now()).toBeLessThanOrEqual(60_000 + 8 * ms);
});

it.each(['no_key', 'invalid_key', 'offline', 'key_disabled'])('does not go on after %s', async (why) => {
  const stage = openStage(() => [why, 10]);
  expect((await stage.run()).size).toBe(50);
  expect(stage.times.size).toBeLessThanOrEqual(8);
});

it.each([
  [20, false],
  [21, true],
])('asks besides for %i slots and not for more', async (count, isOneOfMany) => {
  const told: unknown[] = [];
  const ask: AskAbout = async (_slot, _asker, _allMs, isMany) => void told.push(isMany);
  await askPatiently(ask, slots.slice(0, count), NOBODY, { monotonic: () => 0 });
  expect(told).toEqual(Array.from({ length: count }, () => isOneOfMany));
});

it('waits for a connection that was there a moment ago', async () => {
  const stage = openStage((text, times) => [text.endsWith('7') && times < 4 ? 'offline' : undefined, 10]);
  expect((await stage.run()).size).toBe(0);
});

it('tells which were not heard of some that were', async () => {
  const stage = openStage((text) => [text.endsWith('7') ? 'late' : undefined, 100]);
  expect([...(await stage.run()).keys()].map(({ id }) => id)).toEqual(['s7', 's17', 's27', 's37', 's47']);
});

it('does not ask again about words that are refused, and goes on with the others', async () => {
  const stage = openStage((text) => [text.endsWith('7') ? 'invalid_request' : undefined, 100]);
  expect([...(await stage.run()).values()]).toEqual(Array.from({ length: 5 }, () => 'invalid_request'));
  expect([...stage.times.values()]).toEqual(slots.map(() => 1));
});
