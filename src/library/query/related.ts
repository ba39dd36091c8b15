// Stickers related to one: the same thing in other styles first, then those that share its words, rare words
// counting for more.

import type { Sticker } from '../../model/sticker.js';
import { forEachPosting } from '../search-index/postings.js';
import type { StickerIndex } from '../search-index/sticker-index.js';
import { normalise } from '../language/normalise.js';
import { topDocuments } from './top-k.js';
import { tokenise, WHOLE_MARK } from '../language/tokenise.js';

/** How a related sticker is related. */
export interface Relation {
  readonly document: number;
  /** Whether it shows the same thing, in another style. */
  readonly sameConcept: boolean;
  /** Titles and keywords both have, the rarest first. */
  readonly shared: readonly string[];
  /** How much of it the other has, from 0 to 1. */
  readonly fit: number;
}

const TITLE_FACTOR = 2;
/** Words that more of the library has say too little to relate anything. */
const COMMON_SHARE = 0.2;

/** The documents related to the one of `sticker`, nearest first, at most `limit` after `offset`, and how many there are. */
export function findRelated(
  sticker: Sticker,
  own: number,
  page: { readonly offset: number; readonly limit: number },
  index: StickerIndex,
): { total: number; relations: Relation[] } {
  const words = wordsOf(sticker, index);
  const scores = new Map<number, number>();
  for (const { term, weight } of words) {
    forEachPosting(term, index, (document) => {
      if (document !== own) scores.set(document, (scores.get(document) ?? 0) + weight);
    });
  }
  const kin = documentsOfConcept(own, index);
  const ceiling = words.reduce((sum, { weight }) => sum + weight, 1);
  for (const document of kin) scores.set(document, (scores.get(document) ?? 0) + ceiling);
  const documents = Uint32Array.from(scores.keys());
  const best = topDocuments(documents, { score: (document) => scores.get(document)! }, page.offset + page.limit);
  const relations = best.slice(page.offset).map(({ document, score }) => {
    const sameConcept = index.conceptOf(document) === index.conceptOf(own);
    const shared = words.filter(({ term }) => index.fieldsOf(term, document) !== 0).map(({ word }) => word);
    return { document, sameConcept, shared, fit: sameConcept ? 1 : score / (ceiling - 1) };
  });
  return { total: scores.size, relations };
}

interface SharedWord {
  readonly word: string;
  readonly term: number;
  readonly weight: number;
}

function wordsOf({ title, keywords }: Sticker, index: StickerIndex): SharedWord[] {
  const found = new Map<number, SharedWord>();
  for (const [text, factor] of [[title, TITLE_FACTOR], ...keywords.map((word) => [word, 1] as const)] as const) {
    for (const { term: spelled, kind } of tokenise(normalise(text))) {
      const term = kind === 'whole' ? index.find(spelled) : -1;
      const frequency = index.frequency(term);
      if (frequency < 2 || frequency > index.listed * COMMON_SHARE || found.has(term)) continue;
      found.set(term, {
        word: spelled.slice(WHOLE_MARK.length),
        term,
        weight: factor * index.rarity(frequency),
      });
    }
  }
  return [...found.values()].toSorted((a, b) => b.weight - a.weight || a.term - b.term);
}

function documentsOfConcept(own: number, index: StickerIndex): Uint32Array {
  const concept = index.conceptOf(own);
  return index.documents().filter((document) => document !== own && index.conceptOf(document) === concept);
}
