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
    const first = word.charCodeAt(0);
    if (word.length <= MAX_WORD_UNITS && word.length > this.lengths[first]!)
      this.lengths[first] = word.length;
  }

  has(word: string): boolean {
    return this.find(word) >= 0 || this.synonyms.has(word);
  }

  private knows(word: string, more: MoreWords | undefined): boolean {
    return this.has(word) || (word.length > 1 && word.length <= MAX_MORE && more?.has(word) === true);
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
      gains[at] = gains[at + 1]! + gainOf(1) + commonGain(text[at]!);
      if (joins(text, at)) continue;
      const longest = Math.min(
        Math.max(this.longestAt(text, at), more === undefined ? 0 : MAX_MORE),
        text.length - at,
      );
      for (let length = longest; length >= 1; length--) {
        if (joins(text, at + length)) continue;
        const rest = gains[at + length]!;
        if (gainOf(length) + MAX_COMMON_GAIN + rest < gains[at]!) continue;
        const word = text.slice(at, at + length);
        if (!this.knows(word, more)) continue;
        const gain = gainOf(length) + commonGain(word) + rest;
        if (gain < gains[at]! || (gain === gains[at] && length > 1)) continue;
        gains[at] = gain;
        lengths[at] = length;
      }
    }
    return lengths;
  }

  private longestAt(text: string, at: number): number {
    this.lengths ??= this.measure();
    const unit = text.charCodeAt(at);
    return Math.max(this.lengths[unit]!, Math.min(this.synonyms.longestFrom(unit), MAX_WORD_UNITS));
  }

  /** Longest title or keyword by first code unit. */
  private measure(): Uint8Array {
    const longest = new Uint8Array(0x10000);
    const { characters, offsets } = this.index.terms.arrays;
    const [from, to] = this.index.terms.range(WHOLE_MARK);
    for (let id = from; id < to; id++) {
      const start = offsets[id]! + WHOLE_MARK.length;
      const length = offsets[id + 1]! - start;
      const first = characters[start]!;
      if (length <= MAX_WORD_UNITS && length > longest[first]!) longest[first] = length;
    }
    for (const term of this.index.changes.terms()) {
      const length = Math.min(term.length - WHOLE_MARK.length, MAX_WORD_UNITS);
      const first = term.charCodeAt(WHOLE_MARK.length);
      if (term.startsWith(WHOLE_MARK) && length > longest[first]!) longest[first] = length;
    }
    return longest;
  }
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
const commonCharacters = new Float32Array(0x10000).fill(Number.NaN);

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
