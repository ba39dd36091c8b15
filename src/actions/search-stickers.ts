// Search: words in, candidates out, from the library alone. Whether to ask the remote besides is ask-when-it-helps.ts.

import type { Sticker } from '../sticker.js';
import type { SearchAnswer } from '../wire/candidate.js';
import type { SearchQuery } from '../wire/search-query.js';
import { createAnswerCache } from './answer-cache.js';
import type { CandidateLister } from './list-candidates.js';

export interface StickerSearcher {
  /** Changes whenever an answer could change. */
  readonly revision: number;
  search(query: string, limit: number): FoundStickers;
}

interface FoundStickers {
  readonly total: number;
  readonly direct: number;
  readonly hits: readonly { readonly sticker: Sticker }[];
  readonly dropped: readonly string[];
  readonly suggestions: readonly string[];
}

/** An answer of the library. */
export interface LocalAnswer {
  /** JSON text. */
  readonly body: string;
  /** How many stickers really fit; the rest of the list is a last resort. */
  readonly fitting: number;
  /** What was left out of the query, or may have been meant, for X-Svcd-Search; undefined when there is nothing to say. */
  readonly note: string | undefined;
}

export type SearchStickers = (query: SearchQuery) => LocalAnswer;

const REMEMBERED = 1000;

/** Search over a library; the answer is JSON text, with its candidates told by `lister`. */
export function createSearchStickers(library: StickerSearcher, lister: CandidateLister): SearchStickers {
  const cache = createAnswerCache<LocalAnswer>(REMEMBERED);
  const answer = ({ q, limit }: SearchQuery): LocalAnswer => {
    const { total, direct, hits, ...said } = library.search(q, limit);
    const results = hits.map(({ sticker }) => lister.searchResult(sticker));
    const own = { query: q, total, results: results as SearchAnswer['results'] } satisfies SearchAnswer;
    const body = JSON.stringify(lister.wrap('search', { query: q, total, results }, own));
    return { body, fitting: direct, note: noteOf(said) };
  };
  return (query) => cache.get(`${query.limit} ${query.q}`, library.revision, () => answer(query));
}

// A header holds no Han characters: words are percent-encoded.
function noteOf({
  dropped,
  suggestions,
}: Pick<FoundStickers, 'dropped' | 'suggestions'>): string | undefined {
  const list = (words: readonly string[]) => words.map(encodeURIComponent).join(',');
  const parts = [
    ...(dropped.length > 0 ? [`dropped=${list(dropped)}`] : []),
    ...(suggestions.length > 0 ? [`suggested=${list(suggestions)}`] : []),
  ];
  return parts.length > 0 ? parts.join('; ') : undefined;
}
