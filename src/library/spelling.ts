// Words as they are typed: Latin words and pinyin by their beginning or with a mistake, through MiniSearch, and Han words with
// one character changed. What is found so is worth what query-plan.ts says, or is only suggested.

import MiniSearch, { type SearchResult } from 'minisearch';
import type { CompiledIndex } from './compiled-index.js';
import { MEANING_MARK } from './meanings.js';
import { initialsOf, parsePinyin, readAloud } from './pinyin.js';
import { WHOLE_MARK } from './tokenise.js';
import { rarityOf } from './weigh-terms.js';

/** A Latin word of the index that begins like a typed one, or differs by a mistake. */
export interface LikeWord {
  readonly term: number;
  /** What MiniSearch gives it beside the very word: below 1. */
  readonly share: number;
}

interface Typed {
  readonly id: number;
  readonly letters: string;
  readonly initials: string;
}

const MIN_PREFIX_LENGTH = 2;
const MIN_FUZZY_LENGTH = 4;
/** Mistakes per letter, rounded down or up by MiniSearch. */
const FUZZY = 0.25;
const MAX_MISTAKES = 2;
const MAX_LIKE_WORDS = 40;
/** More words than this are beyond what is kept for typing: the first are taken. */
const MAX_READINGS = 40_000;
const HAN_WORD = /^[\u4E00-\u9FFF]{1,8}$/;
const ENGLISH_WORD = /^[a-z]{4,20}$/;
const MARK = new RegExp(`^[${WHOLE_MARK}${MEANING_MARK}]`);
const HAN_QUERY = /^[\u4E00-\u9FFF]{2,12}$/;
const LATIN_TYPED = /^[a-z][a-z0-9' -]{1,23}$/;
const LATIN_QUERY = /^[a-z][a-z' ]*$/;
/** So many are read aloud before others have their turn; about a millisecond's work. */
const SLICE = 200;
const FIRST_SLICE_MS = 2000;

const ENGINE = { tokenize: (text: string) => [text], processTerm: (term: string) => term, autoVacuum: false };

export class Spelling {
  private readonly index: CompiledIndex;
  private latin: MiniSearch<Typed> | undefined;
  private readonly readings = new MiniSearch<Typed>({ fields: ['letters', 'initials'], ...ENGINE });
  /** What the glossary says of the library. */
  private readonly english = new MiniSearch<Typed>({ fields: ['letters'], ...ENGINE });
  private readonly waiting: { next: number; readonly end: number }[];
  private timer: NodeJS.Timeout | NodeJS.Immediate | undefined;

  constructor(index: CompiledIndex) {
    this.index = index;
    this.waiting = [WHOLE_MARK, MEANING_MARK].map((mark) => {
      const [next, to] = index.terms.range(mark);
      return { next, end: Math.min(to, next + MAX_READINGS) };
    });
  }

  /** Gets pinyin ready in slices between which others have their turn; without it the first who asks waits. */
  prepare(): void {
    this.timer = setTimeout(() => this.goOn(), FIRST_SLICE_MS).unref();
  }

  /** Ends what `prepare` began. */
  stop(): void {
    clearTimeout(this.timer as NodeJS.Timeout);
    clearImmediate(this.timer as NodeJS.Immediate);
  }

  /** Takes note of a title or keyword that came to the index. */
  learn(word: string): void {
    const whole = this.index.find(WHOLE_MARK + word);
    if (whole >= this.index.terms.size) this.read(whole);
    for (const [letters] of word.matchAll(/[a-z][a-z0-9]*/g)) {
      const term = this.index.find(letters);
      if (term >= this.index.terms.size) this.addLatin(this.openLatin(), term);
    }
  }

  /** Latin words that begin like this one; for a word nobody has, also those it may be a mistake for. */
  wordsLike(word: string, isKnown: boolean): LikeWord[] {
    if (word.length < MIN_PREFIX_LENGTH) return [];
    const fuzzy = !isKnown && word.length >= MIN_FUZZY_LENGTH && FUZZY;
    const found = this.openLatin().search(word, { prefix: true, fuzzy, maxFuzzy: MAX_MISTAKES });
    return found
      .map(({ id, score }) => ({ term: id as number, share: score / exactScore(this.latin!.documentCount) }))
      .filter(({ term }) => this.index.spell(term) !== word)
      .slice(0, MAX_LIKE_WORDS);
  }

  /** Titles and keywords in Han that are read as what was typed begins, likeliest first. */
  readLike(typed: string): number[] {
    const runs = LATIN_QUERY.test(typed) ? parsePinyin(typed) : undefined;
    if (runs === undefined) return [];
    this.finish();
    return this.readings.search(runs.join(''), { prefix: true }).map(({ id }) => id as number);
  }

  /** At most `limit` titles and keywords of the library that somebody may have meant, likeliest first. */
  suggest(query: string, limit: number): string[] {
    const isHan = HAN_QUERY.test(query);
    if (!isHan && !LATIN_TYPED.test(query)) return [];
    const terms = isHan ? this.nearHan(query) : this.nearLatin(query);
    const words = terms.map((term) => this.index.spell(term).replace(MARK, ''));
    return [...new Set(words)].slice(0, limit);
  }

  private nearLatin(query: string): number[] {
    const fuzzy = query.length >= MIN_FUZZY_LENGTH && FUZZY;
    const latin = this.openLatin().search(query, { prefix: true, fuzzy, maxFuzzy: MAX_MISTAKES });
    const runs = LATIN_QUERY.test(query) ? parsePinyin(query) : undefined;
    this.finish();
    const english = this.english.search(query, { fuzzy, maxFuzzy: MAX_MISTAKES });
    const read =
      runs && this.readings.search(runs.join(''), { fields: ['letters'], fuzzy, maxFuzzy: MAX_MISTAKES });
    // Among words equally near, the one that begins alike and that many stickers have.
    const worth = ({ id, score, terms }: SearchResult) =>
      score * (1 + Math.log(this.index.frequency(id as number))) * (terms[0]?.[0] === query[0] ? 2 : 1);
    return [...latin, ...english, ...(read ?? [])]
      .toSorted((a, b) => worth(b) - worth(a))
      .map(({ id }) => id as number);
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

  private openLatin(): MiniSearch<Typed> {
    if (this.latin !== undefined) return this.latin;
    const latin = new MiniSearch<Typed>({ fields: ['letters'], ...ENGINE });
    for (const letter of 'abcdefghijklmnopqrstuvwxyz') {
      const [from, to] = this.index.terms.range(letter);
      for (let term = from; term < to; term++) this.addLatin(latin, term);
    }
    return (this.latin = latin);
  }

  private addLatin(latin: MiniSearch<Typed>, term: number): void {
    if (!latin.has(term)) latin.add({ id: term, letters: this.index.spell(term), initials: '' });
  }

  private goOn(): void {
    const part = this.waiting.find(({ next, end }) => next < end);
    if (part === undefined) return;
    this.readAll(part, Math.min(part.end, part.next + SLICE));
    this.timer = setImmediate(() => this.goOn());
  }

  private finish(): void {
    this.stop();
    for (const part of this.waiting) this.readAll(part, part.end);
  }

  private readAll(part: { next: number }, end: number): void {
    for (; part.next < end; part.next++) {
      const stem = this.index.spell(part.next).slice(MEANING_MARK.length);
      if (!this.index.spell(part.next).startsWith(MEANING_MARK)) this.read(part.next);
      else if (ENGLISH_WORD.test(stem)) this.english.add({ id: part.next, letters: stem, initials: '' });
    }
  }

  private read(whole: number): void {
    const word = this.index.spell(whole).slice(WHOLE_MARK.length);
    if (!HAN_WORD.test(word) || this.readings.has(whole)) return;
    const syllables = readAloud(word);
    const initials = initialsOf(syllables);
    if (initials.length > 0) this.readings.add({ id: whole, letters: syllables.join(''), initials });
  }
}

// What MiniSearch gives a document of one term, met exactly once and in no other.
function exactScore(documents: number): number {
  return 1.5 * rarityOf(1, documents);
}
