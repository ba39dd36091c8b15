import { describe, expect, it } from 'vitest';
import { CutLists, noteSeen, type CutList, Estimator, drawWords } from '../../src/harvest/estimate.js';

const UNSURE = { untold: 400, behind: 0 };

function surveyed(totals: readonly number[], known = 500): Estimator {
  const estimator = new Estimator();
  for (const total of totals) estimator.learn({ total, known, weight: 8 });
  return estimator;
}

describe('words drawn for a survey', () => {
  const words = [1, 2, 3].map((share) => ({ text: `word ${share}`, share }));

  it('come as often as the shares they hold', () => {
    const times = new Map<string, number>();
    const turns = 6000;
    for (let turn = 0; turn < turns; turn++) {
      const { text } = drawWords(words, turn, 1)[0]!;
      times.set(text, (times.get(text) ?? 0) + 1);
    }
    for (const { text, share } of words) {
      expect(Math.abs(times.get(text)! / turns - share / 6), text).toBeLessThan(0.02);
    }
  });

  it('are the same in the same turn, others in another, and of about one size', () => {
    const many = Array.from({ length: 200 }, (_, i) => ({ text: `word ${i}`, share: 1 + (i % 40) }));
    const drawn = drawWords(many, 7, 8);
    expect(drawWords(many.toReversed(), 7, 8)).toEqual(drawn);
    expect(drawWords(many, 8, 8)).not.toEqual(drawn);
    const shares = drawn.map(({ share }) => share);
    expect(Math.max(...shares) / Math.min(...shares)).toBeLessThanOrEqual(1.6 ** 2);
  });
});

describe('lists that were cut', () => {
  const word = (share: number, stickers: readonly number[]) => {
    const lists: CutList[] = [];
    return { seen: stickers.length, share, stickers, lists, isComplete: false };
  };

  it('hide what their total says beyond what is known, whoever brought it', () => {
    const lists = new CutLists();
    const words = [word(1, [1, 2, 3, 4]), word(1, [4, 5, 6, 7])];
    lists.add(words, 17);
    // Seven known stickers have one of the words, and count for one by a quarter on the average.
    expect(lists.shareBehind()).toBe(10 / 4);
    noteSeen(words);
    expect(lists.shareBehind()).toBe(9 / 4);
  });

  it('are asked no more when a later question told all of their words', () => {
    const lists = new CutLists();
    const words = [word(1, [1, 2]), word(1, [3, 4])];
    lists.add(words, 12);
    words[0]!.isComplete = true;
    expect(lists.shareBehind()).toBe(8 / 4);
    lists.add([words[1]!], 5);
    expect(lists.shareBehind()).toBe(3 / 2);
    words[1]!.isComplete = true;
    expect(lists.shareBehind()).toBe(0);
  });
});

describe('the estimate', () => {
  it('is the mean of the surveys, those made when less was unknown before others', () => {
    expect(surveyed(Array<number>(6).fill(1000)).estimate(600, UNSURE)?.total).toBeCloseTo(1000);
    const estimator = surveyed([1300, 1300, 1300, 1300, 1300], 200);
    for (let i = 0; i < 5; i++) estimator.learn({ total: 1000, known: 900, weight: 8 });
    const { total } = estimator.estimate(900, UNSURE)!;
    expect(total).toBeGreaterThan(1000);
    expect(total).toBeLessThan(1030);
  });

  it('has wide bounds where surveys disagree or are few, close ones where they agree', () => {
    const width = (totals: number[]) => {
      const { total, high } = surveyed(totals).estimate(500, UNSURE)!;
      return high - total;
    };
    const agreed = Array.from({ length: 12 }, (_, i) => 990 + (i % 2) * 20);
    const apart = Array.from({ length: 12 }, (_, i) => 700 + (i % 2) * 600);
    expect(width(apart)).toBeGreaterThan(1.5 * width(agreed));
    expect(width([700, 1300, 700, 1300, 700])).toBeGreaterThan(1.3 * width(apart));
  });

  it('is not given before five surveys, unless nearly every word was asked', () => {
    const estimator = surveyed([1000, 1000, 1000, 1000]);
    expect(estimator.estimate(500, UNSURE)).toBeUndefined();
    expect(estimator.estimate(990, { untold: 10, behind: 0 })).toBeDefined();
    expect(new Estimator().estimate(0, { untold: 0, behind: 0 })).toBeUndefined();
  });

  it('counts words that nobody has met', () => {
    const estimator = new Estimator();
    estimator.seeNovelty({ others: 100, novel: 20 });
    // Of four fifths of the unknown, in words met, there are as many as of the known.
    expect(estimator.reckon(500, UNSURE, 1)).toBeCloseTo(1000);
  });
});
