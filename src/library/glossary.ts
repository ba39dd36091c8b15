// What Chinese words mean in English, as stems: the bridge between words that mean the same and are spelled with other
// characters. The table is data/glosses; it is read as it lies in the file, nothing is parsed.

import { readLanguageBytes } from './language-data.js';
import { packTerms, TermDictionary } from './term-dictionary.js';

export interface Meaning {
  readonly stem: string;
  /** Whether the stem is a gloss by itself, and not one word of a longer one. */
  readonly whole: boolean;
}

export interface GlossEntry {
  readonly word: string;
  readonly meanings: readonly Meaning[];
}

const MAGIC = 0x736f6c67;
const HEADER_LENGTH = 9;

export class Glossary {
  private readonly words: TermDictionary;
  private readonly stems: TermDictionary;
  private readonly starts: Uint32Array;
  private readonly meanings: Uint32Array;

  constructor(sections: GlossSections) {
    this.words = new TermDictionary(sections.words);
    this.stems = new TermDictionary(sections.stems);
    this.starts = sections.starts;
    this.meanings = sections.meanings;
  }

  has(word: string): boolean {
    return this.words.find(word) >= 0;
  }

  /** What a word means, the dictionary's first meaning first; empty when it is unknown. */
  of(word: string): Meaning[] {
    const id = this.words.find(word);
    if (id < 0) return [];
    const packed = this.meanings.subarray(this.starts[id], this.starts[id + 1]);
    return Array.from(packed, (meaning) => ({
      stem: this.stems.get(meaning >>> 1),
      whole: (meaning & 1) === 1,
    }));
  }
}

type GlossSections = ReturnType<typeof readSections>;

/** The glossary of such bytes; of none an empty one. Throws a plain Error when they are something else. */
export function decodeGlossary(bytes: Uint8Array): Glossary {
  if (bytes.byteLength === 0) return decodeGlossary(encodeGlossary([]));
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  const [magic, ...lengths] = new Uint32Array(aligned.buffer, aligned.byteOffset, HEADER_LENGTH);
  if (magic !== MAGIC) throw new Error('data/glosses/glosses.bin is not a table of glosses');
  return new Glossary(readSections(aligned, lengths));
}

function readSections(bytes: Uint8Array, lengths: readonly number[]) {
  let at = bytes.byteOffset + HEADER_LENGTH * 4;
  let section = 0;
  const next = <T extends Uint16Array | Uint32Array>(
    View: new (buffer: ArrayBuffer, offset: number, length: number) => T,
  ) => {
    const view = new View(bytes.buffer as ArrayBuffer, at, lengths[section++]!);
    at += view.byteLength;
    return view;
  };
  const words = { offsets: next(Uint32Array), slots: next(Uint32Array) };
  const stems = { offsets: next(Uint32Array), slots: next(Uint32Array) };
  const starts = next(Uint32Array);
  const meanings = next(Uint32Array);
  // Last, because their elements have two bytes and the others must begin at a multiple of four.
  return {
    words: { ...words, characters: next(Uint16Array) },
    stems: { ...stems, characters: next(Uint16Array) },
    starts,
    meanings,
  };
}

/** The table's bytes, for entries sorted by word. */
export function encodeGlossary(entries: readonly GlossEntry[]): Uint8Array {
  const known = [...new Set(entries.flatMap(({ meanings }) => meanings.map(({ stem }) => stem)))].toSorted();
  const numbers = new Map(known.map((stem, i) => [stem, i]));
  const starts = new Uint32Array(entries.length + 1);
  const packed = entries.flatMap(({ meanings }, i) => {
    starts[i + 1] = starts[i]! + meanings.length;
    return meanings.map(({ stem, whole }) => (numbers.get(stem)! << 1) | (whole ? 1 : 0));
  });
  const words = packTerms(entries.map(({ word }) => word));
  const stems = packTerms(known);
  return joinSections([
    words.offsets,
    words.slots,
    stems.offsets,
    stems.slots,
    starts,
    Uint32Array.from(packed),
    words.characters,
    stems.characters,
  ]);
}

function joinSections(sections: readonly (Uint16Array | Uint32Array)[]): Uint8Array {
  const header = Uint32Array.from([MAGIC, ...sections.map((section) => section.length)]);
  const all = [header, ...sections].map((part) => new Uint8Array(part.buffer, part.byteOffset, part.byteLength));
  return Buffer.concat(all);
}

let shipped: Glossary | undefined;

/** The glossary that svcd ships, read at the first call. */
export function loadGlossary(): Glossary {
  return (shipped ??= decodeGlossary(readLanguageBytes('glosses/glosses.bin')));
}
