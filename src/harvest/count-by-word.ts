// What each word of a question had in the answer.

import { countedWords, plainWord, wordsOf, type SeenSticker } from './words-of.js';

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
