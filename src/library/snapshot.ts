// The compiled index as bytes and back. Where the bytes are kept and whether they are still of the right revision
// is for the store; whether they are whole is checked here.

import { crc32 } from 'node:zlib';
import { CompiledIndex, type IndexArrays } from './compiled-index.js';
import type { SpellingTables } from './spelling.js';
import { TypedWords } from './typed-words.js';

/** Changes with the layout and with anything that changes terms or weights, so that an older snapshot is not believed. */
const SNAPSHOT_FORMAT = 6;

const MAGIC = 0x64637673;
const SECTIONS = [
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
  // Last, because its elements have two bytes and the others must begin at a multiple of four.
  ['characters', Uint16Array],
] as const satisfies readonly (readonly [keyof Sections, unknown])[];

type Sections = IndexArrays & Record<keyof SpellingTables, Uint32Array>;

/** What is stored of an index. */
export interface Snapshot {
  readonly index: CompiledIndex;
  readonly spelling: Partial<SpellingTables>;
}

// Magic, format, checksum of what follows, then the length of each section in elements.
const HEADER_BYTES = 4 * (3 + SECTIONS.length);
const CHECKED_FROM = 12;

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
  const sections = SECTIONS.map(([name]) => all[name]);
  const bytes = new Uint8Array(sections.reduce((sum, section) => sum + section.byteLength, HEADER_BYTES));
  const header = new Uint32Array(bytes.buffer, 0, 3 + SECTIONS.length);
  header.set([MAGIC, SNAPSHOT_FORMAT, 0, ...sections.map((section) => section.length)]);
  let at = HEADER_BYTES;
  for (const section of sections) {
    bytes.set(new Uint8Array(section.buffer, section.byteOffset, section.byteLength), at);
    at += section.byteLength;
  }
  header[2] = crc32(bytes.subarray(CHECKED_FROM));
  return bytes;
}

/** The index of such bytes, sharing their memory; undefined when they are of another format, cut short or altered. */
export function decodeSnapshot(bytes: Uint8Array): Snapshot | undefined {
  if (bytes.byteLength < HEADER_BYTES) return undefined;
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  const [magic, format, checksum, ...lengths] = new Uint32Array(
    aligned.buffer,
    aligned.byteOffset,
    3 + SECTIONS.length,
  );
  if (magic !== MAGIC || format !== SNAPSHOT_FORMAT) return undefined;
  if (crc32(aligned.subarray(CHECKED_FROM)) !== checksum) return undefined;
  const { readings, english, latin, ...arrays } = readSections(aligned, lengths);
  const spelling = Object.entries({ readings, english, latin })
    .filter(([, block]) => block.length > 0)
    .map(([name, block]) => [name, new TypedWords(block)] as const);
  return { index: new CompiledIndex(arrays), spelling: Object.fromEntries(spelling) };
}

function readSections(bytes: Uint8Array, lengths: readonly number[]): Sections {
  let at = bytes.byteOffset + HEADER_BYTES;
  const arrays = SECTIONS.map(([name, View], i) => {
    const view = new View(bytes.buffer as ArrayBuffer, at, lengths[i]);
    at += view.byteLength;
    return [name, view] as const;
  });
  return Object.fromEntries(arrays) as unknown as Sections;
}
