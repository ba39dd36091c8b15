// How Han text is read aloud, and what Latin letters can stand for when they spell it: whole syllables, their first
// letters, or some of each. Where readings are indexed is build-index.ts. The table is made by data/pinyin/build.

import { readLanguageText } from './language-data.js';

interface Readings {
  /** By code unit: the number of its syllable and 1, or 0 for none. */
  readonly alone: Uint16Array;
  readonly names: readonly string[];
  /** Words that are not read as their characters are, with their syllables. */
  readonly together: ReadonlyMap<string, string>;
  /** Length of the longest such word by its first code unit. */
  readonly longest: Uint8Array;
}

/** How much of each syllable letters spell: all of all; first letters only; some of each. */
export type PinyinMatch = 'full' | 'initials' | 'mixed';

const MARKED_U = /u\u0308/g;
const TONE_MARK = /[\u0300-\u036F]/g;
const TONE_DIGIT = /(?<=[a-z])[0-5](?![0-9])/g;
const BREAK = /[\s'’·-]+/;
/** From the radicals of Han on, nothing is a Latin letter with marks. */
const UNSPELLABLE = /[\u2E80-\uFFFF]/;
const HAN_OR_LATIN = /[\u4E00-\u9FFF]|[a-z0-9]+/g;
const LONG_INITIAL = /^[zcs]h/;
/** More ways to read a run of letters than anybody means. */
const MAX_READINGS = 32;

/** How what is written is read: asked when words are indexed, and by no query. */
let readings: Readings | undefined;
let allSyllables: ReadonlySet<string> | undefined;

/** The syllables of a folded text, toneless and with `v` for ü; a Latin word or number is one of its own, an unknown character none. */
export function readAloud(text: string): string[] {
  readings ??= readReadings();
  const read: string[] = [];
  HAN_OR_LATIN.lastIndex = 0;
  for (let find = HAN_OR_LATIN.exec(text); find !== null; find = HAN_OR_LATIN.exec(text)) {
    const word = findWord(text, find.index, readings);
    if (word !== undefined) {
      read.push(...readings.together.get(word)!.split(' '));
      HAN_OR_LATIN.lastIndex = find.index + word.length;
    } else {
      const [piece] = find;
      const syllable = piece < '\u4E00' ? piece : readings.names[readings.alone[piece.charCodeAt(0)]! - 1];
      if (syllable !== undefined) read.push(syllable);
    }
  }
  return read;
}

/** The first letters of syllables, as people type them in place of a word. */
export function initialsOf(syllables: readonly string[]): string {
  return syllables.map((syllable) => (/^\d/.test(syllable) ? syllable : syllable[0])).join('');
}

/**
 * Typed pinyin as runs of plain letters between which a syllable ends: without tone marks and tone
 * digits, ü as `v`. Undefined for what cannot be pinyin.
 */
export function parsePinyin(typed: string): string[] | undefined {
  if (UNSPELLABLE.test(typed)) return undefined;
  const plain = typed.toLowerCase().normalize('NFD').replace(MARKED_U, 'v').replace(TONE_MARK, '');
  const runs = plain.replaceAll('u:', 'v').replace(TONE_DIGIT, ' ').split(BREAK).filter(Boolean);
  if (runs.length === 0 || !runs.every((run) => /^[a-z]+$/.test(run))) return undefined;
  return runs.map((run) => run.replace(/([ln])ve/g, '$1ue'));
}

/**
 * The first letters of every word that these runs can spell, by whole syllables and initials in any mixture, likeliest
 * (fewest syllables) first; at most 32. The last syllable may be half typed.
 */
export function possibleInitials(runs: readonly string[]): string[] {
  return initialsIn(runs);
}

/** How these runs spell a reading from its beginning to its end, if they do; the last syllable may be half typed. */
export function matchPinyin(runs: readonly string[], syllables: readonly string[]): PinyinMatch | undefined {
  let states: State[] = [{ at: 0, whole: 0, short: 0 }];
  for (const [i, run] of runs.entries()) {
    const isLast = i === runs.length - 1;
    states = states.flatMap((state) => walkRun(run, 0, state, syllables, isLast));
  }
  const ends = states.filter(({ at }) => at === syllables.length);
  if (ends.some(({ short }) => short === 0)) return 'full';
  if (ends.some(({ whole }) => whole === 0)) return 'initials';
  return ends.length > 0 ? 'mixed' : undefined;
}

/** How far into the syllables a match has come, and how it spelled those before. */
interface State {
  readonly at: number;
  readonly whole: number;
  readonly short: number;
}

function walkRun(run: string, from: number, state: State, syllables: readonly string[], isLast: boolean): State[] {
  if (from === run.length) return [state];
  const syllable = syllables[state.at];
  if (syllable === undefined) return [];
  const found: State[] = [];
  const rest = run.slice(from);
  const whole = { at: state.at + 1, whole: state.whole + 1, short: state.short };
  if (rest.startsWith(syllable)) found.push(...walkRun(run, from + syllable.length, whole, syllables, isLast));
  const short = { at: state.at + 1, whole: state.whole, short: state.short + 1 };
  for (const initial of initialsOfSyllable(syllable)) {
    if (rest.startsWith(initial)) found.push(...walkRun(run, from + initial.length, short, syllables, isLast));
  }
  const isHalf = isLast && rest.length > 1 && rest.length < syllable.length && syllable.startsWith(rest);
  if (isHalf) found.push({ ...short, whole: state.whole + 1 });
  return found;
}

function initialsOfSyllable(syllable: string): string[] {
  if (syllable.length === 1) return [];
  return LONG_INITIAL.test(syllable) ? [syllable[0]!, syllable.slice(0, 2)] : [syllable[0]!];
}

function initialsIn(runs: readonly string[]): string[] {
  let found = [''];
  for (const [i, run] of runs.entries()) {
    const isLast = i === runs.length - 1;
    const ways = [...cutRun(run, isLast)].slice(0, MAX_READINGS);
    found = found.flatMap((before) => ways.map((way) => before + way)).slice(0, MAX_READINGS);
  }
  return found.toSorted((a, b) => a.length - b.length);
}

/** The first letters of each way to cut a run, those of few and long syllables first. */
function cutRun(run: string, isLast: boolean): Set<string> {
  const known = (allSyllables ??= new Set(readNames(readText()[0])));
  // From the back: what can follow each place, fewest syllables first.
  const after: Set<string>[] = Array.from({ length: run.length + 1 }, () => new Set<string>());
  after[run.length]!.add('');
  for (let at = run.length - 1; at >= 0; at--) {
    const ways: string[] = [];
    for (let length = Math.min(6, run.length - at); length >= 1; length--) {
      const piece = run.slice(at, at + length);
      const isShort = length === 1 || (length === 2 && LONG_INITIAL.test(piece));
      const isHalf = isLast && at + length === run.length && isBeginning(piece, known);
      if (!known.has(piece) && !isShort && !isHalf) continue;
      for (const rest of after[at + length]!) ways.push(piece[0]! + rest);
    }
    const likeliest = ways.toSorted((a, b) => a.length - b.length).slice(0, MAX_READINGS);
    after[at] = new Set(likeliest);
  }
  return after[0]!;
}

function isBeginning(piece: string, among: ReadonlySet<string>): boolean {
  for (const syllable of among) if (syllable.startsWith(piece)) return true;
  return false;
}

function findWord(text: string, at: number, { together, longest }: Readings): string | undefined {
  const most = Math.min(longest[text.charCodeAt(at)]!, text.length - at);
  for (let length = most; length > 1; length--) {
    const word = text.slice(at, at + length);
    if (together.has(word)) return word;
  }
  return undefined;
}

// A syllable and its characters a line; after an empty line, words and their syllables.
function readText(): [groups: string, words: string] {
  const text = readLanguageText('pinyin/pinyin.txt');
  const between = text.indexOf('\n\n');
  return [text.slice(0, between), text.slice(between + 2)];
}

function readNames(groups: string): string[] {
  return groups.split('\n').map((line) => line.slice(0, line.indexOf(' ')));
}

function readReadings(): Readings {
  const [groups, words] = readText();
  const names = readNames(groups);
  const alone = new Uint16Array(0x10000);
  for (const [number, line] of groups.split('\n').entries()) {
    for (let i = names[number]!.length + 1; i < line.length; i++) alone[line.charCodeAt(i)] = number + 1;
  }
  const together = new Map<string, string>();
  const longest = new Uint8Array(0x10000);
  for (const line of words.trimEnd().split('\n')) {
    const space = line.indexOf(' ');
    together.set(line.slice(0, space), line.slice(space + 1));
    longest[line.charCodeAt(0)] = Math.max(longest[line.charCodeAt(0)]!, space);
  }
  return { alone, names, together, longest };
}
