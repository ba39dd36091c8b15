// The term of a reading: a title or keyword in Han is also indexed by how it is read aloud. Which of these terms a query
// in Latin letters asks for is query/pinyin-terms.ts.

import { initialsOf, readAloud } from '../language/pinyin.js';
import type { TermDictionary } from '../packed/term-dictionary.js';

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

/** A term that is a reading. */
export interface Reading {
  readonly term: number;
  readonly syllables: string;
}

/** The readings among terms by their initials, in order; what was added is read when they are next asked for. */
export class ReadingTerms {
  private readonly terms: TermDictionary;
  private readonly byInitials = new Map<string, Reading[]>();
  private seen = 0;

  constructor(terms: TermDictionary) {
    this.terms = terms;
  }

  /** Reads up to so many terms more; false when there are none. */
  readSome(most: number): boolean {
    const end = Math.min(this.terms.size, this.seen + most);
    for (; this.seen < end; this.seen++) {
      if (this.terms.unitAt(this.seen, 0) === READING_MARK.charCodeAt(0)) this.put(this.seen);
    }
    return this.seen < this.terms.size;
  }

  of(initials: string): readonly Reading[] {
    this.readSome(Infinity);
    return this.byInitials.get(initials) ?? [];
  }

  private put(term: number): void {
    const text = this.terms.get(term);
    const space = text.indexOf(' ');
    const initials = text.slice(READING_MARK.length, space);
    const syllables = text.slice(space + 1);
    const known = this.byInitials.get(initials);
    if (known === undefined) return void this.byInitials.set(initials, [{ term, syllables }]);
    const after = known.findIndex((one) => one.syllables > syllables);
    known.splice(after < 0 ? known.length : after, 0, { term, syllables });
  }
}
