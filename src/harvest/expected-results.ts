// What words of one sort have brought so far: learned from every answer, so that no fixed list decides what is
// asked next. A sort is where a word comes from, how often it was seen and how often it was asked.

import type { WordSource } from './words-of.js';

/** What asking one word is expected to bring. */
export interface Expectation {
  /** Stickers not known before. */
  readonly fresh: number;
  /** Stickers, known or not. */
  readonly found: number;
}

interface SortCounts {
  words: number;
  fresh: number;
  found: number;
}

/** Taken as if this many words of each sort had been asked already. */
const PRIOR_WORDS = 2;
const PRIORS: Readonly<Record<WordSource, Expectation>> = {
  seed: { fresh: 2, found: 6 },
  title: { fresh: 2, found: 6 },
  keyword: { fresh: 2, found: 6 },
  character: { fresh: 3, found: 20 },
  pair: { fresh: 1.5, found: 6 },
  sign: { fresh: 0.5, found: 3 },
};
/** Old answers say less and less: what is left to find gets rarer. */
const REMEMBERED_WORDS = 60;
const FADE = 0.7;

/** Expectations of words by sort. */
export class ExpectedResults {
  readonly #counts = new Map<string, SortCounts>();

  expect(sort: string, source: WordSource): Expectation {
    const { words, fresh, found } = this.#counts.get(sort) ?? { words: 0, fresh: 0, found: 0 };
    const prior = PRIORS[source];
    const weight = words + PRIOR_WORDS;
    return {
      fresh: (fresh + prior.fresh * PRIOR_WORDS) / weight,
      found: (found + prior.found * PRIOR_WORDS) / weight,
    };
  }

  learn(sort: string, { fresh, found }: Expectation): void {
    const count = this.#counts.get(sort) ?? { words: 0, fresh: 0, found: 0 };
    this.#counts.set(sort, count);
    count.words += 1;
    count.fresh += fresh;
    count.found += found;
    if (count.words <= REMEMBERED_WORDS) return;
    count.words *= FADE;
    count.fresh *= FADE;
    count.found *= FADE;
  }
}

// How many words the remote takes in one question, measured too: a word that is known to some sticker must bring it back when it
// is asked together with others. Whether words are joined by "or" is nowhere written.

const WIDTHS = [1, 2, 4, 8] as const;
/** Words with a witness after which a width is judged. */
const ENOUGH = 8;
const GOOD = 0.8;
const BAD = 0.6;

/** The number of words for a question, wider while the remote honours them all. */
export class BatchSize {
  #at = 0;
  #best: number = WIDTHS.length - 1;
  #expected = 0;
  #held = 0;

  get width(): number {
    return WIDTHS[this.#at]!;
  }

  /** Begins with the width that was found good in an earlier run. */
  resume(width: number): void {
    this.#at = Math.max(
      0,
      WIDTHS.findLastIndex((one) => one <= width),
    );
  }

  /** Of `expected` words that a known sticker has, `held` brought one; answers that were cut say nothing and are not told. */
  learn(expected: number, held: number): void {
    this.#expected += expected;
    this.#held += held;
    if (this.#expected < Math.min(ENOUGH, 4 * this.width)) return;
    const share = this.#held / this.#expected;
    if (share < BAD && this.#at > 0) this.#best = this.#at - 1;
    if (share < BAD || share >= GOOD) this.#move(share < BAD ? -1 : 1);
    this.#expected = 0;
    this.#held = 0;
  }

  #move(step: number): void {
    this.#at = Math.min(this.#best, Math.max(0, this.#at + step));
  }
}
