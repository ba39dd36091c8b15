// A synonym table in typed arrays: stored, it is read back without parsing a line. What the lines of a table say is for
// synonym-table.ts, how several tables answer together for synonyms.ts.

import type { SynonymEntry } from './synonym-table.js';
import { decodeBlock, encodeBlock, type BlockForm } from '../packed/block.js';
import { packTerms, TermDictionary, type TermArrays } from '../packed/term-dictionary.js';
import { emptyLengths, WordLengths } from '../packed/word-lengths.js';

interface Sections extends TermArrays {
  /** How many words have synonyms, which come first among the words; and what the text was, as the caller numbers it. */
  readonly head: Uint32Array;
  /** Per word with synonyms, where its entries begin in `entries`; and the end of the last. */
  readonly starts: Uint32Array;
  readonly entries: Uint32Array;
  /** Per entry, where what it finds begins in `finds`; and the end of the last. */
  readonly findStarts: Uint32Array;
  /** Numbers of words. */
  readonly finds: Uint32Array;
  /** How long words with synonyms are; for `WordLengths`. */
  readonly lengths: Uint8Array;
}

const FORM = {
  magic: 0x6e797376,
  // Changes with the layout, and with how a line is read or folded.
  format: 1,
  sections: [
    ['head', Uint32Array],
    ['offsets', Uint32Array],
    ['slots', Uint32Array],
    ['starts', Uint32Array],
    ['entries', Uint32Array],
    ['findStarts', Uint32Array],
    ['finds', Uint32Array],
    ['characters', Uint16Array],
    ['lengths', Uint8Array],
  ],
} as const satisfies BlockForm<keyof Sections>;

export class CompiledSynonyms {
  readonly lengths: WordLengths;
  /** How many words have synonyms. */
  readonly size: number;
  private readonly sections: Sections;
  private readonly words: TermDictionary;

  constructor(sections: Sections) {
    this.sections = sections;
    this.size = sections.head[0]!;
    this.words = new TermDictionary(sections);
    this.lengths = new WordLengths(sections.lengths);
  }

  has(word: string): boolean {
    return this.hasPart(word, 0, word.length);
  }

  /** Whether the part of a text between two places is a word with synonyms. */
  hasPart(text: string, from: number, to: number): boolean {
    const id = this.words.findPart('', text, from, to);
    return id >= 0 && id < this.size;
  }

  /** What the entries of a word find, itself too where they do, in the order of the table and perhaps twice. */
  of(word: string): string[] {
    const id = this.words.find(word);
    if (id < 0 || id >= this.size) return [];
    const { starts, entries, findStarts, finds } = this.sections;
    const found: string[] = [];
    for (let at = starts[id]!; at < starts[id + 1]!; at++) {
      const entry = entries[at]!;
      for (let i = findStarts[entry]!; i < findStarts[entry + 1]!; i++) found.push(this.words.get(finds[i]!));
    }
    return found;
  }

  /** The word with this number; below `size` those with synonyms, in the order in which the table has them first. */
  word(number: number): string {
    return this.words.get(number);
  }
}

/** The table of such entries. */
export function compileSynonyms(entries: Iterable<SynonymEntry>): CompiledSynonyms {
  return new CompiledSynonyms(compile([...entries], 0));
}

/** The same as bytes, with a number for the text they were made of. */
export function encodeSynonyms(entries: Iterable<SynonymEntry>, text: number): Uint8Array {
  return encodeBlock(FORM, { ...compile([...entries], text) });
}

/** The table of such bytes, sharing their memory; undefined when they are of another text or format, cut short or altered. */
export function decodeSynonyms(bytes: Uint8Array, text: number): CompiledSynonyms | undefined {
  const sections = decodeBlock(FORM, bytes) as Sections | undefined;
  return sections === undefined || sections.head[1] !== text ? undefined : new CompiledSynonyms(sections);
}

function compile(entries: readonly SynonymEntry[], text: number): Sections {
  const entriesOf = new Map<string, number[]>();
  for (const [number, { words }] of entries.entries()) {
    for (const word of words) {
      const known = entriesOf.get(word);
      if (known === undefined) entriesOf.set(word, [number]);
      else known.push(number);
    }
  }
  const numbers = new Map(Array.from(entriesOf.keys(), (word, i) => [word, i]));
  const finds = entries.map(({ find }) => find.map((word) => numberOf(word, numbers)));
  const lengths = emptyLengths(entriesOf.size);
  for (const word of entriesOf.keys()) lengths.putWord(word);
  const lists = [...entriesOf.values()];
  return {
    head: Uint32Array.of(entriesOf.size, text),
    ...packTerms([...numbers.keys()]),
    starts: startsOf(lists),
    entries: Uint32Array.from(lists.flat()),
    findStarts: startsOf(finds),
    finds: Uint32Array.from(finds.flat()),
    lengths: lengths.longest,
  };
}

function numberOf(word: string, numbers: Map<string, number>): number {
  const number = numbers.get(word) ?? numbers.size;
  numbers.set(word, number);
  return number;
}

function startsOf(lists: readonly (readonly unknown[])[]): Uint32Array {
  const starts = new Uint32Array(lists.length + 1);
  for (const [i, list] of lists.entries()) starts[i + 1] = starts[i]! + list.length;
  return starts;
}
