// Search: words in, candidates out, from the library alone. Whether to ask the remote besides is ask-when-it-helps.ts.

import type { Sticker } from '../sticker.js';
import type { SearchAnswer } from '../wire/candidate.js';
import type { SearchQuery } from '../wire/search-query.js';
import { createAnswerCache } from './answer-cache.js';
import type { CandidateLister } from './list-candidates.js';

export interface StickerSearcher {
  /** Changes whenever an answer could change. */
  readonly revision: number;
  search(
    query: string,
    limit: number,
  ): { total: number; direct: number; hits: readonly { sticker: Sticker }[] };
}

/** An answer of the library. */
export interface LocalAnswer {
  /** JSON text. */
  readonly body: string;
  /** How many stickers really fit; the rest of the list is a last resort. */
  readonly fitting: number;
}

export type SearchStickers = (query: SearchQuery) => LocalAnswer;

const REMEMBERED = 1000;

/** Search over a library; the answer is JSON text, with its candidates told by `lister`. */
export function createSearchStickers(library: StickerSearcher, lister: CandidateLister): SearchStickers {
  const cache = createAnswerCache<LocalAnswer>(REMEMBERED);
  const answer = ({ q, limit }: SearchQuery): LocalAnswer => {
    const { total, direct, hits } = library.search(q, limit);
    const results = hits.map(({ sticker }) => lister.searchResult(sticker));
    const own = { query: q, total, results: results as SearchAnswer['results'] } satisfies SearchAnswer;
    const body = JSON.stringify(lister.wrap('search', { query: q, total, results }, own));
    return { body, fitting: direct };
  };
  return (query) => cache.get(`${query.limit} ${query.q}`, library.revision, () => answer(query));
}
