// Words that stand for one another, and scenes that are shown by other words: a table, one entry per line.
// Reads text; which file it comes from is for the caller.

import { fold } from './normalise.js';

export interface SynonymEntry {
  readonly words: readonly string[];
  /** What each of them finds; itself is left out. */
  readonly find: readonly string[];
}

export class Synonyms {
  private readonly entries = new Map<string, readonly SynonymEntry[]>();
  /** Longest word by first code unit. */
  private readonly longest = new Map<number, number>();

  constructor(entries: Iterable<SynonymEntry>) {
    for (const entry of entries) for (const word of entry.words) this.add(word, entry);
  }

  /** The words this normalised word also finds, each once, in the order of the table. */
  of(word: string): readonly string[] {
    const found = new Set(this.entries.get(word)?.flatMap((entry) => entry.find));
    found.delete(word);
    return [...found];
  }

  has(word: string): boolean {
    return this.entries.has(word);
  }

  /** Every word that finds another. */
  words(): Iterable<string> {
    return this.entries.keys();
  }

  /** Length in code units of the longest word that begins with this code unit; 0 when none does. */
  longestFrom(firstUnit: number): number {
    return this.longest.get(firstUnit) ?? 0;
  }

  private add(word: string, entry: SynonymEntry): void {
    const before = this.entries.get(word);
    this.entries.set(word, before === undefined ? [entry] : [...before, entry]);
    const first = word.charCodeAt(0);
    if (word.length > this.longestFrom(first)) this.longest.set(first, word.length);
  }
}

/**
 * The entries of a table: `a b c` find one another; of `a b > c d` the left find the right only. Words stand between
 * spaces, `#` begins a comment; a line of one word says nothing and is passed over.
 */
export function parseSynonyms(table: string): Synonyms {
  return new Synonyms(fold(table).split('\n').map(parseLine));
}

function parseLine(line: string): SynonymEntry {
  const [left = '', right] = line.replace(/#.*/, '').split('>', 2);
  const words = wordsOf(left);
  return { words, find: right === undefined ? words : wordsOf(right) };
}

function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter(Boolean);
}
