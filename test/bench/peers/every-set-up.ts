// All peers: every set-up that was tried, and those that are worth the time of every run.

import { FLEXSEARCH } from './flex-search.js';
import { FTS5 } from './fts5.js';
import { MINISEARCH, MINISEARCH_DEFAULTS } from './mini-search.js';
import { ORAMA } from './orama.js';
import type { SetUp } from './peer.js';

/** Every set-up of every peer. */
export const EVERY_SET_UP: readonly SetUp[] = [
  MINISEARCH_DEFAULTS,
  ...MINISEARCH,
  ...ORAMA,
  ...FLEXSEARCH,
  ...FTS5,
];

export const KEPT_SET_UPS = EVERY_SET_UP;
