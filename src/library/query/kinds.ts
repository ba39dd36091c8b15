// What the words of a query are kinds of, for a query that finds little: 吉娃娃 is a dog by the dictionary's brackets, a corgi
// by WordNet. Where the first answer is strong it would only be blurred.

import { glossedPieces, MEANING_MARK } from '../language/concepts.js';
import { stemsOf } from '../language/english.js';
import { isWhole, stemOf } from '../language/glossary.js';
import { kindsAbove } from '../language/hypernyms.js';
import type { QueryContext } from './query-context.js';

/** What brackets say. */
const BRACKETED = 0.7;
/** One step above a stem, and two. */
const STEPS = [0.5, 0.3];
const PART_OF_GLOSS = 0.5;
/** As many words as search asks for what they mean. */
const MAX_PIECES = 12;

/** A term that stands for what a query is a kind of. */
export interface KindUse {
  readonly term: number;
  /** How nearly, from 0 to 1. */
  readonly share: number;
}

/** Terms of what the words of a normalised query are kinds of, by word. */
export function kindsOf(query: string, { glossary, index, conceptTerms }: QueryContext): KindUse[][] {
  const found: KindUse[][] = [];
  const gather = (share: number, take: (put: (term: number, nearly: number) => void) => void) => {
    const kinds = new Map<number, number>();
    take((term, nearly) => kinds.set(term, Math.max(nearly, kinds.get(term) ?? 0)));
    kinds.delete(-1);
    if (kinds.size > 0) found.push(Array.from(kinds, ([term, nearly]) => ({ term, share: nearly * share })));
  };
  const climb = (stem: string, nearly: number, put: (term: number, nearly: number) => void) => {
    for (const [step, kinds] of kindsAbove(stem).entries()) {
      for (const kind of kinds) put(index.find(MEANING_MARK + kind), STEPS[step]! * nearly);
    }
  };
  // What a character means that stands by itself in a longer query is not what the query means.
  const words = glossedPieces(query, glossary).filter(({ word }) => word.length > 1 || query.length === 1);
  for (const { word, meanings, share } of words.slice(0, MAX_PIECES)) {
    gather(share, (put) => {
      for (const kind of glossary.kindsOf(word)) {
        put(conceptTerms.find(stemOf(kind)), BRACKETED);
        climb(glossary.stem(stemOf(kind)), BRACKETED, put);
      }
      for (const one of meanings) climb(glossary.stem(stemOf(one)), isWhole(one) ? 1 : PART_OF_GLOSS, put);
    });
  }
  gather(1, (put) => {
    for (const stem of stemsOf(query)) climb(stem, 1, put);
  });
  return found;
}
