// Completes a half-typed word from the words the library has: its titles and keywords, the commonest first.

import type { StickerIndex } from '../search-index/sticker-index.js';
import { normalise } from '../language/normalise.js';
import type { QueryContext } from './query-context.js';
import { WHOLE_MARK } from '../language/tokenise.js';

/** A word of the library. */
export interface Completion {
  readonly word: string;
  /** How many stickers have it as their title or a keyword. */
  readonly stickers: number;
}

/** Longer ones are sentences, which are not completed. */
const MAX_WORD_UNITS = 20;

/** At most `limit` words that begin like the text, normalised, or are read so; commonest first, then short ones first. */
export function completeWord(
  text: string,
  limit: number,
  { index, spelling }: Pick<QueryContext, 'index' | 'spelling'>,
): Completion[] {
  const typed = normalise(text);
  if (typed === '') return [];
  const found = spelling.wordsFrom(typed, MAX_WORD_UNITS);
  return topWords([...new Set([...found, ...spelling.readLike(typed)])], limit, index);
}

function topWords(terms: readonly number[], limit: number, index: StickerIndex): Completion[] {
  const words = terms.map((term) => ({
    word: index.spell(term).slice(WHOLE_MARK.length),
    stickers: index.frequency(term),
  }));
  const order = (a: Completion, b: Completion) =>
    b.stickers - a.stickers || a.word.length - b.word.length || (a.word < b.word ? -1 : 1);
  return words.toSorted(order).slice(0, limit);
}
