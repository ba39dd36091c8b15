// Search and match from the library alone: words, or a copy and keywords, in, candidates out. Whether to ask the remote
// besides is search.ts.

import type { SearchHits } from '../../library/found-stickers.js';
import type { Library } from '../../library/library.js';
import type { Sticker } from '../../model/sticker.js';
import type { MatchAnswer, SearchAnswer } from '../../contract/candidate.js';
import { isWeak, roundFit } from '../../contract/fit.js';
import type { MatchRequest, SearchQuery } from '../../contract/requests.js';
import type { CandidateLister } from './list-candidates.js';
import { createByteCache, type ByteCache } from '../../platform/byte-cache.js';

/** An answer of the library. */
export interface LocalAnswer {
  /** JSON text, encoded or not. */
  readonly body: string | Uint8Array<ArrayBuffer>;
  /** How many stickers of others than svcd really fit; the rest of the list is a last resort. */
  readonly fitting: number;
  /** How many of others than svcd there are at all, however loosely they are related: where there are some, svcd's own do not stand in. */
  readonly others: number;
  /** The presets listed that are svcd's own, for X-Svcd-Shipped; undefined when none is. */
  readonly shipped: string | undefined;
  /** That nothing fits, what was left out of the query, or may have been meant, for X-Svcd-Search; undefined for none of it. */
  readonly note: string | undefined;
}

export type SearchStickers = (query: SearchQuery) => LocalAnswer;

/** Some four thousand answers of the usual length. */
const REMEMBERED_BYTES = 16 * 1024 * 1024;
const END = Buffer.from(']}');

/** Search over a library; the answer is JSON, its candidates written by `lister`. */
export function createSearchStickers(
  library: Pick<Library, 'search' | 'revision'>,
  lister: CandidateLister,
): SearchStickers {
  const cache = createAnswerCache<LocalAnswer>(REMEMBERED_BYTES);
  // The remote's form of a sticker may change with what is learned.
  const pieces = new WeakMap<Sticker, { readonly revision: number; readonly text: Buffer }>();
  // With the comma that stands before all but the first, and without its end: how well it fits is of each question.
  const pieceOf = (sticker: Sticker, revision: number): Buffer => {
    const known = pieces.get(sticker);
    if (known?.revision === revision) return known.text;
    const text = Buffer.from(`,${JSON.stringify(lister.searchResult(sticker)).slice(0, -1)}`);
    pieces.set(sticker, { revision, text });
    return text;
  };
  const bodyOf = (query: string, total: number, hits: SearchHits['hits']): LocalAnswer['body'] => {
    if (!lister.hasForm('search')) {
      const { revision } = library;
      const results = hits.flatMap(({ sticker, fit = 0 }) => [pieceOf(sticker, revision), endOf(fit)]);
      return encode({ query, total, ...(isWeak(hits) && { weak: true }) }, results);
    }
    const results = hits.map(({ sticker, fit = 0 }) => ({ ...lister.searchResult(sticker), fit: roundFit(fit) }));
    return JSON.stringify(lister.wrap('search', { query, total, results }, {}));
  };
  const answer = ({ q, limit }: SearchQuery): LocalAnswer => {
    const { total, direct, hits, ...said } = library.search(q, limit);
    const weak = isWeak(hits);
    const note = noteOf({ ...said, weak });
    return { body: bodyOf(q, total, hits), fitting: weak ? 0 : direct, others: direct, shipped: shippedOf(hits), note };
  };
  return (query) => cache(`${query.limit} ${query.q}`, library.revision, () => answer(query));
}

// A SearchAnswer whose results are text already: joining them takes less than writing them anew.
function encode(said: Omit<SearchAnswer, 'results'>, results: readonly Buffer[]): Uint8Array<ArrayBuffer> {
  const head = Buffer.from(`${JSON.stringify(said).slice(0, -1)},"results":[`);
  let size = head.length + END.length;
  for (const [i, result] of results.entries()) size += result.length - (i === 0 ? 1 : 0);
  const body = Buffer.allocUnsafe(size);
  let at = head.copy(body);
  for (const [i, result] of results.entries()) at += result.copy(body, at, i === 0 ? 1 : 0);
  END.copy(body, at);
  return body;
}

/** The ends of results, by fit; there are a hundred. */
const ENDS = new Map<number, Buffer>();

function endOf(fit: number): Buffer {
  const rounded = roundFit(fit);
  const known = ENDS.get(rounded) ?? Buffer.from(`,"fit":${rounded}}`);
  ENDS.set(rounded, known);
  return known;
}

/** Presets as a header lists them, percent-encoded, with commas between. */
function shippedOf(hits: SearchHits['hits']): string | undefined {
  const presets = hits.filter(({ shipped }) => shipped).map(({ sticker }) => encodeURIComponent(sticker.preset));
  return presets.length > 0 ? presets.join(',') : undefined;
}

// A header holds no Han characters: words are percent-encoded. Nor is it endless: it tells the first two dozen.
function noteOf({
  dropped = [],
  suggestions = [],
  weak,
}: Partial<Pick<SearchHits, 'dropped' | 'suggestions'>> & { readonly weak: boolean }): string | undefined {
  const list = (words: readonly string[]) => words.slice(0, 24).map(encodeURIComponent).join(',');
  const parts = [
    ...(weak ? ['weak'] : []),
    ...(dropped.length > 0 ? [`dropped=${list(dropped)}`] : []),
    ...(suggestions.length > 0 ? [`suggested=${list(suggestions)}`] : []),
  ];
  return parts.length > 0 ? parts.join('; ') : undefined;
}

export type MatchStickers = (request: MatchRequest) => LocalAnswer;

// A copy is long, and seldom asked twice.
const REMEMBERED_COPY_BYTES = 4 * 1024 * 1024;

/** Match over a library; the answer is JSON text, its results written by `lister`. */
export function createMatchStickers(
  library: Pick<Library, 'match' | 'revision'>,
  lister: CandidateLister,
): MatchStickers {
  const cache = createAnswerCache<LocalAnswer>(REMEMBERED_COPY_BYTES);
  const answer = (request: MatchRequest): LocalAnswer => {
    const { extractedKeywords, total, direct, hits } = library.match(request);
    const results = hits.map((hit) => lister.matchResult(hit)) as MatchAnswer['results'];
    const weak = isWeak(hits);
    const extracted = { extracted_keywords: [...extractedKeywords], total };
    const own = { ...extracted, ...(weak && { weak }), results } satisfies MatchAnswer;
    const body = JSON.stringify(lister.wrap('match', { extractedKeywords, total, results }, own));
    return {
      body,
      fitting: Math.min(direct, request.limit),
      others: direct,
      shipped: shippedOf(hits),
      note: noteOf({ weak }),
    };
  };
  return (request) => cache(JSON.stringify(request), library.revision, () => answer(request));
}

/** The kept answer to a question at a revision, or a new one. */
type AnswerCache<Answer> = (question: string, revision: number, make: () => Answer) => Answer;

/** What an entry takes besides its question and its answer, about. */
const ENTRY_BYTES = 200;

/** Keeps the answers that were asked for last, in at most about `maxBytes`. */
export function createAnswerCache<Answer extends { readonly body: string | Uint8Array }>(
  maxBytes: number,
): AnswerCache<Answer> {
  let cache: ByteCache<Answer>;
  let madeFrom: number | undefined;
  return (question, revision, make) => {
    if (madeFrom !== revision) cache = createByteCache(maxBytes, maxBytes);
    madeFrom = revision;
    const kept = cache.find(question);
    if (kept !== undefined) return kept;
    const answer = make();
    cache.put(question, answer, ENTRY_BYTES + sizeOf(question) + sizeOf(answer.body));
    return answer;
  };
}

// A character takes two bytes where not all of a text are Latin.
function sizeOf(text: string | Uint8Array): number {
  return typeof text === 'string' ? 2 * text.length : text.byteLength;
}
