// One engine's scores: svcd's, or those of a peer in the set-up that suits it best.

import type { SetUps } from '../peers/every-set-up.js';
import type { SetUp } from '../peers/peer.js';
import type { Benchmark } from './benchmark-files.js';
import { scoreCopies, scoreQueries, type Rank, type TrackFigures } from './metrics.js';
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

/** A peer's scores: of the set-ups given, the best by nDCG@10 over all queries, and the best by hit@50 over the copies. */
export function scorePeer(engine: string, setUps: SetUps, benchmark: Benchmark): Scored {
  const queries = best(
    setUps.queries.filter((setUp) => setUp.engine === engine).map((setUp) => scoreWith(setUp, benchmark, scoreQueries)),
    (figures) => figures.find(({ track }) => track === 'ALL')?.ndcg ?? 0,
  );
  const copies = best(
    setUps.copies.filter((setUp) => setUp.engine === engine).map((setUp) => scoreWith(setUp, benchmark, scoreCopies)),
    hits,
  );
  const setUp = queries.name === copies.name ? queries.name : `queries: ${queries.name}; copies: ${copies.name}`;
  return { engine, setUp, figures: [...queries.figures, ...copies.figures] };
}

interface Tried {
  readonly name: string;
  readonly figures: readonly TrackFigures[];
}

function scoreWith(
  setUp: SetUp,
  benchmark: Benchmark,
  score: (rank: Rank, benchmark: Benchmark) => TrackFigures[],
): Tried {
  const peer = setUp.open(benchmark.library);
  const figures = score((text) => peer.rank(text, LISTED), benchmark);
  peer.close();
  return { name: setUp.name, figures };
}

function hits(copies: readonly TrackFigures[]): number {
  return copies.reduce((sum, { n, hit50 = 0 }) => sum + n * hit50, 0);
}

function best(tried: readonly Tried[], score: (figures: readonly TrackFigures[]) => number): Tried {
  return tried.reduce((a, b) => (score(b.figures) > score(a.figures) ? b : a));
}
