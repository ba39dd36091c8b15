// Builds data/glosses/glosses.bin from the dictionary CC-CEDICT: `npx tsx data/glosses/build/main.ts`.

import { writeFileSync } from 'node:fs';
import { stemsOf } from '../../../src/library/english.js';
import { encodeGlossary, LONGEST_GLOSSED, type GlossEntry } from '../../../src/library/glossary.js';
import { readDictionary } from './cc-cedict.js';

const MAX_MEANINGS = 14;

function entryOf(word: string, glosses: readonly string[]): GlossEntry {
  const meanings = new Map<string, boolean>();
  for (const gloss of glosses) {
    const stems = stemsOf(gloss);
    for (const stem of stems) meanings.set(stem, stems.length === 1 || meanings.get(stem) === true);
  }
  return { word, meanings: [...meanings].slice(0, MAX_MEANINGS).map(([stem, whole]) => ({ stem, whole })) };
}

/** A stem that is one word of one gloss and nowhere else bridges nothing. */
function withoutLoneStems(entries: readonly GlossEntry[]): GlossEntry[] {
  const uses = new Map<string, number>();
  for (const { stem } of entries.flatMap(({ meanings }) => meanings))
    uses.set(stem, (uses.get(stem) ?? 0) + 1);
  return entries.map(({ word, meanings }) => ({
    word,
    meanings: meanings.filter(({ stem, whole }) => whole || uses.get(stem)! > 1),
  }));
}

const all = Array.from(await readDictionary(), ([word, glosses]) => entryOf(word, glosses));
const entries = withoutLoneStems(all.filter(({ word }) => word.length <= LONGEST_GLOSSED)).filter(
  ({ meanings }) => meanings.length > 0,
);
const bytes = encodeGlossary(entries);
writeFileSync(new URL('../glosses.bin', import.meta.url), bytes);
process.stderr.write(`${entries.length} words, ${bytes.length} bytes\n`);
