// The order of results: tier by tier, by score, ties by preset, and with every further sticker that shows the same
// counting for less, so that twelve results are not three things four times. Scores come from search.ts and match.ts.

import { TopK, compareScored, type Scored, type Scorer } from './top-k.js';

/** How many of a tier are moved for what they repeat: more than any page, and the same for every limit, so that a longer page begins like a shorter one. */
export const POOL_SIZE = 120;

export interface Tier {
  readonly documents: Uint32Array;
  /** Gives positive scores. */
  readonly scorer: Scorer;
}

/** What the next sticker that shows the same again is worth. */
export interface Repetition {
  /** A number shared by documents that show the same. */
  readonly of: (document: number) => number;
  /** Factor on its score for each one before it. */
  readonly decay: number;
  /** More that show the same are left out. */
  readonly most?: number;
}

export interface RankLimits {
  /** The first so many are returned; the rest is not even put in order. */
  readonly wanted?: number;
  /** How many of each tier, the first by score, are moved for what they repeat. */
  readonly poolSize?: number;
  /** About how many are looked at until what is wanted is found, where repetitions move them far. */
  readonly looked?: number | undefined;
}

/** The best documents in final order with their final scores; a later tier begins where the one before ends. */
export function rank(
  tiers: readonly Tier[],
  repetitions: readonly Repetition[],
  { wanted = POOL_SIZE, poolSize = POOL_SIZE, looked }: RankLimits = {},
): Scored[] {
  const ranked: Scored[] = [];
  for (const tier of tiers) {
    if (ranked.length >= wanted) break;
    const best = rankTier(tier, repetitions, poolSize, { wanted, looked });
    const floor = ranked.at(-1)?.score;
    if (floor !== undefined) for (const scored of best) scored.score *= floor / (1 + scored.score);
    ranked.push(...best);
  }
  return ranked.slice(0, wanted);
}

/** One for all: nothing else happens while something is ranked. */
const order = new TopK();

// What is taken by its own score may come later for what it repeats: it waits until no other can come before it.
function rankTier(
  { documents, scorer }: Tier,
  repetitions: readonly Repetition[],
  poolSize: number,
  { wanted, looked }: { readonly wanted: number; readonly looked: number | undefined },
): Scored[] {
  order.fill(documents, scorer, looked);
  const repeated = new Repeated(repetitions);
  const waiting = new Waiting();
  const ranked: Scored[] = [];
  let next = order.next();
  for (let taken = 0; next !== undefined && taken < poolSize; next = order.next()) {
    while (waiting.best > next.score) if (ranked.push(waiting.take()) === wanted) return ranked;
    if (!repeated.admits(next)) continue;
    waiting.put(next);
    taken++;
  }
  while (waiting.best > -Infinity && ranked.length < wanted) ranked.push(waiting.take());
  for (; next !== undefined && ranked.length < wanted; next = order.next()) ranked.push(next);
  return ranked;
}

/** How often each thing was shown. */
class Repeated {
  private readonly repetitions: readonly Repetition[];
  private readonly times: readonly Map<number, number>[];
  /** Of the document at hand, by repetition. */
  private readonly keys: number[] = [];
  private readonly before: number[] = [];

  constructor(repetitions: readonly Repetition[]) {
    this.repetitions = repetitions;
    this.times = repetitions.map(() => new Map<number, number>());
  }

  /** Counts a document and lowers its score for what it repeats; false when that is shown often enough. */
  admits(scored: Scored): boolean {
    const { repetitions, times, keys, before } = this;
    for (let i = 0; i < times.length; i++) {
      const { of, most = Infinity } = repetitions[i]!;
      keys[i] = of(scored.document);
      before[i] = times[i]!.get(keys[i]!) ?? 0;
      if (before[i]! >= most) return false;
    }
    for (let i = 0; i < times.length; i++) {
      if (before[i]! > 0) scored.score *= repetitions[i]!.decay ** before[i]!;
      times[i]!.set(keys[i]!, before[i]! + 1);
    }
    return true;
  }
}

/** What was taken and not yet listed. */
class Waiting {
  /** The best last. */
  private readonly sorted: Scored[] = [];

  /** The best score; -Infinity when nothing waits. */
  get best(): number {
    return this.sorted.at(-1)?.score ?? -Infinity;
  }

  put(scored: Scored): void {
    const { sorted } = this;
    let low = 0;
    let high = sorted.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareScored(scored, sorted[middle]!) < 0) low = middle + 1;
      else high = middle;
    }
    sorted.splice(low, 0, scored);
  }

  take(): Scored {
    return this.sorted.pop()!;
  }
}
