// What Chinese words mean in English, as stems: the bridge between words that mean the same and are spelled with other
// characters. The table is data/glosses; it is read as it lies in the file, and what is worked out besides, as it is
// asked for.

import { uint16View, uint32View } from '../packed/little-endian.js';
import { readLanguageBytes } from './language-data.js';
import { WordLengths } from '../packed/word-lengths.js';

export interface Concept {
  readonly stem: string;
  /** Whether the stem is a gloss by itself, and not one word of a longer one. */
  readonly whole: boolean;
}

/** The length of the longest word in the table; longer ones are sayings and titles, which are not searched for. */
export const LONGEST_GLOSSED = 7;

/** The file begins with it. */
export const GLOSS_MAGIC = 0x34736c67;
const FIRST_HAN = 0x3400;
const LAST_HAN = 0x9fff;
/** One place for each first character, one before for those that come earlier, and the end. */
const PLACES = LAST_HAN - FIRST_HAN + 3;

/** The file, section after section; words lie in groups of one length, sorted. */
interface GlossTable {
  /** Words of each length from 1. */
  readonly counts: readonly number[];
  readonly units: Uint16Array;
  /** Number of the stem times two, and one more when it is a gloss by itself; word after word, its kinds last. */
  readonly meanings: Uint16Array;
  /** Of each word how many meanings, and, from `KINDS_SHIFT`, how many kinds. */
  readonly meaningCounts: Uint8Array;
  readonly stemLengths: Uint8Array;
  /** All stems, which are ASCII, one after the other. */
  readonly stems: string;
  /** Where the meanings of every 64th word begin, and the letters of every 64th stem. */
  readonly meaningMarks: Uint32Array;
  readonly stemMarks: Uint32Array;
  /** For `WordLengths`. */
  readonly lengths: Uint8Array;
}

/** Places are marked for every 64th word and stem. */
export const MARK_SHIFT = 6;
/** A word has at most 15 meanings, and 15 kinds. */
export const KINDS_SHIFT = 4;
const MEANINGS_MASK = (1 << KINDS_SHIFT) - 1;

/** The words of one length. */
interface Group {
  /** Number of the first. */
  readonly first: number;
  /** Of the first, in `units`. */
  readonly start: number;
  readonly length: number;
  readonly count: number;
  /** Where words that begin with a character begin, counted in words of the group from 1; 0 before it is asked for. */
  readonly places: Uint32Array;
}

export class Glossary {
  /** How long the words are that begin at a place. */
  readonly lengths: WordLengths;
  private readonly table: GlossTable;
  private readonly groups: Group[] = [];
  /** Length of the longest word by its first character, and 1; 0 before it is asked for. */
  private readonly longest = new Uint8Array(PLACES);

  constructor(table: GlossTable) {
    this.table = table;
    this.lengths = new WordLengths(table.lengths);
    let first = 0;
    let start = 0;
    for (const [i, count] of table.counts.entries()) {
      this.groups.push({ first, start, length: i + 1, count, places: new Uint32Array(PLACES) });
      first += count;
      start += count * (i + 1);
    }
  }

  has(word: string): boolean {
    return this.find(word, 0, word.length) >= 0;
  }

  /** Whether the part of a text between two places is a word. */
  hasPart(text: string, from: number, to: number): boolean {
    return this.find(text, from, to) >= 0;
  }

  /** Length of the longest word that begins with this code unit; 0 for none. */
  longestFrom(unit: number): number {
    if (unit > LAST_HAN) return 0;
    const place = placeOf(unit);
    const known = this.longest[place]!;
    if (known > 0) return known - 1;
    const group = this.groups.findLast((one) => this.firstAt(place, one) < this.firstAt(place + 1, one));
    const length = group?.length ?? 0;
    this.longest[place] = length + 1;
    return length;
  }

  /** What a word means, the dictionary's first meaning first; empty when it is unknown. */
  of(word: string): Concept[] {
    return Array.from(this.packedOf(word), (meaning) => ({
      stem: this.stem(stemOf(meaning)),
      whole: isWhole(meaning),
    }));
  }

  /** The same as numbers, for `stemOf` and `isWhole`. */
  packedOf(word: string): Uint16Array {
    const id = this.find(word, 0, word.length);
    if (id < 0) return NO_MEANINGS;
    const start = this.meaningsAt(id);
    return this.table.meanings.subarray(start, start + (this.table.meaningCounts[id]! & MEANINGS_MASK));
  }

  /** What a word is by the dictionary's brackets, Chihuahua (dog), packed as meanings are; empty where they say nothing. */
  kindsOf(word: string): Uint16Array {
    const id = this.find(word, 0, word.length);
    if (id < 0) return NO_MEANINGS;
    const count = this.table.meaningCounts[id]!;
    const start = this.meaningsAt(id) + (count & MEANINGS_MASK);
    return this.table.meanings.subarray(start, start + (count >> KINDS_SHIFT));
  }

  /** Where the meanings of a word begin. */
  private meaningsAt(id: number): number {
    const { meaningMarks, meaningCounts } = this.table;
    let start = meaningMarks[id >> MARK_SHIFT]!;
    for (let i = (id >> MARK_SHIFT) << MARK_SHIFT; i < id; i++) {
      start += (meaningCounts[i]! & MEANINGS_MASK) + (meaningCounts[i]! >> KINDS_SHIFT);
    }
    return start;
  }

  /** How many stems there are. */
  get stems(): number {
    return this.table.stemLengths.length;
  }

  /** The stem with this number. */
  stem(number: number): string {
    const { stems, stemMarks, stemLengths } = this.table;
    let start = stemMarks[number >> MARK_SHIFT]!;
    for (let i = (number >> MARK_SHIFT) << MARK_SHIFT; i < number; i++) start += stemLengths[i]!;
    return stems.slice(start, start + stemLengths[number]!);
  }

  private find(text: string, from: number, to: number): number {
    const length = to - from;
    const group = this.groups[length - 1];
    const unit = text.charCodeAt(from);
    if (group === undefined || unit > LAST_HAN) return -1;
    let low = this.firstAt(placeOf(unit), group);
    let high = this.firstAt(placeOf(unit) + 1, group) - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const order = this.compare(text, from, length, group.start + middle * length);
      if (order === 0) return group.first + middle;
      if (order < 0) high = middle - 1;
      else low = middle + 1;
    }
    return -1;
  }

  private compare(text: string, from: number, length: number, at: number): number {
    const { units } = this.table;
    for (let i = 0; i < length; i++) {
      const difference = text.charCodeAt(from + i) - units[at + i]!;
      if (difference !== 0) return difference;
    }
    return 0;
  }

  /** The first word of a group that begins at this place or after it, counted in words of the group. */
  private firstAt(place: number, { places, start, length, count }: Group): number {
    const known = places[place]!;
    if (known > 0) return known - 1;
    const { units } = this.table;
    let low = 0;
    let high = count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (placeOf(units[start + middle * length]!) < place) low = middle + 1;
      else high = middle;
    }
    places[place] = low + 1;
    return low;
  }
}

const NO_MEANINGS = new Uint16Array();

/** Number of a packed meaning's stem. */
export function stemOf(meaning: number): number {
  return meaning >>> 1;
}

/** Whether it is a gloss by itself. */
export function isWhole(meaning: number): boolean {
  return (meaning & 1) === 1;
}

function placeOf(unit: number): number {
  return unit < FIRST_HAN ? 0 : unit - FIRST_HAN + 1;
}

function marksFor(parts: number): number {
  return (parts + (1 << MARK_SHIFT) - 1) >> MARK_SHIFT;
}

// Magic, words of each length, meanings, stems, places of the table of lengths: the file begins with these numbers.
const HEADER_LENGTH = 1 + LONGEST_GLOSSED + 3;

/** The glossary of such bytes. Throws a plain Error when they are something else. */
export function decodeGlossary(bytes: Uint8Array): Glossary {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const header = Array.from({ length: HEADER_LENGTH }, (_, i) => view.getUint32(4 * i, true));
  if (header[0] !== GLOSS_MAGIC) throw new Error('data/glosses/glosses.bin is not a table of glosses');
  const counts = header.slice(1, 1 + LONGEST_GLOSSED);
  const [meanings = 0, stems = 0, places = 0] = header.slice(1 + LONGEST_GLOSSED);
  const words = counts.reduce((sum, count) => sum + count, 0);
  const units = counts.reduce((sum, count, i) => sum + count * (i + 1), 0);
  let at = 4 * HEADER_LENGTH;
  const take = (length: number) => bytes.subarray(at, (at += length));
  return new Glossary({
    counts,
    meaningMarks: uint32View(take(4 * marksFor(words))),
    stemMarks: uint32View(take(4 * marksFor(stems))),
    units: uint16View(take(2 * units)),
    meanings: uint16View(take(2 * meanings)),
    meaningCounts: take(words),
    stemLengths: take(stems),
    lengths: take(places),
    stems: Buffer.from(bytes.buffer, bytes.byteOffset + at).toString('latin1'),
  });
}

let shipped: Glossary | undefined;

/** The glossary that svcd ships, read at the first call. */
export function loadGlossary(): Glossary {
  return (shipped ??= decodeGlossary(readLanguageBytes('glosses/glosses.bin')));
}
