// Words that stand for one another, and scenes that are shown by other words. The form of a table is
// ../synonym-table.ts; which file it comes from is for the caller.

import { readSynonymTable, type SynonymEntry } from '../synonym-table.js';
import { fold } from './normalise.js';

export class Synonyms {
  private readonly entries = new Map<string, readonly SynonymEntry[]>();
  /** Longest word by its first two code units. */
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

  /** Length in code units of the longest word of at least two that begins with these; 0 when none does. */
  longestFrom(firstUnit: number, secondUnit: number): number {
    return this.longest.get(firstUnit * 0x10000 + secondUnit) ?? 0;
  }

  private add(word: string, entry: SynonymEntry): void {
    const before = this.entries.get(word);
    this.entries.set(word, before === undefined ? [entry] : [...before, entry]);
    const start = word.charCodeAt(0) * 0x10000 + word.charCodeAt(1);
    if (word.length > (this.longest.get(start) ?? 1)) this.longest.set(start, word.length);
  }
}

/** What the sound lines of a table say, in the spelling in which words are searched. */
export function parseSynonyms(table: string): Synonyms {
  return new Synonyms(readSynonymTable(fold(table)).entries);
}
