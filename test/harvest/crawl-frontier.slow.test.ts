import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CrawlFrontier, type AskedWord } from '../../src/harvest/crawl-frontier.js';
import { createRandom } from '../faults/random.js';
import { readCatalogue } from '../library/scratch-library.js';
import { findByWords, inventStickers, type WordSticker } from '../support/word-remote.js';

const LIMIT = 20;

interface Course {
  readonly questions: string[][];
  readonly answers: { words: AskedWord[]; known: number }[];
  readonly seen: WordSticker[][];
}

/** Asks a remote of these stickers until nothing is left, or so often. */
function harvest(
  frontier: CrawlFrontier,
  stickers: readonly WordSticker[],
  most = Infinity,
  limit = LIMIT,
  saidTotal: (listed: number, total: number) => number | undefined = (_, total) => total,
): Course {
  const course: Course = { questions: [], answers: [], seen: [] };
  for (let i = 0; i < most; i++) {
    const words = frontier.next(limit);
    if (words.length === 0) break;
    const { total: whole, results } = findByWords(stickers, words, limit);
    const total = saidTotal(results.length, whole);
    const { known } = frontier;
    const fresh = results.map((one) => ({ ...one, fresh: !frontier.hasSeen(one.preset) }));
    course.answers.push({ words: frontier.learn(words, { results: fresh, total, limit }), known });
    for (const one of results) frontier.see(one);
    course.questions.push(words);
    course.seen.push(results);
  }
  return course;
}

const worlds = fc
  .record({ seed: fc.nat(), count: fc.integer({ min: 1, max: 200 }), alphabet: fc.integer({ min: 3, max: 300 }) })
  .map(({ seed, count, alphabet }) => inventStickers(count, alphabet, createRandom(seed)));

describe('the words to ask next', () => {
  it('come to an end, and lead to every sticker that shares a word with one that is known', () => {
    fc.assert(
      fc.property(worlds, (stickers) => {
        const frontier = new CrawlFrontier([stickers[0]!.title]);
        harvest(frontier, stickers);
        // Where no list was cut, nothing that can be reached is left out.
        const most = Math.max(...stickers.map(({ title }) => findByWords(stickers, Array.from(title), LIMIT).total));
        if (most <= LIMIT) expect(frontier.known).toBe(reachable(stickers).size);
        expect(frontier.known).toBeLessThanOrEqual(stickers.length);
        expect(frontier.next(LIMIT)).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });

  it('never make the same question twice, and none too long', () => {
    fc.assert(
      fc.property(worlds, (stickers) => {
        const { questions } = harvest(new CrawlFrontier([stickers[0]!.title]), stickers);
        expect(new Set(questions.map((words) => words.join(' '))).size).toBe(questions.length);
        for (const words of questions) expect(words.length).toBeLessThanOrEqual(8);
      }),
      { numRuns: 40 },
    );
  });

  it('are the same after a restart in the middle', () => {
    fc.assert(
      fc.property(worlds, fc.nat({ max: 60 }), (stickers, most) => {
        const frontier = new CrawlFrontier([stickers[0]!.title]);
        const { answers, seen, questions } = harvest(frontier, stickers, most);
        const again = new CrawlFrontier([stickers[0]!.title]);
        again.resumeWidth(Math.max(1, ...questions.map((words) => words.length)));
        for (const [i, { words, known }] of answers.entries()) {
          again.recall(JSON.parse(JSON.stringify(words)) as AskedWord[], known);
          for (const one of seen[i]!) again.see(one);
        }
        expect(again.known).toBe(frontier.known);
        expect(again.estimate()).toEqual(frontier.estimate());
        const asked = new Set(questions.map((words) => words.join(' ')));
        const next = again.next(LIMIT);
        if (next.length > 0) expect(asked).not.toContain(next.join(' '));
      }),
      { numRuns: 40 },
    );
  });

  it('take any text for words', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), (texts) => {
        const frontier = new CrawlFrontier(texts);
        frontier.see({ preset: 'a', title: texts[0] ?? '', keywords: texts });
        const next = frontier.next(LIMIT);
        for (const word of next) {
          expect(word.trim()).not.toBe('');
          expect(word.length).toBeLessThanOrEqual(64);
        }
      }),
    );
  });
});

describe('the estimate', () => {
  it('is never below what is known, and its bounds lie around it', () => {
    fc.assert(
      fc.property(worlds, fc.nat({ max: 200 }), (stickers, most) => {
        const frontier = new CrawlFrontier([stickers[0]!.title]);
        harvest(frontier, stickers, most);
        const estimate = frontier.estimate();
        if (estimate === undefined) return;
        expect(estimate.low).toBeGreaterThanOrEqual(frontier.known);
        expect(estimate.total).toBeGreaterThanOrEqual(estimate.low);
        expect(estimate.high).toBeGreaterThanOrEqual(estimate.total);
        expect(Number.isFinite(estimate.high)).toBe(true);
      }),
      { numRuns: 40 },
    );
  });

  it('is not given after a few questions', () => {
    const stickers = inventStickers(2000, 800, createRandom(3));
    const frontier = new CrawlFrontier([stickers[0]!.title]);
    harvest(frontier, stickers, 8);
    expect(frontier.estimate()).toBeUndefined();
  });

  it('is not given where the remote never says how many there are behind a list that was cut', () => {
    const stickers = readCatalogue().filter((_, i) => i % 4 === 0);
    for (const total of [() => undefined, (listed: number) => listed]) {
      const frontier = new CrawlFrontier(stickers.filter((_, i) => i % 50 === 0).map(({ title }) => title));
      harvest(frontier, stickers, 200, 50, total);
      expect(frontier.known).toBeGreaterThan(stickers.length / 2);
      expect(frontier.estimate()).toBeUndefined();
    }
  });

  it('is near the truth from half-way on', () => {
    const all = readCatalogue();
    const halves = [0, 1].map((half) => all.filter((_, i) => i % 2 === half));
    for (const stickers of [...halves, all.slice(0, 4000)]) {
      const frontier = new CrawlFrontier(stickers.filter((_, i) => i % 50 === 0).map(({ title }) => title));
      const count = stickers.length;
      while (frontier.known < count / 2 && harvest(frontier, stickers, 1, 50).questions.length > 0);
      for (let part = 0; part < 3; part++) {
        const { total, low, high } = frontier.estimate()!;
        expect(Math.abs(total / count - 1), `${count}, taken for ${total}`).toBeLessThan(0.08);
        expect([low <= count, high >= count]).toEqual([true, true]);
        harvest(frontier, stickers, 60, 50);
      }
    }
  });
});

/** What a chain of shared characters joins to the first. */
function reachable(stickers: readonly WordSticker[]): Set<string> {
  const reached = new Set<string>();
  let words = new Set(Array.from(stickers[0]!.title));
  for (let size = -1; size !== reached.size;) {
    size = reached.size;
    for (const { preset, title, keywords } of stickers) {
      const own = Array.from([title, ...keywords].join(''));
      if (!own.some((character) => words.has(character))) continue;
      reached.add(preset);
      words = new Set([...words, ...own]);
    }
  }
  return reached;
}
