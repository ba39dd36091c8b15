// Match: a copy and keywords in, ranked results with reasons out, from the library alone.

import type { Library } from '../../library/library.js';
import type { MatchAnswer } from '../../contract/candidate.js';
import type { MatchRequest } from '../../contract/requests.js';
import { createAnswerCache } from './answer-cache.js';
import type { CandidateLister } from './list-candidates.js';
import { shippedOf, type LocalAnswer } from './search-stickers.js';

export type MatchStickers = (request: MatchRequest) => LocalAnswer;

// A copy is long, and seldom asked twice.
const REMEMBERED_BYTES = 4 * 1024 * 1024;

/** Match over a library; the answer is JSON text, its results written by `lister`. */
export function createMatchStickers(
  library: Pick<Library, 'match' | 'revision'>,
  lister: CandidateLister,
): MatchStickers {
  const cache = createAnswerCache<LocalAnswer>(REMEMBERED_BYTES);
  const answer = (request: MatchRequest): LocalAnswer => {
    const { extractedKeywords, total, direct, hits } = library.match(request);
    const results = hits.map((hit) => lister.matchResult(hit)) as MatchAnswer['results'];
    const own = { extracted_keywords: [...extractedKeywords], total, results } satisfies MatchAnswer;
    const body = JSON.stringify(lister.wrap('match', { extractedKeywords, total, results }, own));
    return { body, fitting: Math.min(direct, request.limit), shipped: shippedOf(hits), note: undefined };
  };
  return (request) => cache(JSON.stringify(request), library.revision, () => answer(request));
}
