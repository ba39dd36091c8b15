// What one answer says of the shares of known and unknown stickers in its words: what estimate.ts reckons with. Which
// words they are, and what was asked before, is for crawl-frontier.ts.

import type { ListedShares, Novelty } from './estimate.js';
import { countedWords, plainWord, wordsOf, type SeenSticker } from './words-of.js';

interface AnsweredWord {
  readonly text: string;
  /** Known stickers that have it. */
  readonly seen: number;
}

/** Shares of unknown stickers for each of a known one in a list that holds all; undefined where it holds no known one. */
export function ratioListed(counts: Iterable<WordCounts>): number | undefined {
  const all = [...counts];
  const known = sumOf(all, ({ knownShare }) => knownShare);
  return known === 0 ? undefined : sumOf(all, ({ freshShare }) => freshShare) / known;
}

/** The same where only the number of stickers is told: `known` of `total`; unknown ones have `rarer` times fewer words. */
export function ratioBehind(
  words: readonly AnsweredWord[],
  { known, total, rarer }: { known: number; total: number; rarer: number },
): number {
  // How many of the words one sticker has; those with fewer words have fewer of these.
  const hits = sumOf(words, ({ seen }) => seen) / known;
  return ((total - known) / known) * rarer * ((1 + (hits - 1) / rarer) / hits);
}

/** The known and the new stickers of an answer, by their words. */
export function sharesListed(words: readonly AnsweredWord[], results: readonly HarvestedSticker[]): ListedShares {
  const listed = { known: { count: 0, shares: 0 }, fresh: { count: 0, shares: 0 } };
  for (const sticker of results) {
    const counted = countedWords(wordsOf(sticker));
    const hits = words.filter(({ text }) => counted.has(text)).length;
    const sum = listed[sticker.fresh ? 'fresh' : 'known'];
    sum.count += hits;
    sum.shares += hits / Math.max(1, counted.size);
  }
  return listed;
}

/** How new the words of new stickers are, beside those that were asked, which all of them have. */
export function noveltyOf(
  words: readonly AnsweredWord[],
  results: readonly HarvestedSticker[],
  isMet: (word: string) => boolean,
): Novelty {
  const asked = words.map(({ text }) => text).join(' ');
  const novelty = { others: 0, novel: 0 };
  for (const sticker of results) {
    const counted = sticker.fresh ? [...countedWords(wordsOf(sticker))] : [];
    const others = counted.filter((word) => !asked.includes(word));
    if (others.length === 0) continue;
    novelty.others += others.length / counted.length;
    novelty.novel += others.filter((word) => !isMet(word)).length / counted.length;
  }
  return novelty;
}

/** Whether a sticker has one of these words. */
export function hasOneOf({ title, keywords = [] }: SeenSticker, words: readonly AnsweredWord[]): boolean {
  const texts = [title, ...keywords].map(plainWord);
  return words.some(({ text }) => texts.some((one) => one.includes(text)));
}

/** The sum of what each has. */
export function sumOf<T>(all: readonly T[], of: (one: T) => number): number {
  return all.reduce((sum, one) => sum + of(one), 0);
}

/** A sticker in an answer. */
export interface HarvestedSticker extends SeenSticker {
  readonly fresh: boolean;
}

/** Of one word; shares are of stickers that count the word (see estimate.ts). */
export interface WordCounts {
  found: number;
  fresh: number;
  /** Stickers that have the word itself. */
  named: number;
  knownShare: number;
  freshShare: number;
}

/** A result counts for each word it has; one that has none of them (a synonym's) is shared among all. */
export function countByWord(
  words: readonly string[],
  results: readonly HarvestedSticker[],
): ReadonlyMap<string, WordCounts> {
  const counts = new Map(words.map((word) => [word, noCounts()]));
  for (const sticker of results) {
    const texts = [sticker.title, ...(sticker.keywords ?? [])].map(plainWord);
    const hit = words.filter((word) => texts.some((text) => text.includes(word)));
    const counted = countedWords(wordsOf(sticker));
    const part = hit.length > 0 ? 1 : 1 / words.length;
    for (const word of hit.length > 0 ? hit : words) {
      const count = counts.get(word)!;
      count.found += part;
      if (hit.length > 0) count.named += 1;
      if (sticker.fresh) count.fresh += part;
      if (counted.has(word)) count[sticker.fresh ? 'freshShare' : 'knownShare'] += 1 / counted.size;
    }
  }
  return counts;
}

function noCounts(): WordCounts {
  return { found: 0, fresh: 0, named: 0, knownShare: 0, freshShare: 0 };
}
