// The questions of a library, asked of one open file: what the index finds, with the stickers read from the store.

import type { FindRequest, MatchHits, MatchQuestion, RelatedHits, SearchHits } from './found-stickers.js';
import { normalise } from './language/normalise.js';
import { acceptsOf, sinkGone, type OpenFile } from './open-file.js';
import { fitOfMatch } from './query/fit.js';
import { matchIndex } from './query/match.js';
import { findRelated } from './query/related.js';
import { listIndex, searchIndex, type SearchRanking } from './query/search.js';
import type { Scored } from './query/top-k.js';
import { reasonsFor } from './query/word-lookup.js';

const MAX_SUGGESTIONS = 5;
/** As many stickers that are gone are looked past for one list; beyond that some may be listed early. */
const MAX_GONE = 200;

/** The first `count` documents of an answer, and what is said with it. */
export interface FoundDocuments extends Omit<SearchRanking, 'isNamed'> {
  readonly suggestions: readonly string[];
  /** By document 1 for svcd's own; undefined where the library has none. */
  readonly marks: Uint8Array | undefined;
}

/** What `find` lists, as documents, those that are gone behind the others. */
export function findDocuments(
  open: OpenFile,
  revision: number,
  { query, filter, shipped: rule = 'last-resort' }: Omit<FindRequest, 'offset' | 'limit'>,
  count: number,
  unordered?: boolean,
): FoundDocuments {
  const { index, learned, shipped } = open;
  const context = index.current();
  const own = shipped.find(revision, context.index);
  const accepts = acceptsOf(filter, index);
  const listed = query === undefined ? undefined : learned.remoteResults.find(query);
  const documents = listed?.rowids.map((rowid) => context.index.documentOfRow(rowid)) ?? [];
  const limits = {
    limit: count + Math.min(learned.goneCount, MAX_GONE),
    unordered,
    accepts,
    shipped: own && { ...own, rule },
    remote: listed && { ...listed, documents: documents.filter((document) => document >= 0) },
  };
  const { best, isNamed, ...ranking } =
    query === undefined ? listIndex(limits, index.listDocuments()) : searchIndex(query, limits, context);
  const isAnswered = isNamed || listed !== undefined || accepts !== undefined;
  return {
    ...ranking,
    suggestions: isAnswered ? [] : context.spelling.suggest(normalise(query ?? ''), MAX_SUGGESTIONS),
    marks: own?.marks,
    best: sinkGone(best, open),
  };
}

/** A page of what is found. */
export function findIn(open: OpenFile, revision: number, request: FindRequest): SearchHits {
  const { offset, limit } = request;
  const found = findDocuments(open, revision, request, offset + limit);
  return hitsOf(open, found, found.best.slice(offset, offset + limit));
}

/** What is said of these documents of a list. */
export function hitsOf({ index }: OpenFile, found: Omit<FoundDocuments, 'best'>, best: readonly Scored[]): SearchHits {
  const { index: postings } = index.current();
  const { total, direct, dropped, suggestions, marks, fit } = found;
  const hits = best.map(({ document, score }) => ({
    document,
    sticker: index.stickerAt(postings.rowidOf(document)),
    shipped: marks?.[document] === 1,
    score,
    ...(fit !== undefined && { fit: fit.of(document) }),
  }));
  return { total, direct, dropped, suggestions, hits };
}

/** What suits a submission. */
export function matchIn(
  open: OpenFile,
  revision: number,
  { limit, filter = {}, shipped: rule = 'last-resort', ...submission }: MatchQuestion,
): MatchHits {
  const { index, learned, shipped } = open;
  const context = index.current();
  const own = shipped.find(revision, context.index);
  const limits = {
    limit: limit + Math.min(learned.goneCount, MAX_GONE),
    accepts: acceptsOf(filter, index),
    shipped: own && { ...own, rule },
  };
  const { words, total, others, best, wordsOf } = matchIndex(submission, limits, context);
  const fitOf = fitOfMatch(words, context.index);
  const hits = sinkGone(best, open)
    .slice(0, limit)
    .map(({ document, score }) => {
      const found = wordsOf(document);
      return {
        document,
        sticker: index.stickerAt(context.index.rowidOf(document)),
        shipped: own?.marks[document] === 1,
        score,
        fit: fitOf(document, found),
        reasons: reasonsFor(document, found, context.index),
      };
    });
  const negated = words.filter((one) => one.negated).map(({ word }) => word);
  return { extractedKeywords: words.map(({ word }) => word), negated, total, direct: others, hits };
}

/** What is related to the sticker with this preset; undefined when it is not known. */
export function relatedIn(
  { index, shipped }: OpenFile,
  revision: number,
  preset: string,
  page: { readonly offset: number; readonly limit: number },
): RelatedHits | undefined {
  const context = index.current();
  const own = shipped.find(revision, context.index);
  const document = index.findDocument(preset);
  if (document === undefined) return undefined;
  const sticker = index.stickerAt(context.index.rowidOf(document));
  const { total, relations } = findRelated(sticker, document, page, context.index);
  return {
    total,
    hits: relations.map((relation) => ({
      ...relation,
      shipped: own?.marks[relation.document] === 1,
      sticker: index.stickerAt(context.index.rowidOf(relation.document)),
    })),
  };
}
