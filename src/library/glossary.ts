// What Chinese words mean in English, as stems: the bridge between words that mean the same and are spelled with other
// characters. The table is data/glosses; it is read as it lies in the file, nothing but its places is worked out.

import { endianness } from 'node:os';

import { readLanguageBytes } from './language-data.js';
import { WordLengths } from './word-lengths.js';

export interface Meaning {
  readonly stem: string;
  /** Whether the stem is a gloss by itself, and not one word of a longer one. */
  readonly whole: boolean;
}

export interface GlossEntry {
  /** Of 1 to 7 Han characters. */
  readonly word: string;
  readonly meanings: readonly Meaning[];
}

/** The length of the longest word in the table; longer ones are sayings and titles, which nobody types. */
export const LONGEST_GLOSSED = 7;

const MAGIC = 0x32736c67;
const FIRST_HAN = 0x3400;
const LAST_HAN = 0x9fff;
/** One place for each first character, one before for those that come earlier, and the end. */
const PLACES = LAST_HAN - FIRST_HAN + 3;

/** The file, section after section; words lie in groups of one length, sorted. */
interface GlossTable {
  /** Words of each length from 1. */
  readonly counts: readonly number[];
  readonly units: Uint16Array;
  /** Number of the stem times two, and one more when it is a gloss by itself; word after word. */
  readonly meanings: Uint16Array;
  readonly meaningCounts: Uint8Array;
  readonly stemLengths: Uint8Array;
  /** All stems, which are ASCII, one after the other. */
  readonly stems: string;
}

/** The words of one length. */
interface Group {
  /** Number of the first. */
  readonly first: number;
  /** Of the first, in `units`. */
  readonly start: number;
  /** Where words that begin with a character begin, counted in words of the group. */
  readonly places: Uint32Array;
}

export class Glossary {
  private readonly table: GlossTable;
  private readonly groups: Group[] = [];
  private readonly meaningStarts: Uint32Array;
  private readonly stemStarts: Uint32Array;
  private readonly longest = new Uint8Array(PLACES);
  private knownLengths: WordLengths | undefined;

  constructor(table: GlossTable) {
    this.table = table;
    let first = 0;
    let start = 0;
    for (const [i, count] of table.counts.entries()) {
      this.groups.push({ first, start, places: this.place(start, count, i + 1) });
      first += count;
      start += count * (i + 1);
    }
    this.meaningStarts = startsOf(table.meaningCounts);
    this.stemStarts = startsOf(table.stemLengths);
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
    return unit > LAST_HAN ? 0 : this.longest[placeOf(unit)]!;
  }

  /** How long the words are that begin at a place; worked out at the first call. */
  get lengths(): WordLengths {
    if (this.knownLengths !== undefined) return this.knownLengths;
    const lengths = new WordLengths(20);
    const { counts, units } = this.table;
    let at = 0;
    for (const [i, count] of counts.entries()) {
      for (let word = 0; word < count; word++, at += i + 1)
        lengths.put(units[at]!, units[at + 1] ?? 0, i + 1);
    }
    return (this.knownLengths = lengths);
  }

  /** What a word means, the dictionary's first meaning first; empty when it is unknown. */
  of(word: string): Meaning[] {
    return Array.from(this.packedOf(word), (meaning) => ({
      stem: this.stem(stemOf(meaning)),
      whole: isWhole(meaning),
    }));
  }

  /** The same as numbers, for `stemOf` and `isWhole`. */
  packedOf(word: string): Uint16Array {
    const id = this.find(word, 0, word.length);
    if (id < 0) return NO_MEANINGS;
    return this.table.meanings.subarray(this.meaningStarts[id], this.meaningStarts[id + 1]);
  }

  /** How many stems there are. */
  get stems(): number {
    return this.stemStarts.length - 1;
  }

  /** The stem with this number. */
  stem(number: number): string {
    return this.table.stems.slice(this.stemStarts[number], this.stemStarts[number + 1]);
  }

  private find(text: string, from: number, to: number): number {
    const length = to - from;
    const group = this.groups[length - 1];
    const unit = text.charCodeAt(from);
    if (group === undefined || unit > LAST_HAN) return -1;
    let low = group.places[placeOf(unit)]!;
    let high = group.places[placeOf(unit) + 1]! - 1;
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

  private place(start: number, count: number, length: number): Uint32Array {
    const places = new Uint32Array(PLACES);
    const { units } = this.table;
    const end = start + count * length;
    // Sorted, so that those that begin alike are neighbours.
    let place = 0;
    for (let at = start; at < end;) {
      const unit = units[at]!;
      const begins = placeOf(unit);
      const word = (at - start) / length;
      for (; place <= begins; place++) places[place] = word;
      this.longest[begins] = length;
      for (; at < end && units[at] === unit; at += length);
    }
    places.fill(count, place);
    return places;
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

function startsOf(counts: Uint8Array): Uint32Array {
  const starts = new Uint32Array(counts.length + 1);
  let sum = 0;
  for (let i = 0; i < counts.length; i++) starts[i + 1] = sum += counts[i]!;
  return starts;
}

// Magic, words of each length, meanings, stems: the file begins with these numbers.
const HEADER_LENGTH = 1 + LONGEST_GLOSSED + 2;

/** The glossary of such bytes; of none an empty one. Throws a plain Error when they are something else. */
export function decodeGlossary(bytes: Uint8Array): Glossary {
  if (bytes.byteLength === 0) return decodeGlossary(encodeGlossary([]));
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const header = Array.from({ length: HEADER_LENGTH }, (_, i) => view.getUint32(4 * i, true));
  if (header[0] !== MAGIC) throw new Error('data/glosses/glosses.bin is not a table of glosses');
  const counts = header.slice(1, 1 + LONGEST_GLOSSED);
  const [meanings = 0, stems = 0] = header.slice(1 + LONGEST_GLOSSED);
  const words = counts.reduce((sum, count) => sum + count, 0);
  const units = counts.reduce((sum, count, i) => sum + count * (i + 1), 0);
  let at = 4 * HEADER_LENGTH;
  const take = (length: number) => bytes.subarray(at, (at += length));
  return new Glossary({
    counts,
    units: numbersOf(take(2 * units)),
    meanings: numbersOf(take(2 * meanings)),
    meaningCounts: take(words),
    stemLengths: take(stems),
    stems: Buffer.from(bytes.buffer, bytes.byteOffset + at).toString('latin1'),
  });
}

// The file is little-endian; a view of 16-bit numbers wants an even address.
function numbersOf(bytes: Uint8Array): Uint16Array {
  const own = bytes.byteOffset % 2 === 0 && endianness() === 'LE' ? bytes : bytes.slice();
  if (endianness() === 'BE') Buffer.from(own.buffer).swap16();
  return new Uint16Array(own.buffer as ArrayBuffer, own.byteOffset, own.byteLength / 2);
}

/** The table's bytes. Throws when there are more stems than can be numbered. */
export function encodeGlossary(entries: readonly GlossEntry[]): Uint8Array {
  const sorted = entries.toSorted((a, b) => a.word.length - b.word.length || (a.word < b.word ? -1 : 1));
  const stems = [...new Set(entries.flatMap(({ meanings }) => meanings.map(({ stem }) => stem)))].toSorted();
  if (stems.length > 0x8000) throw new Error(`${stems.length} stems are more than can be numbered`);
  const numbers = new Map(stems.map((stem, i) => [stem, i]));
  const meanings = sorted.flatMap(({ meanings: own }) =>
    own.map(({ stem, whole }) => (numbers.get(stem)! << 1) | (whole ? 1 : 0)),
  );
  const counts = Array.from(
    { length: LONGEST_GLOSSED },
    (_, i) => sorted.filter(({ word }) => word.length === i + 1).length,
  );
  const header = Buffer.alloc(4 * HEADER_LENGTH);
  for (const [i, value] of [MAGIC, ...counts, meanings.length, stems.length].entries())
    header.writeUInt32LE(value, 4 * i);
  return new Uint8Array(
    Buffer.concat([
      header,
      Buffer.from(sorted.map(({ word }) => word).join(''), 'utf16le'),
      Buffer.from(Uint16Array.from(meanings).buffer),
      Uint8Array.from(sorted, (entry) => entry.meanings.length),
      Uint8Array.from(stems, (stem) => stem.length),
      Buffer.from(stems.join(''), 'latin1'),
    ]),
  );
}

let shipped: Glossary | undefined;

/** The glossary that svcd ships, read at the first call. */
export function loadGlossary(): Glossary {
  return (shipped ??= decodeGlossary(readLanguageBytes('glosses/glosses.bin')));
}
