// The order of results: tier by tier, by score, ties by preset, and with every further sticker that shows the same
// counting for less, so that twelve results are not three things four times. Scores come from search.ts and match.ts.

import { compareScored, topDocuments, type Scored } from './top-documents.js';

/** How many of a tier are put in order; more than any page, and the same for every limit, so that a longer page begins like a shorter one. */
const POOL_SIZE = 120;

export interface Tier {
  readonly documents: Uint32Array;
  /** Positive. */
  readonly score: (document: number) => number;
}

/** What the next sticker that shows the same again is worth. */
export interface Repetition {
  /** A number shared by documents that show the same. */
  readonly of: (document: number) => number;
  /** Factor on its score for each one before it. */
  readonly decay: number;
}

/** The best `POOL_SIZE` documents at most, in final order with their final scores; a later tier begins where the one before ends. */
export function rank(tiers: readonly Tier[], repetitions: readonly Repetition[]): Scored[] {
  const ranked: Scored[] = [];
  for (const tier of tiers) {
    if (ranked.length >= POOL_SIZE) break;
    const pool = rankTier(tier, repetitions);
    const floor = ranked.at(-1)?.score;
    if (floor !== undefined) for (const scored of pool) scored.score *= floor / (1 + scored.score);
    ranked.push(...pool);
  }
  return ranked.slice(0, POOL_SIZE);
}

/** The same order, and after it the rest of each tier by score alone, until there are `depth`; scores of the rest are those of their tier. */
export function rankDeep(
  tiers: readonly Tier[],
  repetitions: readonly Repetition[],
  depth: number,
): Scored[] {
  const ranked = rank(tiers, repetitions);
  if (depth <= ranked.length) return ranked;
  const listed = new Set(ranked.map(({ document }) => document));
  for (const { documents, score } of tiers) {
    if (ranked.length >= depth) break;
    const rest = documents.filter((document) => !listed.has(document));
    if (rest.length > 0) ranked.push(...topDocuments(rest, score, depth - ranked.length));
  }
  return ranked;
}

function rankTier({ documents, score }: Tier, repetitions: readonly Repetition[]): Scored[] {
  const pool = topDocuments(documents, score, POOL_SIZE);
  for (const repetition of repetitions) decayRepetitions(pool, repetition);
  return pool.toSorted(compareScored);
}

// In the order before: the best of those that show the same keeps its score.
function decayRepetitions(pool: readonly Scored[], { of, decay }: Repetition): void {
  const seen = new Map<number, number>();
  for (const scored of pool) {
    const key = of(scored.document);
    const before = seen.get(key) ?? 0;
    scored.score *= decay ** before;
    seen.set(key, before + 1);
  }
}
