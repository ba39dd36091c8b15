// The index as bytes and back. How arrays become bytes is block.ts; where the bytes are kept and whether they are still of
// the right revision is for the store.

import { stampOfTables } from '../language/language-data.js';
import { decodeBlock, encodeBlock, type BlockForm } from '../packed/block.js';
import { StickerIndex, type IndexArrays } from './sticker-index.js';

const FORM = {
  magic: 0x64637673,
  // Changes with the layout and with anything that changes terms or weights, so that an older snapshot is not believed.
  format: 10,
  sections: [
    ['rowids', Uint32Array],
    ['concepts', Uint32Array],
    ['titles', Uint32Array],
    ['wholeStarts', Uint32Array],
    ['wholes', Uint32Array],
    ['offsets', Uint32Array],
    ['slots', Uint32Array],
    ['counts', Uint32Array],
    ['postings', Uint32Array],
    ['details', Uint16Array],
    ['titleLengths', Uint16Array],
    ['keywordLengths', Uint16Array],
    ['characters', Uint16Array],
    ['names', Uint8Array],
  ],
} as const satisfies BlockForm<keyof IndexArrays>;

/** Of everything a stored index depends on but the tables of the language. */
export const SNAPSHOT_FORMAT: number = FORM.format;

/** Of them, those that make terms. */
const TABLES = [
  'glosses/glosses.bin',
  'associations/associations.txt',
  'pinyin/pinyin.txt',
  'traditional/traditional.txt',
];
const formOf = (tables: number) => ({ ...FORM, format: (FORM.format ^ tables) >>> 0 });

/** The index as one block of bytes, in this machine's byte order. */
export function encodeSnapshot(index: StickerIndex, tables = stampOfTables(TABLES)): Uint8Array {
  return encodeBlock(formOf(tables), { ...index.toArrays() });
}

/** The index of such bytes, sharing their memory; undefined when they are of another format or tables, cut short or altered. */
export function decodeSnapshot(bytes: Uint8Array, tables = stampOfTables(TABLES)): StickerIndex | undefined {
  const arrays = decodeBlock(formOf(tables), bytes) as IndexArrays | undefined;
  return arrays && new StickerIndex(arrays);
}
