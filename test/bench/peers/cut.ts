// The ways to cut Chinese text into terms that are tried with the peers. None of them is svcd's own.

import { Jieba } from '@node-rs/jieba';
import { dict } from '@node-rs/jieba/dict.js';

/** How text becomes terms when indexing (keywords stand on lines of their own), and when asking. */
export interface Cut {
  readonly name: string;
  readonly index: (text: string) => string[];
  readonly query: (text: string) => string[];
}

const RUNS = /\p{Script=Han}+|[\p{L}\p{N}]+/gu;
const HAN = /\p{Script=Han}/u;

/** Single characters and pairs of Han, words of everything else. */
export const UNIGRAMS_AND_BIGRAMS: Cut = both('unigrams and bigrams', (run) => {
  const characters = Array.from(run);
  return characters.flatMap((one, at) => [one, ...pairAt(characters, at)]);
});

/** The same in the index, and pairs alone in the query, where it has any. */
export const BIGRAM_QUERIES: Cut = {
  name: 'unigrams and bigrams, queries as bigrams',
  index: UNIGRAMS_AND_BIGRAMS.index,
  query: (text) =>
    terms(text, (run) => {
      const characters = Array.from(run);
      return characters.length === 1 ? characters : characters.flatMap((_, at) => pairAt(characters, at));
    }),
};

/** Unigrams and bigrams, and each title, keyword and query as a term of its own, so that exactness counts. */
export const WITH_WHOLES: Cut = {
  name: 'unigrams, bigrams and wholes',
  index: (text) => [...wholes(text.split('\n')), ...UNIGRAMS_AND_BIGRAMS.index(text)],
  query: (text) => [...new Set([...wholes([text, ...text.split(/[\s、，,]+/)]), ...UNIGRAMS_AND_BIGRAMS.query(text)])],
};

const jieba = once(() => Jieba.withDict(dict));

/** jieba's words as for a search engine, and single characters beside them. */
export const JIEBA_AND_UNIGRAMS: Cut = both('jieba and unigrams', (run) => [
  ...new Set([...jieba().cutForSearch(run, true), ...Array.from(run)]),
]);

const segmenter = once(() => new Intl.Segmenter('zh', { granularity: 'word' }));

/** What the platform takes for words: the recipe of several engines for Chinese. */
export const SEGMENTER: Cut = both('Intl.Segmenter', (run) =>
  Array.from(segmenter().segment(run), ({ segment }) => segment),
);

function both(name: string, cutHan: (run: string) => string[]): Cut {
  const cut = (text: string) => terms(text, cutHan);
  return { name, index: cut, query: cut };
}

// A mark of letters, because some engines cut at everything else.
function wholes(texts: readonly string[]): string[] {
  const plain = texts.map((text) =>
    text
      .normalize('NFKC')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ''),
  );
  return [...new Set(plain.filter((text) => text !== ''))].map((text) => `zz${text}`);
}

function terms(text: string, cutHan: (run: string) => string[]): string[] {
  const runs = text.normalize('NFKC').toLowerCase().match(RUNS) ?? [];
  return runs.flatMap((run) => (HAN.test(run) ? cutHan(run) : [run]));
}

function pairAt(characters: readonly string[], at: number): string[] {
  const next = characters[at + 1];
  return next === undefined ? [] : [`${characters[at]}${next}`];
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
