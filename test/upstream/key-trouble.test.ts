// What is remembered of a Key that the remote refused.

import { expect, it } from 'vitest';
import { createKeyTrouble } from '../../src/upstream/key-trouble.js';
import type { Exchange } from '../../src/upstream/exchange.js';

const answer = (status: number, code?: string): Exchange => ({
  kind: 'answer',
  status,
  headers: {},
  bytes: Buffer.from(JSON.stringify(code === undefined ? {} : { code, message: 'no' })),
});
const [free, paid] = [{ key: 'sk-a', cost: 'free' } as const, { key: 'sk-a', cost: 'paid' } as const];

function start() {
  const clock = { at: 0, monotonic: () => clock.at };
  return { clock, trouble: createKeyTrouble(clock) };
}

it.each([
  [401, 'invalid_key', 'invalid_key'],
  [401, undefined, 'invalid_key'],
  [403, 'key_disabled', 'key_disabled'],
  [403, 'key_limit_exceeded', 'key_limit_exceeded'],
  [403, 'permission_missing', undefined],
  [402, 'insufficient_credits', undefined],
  [429, 'rate_limited', undefined],
  [500, 'internal', undefined],
])('%i %s is told as %s', (status, code, told) => {
  const { trouble } = start();
  trouble.note(paid, answer(status, code));
  expect(trouble.find('sk-a')).toBe(told);
});

it('is over when a call succeeds, and not when one is lost', () => {
  const { trouble } = start();
  trouble.note(free, answer(401, 'invalid_key'));
  trouble.note(free, answer(500));
  expect(trouble.find('sk-a')).toBe('invalid_key');
  trouble.note(free, answer(200));
  expect(trouble.find('sk-a')).toBeUndefined();
});

it('is not asked for anew while the remote took the Key a moment ago, and nothing else was said since', () => {
  const { clock, trouble } = start();
  expect(trouble.isGood('sk-a')).toBe(false);
  trouble.note(free, answer(200));
  expect([trouble.isGood('sk-a'), trouble.isGood('sk-b')]).toEqual([true, false]);
  clock.at = 60_000;
  expect(trouble.isGood('sk-a')).toBe(false);
  trouble.note(free, answer(200));
  trouble.note(free, answer(401, 'invalid_key'));
  expect(trouble.isGood('sk-a')).toBe(false);
});

it('of a limit is not over by a free call, which limits do not hold up; but by a paid one, and after an hour', () => {
  const { clock, trouble } = start();
  trouble.note(paid, answer(403, 'key_limit_exceeded'));
  trouble.note(free, answer(200));
  expect(trouble.find('sk-a')).toBe('key_limit_exceeded');
  trouble.note(paid, answer(200));
  expect(trouble.find('sk-a')).toBeUndefined();
  trouble.note(paid, answer(403, 'key_limit_exceeded'));
  clock.at = 60 * 60_000;
  expect(trouble.find('sk-a')).toBeUndefined();
});

it("of one Key is not another's, nor that of a request without a Key", () => {
  const { trouble } = start();
  trouble.note({ cost: 'free' }, answer(401, 'invalid_key'));
  trouble.note(free, answer(401, 'invalid_key'));
  expect([trouble.find('sk-b'), trouble.find(undefined)]).toEqual([undefined, undefined]);
  trouble.note({ key: 'sk-b', cost: 'free' }, answer(200));
  expect(trouble.find('sk-a')).toBe('invalid_key');
});
