// MiniSearch: as it comes, and with what helps it most.

import MiniSearch, { type Options, type SearchOptions } from 'minisearch';
import { BIGRAM_QUERIES, JIEBA_AND_UNIGRAMS, UNIGRAMS_AND_BIGRAMS, WITH_WHOLES } from './cut.js';
import type { Peer, SetUp, Text } from './peer.js';

interface Document {
  readonly id: number;
  readonly title: string;
  readonly keywords: string;
}

const isLatin = (term: string) => /^[a-z]{3,}$/.test(term);
// Without the bonus that MiniSearch gives every match, which suits long texts.
const BM25 = { k: 1.2, b: 0.75, d: 0 };
const BEST: SearchOptions = {
  boost: { title: 2, keywords: 1 },
  bm25: BM25,
  prefix: isLatin,
  fuzzy: (term) => (isLatin(term) ? 0.2 : false),
};

/** MiniSearch without any option. */
export const MINISEARCH_DEFAULTS: SetUp = {
  engine: 'minisearch-defaults',
  name: 'no options',
  open: (texts) => openMiniSearch(texts, {}, {}),
};

/** MiniSearch with tokenisers, boosts, and prefix and fuzzy for Latin words. */
export const MINISEARCH: readonly SetUp[] = [WITH_WHOLES, UNIGRAMS_AND_BIGRAMS, JIEBA_AND_UNIGRAMS, BIGRAM_QUERIES].map(
  (cut) => ({
    engine: 'minisearch',
    name: `${cut.name}, boosts, prefix and fuzzy for Latin`,
    open: (texts) =>
      openMiniSearch(texts, { tokenize: cut.index, processTerm: (term) => term }, { ...BEST, tokenize: cut.query }),
  }),
);

function openMiniSearch(
  texts: readonly Text[],
  options: Partial<Options<Document>>,
  searchOptions: SearchOptions,
): Peer {
  const engine = new MiniSearch<Document>({ fields: ['title', 'keywords'], ...options, searchOptions });
  engine.addAll(texts.map(({ title, keywords }, id) => ({ id, title, keywords: keywords.join('\n') })));
  return {
    rank: (text, limit) =>
      engine
        .search(text)
        .slice(0, limit)
        .map(({ id }) => texts[id as number]!.preset),
    close: () => engine.removeAll(),
  };
}
