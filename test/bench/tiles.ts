// A page of /svcd/tiles against the same page of /svcd/search: of queries, of filters, and deep in a list. Tiles also say what may
// be looked at, what is being bought, why a sticker was found and how many others show the same.

import { makeQueries } from './questions.js';
import { median, rowOf, type Row } from './report.js';
import { startSvcd } from './start-server.js';
import type { Workbench } from './workbench.js';

const ROUNDS = 400;
/** The largest page of /svcd/search. */
const LIMIT = 50;

/** Measures tiles on a home that was started before. */
export async function benchTiles(bench: Workbench, home: string): Promise<Row[]> {
  const svcd = await startSvcd(bench, home);
  const ask = async (path: string, query: string) => {
    const since = performance.now();
    const answer = await fetch(`${svcd.url}${path}?limit=${LIMIT}&${query}`);
    if (!answer.ok) throw new Error(`${path}?${query} was answered with ${answer.status}`);
    await answer.arrayBuffer();
    return performance.now() - since;
  };
  const compare = async (name: string, queryOf: (round: number) => string): Promise<Row> => {
    const [ours, against]: [number[], number[]] = [[], []];
    for (let round = 0; round < 2 * ROUNDS; round++) {
      const query = queryOf(round);
      // They take turns at being first, so that neither finds what the other has read.
      const order = [['/svcd/tiles', ours] as const, ['/svcd/search', against] as const];
      for (const [path, times] of round % 2 === 0 ? order : order.toReversed()) {
        const ms = await ask(path, query);
        // The first rounds meet cold code.
        if (round >= ROUNDS) times.push(ms);
      }
    }
    const row = { name, better: 'lower', unit: 'ms', peer: '/svcd/search' } as const;
    return rowOf({ ...row, ours: median(ours), against: median(against) });
  };
  const queries = makeQueries(2 * ROUNDS).map((query) => `q=${encodeURIComponent(query)}`);
  const rows = [
    await compare('tiles of a query', (round) => queries[round] ?? ''),
    await compare(
      'tiles of a filter',
      (round) => `max_duration=${1 + (round % 20) / 10}&offset=${LIMIT * (round % 20)}`,
    ),
    await compare('tiles far down', (round) => `aspect=square&offset=${5000 + LIMIT * (round % 80)}`),
  ];
  await svcd.stop();
  return rows;
}
