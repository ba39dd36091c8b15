// How many stickers there are in all, from what asked words brought. Each sticker is worth 1, spread evenly over its
// words. What an asked word brought anew beside what was known of it tells what lies behind the words of its sort
// that were not asked yet; the sum over those is what is still unknown. Knows nothing of requests or files.

/** What one asked word says of its sort, in shares of stickers. */
export interface WordWitness {
  readonly sort: string;
  /** Of stickers that were known to have the word. */
  readonly knownShare: number;
  /** Of stickers that its answer brought anew. */
  readonly freshShare: number;
}

/** Words of one sort that wait to be asked. */
export interface WaitingSort {
  readonly sort: string;
  /** Shares of known stickers that lie in these words. */
  readonly share: number;
}

/** A word asked to its end of which the remote keeps more than it lists. */
export interface CutWord {
  /** As the remote says; undefined when it does not. */
  readonly total: number | undefined;
  readonly seen: number;
  readonly share: number;
}

export interface Estimate {
  /** Stickers of the remote in all. */
  readonly total: number;
  /** The truth lies between these, in about 19 of 20 cases. */
  readonly low: number;
  readonly high: number;
}

interface Sum {
  words: number;
  known: number;
  fresh: number;
  knownSquare: number;
  freshSquare: number;
  product: number;
  /** Sum of what was unknown in all when each was asked. */
  knownThen: number;
}

const REMEMBERED_WORDS = 120;
const FADE = 0.7;
/** What a sort says is told as if so many words of all sorts together had said the same besides. */
const LEANING_WORDS = 16;
/** Fewer asked words of a sort than this say nothing of it. */
const ENOUGH_WORDS = 8;
/** Part of the waiting words that must be of sorts with enough asked. */
const ENOUGH_SHARE = 0.1;
/** Part of the known stickers that may lie in words nobody can speak for, because it changes little. */
const LITTLE = 0.05;
const ENOUGH_WITNESSES = 40;
/** Part of what is unknown by which the method itself may be wrong. */
const DOUBT = 0.25;
/** Found on catalogues of 3,000 to 12,000 stickers, in two vocabularies. */
const UNREACHED = 0.01;
const HARDER = 0.15;
const ROUNDS = 40;

/** Witnesses of asked words, and what follows from them. */
export class Estimator {
  readonly #sums = new Map<string, Sum>();
  #witnesses = 0;
  /** Part of a new sticker's words that nobody had met. */
  #novelty = 0.3;
  #seen = 0;
  #wordsSeen = 0;
  #recentWords = 0;

  /** Notes an asked word; `known` stickers were known at the time. */
  learn({ sort, knownShare, freshShare }: WordWitness, known: number): void {
    const sum = this.#sums.get(sort) ?? emptySum();
    this.#sums.set(sort, sum);
    this.#witnesses += 1;
    add(sum, 1, knownShare, freshShare, known);
    if (sum.words > REMEMBERED_WORDS) this.#sums.set(sort, scaled(sum, FADE));
  }

  /** Asked words that speak for a sort. */
  countWitnesses(sort: string): number {
    return this.#sums.get(sort)?.words ?? 0;
  }

  /** Notes a sticker by the number of words it counts by, and which part of them was not met before. */
  see(words: number, novel: number): void {
    this.#novelty += (novel - this.#novelty) / 200;
    this.#seen += 1;
    this.#wordsSeen += words;
    this.#recentWords += (words - this.#recentWords) / Math.min(this.#seen, 300);
  }

  /** The whole, when `known` stickers are known; undefined while too little was asked to say. */
  estimate(known: number, waiting: readonly WaitingSort[], cut: readonly CutWord[]): Estimate | undefined {
    if (this.#witnesses < ENOUGH_WITNESSES || !this.#knowsEnough(waiting, known)) return undefined;
    const common = this.#common();
    const behind = this.#behindCut(cut, ratioOf(common));
    const leaning = waiting.map(({ sort, share }) => ({ share, sum: this.#leaning(sort, common) }));
    let total = known * 1.5 + 1;
    let spread = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const unknown = this.#unknown(total, known, leaning, behind);
      spread = unknown.spread;
      total = known + unknown.count;
    }
    const count = total - known;
    const margin = 2 * Math.hypot(spread, count * DOUBT);
    // What no word leads to is not seen from here: a part of the whole is left for it.
    return { total, low: Math.max(known, total - margin), high: total + margin + total * UNREACHED };
  }

  #knowsEnough(waiting: readonly WaitingSort[], known: number): boolean {
    let all = 0;
    let told = 0;
    for (const { sort, share } of waiting) {
      all += share;
      if ((this.#sums.get(sort)?.words ?? 0) >= ENOUGH_WORDS) told += share;
    }
    return told >= all * ENOUGH_SHARE || all < known * LITTLE;
  }

  #unknown(total: number, known: number, leaning: readonly { share: number; sum: Sum }[], behind: number) {
    let count = behind;
    let variance = 0;
    for (const { share, sum } of leaning) {
      if (sum.known === 0) continue;
      // What was unknown when its words were asked has shrunk since.
      const left = Math.max(0, total - known) / Math.max(1, total - sum.knownThen / sum.words);
      const scale = share * Math.min(1, left);
      const ratio = ratioOf(sum);
      count += scale * ratio;
      variance += scale ** 2 * varianceOf(sum, ratio);
    }
    // Words that nobody met hide some more, and what is left is harder to reach than what was found last.
    const hidden = (1 + HARDER * (known / Math.max(1, total)) ** 2) / (1 - Math.min(0.6, this.#novelty));
    return { count: count * hidden, spread: Math.sqrt(variance) * hidden };
  }

  /** Few words of a sort say little by themselves: they lean on what all sorts say, so that nothing jumps. */
  #leaning(sort: string, common: Sum): Sum {
    const sum = emptySum();
    merge(sum, this.#sums.get(sort) ?? emptySum());
    if (common.words > 0) merge(sum, scaled(common, LEANING_WORDS / common.words));
    return sum;
  }

  /** Stickers that were not listed for words asked to their end; those have fewer words than what came first. */
  #behindCut(cut: readonly CutWord[], ratio: number): number {
    const rarer = this.#wordsSeen / Math.max(1, this.#seen) / Math.max(1, this.#recentWords);
    return cut.reduce((sum, { total, seen, share }) => {
      if (seen === 0) return sum;
      const unlisted = total === undefined ? seen * ratio : Math.max(0, total - seen);
      return sum + (rarer * unlisted * share) / seen;
    }, 0);
  }

  #common(): Sum {
    const common = emptySum();
    for (const sum of this.#sums.values()) merge(common, sum);
    return common;
  }
}

function emptySum(): Sum {
  return { words: 0, known: 0, fresh: 0, knownSquare: 0, freshSquare: 0, product: 0, knownThen: 0 };
}

function add(sum: Sum, words: number, known: number, fresh: number, then: number): void {
  merge(sum, {
    words,
    known,
    fresh,
    knownSquare: known ** 2,
    freshSquare: fresh ** 2,
    product: known * fresh,
    knownThen: then,
  });
}

function merge(into: Sum, from: Sum): void {
  for (const name of Object.keys(into) as (keyof Sum)[]) into[name] += from[name];
}

function scaled(sum: Sum, by: number): Sum {
  const copy = { ...sum };
  for (const name of Object.keys(copy) as (keyof Sum)[]) copy[name] *= by;
  return copy;
}

function ratioOf({ known, fresh }: Sum): number {
  return known === 0 ? 0 : fresh / known;
}

/** Of a ratio of sums. */
function varianceOf({ words, known, knownSquare, freshSquare, product }: Sum, ratio: number): number {
  const residual = freshSquare - 2 * ratio * product + ratio ** 2 * knownSquare;
  const mean = known / words;
  return Math.max(0, residual) / words ** 2 / mean ** 2;
}
