// Words that stand for one another, and scenes that are shown by other words, of one table or several. The form of a
// table is synonym-table.ts; which file it comes from is for the caller.

import { crc32 } from 'node:zlib';
import { readSynonymTable, type SynonymEntry } from './synonym-table.js';
import { compileSynonyms, decodeSynonyms, encodeSynonyms, type CompiledSynonyms } from './compiled-synonyms.js';
import { fold } from './normalise.js';

export class Synonyms {
  /** What stands in an earlier one comes first. */
  private readonly tables: readonly CompiledSynonyms[];
  /** As they were asked for: the same words are asked for again and again. */
  private readonly known = new Map<string, readonly string[]>();

  constructor(tables: readonly CompiledSynonyms[]) {
    this.tables = tables.filter(({ size }) => size > 0);
  }

  /** The words this normalised word also finds, each once, in the order of the tables. */
  of(word: string): readonly string[] {
    const known = this.known.get(word);
    if (known !== undefined) return known;
    if (!this.has(word)) return NONE;
    const found = new Set(this.tables.flatMap((table) => table.of(word)));
    found.delete(word);
    const words = [...found];
    this.known.set(word, words);
    return words;
  }

  has(word: string): boolean {
    return this.hasPart(word, 0, word.length);
  }

  /** Whether the part of a text between two places has synonyms. */
  hasPart(text: string, from: number, to: number): boolean {
    for (const table of this.tables) if (table.hasPart(text, from, to)) return true;
    return false;
  }

  /** No word with synonyms that begins at this place of a text is longer. */
  longestAt(text: string, at: number): number {
    let longest = 0;
    for (const table of this.tables) longest = Math.max(longest, table.lengths.longestAt(text, at));
    return longest;
  }

  /** Every word that has synonyms, once. */
  *words(): Iterable<string> {
    for (const [i, table] of this.tables.entries()) {
      const before = this.tables.slice(0, i);
      for (let number = 0; number < table.size; number++) {
        const word = table.word(number);
        if (!before.some((one) => one.has(word))) yield word;
      }
    }
  }
}

const NONE: readonly string[] = [];

/** What the sound lines of tables say, in the spelling in which words are searched; what an earlier one says comes first. */
export function parseSynonyms(...tables: readonly (string | CompiledSynonyms)[]): Synonyms {
  return new Synonyms(tables.map((table) => (typeof table === 'string' ? compileSynonyms(readEntries(table)) : table)));
}

/** A table as bytes for `openSynonyms`. */
export function storeSynonyms(table: string): Uint8Array {
  return encodeSynonyms(readEntries(table), crc32(table));
}

/** What a table says, without reading it where these bytes were made of just this text. */
export function openSynonyms(table: string, stored: Uint8Array | undefined): CompiledSynonyms {
  const known = stored === undefined ? undefined : decodeSynonyms(stored, crc32(table));
  return known ?? compileSynonyms(readEntries(table));
}

function readEntries(table: string): readonly SynonymEntry[] {
  return table === '' ? [] : readSynonymTable(fold(table)).entries;
}
