// Match: copy and keywords in, stickers with reasons out, from the library alone.

import type { Sticker } from '../sticker.js';
import { matchResultOf, type MatchAnswer, type Reason } from '../wire/candidate.js';
import type { MatchRequest } from '../wire/match-request.js';
import { createAnswerCache } from './answer-cache.js';

export interface StickerMatcher {
  /** Changes whenever an answer could change. */
  readonly revision: number;
  match(request: MatchRequest): {
    extractedKeywords: readonly string[];
    total: number;
    hits: readonly { sticker: Sticker; score: number; reasons: Reason[] }[];
  };
}

export type MatchStickers = (request: MatchRequest) => string;

// Copy is long: fewer answers than search keeps.
const REMEMBERED = 200;

/** Match over a library; the answer is JSON text, with addresses at `origin`. */
export function createMatchStickers(library: StickerMatcher, origin: () => string): MatchStickers {
  const cache = createAnswerCache<string>(REMEMBERED);
  const answer = (request: MatchRequest): string => {
    const { extractedKeywords, total, hits } = library.match(request);
    const results = hits.map(({ sticker, score, reasons }) =>
      matchResultOf(sticker, score, reasons, origin()),
    );
    return JSON.stringify({
      extracted_keywords: [...extractedKeywords],
      total,
      results,
    } satisfies MatchAnswer);
  };
  return (request) => cache.get(JSON.stringify(request), library.revision, () => answer(request));
}
