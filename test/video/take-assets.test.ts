// What the command line tells of a purchase of many things: all that it cost, also when one of them could not be had.

import { Readable } from 'node:stream';
import { afterEach, expect, it, vi } from 'vitest';
import type { PrefetchEvent } from '../../src/api/prefetch.js';
import type { Client } from '../../src/cli/connection/client.js';
import { buyAssets, failureOf } from '../../src/video/apply/take-assets.js';

afterEach(() => void vi.restoreAllMocks());

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

/** A client whose daemon answers with these lines. */
function clientOf(...events: readonly PrefetchEvent[]): Client {
  const lines = events.map((event) => `${JSON.stringify(event)}\n`);
  return {
    stream: async () => ({ status: 200, body: Readable.from(lines.map((line) => Buffer.from(line))) }),
  } as never;
}

it('a slot that failed says what the others cost, and that they are owned', () => {
  const { code, message, hint } = failureOf(FAILED, 'opening', 3);
  expect([code, message]).toEqual(['unknown_preset', 'opening: there is no sticker "a/two"']);
  expect(hint).toMatch(/^Search for another one\.\n3 credits went for what was bought, and that is owned\./);
  expect(failureOf(FAILED, 'opening', 0).hint).toBe('Search for another one.');
});

it('what may have been charged is told', async () => {
  const noted: string[] = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => noted.push(String(text)) > 0);
  const ended = { event: 'ended' as const, cost: 1, defaults: 1, failed: [1] };
  const bought = await buyAssets(clientOf(FAILED, { ...ended, uncertain: [0] }), ORDER);
  expect([bought.cost, bought.places[1]]).toEqual([1, FAILED]);
  expect(noted.join('')).toContain('It is not known yet whether 1 file cost credits');
  noted.length = 0;
  await buyAssets(clientOf({ ...ended, uncertain: [] }), ORDER);
  expect(noted).toEqual([]);
});
