// Words that stand for one another, and scenes that are shown by other words. The form of a table is
// ../synonym-table.ts; which file it comes from is for the caller.

import { readSynonymTable, type SynonymEntry } from '../synonym-table.js';
import { fold } from './normalise.js';

export class Synonyms {
  /** Most words stand in one entry only. */
  private readonly entries = new Map<string, SynonymEntry | readonly SynonymEntry[]>();

  constructor(entries: Iterable<SynonymEntry>) {
    for (const entry of entries) for (const word of entry.words) this.add(word, entry);
  }

  /** The words this normalised word also finds, each once, in the order of the table. */
  of(word: string): readonly string[] {
    const entries = this.entries.get(word);
    if (entries === undefined) return NONE;
    // An entry names each word once.
    if (!isList(entries)) return entries.find.filter((one) => one !== word);
    const found = new Set(entries.flatMap((entry) => entry.find));
    found.delete(word);
    return [...found];
  }

  has(word: string): boolean {
    return this.entries.has(word);
  }

  /** Every word that has synonyms. */
  words(): Iterable<string> {
    return this.entries.keys();
  }

  private add(word: string, entry: SynonymEntry): void {
    const before = this.entries.get(word);
    const all = before === undefined ? entry : isList(before) ? [...before, entry] : [before, entry];
    this.entries.set(word, all);
  }
}

const NONE: readonly string[] = [];

function isList(entries: SynonymEntry | readonly SynonymEntry[]): entries is readonly SynonymEntry[] {
  return Array.isArray(entries);
}

/** What the sound lines of a table say, in the spelling in which words are searched. */
export function parseSynonyms(table: string): Synonyms {
  return new Synonyms(readSynonymTable(fold(table)).entries);
}
