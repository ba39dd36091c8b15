// One search over a loaded index: plan, add up, rank. Gives document numbers; the stickers are read elsewhere.

import type { CompiledIndex } from '../search-index/compiled-index.js';
import { spellEmoji } from '../language/emoji-words.js';
import type { Accepts } from './filter.js';
import { normalise } from '../language/normalise.js';
import type { QueryContext } from './query-context.js';
import { planQuery } from './query-plan.js';
import { rank, type Tier } from './rank.js';
import { relaxQuery } from './relax.js';
import type { ScoreAccumulator } from './score-accumulator.js';
import type { Scored } from './top-k.js';

/** What another style of a concept already listed is worth. */
const SAME_CONCEPT_DECAY = 0.4;
/** The largest page: stickers that share only single characters with the query may fill it, and count no further. */
const FULL_PAGE = 50;

export interface SearchRanking {
  /** How many documents there are; of those that only mean what is asked, or share single characters, as many as a page holds. */
  readonly total: number;
  /** How many share or mean more than single characters of the query; these come first. */
  readonly direct: number;
  /** Whether the library has a word of the query, or the query is a word by itself: else it may be a mistake. */
  readonly isNamed: boolean;
  /** Words of the query that were left out, because nothing has all. */
  readonly dropped: readonly string[];
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
export function searchIndex(
  query: string,
  page: Page,
  lexicon: QueryContext,
  tally: ScoreAccumulator,
): SearchRanking {
  const { limit, offset = 0, accepts } = page;
  const { index } = lexicon;
  const asked = normalise(spellEmoji(query));
  const { dropped, hasRest } = relaxQuery(asked, lexicon);
  const plan = planQuery(asked, lexicon);
  tally.clear();
  for (const { term, boost, coverage } of plan.direct) tally.add(term, boost, coverage);
  for (const { terms } of plan.synonyms) tally.addMeanings(terms);
  const counted = tally.size;
  for (const { terms, agrees } of plan.meanings) tally.addMeanings(terms, agrees);
  const found = tally.size;
  const choose = (from: number, to: number) => {
    const documents = tally.documents.subarray(from, to);
    return accepts === undefined ? documents : documents.filter(accepts);
  };
  const strong = { documents: choose(0, found), scorer: tally };
  const direct = strong.documents.length;
  const sure = choose(0, counted).length;
  // Who shares single characters only is not even met where others fill the page.
  const isFull = direct >= Math.max(limit, FULL_PAGE);
  for (const { term, boost, coverage } of plan.single) {
    if (isFull) tally.addToMet(term, boost, coverage);
    else tally.add(term, boost, coverage);
  }
  const weak = { documents: choose(found, tally.size), scorer: tally };
  const ranked = rank(
    [...firstHaving(hasRest, strong), weak],
    [{ of: (document) => index.conceptOf(document), decay: SAME_CONCEPT_DECAY }],
    { count: offset + limit, wanted: offset + limit },
  );
  return {
    total: Math.max(sure, Math.min(direct + weak.documents.length, FULL_PAGE)),
    direct,
    isNamed: sure > 0 || lexicon.glossary.has(asked),
    dropped,
    best: ranked.slice(offset),
  };
}

// What has all that was not left out comes before what has some of it.
function firstHaving(hasRest: ((document: number) => boolean) | undefined, tier: Tier): Tier[] {
  if (hasRest === undefined) return [tier];
  const { documents } = tier;
  const having = documents.filter(hasRest);
  if (having.length === 0 || having.length === documents.length) return [tier];
  return [
    { ...tier, documents: having },
    { ...tier, documents: documents.filter((document) => !hasRest(document)) },
  ];
}

/** One page of all documents, in the order of the index. */
export function listIndex({ limit, offset = 0, accepts }: Page, index: CompiledIndex): SearchRanking {
  const all = index.documents();
  const listed = accepts === undefined ? all : all.filter(accepts);
  const best = Array.from(listed.subarray(offset, offset + limit), (document) => ({ document, score: 1 }));
  return { total: listed.length, direct: listed.length, isNamed: true, dropped: [], best };
}
