// MiniSearch over the terms of svcd's index: what a field is, how terms are separated, what a hit is worth. The index is
// held to it, and measured beside it.

import type { Options } from 'minisearch';
import type { Glossary } from '../../src/library/language/glossary.js';
import {
  associatedTerms,
  KEYWORD_MEANING,
  termsOfText,
  type Indexable,
} from '../../src/library/search-index/sticker-terms.js';
import { BM25, FIELD_BOOSTS } from '../../src/library/search-index/weigh-terms.js';

/** A document of the engine: each field is its terms, one on a line. */
export interface WordDocument {
  readonly id: number;
  readonly title: string;
  readonly keywords: string;
}

/** For every engine over stickers. */
export const WORD_ENGINE = {
  fields: ['title', 'keywords'],
  // A term may hold spaces, but no line feed.
  tokenize: (text) => (text === '' ? [] : text.split('\n')),
  processTerm: (term) => term,
  searchOptions: { boost: { ...FIELD_BOOSTS }, bm25: { ...BM25 }, prefix: false, fuzzy: false },
} as const satisfies Options<WordDocument>;

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

interface StickerTerms {
  /** How often each term occurs in the title. */
  readonly title: ReadonlyMap<string, number>;
  /** How often each term occurs in the keywords. */
  readonly keywords: ReadonlyMap<string, number>;
  /** Per meaning and reading, with its mark, how surely title and keywords have it. */
  readonly meanings: ReadonlyMap<string, { title: number; keywords: number }>;
}

/** The terms of a sticker, but for what its preset calls it. */
export function termsOf({ title, keywords }: Indexable, glossary: Glossary): StickerTerms {
  const titles = [termsOfText(title, glossary)];
  const words = keywords.map((keyword) => termsOfText(keyword, glossary));
  const meanings = new Map<string, { title: number; keywords: number }>();
  for (const [term, sure] of titles[0]!.meanings) meanings.set(term, { title: sure, keywords: 0 });
  for (const [term, sure] of associatedTerms(title)) meanings.set(term, { title: sure, keywords: 0 });
  for (const [term, sure] of words.flatMap((word) => word.meanings)) {
    const known = meanings.get(term) ?? { title: 0, keywords: 0 };
    meanings.set(term, { ...known, keywords: Math.max(known.keywords, sure * KEYWORD_MEANING) });
  }
  return { title: count(titles), keywords: count(words), meanings };
}

function count(texts: readonly { readonly terms: readonly string[] }[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { terms } of texts) for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}
