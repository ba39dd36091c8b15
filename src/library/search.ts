// One search over a loaded index: plan, add up, rank. Gives document numbers; the stickers are read elsewhere.

import type { CompiledIndex } from './compiled-index.js';
import { spellEmoji } from './emoji-words.js';
import type { Accepts } from './filter.js';
import { normalise } from './normalise.js';
import { planQuery, type Lexicon, type TermUse } from './query-plan.js';
import { rank } from './rank.js';
import type { Tally } from './tally.js';
import type { Scored } from './top-documents.js';

/** What another style of a concept already listed is worth. */
const SAME_CONCEPT_DECAY = 0.4;
/** The largest page: stickers that share only single characters with the query may fill it, and count no further. */
const FULL_PAGE = 50;

export interface SearchRanking {
  /** How many documents can be listed. */
  readonly total: number;
  /** How many of them share more than single characters with the query; these come first. */
  readonly direct: number;
  readonly best: readonly Scored[];
}

/** Which part of the results is wanted; without `accepts` none is left out. */
export interface Page {
  readonly limit: number;
  /** How many to pass over; 0 when not given. */
  readonly offset?: number | undefined;
  readonly accepts?: Accepts | undefined;
}

/** The documents that match a query, best first, one page of them. */
export function searchIndex(query: string, page: Page, lexicon: Lexicon, tally: Tally): SearchRanking {
  const { limit, offset = 0, accepts } = page;
  const plan = planQuery(normalise(spellEmoji(query)), lexicon);
  tally.clear();
  addAll(plan.direct, tally);
  for (const { terms } of plan.meanings) tally.addMeanings(terms);
  const found = tally.size;
  addAll(plan.single, tally);
  const { index } = lexicon;
  const score = (document: number) => tally.score(document);
  const choose = (documents: Uint32Array) => (accepts === undefined ? documents : documents.filter(accepts));
  const strong = { documents: choose(tally.documents.subarray(0, found)), score };
  const weak = { documents: choose(tally.documents.subarray(found, tally.size)), score };
  const direct = strong.documents.length;
  const total = Math.max(direct, Math.min(direct + weak.documents.length, FULL_PAGE));
  const ranked = rank(
    direct >= Math.max(limit, FULL_PAGE) ? [strong] : [strong, weak],
    [{ of: (document) => index.conceptOf(document), decay: SAME_CONCEPT_DECAY }],
    offset + limit,
  );
  return { total, direct, best: ranked.slice(offset, offset + limit) };
}

/** One page of all documents, in the order of the index. */
export function listIndex({ limit, offset = 0, accepts }: Page, index: CompiledIndex): SearchRanking {
  const all = index.documents();
  const listed = accepts === undefined ? all : all.filter(accepts);
  const best = Array.from(listed.subarray(offset, offset + limit), (document) => ({ document, score: 1 }));
  return { total: listed.length, direct: listed.length, best };
}

function addAll(uses: readonly TermUse[], tally: Tally): void {
  for (const { term, boost, coverage } of uses) tally.add(term, boost, coverage);
}
