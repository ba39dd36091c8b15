// Search: words in, candidates out, from the library alone.

import type { Sticker } from '../sticker.js';
import { candidateOf, type SearchAnswer } from '../wire/candidate.js';
import type { SearchQuery } from '../wire/search-query.js';
import { createAnswerCache } from './answer-cache.js';

export interface StickerSearcher {
  /** Changes whenever an answer could change. */
  readonly revision: number;
  search(query: string, limit: number): FoundStickers;
}

interface FoundStickers {
  readonly total: number;
  readonly hits: readonly { readonly sticker: Sticker }[];
  readonly dropped: readonly string[];
  readonly suggestions: readonly string[];
}

export interface SearchedStickers {
  /** JSON text, encoded. */
  readonly body: Uint8Array<ArrayBuffer>;
  /** What was left out of the query, or may have been meant, for X-Svcd-Search; undefined when there is nothing to say. */
  readonly note: string | undefined;
}

export type SearchStickers = (query: SearchQuery) => SearchedStickers;

const REMEMBERED = 1000;
const COMMA = Buffer.from(',');
const END = Buffer.from(']}');

/** Search over a library; the answer is JSON, with addresses at `origin`. */
export function createSearchStickers(library: StickerSearcher, origin: () => string): SearchStickers {
  const cache = createAnswerCache<SearchedStickers>(REMEMBERED);
  const pieces = new WeakMap<Sticker, Buffer>();
  const pieceOf = (sticker: Sticker): Buffer => {
    let piece = pieces.get(sticker);
    if (piece === undefined)
      pieces.set(sticker, (piece = Buffer.from(JSON.stringify(candidateOf(sticker, origin())))));
    return piece;
  };
  const answer = ({ q, limit }: SearchQuery): SearchedStickers => {
    const { total, hits, ...said } = library.search(q, limit);
    const results = hits.map(({ sticker }) => pieceOf(sticker));
    return { body: encode({ query: q, total }, results), note: noteOf(said) };
  };
  return (query) => cache.get(`${query.limit} ${query.q}`, library.revision, () => answer(query));
}

// A SearchAnswer, whose results are text already: putting them together takes less than writing them anew.
function encode(facts: Omit<SearchAnswer, 'results'>, results: readonly Buffer[]): Uint8Array<ArrayBuffer> {
  const head = Buffer.from(`${JSON.stringify(facts).slice(0, -1)},"results":[`);
  const parts = results.flatMap((result, i) => (i === 0 ? [result] : [COMMA, result]));
  return Buffer.concat([head, ...parts, END]);
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
