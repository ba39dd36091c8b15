// Search: words in, candidates out, from the library alone.

import type { Sticker } from '../sticker.js';
import { candidateOf, type SearchAnswer } from '../wire/candidate.js';
import type { SearchQuery } from '../wire/search-query.js';
import { createAnswerCache } from './answer-cache.js';

export interface StickerSearcher {
  /** Changes whenever an answer could change. */
  readonly revision: number;
  search(query: string, limit: number): { total: number; hits: readonly { sticker: Sticker }[] };
}

export type SearchStickers = (query: SearchQuery) => string;

const REMEMBERED = 1000;

/** Search over a library; the answer is JSON text, with addresses at `origin`. */
export function createSearchStickers(library: StickerSearcher, origin: () => string): SearchStickers {
  const cache = createAnswerCache(REMEMBERED);
  const answer = ({ q, limit }: SearchQuery): string => {
    const { total, hits } = library.search(q, limit);
    const results = hits.map(({ sticker }) => candidateOf(sticker, origin()));
    return JSON.stringify({ query: q, total, results } satisfies SearchAnswer);
  };
  return (query) => cache.get(`${query.limit} ${query.q}`, library.revision, () => answer(query));
}
