// The readings that a query in Latin letters spells, among the terms of the index. Han text never asks for readings, so
// that homophones do not find each other.

import { MEANING_MARK } from '../language/concepts.js';
import { stemsOf } from '../language/english.js';
import { matchPinyin, parsePinyin, possibleInitials, type PinyinMatch } from '../language/pinyin.js';
import type { StickerIndex } from '../search-index/sticker-index.js';

const MAX_CANDIDATES = 400;
/** Of what is read so: a word of eight characters, each of at most six letters. */
const MAX_SYLLABLES = 8;
const MAX_LETTERS = 6 * MAX_SYLLABLES;

export interface SpelledTerm {
  readonly term: number;
  readonly how: PinyinMatch;
}

/**
 * The reading terms that one word of a query spells, beside others. A word that is also English spells them by whole
 * syllables only.
 */
export function termsSpelledIn(word: string, index: StickerIndex): SpelledTerm[] {
  const found = termsSpelled(word, index);
  const isEnglish =
    found.length > 0 &&
    [word, ...stemsOf(word).map((stem) => MEANING_MARK + stem)].some((term) => index.frequency(index.find(term)) > 0);
  return isEnglish ? found.filter(({ how }) => how === 'full') : found;
}

/** The reading terms that a query in Latin letters spells, and how; none for any other query. */
export function termsSpelled(query: string, { readings }: StickerIndex): SpelledTerm[] {
  const runs = parsePinyin(query);
  if (runs === undefined || runs.length > MAX_SYLLABLES) return [];
  const { length } = runs.join('');
  if (length < 2 || length > MAX_LETTERS) return [];
  const found: SpelledTerm[] = [];
  let looked = 0;
  for (const initials of possibleInitials(runs)) {
    for (const { term, syllables } of readings.of(initials)) {
      if (looked++ >= MAX_CANDIDATES) break;
      const how = matchPinyin(runs, syllables.split(' '));
      if (how !== undefined) found.push({ term, how });
    }
  }
  return found;
}
