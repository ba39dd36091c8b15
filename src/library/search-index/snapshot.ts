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
    // Of no elements when they were not made.
    ['readings', Uint32Array],
    ['english', Uint32Array],
    ['latin', Uint32Array],
    ['characters', Uint16Array],
    ['lengths', Uint8Array],
  ],
} as const satisfies BlockForm<keyof Sections>;

type Sections = IndexArrays & Record<keyof SpellingTables, Uint32Array>;

/** What is stored of an index. */
export interface Snapshot {
  readonly index: CompiledIndex;
  readonly spelling: Partial<SpellingTables>;
}

/** The index as one block of bytes, in this machine's byte order, with the tables that are there. */
export function encodeSnapshot(
  { arrays }: CompiledIndex,
  spelling: Partial<SpellingTables> = {},
): Uint8Array {
  const none = new Uint32Array();
  const all: Sections = {
    ...arrays,
    readings: spelling.readings?.block ?? none,
    english: spelling.english?.block ?? none,
    latin: spelling.latin?.block ?? none,
  };
  return encodeBlock(FORM, all);
}

/** The index of such bytes, sharing their memory; undefined when they are of another format, cut short or altered. */
export function decodeSnapshot(bytes: Uint8Array): Snapshot | undefined {
  const sections = decodeBlock(FORM, bytes) as Sections | undefined;
  if (sections === undefined) return undefined;
  const { readings, english, latin, ...arrays } = sections;
  const spelling = Object.entries({ readings, english, latin })
    .filter(([, block]) => block.length > 0)
    .map(([name, block]) => [name, new FuzzyDictionary(block)] as const);
  return { index: new CompiledIndex(arrays), spelling: Object.fromEntries(spelling) };
}
