// How many stickers there are in all. Each sticker is worth 1, spread evenly over its words, so that what is unknown
// lies in words never asked, behind lists that were cut, or in words not met yet. A survey measures the first, the
// lists count the second. Knows nothing of requests or files.

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

// Surveys: words drawn by chance, each as likely as the shares it holds, so that what they bring says what all words never asked
// would bring. Which words there are is for crawl-frontier.ts.

interface DrawableWord {
  readonly text: string;
  /** Shares of known stickers, above 0. */
  readonly share: number;
}

/** Words of one draw hold shares within this factor of the first: of words asked together only the sum is known. */
const ALIKE = 1.6;
/** How unlike words of one size are: the variance of what one brings, in squares of the mean. */
const SCATTER = 0.36;

/** At most `count` words, by a chance that only `turn` decides. */
export function drawWords<W extends DrawableWord>(words: Iterable<W>, turn: number, count: number): W[] {
  const drawn = Array.from(words, (word) => ({
    word,
    at: -Math.log(chanceOf(word.text, turn)) / word.share,
  })).toSorted((a, b) => a.at - b.at);
  const size = drawn[0]?.word.share ?? 0;
  return drawn
    .map(({ word }) => word)
    .filter(({ share }) => share <= size * ALIKE && share >= size / ALIKE)
    .slice(0, count);
}

/** What `words` words that `known` stickers had between them say, as so many words of average. */
export function weightOf(words: number, known: number): number {
  return words / (SCATTER + words / Math.max(1, known));
}

/** Above 0 and at most 1, evenly spread, the same for the same text and turn. */
function chanceOf(text: string, turn: number): number {
  let hash = 2_166_136_261 ^ Math.imul(turn + 1, 0x9e_37_79_b1);
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 16_777_619);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85_eb_ca_6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2_b2_ae_35);
  return (((hash ^ (hash >>> 16)) >>> 0) + 1) / 2 ** 32;
}

// Answers that listed only a part: how many stickers each left out, by the remote's own total and by the stickers with its words
// that became known later, from any source.

/** A word as a list knows it. */
export interface ListedWord {
  readonly seen: number;
  readonly share: number;
  /** Numbers of the known stickers that have it. */
  readonly stickers: readonly number[];
  /** Lists that were cut when it was asked, the last one last. */
  readonly lists: CutList[];
  readonly isComplete: boolean;
}

/** One such list. */
export interface CutList {
  readonly words: readonly ListedWord[];
  /** Stickers that have one of its words. */
  readonly total: number;
  /** Known ones among them. */
  seen: number;
}

/** The known stickers that have one of some words. */
export function countTogether(words: readonly ListedWord[]): number {
  return new Set(words.flatMap(({ stickers }) => stickers)).size;
}

/** The lists that still hide something. */
export class CutLists {
  readonly #lists = new Set<CutList>();

  add(words: readonly ListedWord[], total: number): void {
    const list = { words, total, seen: countTogether(words) };
    this.#lists.add(list);
    for (const { lists } of words) lists.push(list);
  }

  /** Shares of unknown stickers behind the lists, were they like known ones with the same words. */
  shareBehind(): number {
    let behind = 0;
    for (const list of this.#lists) {
      const open = openShare(list);
      if (open === 0) this.#lists.delete(list);
      behind += open * Math.max(0, list.total - list.seen);
    }
    return behind;
  }
}

/** Notes a sticker that has become known by the words it has. */
export function noteSeen(words: readonly ListedWord[]): void {
  for (const list of new Set(words.flatMap(({ lists }) => lists))) list.seen += 1;
}

/** The share by which a sticker counts for one of its words, on the average of those it still speaks for. */
function openShare(list: CutList): number {
  let seen = 0;
  let open = 0;
  for (const word of list.words) {
    seen += word.seen;
    // Another answer may have told more of it since.
    if (!word.isComplete && word.lists.at(-1) === list) open += word.share;
  }
  return seen === 0 ? 0 : open / seen;
}
