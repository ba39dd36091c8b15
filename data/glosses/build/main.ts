// Builds glosses.bin and words.txt in data/glosses from the dictionary CC-CEDICT: `npx tsx data/glosses/build/main.ts`.

import { readFileSync, writeFileSync } from 'node:fs';
import { stemsOf } from '../../../src/library/language/english.js';
import { LONGEST_GLOSSED } from '../../../src/library/language/glossary.js';
import { readDictionary, readKinds } from './cc-cedict.js';
import { encodeGlossary, type GlossEntry } from './encode-glossary.js';

const MAX_MEANINGS = 14;
const MAX_KINDS = 4;
/** Shorter ones are not suggested. */
const SHORTEST_SHOWN = 4;
/** What stands in fewer glosses may be a slip. */
const SELDOM = 2;

function entryOf(word: string, glosses: readonly string[], kinds: readonly string[] = []): GlossEntry {
  const meanings = new Map<string, boolean>();
  for (const gloss of glosses) {
    const stems = stemsOf(gloss);
    for (const stem of stems) meanings.set(stem, stems.length === 1 || meanings.get(stem) === true);
  }
  return {
    word,
    meanings: [...meanings].slice(0, MAX_MEANINGS).map(([stem, whole]) => ({ stem, whole })),
    kinds: [...new Set(kinds.flatMap(stemsOf))].filter((stem) => !meanings.has(stem)).slice(0, MAX_KINDS),
  };
}

/** What senses.txt says that words mean, in place of the dictionary; each a gloss by itself. */
function readSenses(): Map<string, string[]> {
  const lines = readFileSync(new URL('senses.txt', import.meta.url), 'utf8').split('\n');
  const rows = lines.map((line) => line.replace(/#.*/, '').trim().split(' ')).filter(([word]) => word);
  return new Map(rows.map(([word = '', ...glosses]) => [word, glosses]));
}

/** A stem that is one word of one gloss and nowhere else bridges nothing. */
function withoutLoneStems(entries: readonly GlossEntry[]): GlossEntry[] {
  const uses = new Map<string, number>();
  for (const { stem } of entries.flatMap(({ meanings }) => meanings)) uses.set(stem, (uses.get(stem) ?? 0) + 1);
  const isKnown = new Set(uses.keys());
  return entries.map(({ word, meanings, kinds }) => ({
    word,
    kinds: kinds.filter((stem) => isKnown.has(stem)),
    meanings: meanings.filter(({ stem, whole }) => whole || uses.get(stem)! > 1),
  }));
}

/** For each stem that is not the word it mostly stands for, that word: what a person can be shown. */
function usualWords(glosses: Iterable<string>): string[] {
  const uses = new Map<string, Map<string, number>>();
  for (const gloss of glosses) {
    for (const word of gloss.toLowerCase().match(/[a-z]+/g) ?? []) {
      const [stem] = stemsOf(word);
      if (stem === undefined || stem.length < SHORTEST_SHOWN) continue;
      const words = uses.get(stem) ?? new Map<string, number>();
      uses.set(stem, words.set(word, (words.get(word) ?? 0) + 1));
    }
  }
  const usual = Array.from(uses, ([stem, words]) => {
    const [[word, count] = [stem, 0]] = Array.from(words).toSorted(([, a], [, b]) => b - a);
    return word !== stem && count >= SELDOM ? [word] : [];
  });
  return usual.flat().toSorted();
}

const dictionary = await readDictionary();
const kinds = await readKinds();
for (const [word, glosses] of readSenses()) {
  dictionary.set(word, glosses);
  kinds.delete(word);
}
const all = Array.from(dictionary, ([word, glosses]) => entryOf(word, glosses, kinds.get(word)));
const entries = withoutLoneStems(all.filter(({ word }) => word.length <= LONGEST_GLOSSED)).filter(
  ({ meanings }) => meanings.length > 0,
);
const bytes = encodeGlossary(entries);
writeFileSync(new URL('../glosses.bin', import.meta.url), bytes);
const words = usualWords(Array.from(dictionary.values()).flat());
writeFileSync(new URL('../words.txt', import.meta.url), `${words.join('\n')}\n`);
process.stderr.write(`${entries.length} words, ${bytes.length} bytes; ${words.length} words of stems\n`);
