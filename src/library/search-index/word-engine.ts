// MiniSearch as svcd uses it: what a field is, how terms are separated, what a hit is worth. Changed stickers
// are kept in one (overlay.ts); the compiled form of the whole library is held to it by a property test.

import MiniSearch, { type Options } from 'minisearch';
import type { StickerTerms } from './sticker-terms.js';
import { BM25, FIELD_BOOSTS } from './weigh-terms.js';

/** A document of the engine: each field is its terms, one on a line. */
export interface WordDocument {
  readonly id: number;
  readonly title: string;
  readonly keywords: string;
}

export const WORD_FIELDS = ['title', 'keywords'] as const;

/** For every engine over stickers. */
export const WORD_ENGINE = {
  fields: [...WORD_FIELDS],
  // A term may hold spaces, but no line feed.
  tokenize: (text) => (text === '' ? [] : text.split('\n')),
  processTerm: (term) => term,
  searchOptions: { boost: { ...FIELD_BOOSTS }, bm25: { ...BM25 }, prefix: false, fuzzy: false },
  // It would go on after the library was closed.
  autoVacuum: false,
} as const satisfies Options<WordDocument>;

/** What an engine needs to know of a library whose documents it does not hold. */
export interface EngineFigures {
  readonly documents: number;
  /** Of title and of keywords, in terms. */
  readonly averageLengths: readonly number[];
}

/** An engine without documents, which weighs what is added as if it stood among those of the library. */
export function openWordEngine({ documents, averageLengths }: EngineFigures): MiniSearch<WordDocument> {
  return MiniSearch.loadJS<WordDocument>(
    {
      documentCount: documents,
      nextId: documents,
      documentIds: {},
      fieldIds: { title: 0, keywords: 1 },
      fieldLength: {},
      averageFieldLength: [...averageLengths],
      storedFields: {},
      dirtCount: 0,
      index: [],
      serializationVersion: 2,
    },
    WORD_ENGINE,
  );
}

/** The terms of a sticker as a document; `spell` writes a term in another alphabet. */
export function wordDocument(
  id: number,
  terms: Pick<StickerTerms, 'title' | 'keywords'>,
  spell: (term: string) => string = (term) => term,
): WordDocument {
  const field = (counts: ReadonlyMap<string, number>) =>
    Array.from(counts, ([term, times]) => Array.from({ length: times }, () => spell(term)))
      .flat()
      .join('\n');
  return { id, title: field(terms.title), keywords: field(terms.keywords) };
}
