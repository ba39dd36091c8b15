// A remote as an exchanger: stickers found by the words they hold, without a socket.

import type { Exchange, RemoteRequest } from '../../src/upstream/exchange.js';

export interface WordSticker {
  readonly preset: string;
  readonly title: string;
  readonly keywords: readonly string[];
}

interface Chance {
  next(): number;
}

/** The answer to a search: stickers that hold any of the words, those with the most first. */
export function findByWords(stickers: readonly WordSticker[], words: readonly string[], limit: number) {
  const hits = stickers
    .map((sticker) => {
      const texts = [sticker.title, ...sticker.keywords];
      return { sticker, score: words.filter((word) => texts.some((text) => text.includes(word))).length };
    })
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score);
  return { total: hits.length, results: hits.slice(0, limit).map(({ sticker }) => sticker) };
}

/** Answers a search for them. */
export function answerSearch(stickers: readonly WordSticker[], { path }: RemoteRequest): Exchange {
  const { searchParams } = new URL(path, 'http://remote');
  const words = (searchParams.get('q') ?? '').split(/\s+/).filter(Boolean);
  const body = findByWords(stickers, words, Number(searchParams.get('limit')));
  return { kind: 'answer', status: 200, headers: {}, bytes: new TextEncoder().encode(JSON.stringify(body)) };
}

/** Stickers named by chance: characters of `alphabet`, common ones more often, as in a language. */
export function inventStickers(count: number, alphabet: number, random: Chance): WordSticker[] {
  const character = () => String.fromCodePoint(0x4e00 + Math.floor(alphabet * random.next() ** 2));
  const word = () => character() + character();
  return Array.from({ length: count }, (_, i) => ({
    preset: `invented/${i}`,
    title: word(),
    keywords: Array.from({ length: 2 + Math.floor(3 * random.next()) }, word),
  }));
}
