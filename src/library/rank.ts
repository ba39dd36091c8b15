// The order of results: tier by tier, by score, ties by preset, and with every further sticker that shows the same
// counting for less, so that twelve results are not three things four times. Scores come from search.ts and match.ts.

import { compareScored, topDocuments, type Scored } from './top-documents.js';

/** How many of a tier are put in order; more than any page, and the same for every limit, so that a longer page begins like a shorter one. */
const POOL_SIZE = 120;

export interface Tier {
  readonly documents: Uint32Array;
  /** Positive. */
  readonly score: (document: number) => number;
  /** No score is higher; quicker to tell. */
  readonly atMost?: (document: number) => number;
}

/** What the next sticker that shows the same again is worth. */
export interface Repetition {
  /** A number shared by documents that show the same. */
  readonly of: (document: number) => number;
  /** Factor on its score for each one before it. */
  readonly decay: number;
}

/** The best documents, `limit` or POOL_SIZE of them, whichever is more, in final order with their final scores; a later tier begins where the one before ends. Of each tier the first `poolSize` are moved for what they repeat. Whoever wants fewer spares the ordering of the rest. */
export function rank(
  tiers: readonly Tier[],
  repetitions: readonly Repetition[],
  limit = 0,
  poolSize = POOL_SIZE,
  wanted = Infinity,
): Scored[] {
  const count = Math.max(limit, POOL_SIZE);
  const ranked: Scored[] = [];
  for (const tier of tiers) {
    if (ranked.length >= Math.min(count, wanted)) break;
    const pool = rankTier(tier, repetitions, count, poolSize, wanted);
    const floor = ranked.at(-1)?.score;
    if (floor !== undefined) for (const scored of pool) scored.score *= floor / (1 + scored.score);
    ranked.push(...pool);
  }
  return ranked.slice(0, count);
}

function rankTier(
  { documents, score, atMost }: Tier,
  repetitions: readonly Repetition[],
  count: number,
  poolSize: number,
  wanted: number,
): Scored[] {
  const all = topDocuments(documents, score, count, atMost);
  const pool = all.slice(0, poolSize);
  for (const repetition of repetitions) decayRepetitions(pool, repetition);
  const rest = all.slice(poolSize);
  return [...bestOf(pool, wanted).toSorted(compareScored), ...rest];
}

// The wanted and their equals: the others need no order.
function bestOf(pool: readonly Scored[], wanted: number): readonly Scored[] {
  if (wanted >= pool.length) return pool;
  const least = Float64Array.from(pool, ({ score }) => score).toSorted()[pool.length - wanted]!;
  return pool.filter(({ score }) => score >= least);
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
