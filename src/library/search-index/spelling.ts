// Words as they are typed: Latin words and pinyin by their beginning or with a mistake, and Han words with
// one character changed. What is found so is worth what query-plan.ts says, or is only suggested.

import { syllablesOf } from './reading-term.js';
import { usualWord } from '../language/english.js';
import { MEANING_MARK } from '../language/concepts.js';
import { initialsOf, parsePinyin } from '../language/pinyin.js';
import { WHOLE_MARK } from '../language/tokenise.js';
import type { StickerIndex } from './sticker-index.js';
import { TypedWords, type FoundWord, type TypedQuery, type TypedWord } from './typed-words.js';
import { rarityOf } from './weigh-terms.js';

/** A Latin word of the index that begins like a typed one, or differs by a mistake. */
export interface LikeWord {
  readonly term: number;
  /** What MiniSearch gives it beside the very word: below 1. */
  readonly share: number;
}

const MIN_PREFIX_LENGTH = 2;
const MIN_FUZZY_LENGTH = 4;
/** Mistakes per letter. */
const FUZZY = 0.25;
const MAX_MISTAKES = 2;
const MAX_LIKE_WORDS = 40;
/** More words than this are beyond what is kept for typing: the first are taken. */
const MAX_READINGS = 40_000;
const ENGLISH_WORD = /^[a-z]{4,20}$/;
const HAN_QUERY = /^[\u4E00-\u9FFF]{2,12}$/;
const LATIN_TYPED = /^[a-z][a-z0-9' -]{1,23}$/;
const LATIN_WORD = /^[\0-\u00FF]+$/;
const LATIN_QUERY = /^[a-z][a-z' ]*$/;

export class Spelling {
  private readonly index: StickerIndex;
  private readonly tables = {
    /** Titles and keywords in Han, as they are read. */
    readings: new TypedWords(),
    /** What the glossary says of the library. */
    english: new TypedWords(),
    latin: new TypedWords(),
  };
  private readonly wholes: number[] = [];
  private seen = 0;

  constructor(index: StickerIndex) {
    this.index = index;
  }

  /** Reads up to so many words more, as the first question would; false when there are none. */
  readSome(most: number): boolean {
    const { terms } = this.index;
    const end = Math.min(terms.size, this.seen + most);
    for (; this.seen < end; this.seen++) this.take(this.seen);
    return this.seen < terms.size;
  }

  /** Latin words that begin like this one; for an unknown word, also those it may be a mistake for. */
  wordsLike(word: string, isKnown: boolean): LikeWord[] {
    if (word.length < MIN_PREFIX_LENGTH) return [];
    const mistakes = isKnown ? 0 : mistakesIn(word);
    return this.find('latin', word, { prefix: true, mistakes, initials: false })
      .map(({ id, score }) => ({ term: id, share: score / exactScore(this.tables.latin.count) }))
      .filter(({ term }) => this.index.spell(term) !== word)
      .slice(0, MAX_LIKE_WORDS);
  }

  /** Titles and keywords in Han that are read as what was typed begins, likeliest first. */
  readLike(typed: string): number[] {
    const runs = LATIN_QUERY.test(typed) ? parsePinyin(typed) : undefined;
    if (runs === undefined) return [];
    const found = this.find('readings', runs.join(''), { prefix: true, mistakes: 0, initials: true });
    return found.map(({ id }) => id);
  }

  /** Titles and keywords of at most so many units that begin so. */
  wordsFrom(typed: string, units: number): number[] {
    this.readSome(Infinity);
    const { index, wholes } = this;
    const prefix = WHOLE_MARK + typed;
    return wholes.filter(
      (term) =>
        index.terms.startsWith(term, prefix) &&
        index.terms.lengthOf(term) <= units + WHOLE_MARK.length &&
        index.frequency(term) > 0,
    );
  }

  /** At most `limit` titles and keywords of the library that may have been meant, likeliest first. */
  suggest(query: string, limit: number): string[] {
    const isHan = HAN_QUERY.test(query);
    if (!isHan && !LATIN_TYPED.test(query)) return [];
    const terms = isHan ? this.nearHan(query) : this.nearLatin(query);
    const words = terms.map((term) => wordOf(this.index.spell(term)));
    return [...new Set(words)].slice(0, limit);
  }

  private nearLatin(query: string): number[] {
    const mistakes = mistakesIn(query);
    const latin = this.find('latin', query, { prefix: true, mistakes, initials: false });
    const runs = LATIN_QUERY.test(query) ? parsePinyin(query) : undefined;
    const english = this.find('english', query, { prefix: false, mistakes, initials: false });
    const letters = runs?.join('');
    const read =
      letters === undefined ? [] : this.misread(letters, query.length < MIN_FUZZY_LENGTH ? 0 : mistakesOf(letters));
    const swapped = [
      ...this.swapped('latin', query),
      ...this.swapped('english', query),
      ...(letters === undefined ? [] : this.swapped('readings', letters)),
    ];
    // Among words equally near, the one that begins alike and that many stickers have.
    const worth = ({ id, score, as }: FoundWord) =>
      score * (1 + Math.log(this.index.frequency(id))) * (as[0] === query[0] ? 2 : 1);
    return [...swapped, ...latin, ...english, ...read].toSorted((a, b) => worth(b) - worth(a)).map(({ id }) => id);
  }

  // Two neighbours in the wrong order are one slip of the fingers, though two letters are wrong.
  private swapped(name: keyof Spelling['tables'], letters: string): FoundWord[] {
    if (letters.length < MIN_FUZZY_LENGTH) return [];
    const exact = { prefix: false, mistakes: 0, initials: false };
    const found: FoundWord[] = [];
    for (let i = 1; i < letters.length; i++) {
      const word = letters.slice(0, i - 1) + letters[i]! + letters[i - 1]! + letters.slice(i + 1);
      if (word !== letters) found.push(...this.find(name, word, exact));
    }
    return found;
  }

  private misread(letters: string, mistakes: number): FoundWord[] {
    return this.find('readings', letters, { prefix: false, mistakes, initials: false });
  }

  // Commonest first: the words of the library that differ from the query in one character.
  private nearHan(query: string): number[] {
    this.readSome(Infinity);
    const { index, wholes } = this;
    const found = wholes.filter((term) => {
      if (index.terms.lengthOf(term) !== query.length + WHOLE_MARK.length) return false;
      let differing = 0;
      for (let i = 0; i < query.length && differing < 2; i++) {
        if (index.terms.unitAt(term, i + WHOLE_MARK.length) !== query.charCodeAt(i)) differing++;
      }
      return differing === 1 && index.frequency(term) > 0;
    });
    return found.toSorted(
      (a, b) => index.frequency(b) - index.frequency(a) || (index.spell(a) < index.spell(b) ? -1 : 1),
    );
  }

  private find(name: keyof Spelling['tables'], typed: string, query: TypedQuery): FoundWord[] {
    this.readSome(Infinity);
    // What only dropped stickers had is no word any more.
    return this.tables[name].search(typed, query).filter(({ id }) => this.index.frequency(id) > 0);
  }

  private take(id: number): void {
    const { readings, english, latin } = this.tables;
    const mark = this.index.terms.unitAt(id, 0);
    if (mark === WHOLE_MARK.charCodeAt(0)) {
      this.wholes.push(id);
      const read = readings.count < MAX_READINGS ? readWord(id, this.index) : undefined;
      if (read !== undefined) readings.add(read);
    } else if (mark === MEANING_MARK.charCodeAt(0)) {
      const letters = this.index.spell(id).slice(MEANING_MARK.length);
      if (english.count < MAX_READINGS && ENGLISH_WORD.test(letters)) english.add({ id, letters, initials: '' });
    } else if (mark >= 0x61 && mark <= 0x7a) {
      const letters = this.index.spell(id);
      if (LATIN_WORD.test(letters)) latin.add({ id, letters, initials: '' });
    }
  }
}

function readWord(id: number, index: StickerIndex): TypedWord | undefined {
  const syllables = syllablesOf(index.spell(id).slice(WHOLE_MARK.length));
  return syllables && { id, letters: syllables.join(''), initials: initialsOf(syllables) };
}

// As it is shown: without its mark, and no stem.
function wordOf(term: string): string {
  if (term.startsWith(WHOLE_MARK)) return term.slice(WHOLE_MARK.length);
  return term.startsWith(MEANING_MARK) ? usualWord(term.slice(MEANING_MARK.length)) : term;
}

function mistakesIn(word: string): number {
  return word.length < MIN_FUZZY_LENGTH ? 0 : mistakesOf(word);
}

function mistakesOf(letters: string): number {
  return Math.min(MAX_MISTAKES, Math.round(letters.length * FUZZY));
}

// What MiniSearch gives a document of one term, met exactly once and in no other.
function exactScore(documents: number): number {
  return 1.5 * rarityOf(1, documents);
}
