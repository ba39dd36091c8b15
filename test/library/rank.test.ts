import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rank } from '../../src/library/query/rank.js';
import { compareScored, topDocuments, type Scored } from '../../src/library/query/top-k.js';

const few = fc.integer({ min: 1, max: 60 });
const scores = fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 300 });

function documents(count: number): Uint32Array {
  return Uint32Array.from({ length: count }, (_, i) => i);
}

describe('the top documents', () => {
  test('are the first of all of them sorted, however they come in', () => {
    fc.assert(
      fc.property(scores, fc.integer({ min: 1, max: 60 }), fc.boolean(), (all, count, reversed) => {
        const given = reversed ? documents(all.length).toReversed() : documents(all.length);
        const sorted = all.map((score, document) => ({ document, score })).toSorted(compareScored);
        expect(topDocuments(given, { score: (id) => all[id]! }, count)).toEqual(sorted.slice(0, count));
      }),
    );
  });
});

describe('rank', () => {
  test('lets the second of a kind pay, never the best of it', () => {
    const score = [10, 9, 8, 7];
    const kind = [1, 1, 1, 2];
    const ranked = rank(
      [{ documents: documents(4), scorer: { score: (id) => score[id]! } }],
      [{ of: (id) => kind[id]!, decay: 0.5 }],
    );
    expect(ranked.map(({ document }) => document)).toEqual([0, 3, 1, 2]);
  });

  test('keeps tiers apart and scores falling', () => {
    fc.assert(
      fc.property(scores, scores, (first, second) => {
        const all = [...first, ...second];
        const tiers = [documents(first.length), documents(second.length).map((id) => id + first.length)];
        const ranked = rank(
          tiers.map((ids) => ({ documents: ids, scorer: { score: (id: number) => all[id]! } })),
          [{ of: (id) => id % 5, decay: 0.7 }],
        );
        const places = ranked.map(({ document }) => (document < first.length ? 0 : 1));
        expect(places).toEqual(places.toSorted((a, b) => a - b));
        for (const [i, { score }] of ranked.slice(1).entries()) {
          expect(score).toBeLessThanOrEqual(ranked[i]!.score);
        }
      }),
    );
  });

  test('gives what ordering everything gives, however few are wanted', () => {
    fc.assert(
      fc.property(scores, scores, few, few, (first, second, wanted, looked) => {
        const all = [...first, ...second];
        const tiers = [documents(first.length), documents(second.length).map((id) => id + first.length)];
        // A bound that is no score, for some.
        const scorer = {
          score: (id: number) => all[id]!,
          bound: (ids: Uint32Array, bounds: Float64Array) => {
            for (const [i, id] of ids.entries()) bounds[i] = all[id]! + (id % 3);
          },
        };
        const repetitions = [
          { of: (id: number) => id % 5, decay: 0.7 },
          { of: (id: number) => id % 7, decay: 0.5, most: 12 },
        ];
        const ranked = rank(
          tiers.map((ids) => ({ documents: ids, scorer })),
          repetitions,
          { wanted, looked },
        );
        expect(ranked).toEqual(rankAll(tiers, all, repetitions).slice(0, wanted));
      }),
    );
  });
});

/** The rule as it is said, without sparing anything. */
function rankAll(
  tiers: readonly Uint32Array[],
  all: readonly number[],
  repetitions: readonly { of: (id: number) => number; decay: number; most?: number }[],
): Scored[] {
  const ranked: Scored[] = [];
  for (const tier of tiers) {
    const sorted = Array.from(tier, (document) => ({ document, score: all[document]! })).toSorted(compareScored);
    const times = repetitions.map(() => new Map<number, number>());
    const count = (i: number, { document }: Scored) => times[i]!.get(repetitions[i]!.of(document)) ?? 0;
    const admitted: Scored[] = [];
    for (const one of sorted) {
      if (repetitions.some(({ most = Infinity }, i) => count(i, one) >= most)) continue;
      for (const [i, { of, decay }] of repetitions.entries()) {
        const before = count(i, one);
        if (admitted.length < 120) one.score *= decay ** before;
        times[i]!.set(of(one.document), before + 1);
      }
      admitted.push(one);
    }
    const best = [...admitted.slice(0, 120).toSorted(compareScored), ...admitted.slice(120)];
    const floor = ranked.at(-1)?.score;
    if (floor !== undefined) for (const one of best) one.score *= floor / (1 + one.score);
    ranked.push(...best);
  }
  return ranked.slice(0, 120);
}
