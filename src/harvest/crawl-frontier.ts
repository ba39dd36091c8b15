// Which words to ask the remote next, so that each request brings the most stickers not seen before. Words come
// from what was seen already: titles, keywords, their characters and pairs of characters. Knows nothing of
// requests, rates or files.

import {
  ratioBehind,
  ratioListed,
  sharesOf,
  sumOf,
  type AnswerShares,
  type HarvestedSticker,
} from './answer-shares.js';
import { BatchSize, ExpectedResults } from './expected-results.js';
import {
  CutLists,
  countTogether,
  noteSeen,
  type CutList,
  Estimator,
  type Estimate,
  type ListedShares,
  type Novelty,
  type Remainder,
  type Survey,
  drawWords,
  weightOf,
} from './estimate.js';
import {
  askableWords,
  countedWords,
  isSign,
  plainWord,
  wordsOf,
  type SeenSticker,
  type WordSource,
} from './words-of.js';

/** What an answer brought. */
export interface Harvested {
  readonly results: readonly HarvestedSticker[];
  /** How many stickers match, as the remote says; undefined when it does not. */
  readonly total: number | undefined;
  /** The most that one answer holds. */
  readonly limit: number;
}

/** What one word of a question brought: all that is needed to learn from it again after a restart. */
export interface AskedWord {
  readonly word: string;
  readonly sort: string;
  readonly found: number;
  readonly fresh: number;
  /** Whether there is no use in asking it again. */
  readonly done: boolean;
  /** Whether all that it finds was listed. */
  readonly complete?: boolean;
  /** What the whole answer says for the estimate; with the first word. */
  readonly told?: Told;
}

interface Told extends Novelty {
  /** Where the list was cut, and known words tell what it would have held: how many stickers have one of them. */
  readonly total?: number;
  /** Whether there was one, where the list was cut. */
  readonly saysTotal?: boolean;
  readonly listed: ListedShares;
  /** Where the words were drawn by chance. */
  readonly survey?: Omit<Survey, 'known'>;
}

interface Word {
  readonly text: string;
  readonly source: WordSource;
  /** Known stickers that have it. */
  seen: number;
  /** Shares of those that count it: each sticker is 1, spread evenly over the words that count for it. */
  share: number;
  /** Numbers of those that have it, where it is countable. */
  readonly stickers: number[];
  readonly lists: CutList[];
  /** Answers that left out some of what the word finds. */
  asked: number;
  isComplete: boolean;
}

interface Judged {
  readonly words: readonly Word[];
  readonly shares: AnswerShares;
  /** Stickers that were listed, and how many there are, as far as the remote can be believed. */
  readonly size: number;
  readonly total: number | undefined;
  readonly isCut: boolean;
  readonly isHonoured: boolean;
}

const ASKS_MAX = 3;
/** A little more than an answer holds: expectations run high. */
const FILL = 1.1;
/** One question of so many is a survey while the estimate is vague, and when it is not. */
const SURVEY_EVERY = 4;
const SURVEY_SELDOM = 8;
/** Bounds that are closer than this part of the whole are not vague. */
const VAGUE = 0.1;

/** The words worth asking. Same history, same choice. */
export class CrawlFrontier {
  readonly #words = new Map<string, Word>();
  readonly #waiting = new Map<string, Set<Word>>();
  /** Words never asked by which some known sticker counts. */
  readonly #drawable = new Set<Word>();
  readonly #cutLists = new CutLists();
  readonly #presets = new Set<string>();
  readonly #questions = new Set<string>();
  readonly #expected = new ExpectedResults();
  readonly #estimator = new Estimator();
  readonly #batchSize = new BatchSize();
  #asks = 0;
  /** Shares in words of which no answer has told how many stickers they find. */
  #untold = 0;
  /** Whether the remote tells how many stickers there are behind a list that was cut; undefined before there was one. */
  #saysTotals: boolean | undefined;
  /** The question that was drawn last. */
  #drawn = '';
  /** Undefined when something was learned since. */
  #reckoned: { readonly estimate: Estimate | undefined } | undefined;

  constructor(seeds: Iterable<string>) {
    for (const seed of seeds) for (const word of askableWords(seed)) this.#meet(word, 'seed');
  }

  /** Stickers seen. */
  get known(): number {
    return this.#presets.size;
  }

  hasSeen(preset: string): boolean {
    return this.#presets.has(preset);
  }

  /** Takes in the words of a sticker, once. */
  see(sticker: SeenSticker): void {
    if (this.#presets.has(sticker.preset)) return;
    this.#presets.add(sticker.preset);
    this.#reckoned = undefined;
    const own = wordsOf(sticker);
    const counted = countedWords(own);
    const share = 1 / Math.max(1, counted.size);
    const words = [...own].map(([text, source]) => this.#meet(text, source));
    for (const word of words) {
      this.#change(word, () => {
        word.seen += 1;
        if (counted.has(word.text)) word.share += share;
        if (isCountable(word.text)) word.stickers.push(this.#presets.size);
      });
      if (word.share > 0 && word.asked === 0 && word.source !== 'sign') this.#drawable.add(word);
    }
    noteSeen(words);
  }

  /** Words for one request that may return `limit` stickers; none when nothing is left to ask. Asking again gives the same. */
  next(limit: number): string[] {
    const words = this.#draw();
    if (words.length === 0) words.push(...this.#pick(this.#rankedSorts(), limit).map(({ text }) => text));
    // A list that was cut stays as it is, however often the same words are asked together.
    while (words.length > 1 && this.#questions.has(questionOf(words))) words.pop();
    return words;
  }

  /** Learns what asking these words brought; the stickers themselves are shown to `see` afterwards. */
  learn(texts: readonly string[], { results, total: said, limit }: Harvested): AskedWord[] {
    // A total that is just the length of a full list may count what is listed, until one was seen that counts more.
    const total = said === results.length && said >= limit && this.#saysTotals !== true ? undefined : said;
    const words = texts.map((text) => this.#meet(plainWord(text), 'seed'));
    const isCut = total === undefined ? results.length >= limit : total > results.length;
    const asked = words.map(({ text }) => text);
    const shares = sharesOf(asked, results, (word) => (this.#words.get(word)?.seen ?? 0) > 0);
    const expected = words.filter(({ seen, source }) => seen > 0 && source !== 'sign');
    const held = expected.filter(({ text }) => shares.counts.get(text)!.named > 0);
    if (words.length === 1 || !isCut) {
      this.#batchSize.learn(expected.length, words.length === 1 ? expected.length : held.length);
    }
    // Where the remote did not look for every word, there is no knowing what the words not held would have brought.
    const isHonoured = words.length === 1 || held.length >= expected.length / 2;
    const judged = { words, shares, size: results.length, total, isCut, isHonoured };
    const told = this.#tell(judged);
    const learned = words.map((word, i) => ({ ...judge(word, judged), ...(i === 0 && { told }) }));
    this.recall(learned, this.known);
    return learned;
  }

  /** Learns again what a question brought in an earlier run, when `known` stickers were known. */
  recall(asked: readonly AskedWord[], known: number): void {
    this.#asks += 1;
    this.#questions.add(questionOf(asked.map(({ word }) => word)));
    const told = asked[0]?.told;
    if (told !== undefined) {
      this.#estimator.seeNovelty(told);
      this.#estimator.seeListed(told.listed);
      if (told.saysTotal !== undefined && this.#saysTotals !== true) this.#saysTotals = told.saysTotal;
      if (told.survey !== undefined) this.#estimator.learn({ ...told.survey, known });
    }
    for (const { word: text, sort, found, fresh, done, complete = false } of asked) {
      if (found > 0 || done) this.#expected.learn(sort, { fresh, found });
      const word = this.#meet(text, 'seed');
      this.#drawable.delete(word);
      this.#change(word, () => {
        word.asked = done ? ASKS_MAX : word.asked + 1;
        word.isComplete ||= complete;
      });
    }
    if (told?.total !== undefined) this.#noteCut(asked, told.total);
    this.#reckoned = undefined;
  }

  /** Goes on with the width of questions that was found good in an earlier run. */
  resumeWidth(width: number): void {
    this.#batchSize.resume(width);
  }

  /** How many stickers the next request should bring that are not known yet. */
  expectNext(limit: number): number {
    const words = this.#pick(this.#rankedSorts(), limit);
    return Math.min(
      limit,
      sumOf(words, (word) => this.#expected.expect(sortOf(word), word.source).fresh),
    );
  }

  /** How many stickers there are in all; undefined while there is too little to tell. */
  estimate(): Estimate | undefined {
    // What lies behind cut lists cannot be guessed from what they show: the best is not a fair sample.
    if (this.#saysTotals === false) return undefined;
    this.#reckoned ??= { estimate: this.#estimator.estimate(this.known, this.#remainder()) };
    return this.#reckoned.estimate;
  }

  #remainder(): Remainder {
    return {
      untold: Math.max(0, this.#untold),
      behind: this.#cutLists.shareBehind() * this.#estimator.rarer,
    };
  }

  /** Words for a survey, when it is time for one; more often while the estimate is vague. */
  #draw(): string[] {
    const { low = 0, high = Infinity, total = 0 } = this.estimate() ?? {};
    const every = high - low < VAGUE * total ? SURVEY_SELDOM : SURVEY_EVERY;
    if (this.#asks % every !== every - 1) return [];
    const words = drawWords(this.#drawable, this.#asks, this.#batchSize.width).map(({ text }) => text);
    this.#drawn = questionOf(words);
    return words;
  }

  #tell({ words, shares, total, isCut, isHonoured }: Judged): Told {
    const isCountedAll = isHonoured && words.every(({ text }) => isCountable(text));
    const known = countTogether(words);
    // What a remote finds by something else than these words says nothing of them.
    const behind =
      isCut && isCountedAll && total !== undefined && known > 0 ? Math.max(known, total * shares.named) : undefined;
    const { rarer } = this.#estimator;
    const ratio = isCut ? behind && ratioBehind(words, { known, total: behind, rarer }) : ratioListed(shares.listed);
    const isSurvey = isHonoured && questionOf(words.map(({ text }) => text)) === this.#drawn;
    return {
      ...shares.novelty,
      listed: shares.listed,
      ...(behind !== undefined && { total: behind }),
      ...(isCut && { saysTotal: total !== undefined }),
      ...(isSurvey && ratio !== undefined && { survey: this.#surveyOf(words, ratio) }),
    };
  }

  #surveyOf(words: readonly Word[], ratio: number): Omit<Survey, 'known'> {
    const seen = sumOf(words, (word) => word.seen);
    return {
      total: this.#estimator.reckon(this.known, this.#remainder(), ratio),
      weight: weightOf(words.length, seen),
    };
  }

  #noteCut(asked: readonly AskedWord[], total: number): void {
    const words = asked.map(({ word }) => this.#meet(word, 'seed'));
    for (const word of words) this.#count(word, -1);
    this.#cutLists.add(words, total);
    for (const word of words) this.#count(word, 1);
  }

  #pick(sorts: readonly RankedSort[], limit: number): Word[] {
    const { width } = this.#batchSize;
    const chosen: Word[] = [];
    let found = 0;
    for (const { words, expected } of sorts) {
      for (const word of words) {
        if (chosen.length > 0 && (found + expected.found > limit * FILL || word.source === 'sign')) break;
        chosen.push(word);
        found += expected.found;
        if (chosen.length >= width || found >= limit || word.source === 'sign') return chosen;
      }
    }
    return chosen;
  }

  #rankedSorts(): RankedSort[] {
    return [...this.#waiting]
      .filter(([, words]) => words.size > 0)
      .map(([sort, words]) => {
        const [first] = words;
        return { sort, words, seen: first!.seen, expected: this.#expected.expect(sort, first!.source) };
      })
      .toSorted((a, b) => b.expected.fresh - a.expected.fresh || b.seen - a.seen || (a.sort < b.sort ? -1 : 1));
  }

  #meet(text: string, source: WordSource): Word {
    const known = this.#words.get(text);
    if (known !== undefined) return known;
    const kind = isSign(text) ? 'sign' : source;
    const word: Word = {
      text,
      source: kind,
      seen: 0,
      share: 0,
      stickers: [],
      lists: [],
      asked: 0,
      isComplete: false,
    };
    this.#words.set(text, word);
    this.#enter(word);
    return word;
  }

  #change(word: Word, change: () => void): void {
    const before = sortOf(word);
    this.#count(word, -1);
    change();
    this.#count(word, 1);
    if (sortOf(word) === before) return;
    this.#waiting.get(before)?.delete(word);
    this.#enter(word);
  }

  #count({ share, lists, isComplete }: Word, sign: 1 | -1): void {
    if (!isComplete && lists.length === 0) this.#untold += sign * share;
  }

  #enter(word: Word): void {
    if (word.asked >= ASKS_MAX) return;
    const sort = sortOf(word);
    const words = this.#waiting.get(sort) ?? new Set();
    this.#waiting.set(sort, words.add(word));
  }
}

interface RankedSort {
  readonly sort: string;
  readonly words: ReadonlySet<Word>;
  readonly seen: number;
  readonly expected: { readonly fresh: number; readonly found: number };
}

function judge({ text, ...word }: Word, { shares, size, total, isCut, isHonoured, words }: Judged): AskedWord {
  const { found, fresh } = shares.counts.get(text)!;
  // Of a cut answer the rest is guessed to be like what was shown, within reason.
  const scale = isCut && total !== undefined ? Math.min(3, total / Math.max(1, size)) : 1;
  const complete = !isCut && isHonoured;
  return {
    word: text,
    sort: sortOf(word),
    found: found * scale,
    fresh,
    done: words.length === 1 || complete,
    complete,
  };
}

/** Whether a sticker is known to have a word just where a remote would find it there: of longer ones parts are not kept. */
function isCountable(text: string): boolean {
  return /^\p{Script=Han}{1,2}$/u.test(text);
}

function questionOf(words: readonly string[]): string {
  return words.toSorted().join(' ');
}

/** Words of one sort are expected to bring the same. */
function sortOf({ source, seen, asked }: Pick<Word, 'source' | 'seen' | 'asked'>): string {
  const often = seen < 4 ? seen : Math.min(64, 2 ** Math.floor(Math.log2(seen)));
  return `${source} ${often} ${asked}`;
}
