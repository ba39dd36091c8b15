// The binary form of the glossary; its reader is src/library/language/glossary.ts.

import {
  GLOSS_MAGIC,
  KINDS_SHIFT,
  LONGEST_GLOSSED,
  MARK_SHIFT,
  type Concept,
} from '../../../src/library/language/glossary.js';
import { emptyLengths } from '../../../src/library/packed/word-lengths.js';

export interface GlossEntry {
  /** Of 1 to 7 Han characters. */
  readonly word: string;
  readonly meanings: readonly Concept[];
  /** Stems of what brackets say it is, at most 15. */
  readonly kinds: readonly string[];
}

/** So few that the table fits in the file; one place of four then tells of a word that is not there. */
const LENGTH_PLACES_FOR_EACH = 2;

/** The table's bytes. Throws when there are more stems than can be numbered. */
export function encodeGlossary(entries: readonly GlossEntry[]): Uint8Array {
  const sorted = entries.toSorted((a, b) => a.word.length - b.word.length || (a.word < b.word ? -1 : 1));
  const stemsOfEntry = ({ meanings, kinds }: GlossEntry) => [...meanings.map(({ stem }) => stem), ...kinds];
  const stems = [...new Set(entries.flatMap(stemsOfEntry))].toSorted();
  if (stems.length > 0x8000) throw new Error(`${stems.length} stems are more than can be numbered`);
  const numbers = new Map(stems.map((stem, i) => [stem, i]));
  const meanings = sorted.flatMap(({ meanings: own, kinds }) => [
    ...own.map(({ stem, whole }) => (numbers.get(stem)! << 1) | (whole ? 1 : 0)),
    ...kinds.map((stem) => numbers.get(stem)! << 1),
  ]);
  const counts = Array.from(
    { length: LONGEST_GLOSSED },
    (_, i) => sorted.filter(({ word }) => word.length === i + 1).length,
  );
  const lengths = emptyLengths(sorted.length, LENGTH_PLACES_FOR_EACH);
  for (const { word } of sorted) lengths.putWord(word);
  const header = [GLOSS_MAGIC, ...counts, meanings.length, stems.length, lengths.longest.length];
  return new Uint8Array(
    Buffer.concat([
      littleEndian(header),
      littleEndian(marksOf(sorted.map((entry) => entry.meanings.length + entry.kinds.length))),
      littleEndian(marksOf(stems.map((stem) => stem.length))),
      Buffer.from(sorted.map(({ word }) => word).join(''), 'utf16le'),
      Buffer.from(Uint16Array.from(meanings).buffer),
      Uint8Array.from(sorted, (entry) => entry.meanings.length | (entry.kinds.length << KINDS_SHIFT)),
      Uint8Array.from(stems, (stem) => stem.length),
      lengths.longest,
      Buffer.from(stems.join(''), 'latin1'),
    ]),
  );
}

function littleEndian(numbers: readonly number[] | Uint32Array): Buffer {
  const bytes = Buffer.alloc(4 * numbers.length);
  for (const [i, value] of numbers.entries()) bytes.writeUInt32LE(value, 4 * i);
  return bytes;
}

function marksOf(lengths: readonly number[]): Uint32Array {
  const marks = new Uint32Array(Math.ceil(lengths.length / (1 << MARK_SHIFT)));
  let start = 0;
  for (const [i, length] of lengths.entries()) {
    if (i % (1 << MARK_SHIFT) === 0) marks[i >> MARK_SHIFT] = start;
    start += length;
  }
  return marks;
}
