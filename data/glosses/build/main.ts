// Builds data/glosses/glosses.bin from the dictionary CC-CEDICT: `npx tsx data/glosses/build/main.ts`.

import { writeFileSync } from 'node:fs';
import { stemsOf } from '../../../src/library/english.js';
import { encodeGlossary, type GlossEntry } from '../../../src/library/glossary.js';
import { readDictionary } from './cc-cedict.js';

/** Longer entries are sayings and titles, which nobody types. */
const MAX_WORD_LENGTH = 7;
const MAX_MEANINGS = 14;

function entryOf(word: string, glosses: readonly string[]): GlossEntry {
  const meanings = new Map<string, boolean>();
  for (const gloss of glosses) {
    const stems = stemsOf(gloss);
    for (const stem of stems) meanings.set(stem, stems.length === 1 || meanings.get(stem) === true);
  }
  return { word, meanings: [...meanings].slice(0, MAX_MEANINGS).map(([stem, whole]) => ({ stem, whole })) };
}

const entries = Array.from(await readDictionary(), ([word, glosses]) => entryOf(word, glosses))
  .filter(({ word, meanings }) => word.length <= MAX_WORD_LENGTH && meanings.length > 0)
  .toSorted((a, b) => (a.word < b.word ? -1 : 1));
const bytes = encodeGlossary(entries);
writeFileSync(new URL('../glosses.bin', import.meta.url), bytes);
process.stderr.write(`${entries.length} words, ${bytes.length} bytes\n`);
