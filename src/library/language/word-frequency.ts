// How common a word is in ordinary Chinese, so that a copy's telling words stand out. What that is
// worth is for keyword-extraction.ts. The table is made by data/frequency/build, which also describes its form.

import { uint16View } from '../packed/little-endian.js';
import { readLanguageBytes } from './language-data.js';

/** As they were written. */
const STEPS_PER_E = 25;
const LEAST = 0.25;
const LENGTHS = 4;
const HEADER_BYTES = 16;

interface Group {
  readonly count: number;
  /** Of the first word in `units`. */
  readonly start: number;
  /** Of the first word's level in `levels`. */
  readonly firstLevel: number;
}

interface Table {
  readonly units: Uint16Array;
  readonly levels: Uint8Array;
  /** By length of the word, less one. */
  readonly groups: readonly Group[];
}

let table: Table | undefined;

/** How often a simplified word of one to four characters is met in a million words; 0 when rarer than about one in two million, or unknown. */
export function perMillion(word: string): number {
  return perMillionAt(levelOf(word, 0, word.length));
}

/** What is commoner tells nothing. */
const COMMON_PER_MILLION = 6000;
const LEAST_UNUSUAL = 0.5;

/** How unusual a simplified word is in ordinary Chinese: from .5 to 8. */
export function unusual(word: string): number {
  return Math.max(LEAST_UNUSUAL, Math.log(COMMON_PER_MILLION / (perMillion(word) + 2)));
}

/** How often a word of this level is met in a million. */
export function perMillionAt(level: number): number {
  return level === 0 ? 0 : LEAST * Math.exp((level - 1) / STEPS_PER_E);
}

/** How common the part of a text between two places is, as one of `LEVELS` levels; 0 for a word that is rarer than the rarest, or unknown. */
export function levelOf(text: string, from: number, to: number): number {
  table ??= readTable();
  const group = table.groups[to - from - 1];
  if (group === undefined) return 0;
  const at = findWord(text, from, to - from, group, table.units);
  return at < 0 ? 0 : table.levels[group.firstLevel + at]!;
}

/** There are no more. */
export const LEVELS = 256;

function findWord(text: string, from: number, length: number, { count, start }: Group, units: Uint16Array): number {
  let low = 0;
  let high = count - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const order = compare(text, from, length, units, start + middle * length);
    if (order === 0) return middle;
    if (order < 0) high = middle - 1;
    else low = middle + 1;
  }
  return -1;
}

function compare(text: string, from: number, length: number, units: Uint16Array, at: number): number {
  for (let i = 0; i < length; i++) {
    const difference = text.charCodeAt(from + i) - units[at + i]!;
    if (difference !== 0) return difference;
  }
  return 0;
}

function readTable(): Table {
  const bytes = readLanguageBytes('frequency/words.bin');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const groups: Group[] = [];
  let units = 0;
  let words = 0;
  for (let length = 1; length <= LENGTHS; length++) {
    const count = view.getUint32(4 * (length - 1), true);
    groups.push({ count, start: units, firstLevel: words });
    units += count * length;
    words += count;
  }
  const end = HEADER_BYTES + 2 * units;
  return {
    units: uint16View(bytes.subarray(HEADER_BYTES, end)),
    levels: bytes.subarray(end, end + words),
    groups,
  };
}
