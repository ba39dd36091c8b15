// What one answer says of its words, and of the shares of known and unknown stickers in them, with which estimate.ts reckons.
// Which words they are, and what was asked before, is for crawl-frontier.ts.

import type { ListedShares, Novelty } from './estimate.js';
import { countedWords, plainWord, wordsOf, type SeenSticker } from './words-of.js';

/** A sticker in an answer. */
export interface HarvestedSticker extends SeenSticker {
  readonly fresh: boolean;
}

/** Of one word: a result counts for each word it has; one that has none of them (a synonym's) is shared among all. */
export interface WordCounts {
  found: number;
  fresh: number;
  /** Stickers that have the word itself. */
  named: number;
}

export interface AnswerShares {
  readonly counts: ReadonlyMap<string, WordCounts>;
  /** The part of the stickers that have one of the words. */
  readonly named: number;
  readonly listed: ListedShares;
  readonly novelty: Novelty;
}

/** Reads an answer to these words once; `isMet` says of a word whether a known sticker has it. */
export function sharesOf(
  words: readonly string[],
  results: readonly HarvestedSticker[],
  isMet: (word: string) => boolean,
): AnswerShares {
  const asked = words.join(' ');
  const counts = new Map(words.map((word) => [word, { found: 0, fresh: 0, named: 0 }]));
  const listed = { known: { count: 0, shares: 0 }, fresh: { count: 0, shares: 0 } };
  const novelty = { others: 0, novel: 0 };
  let named = 0;
  for (const sticker of results) {
    const texts = [sticker.title, ...(sticker.keywords ?? [])].map(plainWord);
    const hit = words.filter((word) => texts.some((text) => text.includes(word)));
    const isNamed = hit.length > 0;
    if (isNamed) named += 1;
    const part = isNamed ? 1 : 1 / words.length;
    for (const word of isNamed ? hit : words) {
      const count = counts.get(word)!;
      count.found += part;
      if (isNamed) count.named += 1;
      if (sticker.fresh) count.fresh += part;
    }
    const counted = countedWords(wordsOf(sticker));
    const own = words.filter((word) => counted.has(word)).length;
    const sum = listed[sticker.fresh ? 'fresh' : 'known'];
    sum.count += own;
    sum.shares += own / Math.max(1, counted.size);
    const others = sticker.fresh ? [...counted].filter((word) => !asked.includes(word)) : [];
    if (others.length === 0) continue;
    novelty.others += others.length / counted.size;
    novelty.novel += others.filter((word) => !isMet(word)).length / counted.size;
  }
  return { counts, named: named / Math.max(1, results.length), listed, novelty };
}

/** Shares of unknown stickers for each of a known one in a list that holds all; undefined where it holds no known one. */
export function ratioListed({ known, fresh }: ListedShares): number | undefined {
  return known.shares === 0 ? undefined : fresh.shares / known.shares;
}

/** The same where only the number of stickers is told: `known` of `total`; unknown ones have `rarer` times fewer words. */
export function ratioBehind(
  words: readonly { readonly seen: number }[],
  { known, total, rarer }: { known: number; total: number; rarer: number },
): number {
  // How many of the words one sticker has; those with fewer words have fewer of these.
  const hits = sumOf(words, ({ seen }) => seen) / known;
  return ((total - known) / known) * rarer * ((1 + (hits - 1) / rarer) / hits);
}

/** The sum of what each has. */
export function sumOf<T>(all: readonly T[], of: (one: T) => number): number {
  return all.reduce((sum, one) => sum + of(one), 0);
}
