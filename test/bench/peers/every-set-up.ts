// All peers: every set-up that was tried, and of each peer the one that was best at queries and at copies.

import { FLEXSEARCH } from './flex-search.js';
import { FTS5 } from './fts5.js';
import { MINISEARCH, MINISEARCH_DEFAULTS } from './mini-search.js';
import { ORAMA } from './orama.js';
import type { SetUp } from './peer.js';

/** Set-ups to score queries with, and copies. */
export interface SetUps {
  readonly queries: readonly SetUp[];
  readonly copies: readonly SetUp[];
}

const ALL: readonly SetUp[] = [MINISEARCH_DEFAULTS, ...MINISEARCH, ...ORAMA, ...FLEXSEARCH, ...FTS5];
const WHOLES = /^unigrams, bigrams and wholes/;
const PAIRS = /^unigrams and bigrams(?!, queries)(?!, in context)/;
const JIEBA = /^jieba and unigrams(?!, in context)/;

/** Everything that was tried; takes a quarter of an hour. */
export const EVERY_SET_UP: SetUps = { queries: ALL, copies: ALL };

/** The best of each, as the run of all found them. */
export const BEST_SET_UPS: SetUps = {
  queries: [
    MINISEARCH_DEFAULTS,
    ...[...MINISEARCH, ...ORAMA, ...FTS5].filter(({ name }) => WHOLES.test(name)),
    ...FLEXSEARCH.filter(({ name }) => JIEBA.test(name)),
  ],
  copies: [
    MINISEARCH_DEFAULTS,
    ...[...MINISEARCH, ...FLEXSEARCH, ...FTS5].filter(({ name }) => PAIRS.test(name)),
    ...ORAMA.filter(({ name }) => JIEBA.test(name)),
  ],
};
