// The term of a reading: a title or keyword in Han is also indexed by how it is read aloud. Which of these terms a query
// in Latin letters asks for is query/pinyin-terms.ts.

import { initialsOf, readAloud } from '../language/pinyin.js';

/** Stands before a reading: its initials, a space, its syllables with spaces between. */
export const READING_MARK = '"';
const HAN_WORD = /^[\u4E00-\u9FFF]{1,8}$/;

/** The syllables of a title or keyword that is a Han word; undefined of any other. */
export function syllablesOf(whole: string): string[] | undefined {
  const syllables = HAN_WORD.test(whole) ? readAloud(whole) : [];
  return syllables.length === 0 ? undefined : syllables;
}

/** The term of its reading; undefined when it is no Han word. */
export function readingTerm(whole: string): string | undefined {
  const syllables = syllablesOf(whole);
  return syllables && `${READING_MARK}${initialsOf(syllables)} ${syllables.join(' ')}`;
}
