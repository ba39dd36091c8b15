// Readings among the terms of the index: a title or keyword in Han is also found by how it is read aloud, typed in Latin
// letters. Han text never asks for readings, so that homophones do not find each other.

import type { CompiledIndex } from './compiled-index.js';
import { stemsOf } from '../language/english.js';
import { MEANING_MARK } from '../language/concepts.js';
import {
  initialsOf,
  matchPinyin,
  parsePinyin,
  possibleInitials,
  readAloud,
  type PinyinMatch,
} from '../language/pinyin.js';

/** Stands before a reading: its initials, a space, its syllables with spaces between. */
const READING_MARK = '"';
const HAN_WORD = /^[\u4E00-\u9FFF]{1,8}$/;
const MAX_CANDIDATES = 400;

/** The term of a whole's reading; undefined when it is no Han word. */
export function readingTerm(whole: string): string | undefined {
  if (!HAN_WORD.test(whole)) return undefined;
  const syllables = readAloud(whole);
  return syllables.length === 0
    ? undefined
    : `${READING_MARK}${initialsOf(syllables)} ${syllables.join(' ')}`;
}

/**
 * The reading terms that one word of a query spells, beside others. A word that is also English spells them by whole
 * syllables only.
 */
export function termsSpelledIn(word: string, index: CompiledIndex): { term: number; how: PinyinMatch }[] {
  const found = termsSpelled(word, index);
  const isEnglish =
    found.length > 0 &&
    [word, ...stemsOf(word).map((stem) => MEANING_MARK + stem)].some(
      (term) => index.frequency(index.find(term)) > 0,
    );
  return isEnglish ? found.filter(({ how }) => how === 'full') : found;
}

/** The reading terms that a query in Latin letters spells, and how; none for any other query. */
export function termsSpelled(query: string, index: CompiledIndex): { term: number; how: PinyinMatch }[] {
  const runs = parsePinyin(query);
  if (runs === undefined || runs.join('').length < 2) return [];
  const found: { term: number; how: PinyinMatch }[] = [];
  let looked = 0;
  for (const initials of possibleInitials(runs)) {
    const prefix = `${READING_MARK}${initials} `;
    const [from, to] = index.terms.range(prefix);
    for (let term = from; term < to && looked < MAX_CANDIDATES; term++, looked++) {
      const how = matchPinyin(runs, index.terms.get(term).slice(prefix.length).split(' '));
      if (how !== undefined) found.push({ term, how });
    }
  }
  return found;
}
