// Which words to ask the remote next, so that each request brings the most stickers not seen before. Words come
// from what was seen already: titles, keywords, their characters and pairs of characters. Knows nothing of
// requests, rates or files.

import { Breadth } from './breadth.js';
import { Estimator, type CutWord, type Estimate } from './estimate.js';
import { tallyByWord, type HarvestedSticker } from './tally-by-word.js';
import {
  askableWords,
  countedWords,
  isSign,
  plainWord,
  wordsOf,
  type SeenSticker,
  type WordSource,
} from './words-of.js';
import { Yields } from './yields.js';

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
  readonly knownShare: number;
  readonly freshShare: number;
  /** Whether there is no use in asking it again. */
  readonly done: boolean;
  /** Whether it finds more than was listed when it was asked alone. */
  readonly cut: boolean;
  /** All that it finds, where it was asked alone and not all was listed. */
  readonly total?: number | undefined;
}

interface Word {
  readonly text: string;
  readonly source: WordSource;
  /** Known stickers that have it. */
  seen: number;
  /** Shares of those that count it: each sticker is 1, spread evenly over the words that count for it. */
  share: number;
  /** Answers that left out some of what the word finds. */
  asked: number;
  total: number | undefined;
}

const ASKS_MAX = 3;
/** A little more than an answer holds: expectations run high. */
const FILL = 1.1;
/** One question of so many is asked for the sake of the estimate. */
const SURVEY_EVERY = 8;
/** Answers that an estimate is averaged over, fewer in the beginning. */
const STEADY = 16;

/** The words worth asking. Same history, same choice. */
export class Frontier {
  readonly #words = new Map<string, Word>();
  readonly #waiting = new Map<string, Set<Word>>();
  readonly #shares = new Map<string, number>();
  readonly #cut = new Set<Word>();
  readonly #presets = new Set<string>();
  readonly #questions = new Set<string>();
  readonly #yields = new Yields();
  readonly #estimator = new Estimator();
  readonly #breadth = new Breadth();
  #asks = 0;
  #shown: Estimate | undefined;

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
    const own = wordsOf(sticker);
    const counted = countedWords(own);
    const share = 1 / Math.max(1, counted.size);
    let novel = 0;
    for (const [text, source] of own) {
      const word = this.#meet(text, source);
      const part = counted.has(text) ? share : 0;
      if (word.seen === 0) novel += part;
      this.#change(word, () => {
        word.seen += 1;
        word.share += part;
      });
    }
    if (counted.size > 0) this.#estimator.see(counted.size, novel);
  }

  /** Words for one request that may return `limit` stickers; none when nothing is left to ask. Asking again gives the same. */
  next(limit: number): string[] {
    const isSurvey = this.#asks % SURVEY_EVERY === SURVEY_EVERY - 1;
    const sorts = isSurvey ? this.#leastTold() : this.#rankedSorts();
    const words = this.#pick(sorts, limit).map(({ text }) => text);
    // A list that was cut stays as it is, however often the same words are asked together.
    while (words.length > 1 && this.#questions.has(questionOf(words))) words.pop();
    return words;
  }

  /** Learns what asking these words brought; the stickers themselves are shown to `see` afterwards. */
  learn(texts: readonly string[], { results, total, limit }: Harvested): AskedWord[] {
    const words = texts.map((text) => this.#meet(plainWord(text), 'seed'));
    const isCut = total === undefined ? results.length >= limit : total > results.length;
    const tallies = tallyByWord(
      words.map(({ text }) => text),
      results,
    );
    const expected = words.filter(({ seen, source }) => seen > 0 && source !== 'sign');
    const held = expected.filter(({ text }) => tallies.get(text)!.named > 0);
    if (words.length > 1 && !isCut) this.#breadth.learn(expected.length, held.length);
    if (words.length === 1) this.#breadth.learn(expected.length, expected.length);
    // Where the remote did not look for every word, nobody knows what those not held would have brought.
    const isHonoured = words.length === 1 || held.length >= expected.length / 2;
    const asked = words.map((word) =>
      this.#judge(word, tallies, { isCut, isHonoured, isAlone: words.length === 1, total, results }),
    );
    this.recall(asked, this.known);
    return asked;
  }

  /** Learns again what a question brought in an earlier run, when `known` stickers were known. */
  recall(asked: readonly AskedWord[], known: number): void {
    this.#asks += 1;
    this.#questions.add(questionOf(asked.map(({ word }) => word)));
    for (const { word: text, sort, found, fresh, knownShare, freshShare, done, cut, total } of asked) {
      if (found > 0 || done) this.#yields.learn(sort, { fresh, found });
      if (knownShare + freshShare > 0) this.#estimator.learn({ sort, knownShare, freshShare }, known);
      const word = this.#meet(text, 'seed');
      this.#change(word, () => {
        word.asked = done ? ASKS_MAX : word.asked + 1;
        word.total = total;
      });
      if (cut) this.#cut.add(word);
    }
    const over = Math.min(STEADY, Math.max(1, this.#asks / STEADY));
    this.#shown = steadied(this.#shown, this.#estimateNow(), over);
  }

  /** Goes on with the width of questions that was found good in an earlier run. */
  resumeWidth(width: number): void {
    this.#breadth.resume(width);
  }

  /** How many stickers the next request should bring that are not known yet. */
  expectNext(limit: number): number {
    const fresh = this.#pick(this.#rankedSorts(), limit).map(
      (word) => this.#yields.expect(sortOf(word), word.source).fresh,
    );
    return Math.min(
      limit,
      fresh.reduce((sum, one) => sum + one, 0),
    );
  }

  /** How many stickers there are in all, averaged over the last answers; undefined while nobody can say. */
  estimate(): Estimate | undefined {
    if (this.#shown === undefined) return undefined;
    const { total, low, high } = this.#shown;
    return {
      total: Math.max(total, this.known),
      low: Math.max(low, this.known),
      high: Math.max(high, this.known),
    };
  }

  #estimateNow(): Estimate | undefined {
    const waiting = [...this.#shares].map(([sort, share]) => ({ sort, share }));
    const cut = [...this.#cut].map(({ total, seen, share }): CutWord => ({ total, seen, share }));
    return this.#estimator.estimate(this.known, waiting, cut);
  }

  #judge(
    word: Word,
    tallies: ReturnType<typeof tallyByWord>,
    answer: {
      isCut: boolean;
      isHonoured: boolean;
      isAlone: boolean;
      total: number | undefined;
      results: readonly unknown[];
    },
  ): AskedWord {
    const { isCut, isAlone, isHonoured, total, results } = answer;
    const { found, fresh, knownShare, freshShare } = tallies.get(word.text)!;
    // Of a cut answer the rest is guessed to be like what was shown, within reason.
    const scale = isCut && total !== undefined ? Math.min(3, total / Math.max(1, results.length)) : 1;
    const shares = isCut ? sharesBehind(word, isAlone ? total : undefined) : { knownShare, freshShare };
    return {
      word: word.text,
      sort: sortOf(word),
      found: found * scale,
      fresh,
      ...(isHonoured ? shares : NO_SHARES),
      done: isAlone || (!isCut && isHonoured),
      cut: isAlone && isCut,
      ...(isAlone && isCut && total !== undefined ? { total } : {}),
    };
  }

  #pick(sorts: readonly RankedSort[], limit: number): Word[] {
    const { width } = this.#breadth;
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
        return { sort, words, seen: first!.seen, expected: this.#yields.expect(sort, first!.source) };
      })
      .toSorted(
        (a, b) => b.expected.fresh - a.expected.fresh || b.seen - a.seen || (a.sort < b.sort ? -1 : 1),
      );
  }

  /** The sort that hides most of what the estimate does not know, then the others. */
  #leastTold(): RankedSort[] {
    const want = ({ sort }: RankedSort) =>
      (this.#shares.get(sort) ?? 0) / (1 + this.#estimator.countWitnesses(sort));
    return this.#rankedSorts().toSorted((a, b) => want(b) - want(a));
  }

  #meet(text: string, source: WordSource): Word {
    const known = this.#words.get(text);
    if (known !== undefined) return known;
    const kind = isSign(text) ? 'sign' : source;
    const word: Word = { text, source: kind, seen: 0, share: 0, asked: 0, total: undefined };
    this.#words.set(text, word);
    this.#enter(word);
    return word;
  }

  #change(word: Word, change: () => void): void {
    const before = sortOf(word);
    this.#addShare(word, -1);
    change();
    this.#addShare(word, 1);
    if (sortOf(word) === before) return;
    this.#waiting.get(before)?.delete(word);
    this.#enter(word);
  }

  #addShare(word: Word, sign: 1 | -1): void {
    if (word.asked >= ASKS_MAX) return;
    const sort = sortOf(word);
    this.#shares.set(sort, (this.#shares.get(sort) ?? 0) + sign * word.share);
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

const NO_SHARES = { knownShare: 0, freshShare: 0 };

/** A cut answer shows the best, not a fair sample: only its total is a witness. */
function sharesBehind({ seen, share }: Word, total: number | undefined) {
  if (total === undefined || seen === 0) return NO_SHARES;
  return { knownShare: share, freshShare: (Math.max(0, total - seen) * share) / seen };
}

function questionOf(words: readonly string[]): string {
  return words.toSorted().join(' ');
}

/** A new estimate counts for a part only: what a person watches must not jump with each answer. */
function steadied(
  shown: Estimate | undefined,
  now: Estimate | undefined,
  over: number,
): Estimate | undefined {
  if (shown === undefined || now === undefined) return now;
  const step = (from: number, to: number) => from + (to - from) / over;
  return {
    total: step(shown.total, now.total),
    low: step(shown.low, now.low),
    high: step(shown.high, now.high),
  };
}

/** Words of one sort are expected to bring the same. */
function sortOf({ source, seen, asked }: Word): string {
  const often = seen < 4 ? seen : Math.min(64, 2 ** Math.floor(Math.log2(seen)));
  return `${source} ${often} ${asked}`;
}
