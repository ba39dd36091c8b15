// One engine's scores: svcd's, or those of a peer in the set-up that suits it best.

import type { SetUp } from '../peers/peer.js';
import type { Benchmark } from './benchmark-files.js';
import { scoreCopies, scoreQueries, type TrackFigures } from './metrics.js';
import { openSvcd } from './svcd.js';
import type { Scored } from './table.js';

/** Enough that ten are left when results of other sources are dropped. */
const LISTED = 2000;

/** svcd's scores: queries through search, copies through match. */
export function scoreSvcd(benchmark: Benchmark): Scored {
  const svcd = openSvcd(benchmark.library);
  const figures = [...scoreQueries(svcd.search, benchmark), ...scoreCopies(svcd.match, benchmark)];
  svcd.close();
  return { engine: 'svcd', setUp: 'titles and keywords as the service tells them', figures };
}

/** A peer's scores, each set-up tried: the best by nDCG@10 over all queries, and the best by hit@50 over the copies. */
export function scorePeer(setUps: readonly SetUp[], benchmark: Benchmark): Scored {
  const tried = setUps.map((setUp) => {
    const peer = setUp.open(benchmark.library);
    const rank = (text: string) => peer.rank(text, LISTED);
    const scored = {
      name: setUp.name,
      queries: scoreQueries(rank, benchmark),
      copies: scoreCopies(rank, benchmark),
    };
    peer.close();
    return scored;
  });
  const forQueries = best(tried, ({ queries }) => queries.find(({ track }) => track === 'ALL')?.ndcg ?? 0);
  const forCopies = best(tried, ({ copies }) => hits(copies));
  const setUp =
    forQueries === forCopies ? forQueries.name : `queries: ${forQueries.name}; copies: ${forCopies.name}`;
  return { engine: setUps[0]?.engine ?? '', setUp, figures: [...forQueries.queries, ...forCopies.copies] };
}

function hits(copies: readonly TrackFigures[]): number {
  return copies.reduce((sum, { n, hit50 = 0 }) => sum + n * hit50, 0);
}

function best<T>(of: readonly T[], score: (one: T) => number): T {
  return of.reduce((a, b) => (score(b) > score(a) ? b : a));
}
