// Why a sticker is among the matches: every word that led to it, the field it was found in, directly or by a synonym.

import type { Reason } from '../wire/candidate.js';
import type { CompiledIndex } from './compiled-index.js';
import type { SceneWord } from './scene-words.js';
import { fieldNames, occurrencesIn, type Occurrence } from './word-lookup.js';

/** All reasons for a document, in the order of the words; a word gives a field one reason, the direct one if there is one. */
export function reasonsFor(document: number, words: readonly SceneWord[], index: CompiledIndex): Reason[] {
  return words.flatMap((word) => reasonsOfWord(document, word, index));
}

const IS_DIRECT = {
  exact: true,
  inside: true,
  piece: true,
  synonym: false,
  meaning: false,
  companion: false,
} as const satisfies Record<Occurrence['how'], boolean>;

function reasonsOfWord(document: number, { word, terms }: SceneWord, index: CompiledIndex): Reason[] {
  const reasons: Reason[] = [];
  for (const { how, fields } of occurrencesIn(document, terms, index)) {
    for (const field of fieldNames(fields)) {
      if (reasons.some((reason) => reason.field === field)) continue;
      reasons.push({
        keyword: word,
        field,
        source: IS_DIRECT[how] ? 'direct' : 'synonym',
      });
    }
  }
  return reasons;
}
