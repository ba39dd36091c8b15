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
