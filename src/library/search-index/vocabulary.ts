// The words the library knows: its whole titles and keywords, and the words of the synonym table.
// Finds them in running text; what a word is worth is for keyword-extraction.ts and query-plan.ts.

import type { Synonyms } from '../language/synonyms.js';
import { WHOLE_MARK } from '../language/tokenise.js';
import { levelOf, LEVELS, perMillionAt } from '../language/word-frequency.js';
import type { WordLengths } from '../packed/word-lengths.js';
import { MAX_WORD_UNITS, type StickerIndex } from './sticker-index.js';

/** Words of a glossary are not looked for beyond this. */
const MAX_MORE = 5;
const NOT_LOOKED_UP = -1;

export class Vocabulary {
  private readonly index: StickerIndex;
  private readonly synonyms: Synonyms;
  private lengths: WordLengths;
  /** So many terms the index had when this was last looked at. */
  private known: number;
  /** Made once: to make them takes longer than to cut a query. */
  private cuts = makeCuts(64);
  /** By code unit, whether it is a word: nearly every one of a copy is asked for. */
  private readonly singles = new Int8Array(0x10000).fill(NOT_LOOKED_UP);

  constructor(index: StickerIndex, synonyms: Synonyms) {
    this.index = index;
    this.synonyms = synonyms;
    this.lengths = index.lengths;
    this.known = index.terms.size;
  }

  /** Number of the term that is exactly this title or keyword, or -1. */
  find(word: string): number {
    return this.index.findPart(WHOLE_MARK, word, 0, word.length);
  }

  /** Takes in the words that came since. */
  private look(): void {
    if (this.known === this.index.terms.size) return;
    this.known = this.index.terms.size;
    this.lengths = this.index.lengths;
    this.singles.fill(NOT_LOOKED_UP);
  }

  has(word: string): boolean {
    return this.find(word) >= 0 || this.synonyms.has(word);
  }

  private knows(text: string, from: number, to: number): boolean {
    if (this.index.findPart(WHOLE_MARK, text, from, to) >= 0) return true;
    return to - from <= this.synonyms.longestAt(text, from) && this.synonyms.hasPart(text, from, to);
  }

  /** No known word that begins at this place of a text is longer, or it is too long to be looked for. */
  private longestAt(text: string, at: number): number {
    const own = this.lengths.longestAt(text, at);
    const other = this.synonyms.longestAt(text, at);
    return other > own ? Math.min(other, MAX_WORD_UNITS) : own;
  }

  private knowsSingle(text: string, at: number): boolean {
    const unit = text.charCodeAt(at);
    if (this.singles[unit] === NOT_LOOKED_UP) this.singles[unit] = this.knows(text, at, at + 1) ? 1 : 0;
    return this.singles[unit] === 1;
  }

  /**
   * Cuts a normalised text so that as much of it as possible is words, and these as few as possible; never inside a
   * Latin word or a number. Returns the words, and between them each other code unit as a piece of its own.
   */
  segment(text: string): Piece[] {
    const lengths = this.cut(text);
    const pieces: Piece[] = [];
    for (let at = 0; at < text.length;) {
      const length = lengths[at]!;
      pieces.push({ text: text.slice(at, at + Math.max(1, length)), known: length > 0 });
      at += Math.max(1, length);
    }
    return pieces;
  }

  /** The same as the length of the word that begins at each place where a piece begins, 0 where none does; until the next call. */
  cut(text: string, more?: MoreWords): Uint8Array {
    this.look();
    this.planCuts(text, more);
    return this.cuts.lengths;
  }

  /** The words of at least two characters inside a longer one. */
  inside(word: string): readonly string[] {
    if (word.length <= 2) return NONE;
    this.look();
    const found: string[] = [];
    let begun = 0;
    let taken = 0;
    for (let at = 0; at < word.length - 1; at++) {
      const longest = Math.min(this.longestAt(word, at), word.length - at);
      for (let length = longest; length >= 2; length--) {
        const isApart = !joins(word, at) && !joins(word, at + length);
        if (length === word.length || !isApart || !this.knows(word, at, at + length)) continue;
        // 表格 keeps what 电子表 would take of it, as long as 电子 is a word too.
        const isCrossing = at < taken && at + length > taken && at - begun > 1;
        if (isCrossing && this.knows(word, begun, at)) found[found.length - 1] = word.slice(begun, at);
        found.push(word.slice(at, at + length));
        [begun, taken] = [at, at + length];
        break;
      }
    }
    return [...new Set(found)];
  }

  private planCuts(text: string, more?: MoreWords): void {
    const { gains, lengths } = this.beginCuts(text.length);
    for (let at = text.length - 1; at >= 0; at--) {
      // 和 is a word beside 气球 although no table lists it, or 和气 would win.
      gains[at] = gainOf(1) + commonGain(text, at, at + 1) + gains[at + 1]!;
      if (joins(text, at)) continue;
      const inMore = more === undefined ? 0 : Math.min(more.lengths.longestAt(text, at), MAX_MORE);
      const inOwn = this.longestAt(text, at);
      const longest = Math.min(Math.max(inOwn, inMore), text.length - at);
      for (let length = longest; length > 1; length--) {
        if (joins(text, at + length)) continue;
        const rest = gains[at + length]!;
        if (gainOf(length) + MAX_COMMON_GAIN + rest < gains[at]!) continue;
        const end = at + length;
        const isMore = length <= inMore && more!.hasPart(text, at, end);
        if (!isMore && (length > inOwn || !this.knows(text, at, end))) continue;
        const gain = gainOf(length) + commonGain(text, at, end) + rest;
        if (gain <= gains[at]!) continue;
        gains[at] = gain;
        lengths[at] = length;
      }
      const isAlone = lengths[at] === 0 && inOwn > 0 && !joins(text, at + 1);
      if (isAlone && this.knowsSingle(text, at)) lengths[at] = 1;
    }
  }

  private beginCuts(length: number): Cuts {
    if (length >= this.cuts.lengths.length) this.cuts = makeCuts(2 * length);
    this.cuts.gains[length] = 0;
    this.cuts.lengths.fill(0, 0, length);
    return this.cuts;
  }
}

const NONE: readonly string[] = [];

/** How a text is best cut from each place to its end. */
interface Cuts {
  readonly gains: Float64Array;
  /** Of the word to take there; 0 for none. */
  readonly lengths: Uint8Array;
}

function makeCuts(capacity: number): Cuts {
  return { gains: new Float64Array(capacity), lengths: new Uint8Array(capacity) };
}

/** Words that count as known besides. */
export interface MoreWords {
  readonly lengths: Pick<WordLengths, 'longestAt'>;
  /** Whether the part of a text between two places is one. */
  hasPart(text: string, from: number, to: number): boolean;
}

export interface Piece {
  readonly text: string;
  readonly known: boolean;
}

// Whether a word of spaced script or a number goes on across this place.
function joins(text: string, at: number): boolean {
  return at > 0 && at < text.length && isSpaced(text.charCodeAt(at - 1)) && isSpaced(text.charCodeAt(at));
}

function isSpaced(unit: number): boolean {
  return (unit >= 0x30 && unit <= 0x39) || (unit >= 0x61 && unit <= 0x7a) || (unit >= 0xdf && unit <= 0x52f);
}

// Half a character less per word prefers few long words; a single character is taken only where nothing else is.
function gainOf(length: number): number {
  return length === 1 ? 0.1 : length - 0.5;
}

const MAX_COMMON_GAIN = 0.15;
/** By level; worked out once. */
const GAINS = Float64Array.from({ length: LEVELS }, (_, level) =>
  Math.min(MAX_COMMON_GAIN, 0.03 * (Math.log(perMillionAt(level) + 0.2) - 4)),
);
/** By code unit, as they are asked for; NaN before. */
const commonCharacters = new Float64Array(0x10000).fill(Number.NaN);

// Decides between cuts of the same length: 背景 and 色 are commoner than 背 and 景色.
function commonGain(text: string, from: number, to: number): number {
  if (to - from > 1) return GAINS[levelOf(text, from, to)]!;
  const unit = text.charCodeAt(from);
  const known = commonCharacters[unit]!;
  return Number.isNaN(known) ? (commonCharacters[unit] = GAINS[levelOf(text, from, to)]!) : known;
}
