// The limits of section 8 wherever one comes to them: any mix of characters, any number of bytes, any moment.

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isSvcdError } from '../../src/model/errors.js';
import * as daemonImages from '../../src/contract/requests.js';
import { parseWith } from '../../src/contract/json-body.js';
import * as daemonMatch from '../../src/contract/requests.js';
import { readQuery } from '../../src/contract/read-query.js';
import { searchQuerySchema } from '../../src/contract/requests.js';
import { RateLimit } from '../../src/sandbox/rate-limit.js';
import { check } from '../../src/sandbox/wire/check.js';
import { imageRequestSchema, matchRequestSchema, readSearchQuery } from '../../src/sandbox/wire/requests.js';
import { createMovingClock } from '../support/moving-clock.js';
import { DAY_MS, openControlled, START } from './open-control.js';

const MINUTE_MS = 60_000;
/** Of one to four bytes and one or two UTF-16 units; the last but one joins with its neighbours for the eye only. */
const CHARACTERS = ['a', 'é', '字', '🎂', '𠮷', '\u200D', '👩'];
const around = (max: number) => fc.integer({ min: max - 3, max: max + 3 });

/** Copy of exactly so many code points, of any mix. */
function copyOf(length: fc.Arbitrary<number>): fc.Arbitrary<{ copy: string; length: number }> {
  return fc
    .tuple(length, fc.array(fc.constantFrom(...CHARACTERS), { minLength: 1, maxLength: 7 }))
    .map(([count, mix]) => {
      const copy = Array.from({ length: count }, (_, at) => mix[at % mix.length] ?? 'a').join('');
      return { copy: `x${copy.slice((mix[0] ?? '').length)}`, length: count };
    });
}

function isAccepted(work: () => unknown): boolean {
  try {
    work();
    return true;
  } catch (error) {
    if (!isSvcdError(error, 'invalid_request')) throw error;
    return false;
  }
}

interface Reading {
  readonly match: (body: Record<string, unknown>) => unknown;
  readonly image: (body: Record<string, unknown>) => unknown;
  readonly search: (query: URLSearchParams) => unknown;
}

/** The contract is read twice, and each reading must count alike. */
const READINGS: [string, Reading][] = [
  [
    'the daemon',
    {
      match: (body) => parseWith(daemonMatch.matchRequestSchema, body),
      image: (body) => parseWith(daemonImages.imageRequestSchema, body),
      search: (query) => readQuery(searchQuerySchema, query),
    },
  ],
  [
    'the sandbox',
    {
      match: (body) => check(matchRequestSchema, body),
      image: (body) => check(imageRequestSchema, body),
      search: readSearchQuery,
    },
  ],
];

describe.each(READINGS)('%s counts lengths in code points, whatever the characters', (_name, reading) => {
  test.each([
    ['a text', 2000, (text: string) => reading.match({ text })],
    ['a keyword', 64, (word: string) => reading.match({ keywords: ['a', word] })],
    ['a prompt', 2000, (prompt: string) => reading.image({ prompt, size: '1024x1024' })],
    ['a query', 500, (q: string) => reading.search(new URLSearchParams({ q }))],
  ])('%s has at most %i', (_, max, parse) => {
    fc.assert(
      fc.property(copyOf(around(max)), ({ copy, length }) => {
        expect(Array.from(copy)).toHaveLength(length);
        expect(isAccepted(() => parse(copy))).toBe(length <= max);
      }),
    );
  });

  test('a match has 1 to 20 keywords and a limit from 1 to 50', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 23 }), fc.integer({ min: -2, max: 53 }), (count, limit) => {
        const body = { keywords: Array.from({ length: count }, () => 'a'), limit };
        const isRight = count >= 1 && count <= 20 && limit >= 1 && limit <= 50;
        expect(isAccepted(() => reading.match(body))).toBe(isRight);
      }),
    );
  });
});

describe('a body', () => {
  test('is read up to 16 KiB, in bytes, declared or not, in whatever pieces it comes', async () => {
    const { sandbox } = openControlled();
    await fc.assert(
      fc.asyncProperty(
        around(16 * 1024),
        fc.constantFrom('a', '字', '🎂'),
        fc.integer({ min: 1, max: 5000 }),
        fc.boolean(),
        async (sizeBytes, character, piece, declared) => {
          const text = JSON.stringify({ text: character.repeat(1500) });
          const body = Buffer.from(text + ' '.repeat(sizeBytes - Buffer.byteLength(text)));
          const headers = {
            Authorization: `Bearer ${sandbox.key}`,
            'Content-Type': 'application/json',
            ...(declared ? { 'Content-Length': String(sizeBytes) } : {}),
          };
          const init = { method: 'POST', headers, body: inPieces(body, piece), duplex: 'half' as const };
          const asked = new Request('http://sandbox.test/api/v1/stickers/match', init);
          expect((await sandbox.app.fetch(asked)).status).toBe(sizeBytes <= 16 * 1024 ? 200 : 413);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('the rate', () => {
  test('lets a Key make 120 requests in any 60 seconds, and refuses only what would be the 121st', () => {
    const pause = fc.oneof(
      { weight: 150, arbitrary: fc.integer({ min: 0, max: 400 }) },
      { weight: 1, arbitrary: fc.integer({ min: 0, max: MINUTE_MS + 1 }) },
    );
    let refused = 0;
    fc.assert(
      fc.property(fc.array(pause, { minLength: 150, maxLength: 400, size: 'max' }), (pauses) => {
        const clock = createMovingClock(START);
        const rate = new RateLimit(120, clock);
        const admitted: number[] = [];
        for (const ms of pauses) {
          clock.pass(ms);
          const now = clock.monotonic();
          const recent = admitted.filter((at) => at > now - MINUTE_MS);
          const waitMs = rate.take(1);
          expect(waitMs === 0).toBe(recent.length < 120);
          refused += waitMs === 0 ? 0 : 1;
          if (waitMs === 0) admitted.push(now);
          // Whoever waits as long as told is let in, and not a moment earlier.
          else expect((recent[0] ?? 0) + MINUTE_MS - now).toBe(waitMs);
        }
      }),
      // Hundreds of pauses would be made shorter for minutes before anybody heard of it.
      { endOnFailure: true },
    );
    // Or it would have proven nothing.
    expect(refused).toBeGreaterThan(100);
  });
});

describe('the limits of a Key', () => {
  test.each([
    ['daily', 10],
    ['monthly', 7],
  ] as const)('%s hold from one UTC midnight to the next, at any moment', async (span, digits) => {
    const moment = fc.integer({ min: 0, max: 3 * 366 });
    const ms = fc.oneof(fc.constantFrom(-1, 0, 1), fc.integer({ min: 0, max: DAY_MS - 1 }));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(moment, ms), { minLength: 1, maxLength: 12 }), async (moments) => {
        const opened = openControlled({ credits: 100 });
        const { key } = await opened.control<{ key: string }>('POST', 'keys', { limits: { [span]: 2 } });
        const spent = new Map<string, number>();
        const midnight = Date.parse('2026-02-01T00:00:00Z');
        const instants = moments.map(([day, more]) => midnight + day * DAY_MS + more).toSorted((a, b) => a - b);
        for (const instant of instants) {
          const to = new Date(Math.max(instant, Date.parse(START))).toISOString();
          await opened.control('POST', 'clock', { to });
          const period = to.slice(0, digits);
          for (let time = 0; time < 2; time++) {
            const before = spent.get(period) ?? 0;
            expect(await opened.download(key), to).toBe(before < 2 ? 200 : 403);
            spent.set(period, Math.min(2, before + 1));
          }
        }
        opened.sandbox.close();
      }),
      { numRuns: 25 },
    );
  });
});

describe('a reward', () => {
  test('is released 14 days after its payment, to the millisecond, and not at 13.99', async () => {
    const after = fc.oneof(
      fc.constantFrom(13.99 * DAY_MS, 14 * DAY_MS - 1, 14 * DAY_MS, 14 * DAY_MS + 1),
      fc.integer({ min: 13 * DAY_MS, max: 15 * DAY_MS }),
    );
    await fc.assert(
      fc.asyncProperty(after, fc.integer({ min: 20, max: 1_000_000 }), async (ms, fen) => {
        const { sandbox, control, advance } = openControlled({ credits: 0 });
        await control('POST', 'topups', { amount: (fen / 100).toFixed(2) });
        await advance(Math.round(ms));
        const reward = Math.floor((fen * 5) / 1000);
        expect(sandbox.credits()).toBe(Math.floor(fen / 10) + (ms >= 14 * DAY_MS ? reward : 0));
        sandbox.close();
      }),
      { numRuns: 40 },
    );
  });
});

function inPieces(body: Buffer, piece: number): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    pull: (sink) => {
      if (at >= body.length) return sink.close();
      sink.enqueue(body.subarray(at, at + piece));
      at += piece;
    },
  });
}
