// How many stickers there are in all. Each sticker is worth 1, spread evenly over its words, so that what is unknown
// lies in words never asked, behind lists that were cut, or in words not met yet. A survey (survey.ts) measures the
// first, cut-lists.ts counts the second. Knows nothing of requests or files.

/** What one survey found the whole to be. */
export interface Survey {
  /** Stickers in all, as this survey alone has it. */
  readonly total: number;
  /** Stickers that were known then. */
  readonly known: number;
  /** What it is worth beside others, as so many words of average say. */
  readonly weight: number;
}

/** Of stickers that an answer brought anew: their words that were not asked, and which part of them had not been met. */
export interface Novelty {
  readonly others: number;
  readonly novel: number;
}

/**
 * Known and new stickers of one answer, once for each asked word they count by, and the sum of the shares by which they
 * do. They are compared within one list, because a list that was cut is the remote's choice of both.
 */
export interface ListedShares {
  readonly known: { readonly count: number; readonly shares: number };
  readonly fresh: { readonly count: number; readonly shares: number };
}

/** Where the unknown may lie, in shares of stickers. */
export interface Remainder {
  /** Of known stickers, in words never asked. */
  readonly untold: number;
  /** Of unknown stickers, in words whose lists were cut. */
  readonly behind: number;
}

export interface Estimate {
  /** Stickers of the remote in all. */
  readonly total: number;
  /** The truth lies between these, in about 19 of 20 cases. */
  readonly low: number;
  readonly high: number;
}

const KEPT = 60;
const ENOUGH = 5;
/** So many of the last surveys say how much was unknown when each was made. */
const RECENT = 9;
/** Below this part of the whole, one survey knows as well as another. */
const FINEST = 0.003;
/** Part of the known that may lie in words never asked without a survey of them, because it changes little. */
const LITTLE = 0.05;
/** What a reading without a survey is worth, like a survey of so many words. */
const READING_WEIGHT = 16;
/** Part of what is unknown by which the method itself may be wrong. */
const DOUBT = 0.15;
/** Part of the whole that no word may lead to. */
const UNREACHED = 0.01;
/** New stickers that novelty is averaged over, and those that listed shares are. */
const NOVELTY_OVER = 150;
const LISTED_OVER = 300;
/** Unknown stickers are taken to be like known ones by so many of them, until lists say otherwise. */
const USUAL = 20;
const NOVELTY_MAX = 0.6;

/** Surveys, and what follows from them. */
export class Estimator {
  readonly #surveys: Survey[] = [];
  #novel = 0;
  #others = 0;
  #known = { count: 0, shares: 0 };
  #fresh = { count: 0, shares: 0 };

  /** Notes what `reckon` made of a survey. */
  learn(survey: Survey): void {
    this.#surveys.push(survey);
    if (this.#surveys.length > KEPT) this.#surveys.shift();
  }

  /** Notes the stickers of an answer. */
  seeListed({ known, fresh }: ListedShares): void {
    const kept = Math.exp(-fresh.count / LISTED_OVER);
    const join = (old: ListedShares['known'], one: ListedShares['known']) => ({
      count: old.count * kept + one.count,
      shares: old.shares * kept + one.shares,
    });
    this.#known = join(this.#known, known);
    this.#fresh = join(this.#fresh, fresh);
  }

  /** Notes how much of what an answer brought was new by its words too. */
  seeNovelty({ others, novel }: Novelty): void {
    const kept = Math.exp(-others / NOVELTY_OVER);
    this.#novel = this.#novel * kept + novel;
    this.#others = this.#others * kept + others;
  }

  /** How many times as many words a known sticker has as an unknown one with a word in common, by what was listed. */
  get rarer(): number {
    const usual = this.#known.count === 0 ? 1 : this.#known.shares / this.#known.count;
    const fresh = (this.#fresh.shares + usual * USUAL) / (this.#fresh.count + USUAL);
    return usual === 0 ? 1 : fresh / usual;
  }

  /** The whole, when words drawn by chance have `ratio` shares of unknown stickers for each of a known one. */
  reckon(known: number, { untold, behind }: Remainder, ratio: number): number {
    return known + (behind + untold * ratio) / (1 - this.#hidden());
  }

  /** The whole, when `known` stickers are known; undefined while too little was asked to say. */
  estimate(known: number, remainder: Remainder): Estimate | undefined {
    const isToldThrough = remainder.untold <= known * LITTLE;
    if (known === 0 || (this.#surveys.length < ENOUGH && !isToldThrough)) return undefined;
    const middle = Math.max(known, this.#middle() ?? known);
    const surveys = [...this.#surveys];
    if (isToldThrough) {
      const total = this.reckon(known, remainder, middle / known - 1);
      surveys.push({ total, known, weight: READING_WEIGHT });
    }
    const { mean, error } = combine(surveys, middle);
    const total = Math.max(known, mean);
    const margin = Math.hypot(error, 2 * DOUBT * (total - known));
    return { total, low: Math.max(known, total - margin), high: total + margin + total * UNREACHED };
  }

  #middle(): number | undefined {
    const totals = this.#surveys.slice(-RECENT).map(({ total }) => total);
    return totals.toSorted((a, b) => a - b)[Math.floor(totals.length / 2)];
  }

  /** Part of an unknown sticker's words that have not been met. */
  #hidden(): number {
    return this.#others === 0 ? NOVELTY_MAX / 2 : Math.min(NOVELTY_MAX, this.#novel / this.#others);
  }
}

/** The mean of surveys, and how far it may be off: the less was unknown then, the less could a survey be wrong by. */
function combine(surveys: readonly Survey[], whole: number): { mean: number; error: number } {
  const weights = surveys.map(({ weight, known }) => weight / Math.max(FINEST * whole, whole - known) ** 2);
  const sum = weights.reduce((all, weight) => all + weight, 0);
  const parts = weights.map((weight) => weight / sum);
  const mean = surveys.reduce((all, { total }, i) => all + parts[i]! * total, 0);
  const variance = surveys.reduce((all, { total }, i) => all + (parts[i]! * (total - mean)) ** 2, 0);
  // Few surveys hide how much they vary: the bounds are those of Student's distribution, about.
  const count = 1 / parts.reduce((all, part) => all + part ** 2, 0);
  const quantile = 2 + 4 / count;
  return { mean, error: quantile * Math.sqrt((variance * count) / Math.max(0.5, count - 1)) };
}
