// The compiled index as bytes and back. How arrays become bytes is block.ts; where the bytes are kept and whether they
// are still of the right revision is for the store.

import { decodeBlock, encodeBlock, type BlockForm } from '../packed/block.js';
import { CompiledIndex, type IndexArrays } from './compiled-index.js';
import type { SpellingTables } from './spelling.js';
import { FuzzyDictionary } from './fuzzy-dictionary.js';

const FORM = {
  magic: 0x64637673,
  // Changes with the layout and with anything that changes terms or weights, so that an older snapshot is not believed.
  format: 7,
  sections: [
    ['rowids', Uint32Array],
    ['concepts', Uint32Array],
    ['titles', Uint32Array],
    ['averages', Float32Array],
    ['offsets', Uint32Array],
    ['slots', Uint32Array],
    ['starts', Uint32Array],
    ['postings', Uint32Array],
    ['weights', Float32Array],
    ['readings', Uint32Array],
    ['english', Uint32Array],
    ['latin', Uint32Array],
    ['characters', Uint16Array],
    ['lengths', Uint8Array],
  ],
} as const satisfies BlockForm<keyof Sections>;

type Sections = IndexArrays & Record<keyof SpellingTables, Uint32Array>;

/** Of everything a stored index depends on but the tables of the language. */
export const SNAPSHOT_FORMAT: number = FORM.format;

/** What is stored of an index. */
export interface Snapshot {
  readonly index: CompiledIndex;
  readonly spelling: SpellingTables;
}

/** The index as one block of bytes, in this machine's byte order, with its tables. */
export function encodeSnapshot({ arrays }: CompiledIndex, spelling: SpellingTables): Uint8Array {
  const all: Sections = {
    ...arrays,
    readings: spelling.readings.block,
    english: spelling.english.block,
    latin: spelling.latin.block,
  };
  return encodeBlock(FORM, all);
}

/** The index of such bytes, sharing their memory; undefined when they are of another format, cut short or altered. */
export function decodeSnapshot(bytes: Uint8Array): Snapshot | undefined {
  const sections = decodeBlock(FORM, bytes) as Sections | undefined;
  if (sections === undefined) return undefined;
  const { readings, english, latin, ...arrays } = sections;
  const spelling = {
    readings: new FuzzyDictionary(readings),
    english: new FuzzyDictionary(english),
    latin: new FuzzyDictionary(latin),
  };
  return { index: new CompiledIndex(arrays), spelling };
}
