// Words as they are typed: Latin words and pinyin by their beginning or with a mistake, and Han words with
// one character changed. What is found so is worth what query-plan.ts says, or is only suggested.

import type { Postings } from './postings.js';
import { syllablesOf } from './reading-term.js';
import { usualWord } from '../language/english.js';
import { MEANING_MARK } from '../language/concepts.js';
import { initialsOf, parsePinyin } from '../language/pinyin.js';
import { WHOLE_MARK } from '../language/tokenise.js';
import { compileFuzzyDictionary, type FoundWord, type FuzzyWord, type FuzzyDictionary } from './fuzzy-dictionary.js';
import { rarityOf } from './weigh-terms.js';

/** A Latin word of the index that begins like a typed one, or differs by a mistake. */
export interface LikeWord {
  readonly term: number;
  /** What MiniSearch gives it beside the very word: below 1. */
  readonly share: number;
}

/** What words are looked for in: they are the same for the same index. */
export interface SpellingTables {
  /** Titles and keywords in Han, as they are read. */
  readonly readings: FuzzyDictionary;
  /** What the glossary says of the library. */
  readonly english: FuzzyDictionary;
  readonly latin: FuzzyDictionary;
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
  private readonly index: Postings;
  private readonly tables: SpellingTables;

  constructor(index: Postings, tables: SpellingTables) {
    this.index = index;
    this.tables = tables;
  }

  /** Notes a title or keyword of a changed sticker. */
  learn(word: string): void {
    const { index } = this;
    const whole = index.find(WHOLE_MARK + word);
    const read = whole < index.terms.size ? undefined : readWord(whole, index);
    if (read !== undefined) this.tables.readings.add(read);
    for (const [letters] of word.matchAll(/[a-z][a-z0-9]*/g)) {
      const id = index.find(letters);
      if (id >= index.terms.size) this.tables.latin.add({ id, letters, initials: '' });
    }
  }

  /** Latin words that begin like this one; for an unknown word, also those it may be a mistake for. */
  wordsLike(word: string, isKnown: boolean): LikeWord[] {
    if (word.length < MIN_PREFIX_LENGTH) return [];
    const latin = this.tables.latin;
    const mistakes = isKnown ? 0 : mistakesIn(word);
    return latin
      .search(word, { prefix: true, mistakes, initials: false })
      .map(({ id, score }) => ({ term: id, share: score / exactScore(latin.count) }))
      .filter(({ term }) => this.index.spell(term) !== word)
      .slice(0, MAX_LIKE_WORDS);
  }

  /** Titles and keywords in Han that are read as what was typed begins, likeliest first. */
  readLike(typed: string): number[] {
    const runs = LATIN_QUERY.test(typed) ? parsePinyin(typed) : undefined;
    if (runs === undefined) return [];
    const found = this.tables.readings.search(runs.join(''), { prefix: true, mistakes: 0, initials: true });
    return found.map(({ id }) => id);
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
    const latin = this.tables.latin.search(query, { prefix: true, mistakes, initials: false });
    const runs = LATIN_QUERY.test(query) ? parsePinyin(query) : undefined;
    const english = this.tables.english.search(query, { prefix: false, mistakes, initials: false });
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
  private swapped(name: keyof SpellingTables, letters: string): FoundWord[] {
    if (letters.length < MIN_FUZZY_LENGTH) return [];
    const exact = { prefix: false, mistakes: 0, initials: false };
    const found: FoundWord[] = [];
    for (let i = 1; i < letters.length; i++) {
      const word = letters.slice(0, i - 1) + letters[i]! + letters[i - 1]! + letters.slice(i + 1);
      if (word !== letters) found.push(...this.tables[name].search(word, exact));
    }
    return found;
  }

  private misread(letters: string, mistakes: number): FoundWord[] {
    return this.tables.readings.search(letters, { prefix: false, mistakes, initials: false });
  }

  // Commonest first: the words of the library that differ from the query in one character.
  private nearHan(query: string): number[] {
    const { characters, offsets } = this.index.terms.arrays;
    const [from, to] = this.index.terms.range(WHOLE_MARK);
    const found: number[] = [];
    for (let term = from; term < to; term++) {
      const start = offsets[term]! + WHOLE_MARK.length;
      if (offsets[term + 1]! - start !== query.length) continue;
      let differing = 0;
      for (let i = 0; i < query.length && differing < 2; i++) {
        if (characters[start + i] !== query.charCodeAt(i)) differing++;
      }
      if (differing === 1) found.push(term);
    }
    return found.toSorted((a, b) => this.index.frequency(b) - this.index.frequency(a) || a - b);
  }
}

/** The tables of an index; for 12,000 stickers it takes most of a second. */
export function compileSpelling(index: Postings): SpellingTables {
  return {
    readings: compileFuzzyDictionary(listReadings(index)),
    english: compileFuzzyDictionary(listEnglish(index)),
    latin: compileFuzzyDictionary(listLatin(index)),
  };
}

function* listReadings(index: Postings): Iterable<FuzzyWord> {
  for (const term of firstOf(WHOLE_MARK, index)) {
    const read = readWord(term, index);
    if (read !== undefined) yield read;
  }
}

function* listEnglish(index: Postings): Iterable<FuzzyWord> {
  for (const id of firstOf(MEANING_MARK, index)) {
    const letters = index.spell(id).slice(MEANING_MARK.length);
    if (ENGLISH_WORD.test(letters)) yield { id, letters, initials: '' };
  }
}

function* listLatin(index: Postings): Iterable<FuzzyWord> {
  for (const letter of 'abcdefghijklmnopqrstuvwxyz') {
    const [from, to] = index.terms.range(letter);
    for (let id = from; id < to; id++) {
      const letters = index.spell(id);
      if (LATIN_WORD.test(letters)) yield { id, letters, initials: '' };
    }
  }
}

function* firstOf(mark: string, { terms }: Postings): Iterable<number> {
  const [from, to] = terms.range(mark);
  for (let term = from; term < Math.min(to, from + MAX_READINGS); term++) yield term;
}

function readWord(id: number, index: Postings): FuzzyWord | undefined {
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
