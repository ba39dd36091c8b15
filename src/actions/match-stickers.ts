// Match: a copy and keywords in, ranked results with reasons out, from the library alone.

import type { Sticker } from '../model/sticker.js';
import type { MatchAnswer, Reason } from '../contract/candidate.js';
import type { MatchRequest } from '../contract/match-request.js';
import { createAnswerCache } from './answer-cache.js';
import type { CandidateLister } from './list-candidates.js';
import type { LocalAnswer } from './search-stickers.js';

export interface StickerMatcher {
  /** Changes whenever an answer could change. */
  readonly revision: number;
  match(request: MatchRequest): {
    extractedKeywords: readonly string[];
    total: number;
    hits: readonly { sticker: Sticker; score: number; reasons: Reason[] }[];
  };
}

export type MatchStickers = (request: MatchRequest) => LocalAnswer;

// Copy is long, and seldom asked twice.
const REMEMBERED_BYTES = 4 * 1024 * 1024;

/** Match over a library; the answer is JSON text, with its results told by `lister`. */
export function createMatchStickers(library: StickerMatcher, lister: CandidateLister): MatchStickers {
  const cache = createAnswerCache<LocalAnswer>(REMEMBERED_BYTES);
  const answer = (request: MatchRequest): LocalAnswer => {
    const { extractedKeywords, total, hits } = library.match(request);
    const results = hits.map((hit) => lister.matchResult(hit)) as MatchAnswer['results'];
    const own = { extracted_keywords: [...extractedKeywords], total, results } satisfies MatchAnswer;
    const body = JSON.stringify(lister.wrap('match', { extractedKeywords, total, results }, own));
    return { body, fitting: hits.length, note: undefined };
  };
  return (request) => cache.get(JSON.stringify(request), library.revision, () => answer(request));
}
