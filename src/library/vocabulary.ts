// The words the library knows: its whole titles and keywords, and the words of the synonym table.
// Finds them in running text; what a word is worth is for copy-words.ts and query-plan.ts.

import type { CompiledIndex } from './compiled-index.js';
import type { Synonyms } from './synonyms.js';
import { WHOLE_MARK } from './tokenise.js';
import { perMillion } from './word-frequency.js';

/** Longer titles are not words that a text would repeat. */
const MAX_WORD_UNITS = 12;
/** Words of a glossary are not looked for beyond this. */
const MAX_MORE = 5;

export class Vocabulary {
  private readonly index: CompiledIndex;
  private readonly synonyms: Synonyms;
  private lengths: Uint8Array | undefined;

  constructor(index: CompiledIndex, synonyms: Synonyms) {
    this.index = index;
    this.synonyms = synonyms;
  }

  /** Number of the term that is exactly this title or keyword, or -1. */
  find(word: string): number {
    return this.index.find(WHOLE_MARK + word);
  }

  /** Takes note of a title or keyword that came to the index. */
  learn(word: string): void {
    this.lengths ??= this.measure();
    note(this.lengths, word.length, word.charCodeAt(0), word.charCodeAt(1));
  }

  has(word: string): boolean {
    return this.find(word) >= 0 || this.synonyms.has(word);
  }

  /**
   * Cuts a normalised text so that as much of it as possible is words, and these as few as possible; never inside a
   * Latin word or a number. Returns the words, and between them each other code unit as a piece of its own.
   */
  segment(text: string, more?: MoreWords): Piece[] {
    const lengths = this.planCuts(text, more);
    const pieces: Piece[] = [];
    for (let at = 0; at < text.length;) {
      const length = lengths[at]!;
      pieces.push({ text: text.slice(at, at + Math.max(1, length)), known: length > 0 });
      at += Math.max(1, length);
    }
    return pieces;
  }

  /** The words of at least two characters inside a longer one. */
  inside(word: string): string[] {
    const found: string[] = [];
    for (let at = 0; at < word.length - 1; at++) {
      for (let length = Math.min(this.longestAt(word, at), word.length - at); length >= 2; length--) {
        const isApart = !joins(word, at) && !joins(word, at + length);
        if (length === word.length || !isApart || !this.has(word.slice(at, at + length))) continue;
        found.push(word.slice(at, at + length));
        break;
      }
    }
    return found;
  }

  /** For each place, the length of the word to take there; 0 for none. */
  private planCuts(text: string, more?: MoreWords): Uint8Array {
    const gains = new Float64Array(text.length + 1);
    const lengths = new Uint8Array(text.length);
    for (let at = text.length - 1; at >= 0; at--) {
      // 和 nobody lists is a word all the same beside 气球, or 和气 would win.
      gains[at] = gainOf(1) + commonGain(text[at]!) + gains[at + 1]!;
      if (joins(text, at)) continue;
      const own = this.longestAt(text, at);
      const longest = Math.min(Math.max(own, more === undefined ? 0 : MAX_MORE), text.length - at);
      for (let length = longest; length >= 1; length--) {
        if (joins(text, at + length)) continue;
        const rest = gains[at + length]!;
        if (gainOf(length) + MAX_COMMON_GAIN + rest < gains[at]!) continue;
        const word = text.slice(at, at + length);
        const isOwn = length <= own && this.has(word);
        if (!isOwn && !isAmong(word, more)) continue;
        const gain = gainOf(length) + commonGain(word) + rest;
        if (gain < gains[at]! || (gain === gains[at] && length > 1)) continue;
        gains[at] = gain;
        lengths[at] = length;
      }
    }
    return lengths;
  }

  /** No word that begins as the text does here is longer. */
  private longestAt(text: string, at: number): number {
    this.lengths ??= this.measure();
    const first = text.charCodeAt(at);
    const second = text.charCodeAt(at + 1);
    const synonym = Math.min(this.synonyms.longestFrom(first, second), MAX_WORD_UNITS);
    return Math.max(1, this.lengths[slotOf(first, second)]!, synonym);
  }

  /** Longest title or keyword by its first two code units; two pairs may share a slot. */
  private measure(): Uint8Array {
    const longest = new Uint8Array(SLOTS);
    const { characters, offsets } = this.index.terms.arrays;
    const [from, to] = this.index.terms.range(WHOLE_MARK);
    for (let id = from; id < to; id++) {
      const start = offsets[id]! + WHOLE_MARK.length;
      note(longest, offsets[id + 1]! - start, characters[start]!, characters[start + 1]!);
    }
    for (const term of this.index.changes.terms()) {
      if (!term.startsWith(WHOLE_MARK)) continue;
      const word = term.slice(WHOLE_MARK.length);
      note(longest, word.length, word.charCodeAt(0), word.charCodeAt(1));
    }
    return longest;
  }
}

const SLOTS = 0x10000;

function slotOf(first: number, second: number): number {
  return (first * 31 + second) & (SLOTS - 1);
}

function note(longest: Uint8Array, length: number, first: number, second: number): void {
  const slot = slotOf(first, second);
  if (length > 1 && length <= MAX_WORD_UNITS && length > longest[slot]!) longest[slot] = length;
}

function isAmong(word: string, more: MoreWords | undefined): boolean {
  return word.length > 1 && word.length <= MAX_MORE && more?.has(word) === true;
}

/** Words that count as known besides. */
export interface MoreWords {
  has(word: string): boolean;
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
/** By code unit, as they are asked for; NaN before. */
const commonCharacters = new Float64Array(0x10000).fill(Number.NaN);

// Decides between cuts of the same length: 背景 and 色 are commoner than 背 and 景色.
function commonGain(word: string): number {
  if (word.length > 1) return gainOfFrequency(word);
  const unit = word.charCodeAt(0);
  const known = commonCharacters[unit]!;
  return Number.isNaN(known) ? (commonCharacters[unit] = gainOfFrequency(word)) : known;
}

function gainOfFrequency(word: string): number {
  return Math.min(MAX_COMMON_GAIN, 0.03 * (Math.log(perMillion(word) + 0.2) - 4));
}
