// Which words to ask the remote next, so that each request brings the most stickers not seen before. Words come
// from what was seen already: titles, keywords, their characters and pairs of characters. Knows nothing of
// requests, rates or files.

import { Yields, type WordSource } from './yields.js';

/** What the frontier learns words from; keywords are missing in a thin record. */
export interface SeenSticker {
  readonly title: string;
  readonly keywords?: readonly string[] | undefined;
}

/** What an answer brought. */
export interface Harvested {
  readonly results: readonly (SeenSticker & { readonly fresh: boolean })[];
  /** How many stickers match, as the remote says; undefined when it does not. */
  readonly total: number | undefined;
  /** The most that one answer holds. */
  readonly limit: number;
}

interface Word {
  readonly text: string;
  readonly source: WordSource;
  /** Known stickers that have it in title or keywords. */
  seen: number;
  /** Answers that left out some of what the word finds. */
  asked: number;
}

const ASKS_MAX = 3;
const WORD_MAX = 64;
/** A little more than an answer holds: expectations run high. */
const FILL = 1.1;
const HAN = /\p{Script=Han}/u;

/** The words worth asking. Same history, same choice. */
export class Frontier {
  readonly #words = new Map<string, Word>();
  readonly #waiting = new Map<string, Set<Word>>();
  readonly #yields = new Yields();

  constructor(seeds: Iterable<string>) {
    for (const seed of seeds) this.#meet(seed, 'seed');
  }

  /** Takes in the words of a sticker that was not known, or known without keywords. */
  see(sticker: SeenSticker): void {
    for (const [text, source] of wordsOf(sticker)) {
      const word = this.#meet(text, source);
      if (word === undefined) continue;
      this.#move(word, () => (word.seen += 1));
    }
  }

  /** Forgets about a word that was asked to its end in an earlier run. */
  markDone(text: string): void {
    const word = this.#words.get(normalise(text));
    if (word !== undefined) this.#move(word, () => (word.asked = ASKS_MAX));
  }

  /** At most `width` words for one request that may return `limit` stickers; none when nothing is left to ask. */
  next(width: number, limit: number): string[] {
    const chosen: Word[] = [];
    let found = 0;
    for (const { words, expected } of this.#rankedSorts()) {
      for (const word of words) {
        if (chosen.length > 0 && found + expected.found > limit * FILL) break;
        chosen.push(word);
        found += expected.found;
        if (chosen.length >= width || found >= limit) return chosen.map(({ text }) => text);
      }
    }
    return chosen.map(({ text }) => text);
  }

  /** Learns what asking these words brought; the stickers themselves are shown to `see` afterwards. */
  learn(texts: readonly string[], { results, total, limit }: Harvested): void {
    const words = texts.flatMap((text) => this.#words.get(normalise(text)) ?? []);
    const isCut = total === undefined ? results.length >= limit : total > results.length;
    // Of a cut answer the rest is guessed to be like what was shown, within reason.
    const scale = isCut && total !== undefined ? Math.min(3, total / Math.max(1, results.length)) : 1;
    const shown = tallyByWord(texts.map(normalise), results);
    for (const word of words) {
      const { found, fresh } = shown.get(word.text) ?? { found: 0, fresh: 0 };
      this.#yields.learn(sortOf(word), { fresh, found: found * scale });
      this.#move(word, () => (word.asked = isCut && words.length > 1 ? word.asked + 1 : ASKS_MAX));
    }
  }

  /** How many stickers the next request should bring that are not known yet. */
  expectNext(width: number, limit: number): number {
    const fresh = this.next(width, limit).map((text) => {
      const word = this.#words.get(text)!;
      return this.#yields.expect(sortOf(word), word.source).fresh;
    });
    return Math.min(
      limit,
      fresh.reduce((sum, one) => sum + one, 0),
    );
  }

  #rankedSorts() {
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

  #meet(raw: string, source: WordSource): Word | undefined {
    const text = normalise(raw);
    if (text === '' || text.length > WORD_MAX) return undefined;
    const known = this.#words.get(text);
    if (known !== undefined) return known;
    const word: Word = { text, source, seen: 0, asked: 0 };
    this.#words.set(text, word);
    this.#place(word);
    return word;
  }

  #move(word: Word, change: () => void): void {
    const before = sortOf(word);
    change();
    const after = sortOf(word);
    if (before === after) return;
    this.#waiting.get(before)?.delete(word);
    this.#place(word);
  }

  #place(word: Word): void {
    if (word.asked >= ASKS_MAX) return;
    const sort = sortOf(word);
    const words = this.#waiting.get(sort) ?? new Set();
    this.#waiting.set(sort, words.add(word));
  }
}

/** Words of one sort are expected to bring the same. */
function sortOf({ source, seen, asked }: Word): string {
  const often = seen >= 16 ? 16 : seen >= 8 ? 8 : Math.min(seen, 4);
  return `${source} ${often} ${asked}`;
}

/** A result counts for each word it has; one that has none of them (a synonym's) is shared among all. */
function tallyByWord(words: readonly string[], results: Harvested['results']) {
  const tallies = new Map(words.map((word) => [word, { found: 0, fresh: 0 }]));
  for (const { title, keywords = [], fresh } of results) {
    const texts = [title, ...keywords].map(normalise);
    const hit = words.filter((word) => texts.some((text) => text.includes(word)));
    const sharers = hit.length > 0 ? hit : words;
    const share = hit.length > 0 ? 1 : 1 / words.length;
    for (const word of sharers) {
      const tally = tallies.get(word)!;
      tally.found += share;
      if (fresh) tally.fresh += share;
    }
  }
  return tallies;
}

function wordsOf({ title, keywords = [] }: SeenSticker): Map<string, WordSource> {
  const words = new Map<string, WordSource>();
  const add = (text: string, source: WordSource) => {
    const word = normalise(text);
    if (!words.has(word)) words.set(word, source);
  };
  add(title, 'title');
  for (const keyword of keywords) add(keyword, 'keyword');
  for (const text of [title, ...keywords]) {
    const characters = Array.from(normalise(text));
    characters.forEach((character, at) => {
      if (!HAN.test(character)) return;
      add(character, 'character');
      const next = characters[at + 1];
      if (next !== undefined && characters.length > 2 && HAN.test(next)) add(character + next, 'pair');
    });
  }
  return words;
}

function normalise(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase().replace(/\s+/gu, ' ');
}
