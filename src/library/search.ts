// One search over a loaded index: plan, add up, rank. Gives document numbers; the stickers are read elsewhere.

import { spellEmoji } from './emoji-words.js';
import { normalise } from './normalise.js';
import { planQuery, type Lexicon, type TermUse } from './query-plan.js';
import { rank } from './rank.js';
import type { Tally } from './tally.js';
import type { Scored } from './top-documents.js';

/** What another style of a concept already listed is worth. */
const SAME_CONCEPT_DECAY = 0.6;
/** The largest page: stickers that share only single characters with the query may fill it, and count no further. */
const FULL_PAGE = 50;

export interface SearchRanking {
  /** How many documents can be listed. */
  readonly total: number;
  /** How many of them share more than single characters with the query; these come first. */
  readonly direct: number;
  readonly best: readonly Scored[];
}

/** The documents that match a query, best first, at most `limit`. */
export function searchIndex(query: string, limit: number, lexicon: Lexicon, tally: Tally): SearchRanking {
  const plan = planQuery(normalise(spellEmoji(query)), lexicon);
  tally.clear();
  addAll(plan.direct, tally);
  for (const { terms } of plan.meanings) tally.addMeanings(terms);
  const direct = tally.size;
  addAll(plan.single, tally);
  const { index } = lexicon;
  const score = (document: number) => tally.score(document);
  const strong = { documents: tally.documents.subarray(0, direct), score };
  const weak = { documents: tally.documents.subarray(direct, tally.size), score };
  const tiers = direct >= Math.max(limit, FULL_PAGE) ? [strong] : [strong, weak];
  const ranked = rank(tiers, [{ of: (document) => index.conceptOf(document), decay: SAME_CONCEPT_DECAY }], limit);
  const total = Math.max(direct, Math.min(tally.size, FULL_PAGE));
  return { total, direct, best: ranked.slice(0, limit) };
}

function addAll(uses: readonly TermUse[], tally: Tally): void {
  for (const { term, boost, coverage } of uses) tally.add(term, boost, coverage);
}
