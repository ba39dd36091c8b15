// What is told of a purchase of many things: all that it cost, also when one of them could not be had.

import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import type { PrefetchEvent } from '../../src/api/prefetch.js';
import { APPLY_WORDS } from '../../src/video/apply/words.js';
import type { Asker } from '../../src/video/apply/asker.js';
import type { SvcdError } from '../../src/model/errors.js';
import { buyAssets, placeOf } from '../../src/video/apply/take-assets.js';

const ORDER = { presets: ['a/one', 'a/two'], images: [], max_credits: 2, fallback: true };
const FAILED = {
  event: 'failed',
  place: 1,
  preset: 'a/two',
  cost: 0,
  code: 'unknown_preset',
  message: 'there is no sticker "a/two"',
  hint: 'Search for another one.',
  done: 2,
  of: 2,
} as const;

/** An asker whose daemon answers with these lines. */
function askerOf(...events: readonly PrefetchEvent[]): Asker {
  const lines = events.map((event) => `${JSON.stringify(event)}\n`);
  return {
    stream: async () => ({ status: 200, body: Readable.from(lines.map((line) => Buffer.from(line))) }),
  } as never;
}

it('a slot that failed says what the others cost, and that they are owned', () => {
  const refusal = (cost: number) => {
    try {
      return placeOf({ places: [FAILED], cost }, 0, 'opening', APPLY_WORDS) as never;
    } catch (error) {
      return error as SvcdError;
    }
  };
  const { code, message, hint } = refusal(3);
  expect([code, message]).toEqual(['unknown_preset', 'opening: there is no sticker "a/two"']);
  expect(hint).toMatch(/^Search for another one\.\n3 credits went for what was bought, and that is owned\./);
  expect(refusal(0).hint).toBe('Search for another one.');
});

it('what may have been charged is told', async () => {
  const noted: string[] = [];
  const telling = { words: APPLY_WORDS, note: (line: string) => void noted.push(line) };
  const ended = { event: 'ended' as const, cost: 1, defaults: 1, failed: [1] };
  const bought = await buyAssets(askerOf(FAILED, { ...ended, uncertain: [0] }), ORDER, telling);
  expect([bought.cost, bought.places[1]]).toEqual([1, FAILED]);
  expect(noted.join('')).toContain('It is not known yet whether 1 file cost credits');
  noted.length = 0;
  await buyAssets(askerOf({ ...ended, uncertain: [] }), ORDER, telling);
  expect(noted).toEqual([]);
});
