// Search requests a second, of one query and many that were asked before and of more queries than are remembered,
// against bare hono giving out the same answers.

import { makeQueries } from './questions.js';
import { rowOf, type Row } from './report.js';
import { startBareHono, startSvcd } from './start-server.js';
import { missingWrk, raceServers, type Load } from './wrk.js';
import type { Workbench } from './workbench.js';

// src/operations/search/search-stickers.ts remembers all of these.
const MANY = 2000;
// About twice what it remembers: asked in turn, none is found there.
const TOO_MANY = 8000;

/** Measures search on a home that was started before. */
export async function benchSearch(bench: Workbench, home: string): Promise<Row[]> {
  return [
    await measure(bench, home, 'search, one query', ['生日']),
    await measure(bench, home, 'search, 2,000 queries, remembered', makeQueries(MANY)),
    await measure(bench, home, 'search, 8,000 queries, not remembered', makeQueries(TOO_MANY)),
  ];
}

async function measure(bench: Workbench, home: string, name: string, queries: readonly string[]): Promise<Row> {
  const skipped = missingWrk();
  if (skipped !== undefined) return { name, skipped };
  const svcd = await startSvcd(bench, home);
  const lines = queries.map((query) => `/api/v1/stickers/search?q=${encodeURIComponent(query)}`);
  const load: Load = { kind: 'paths', lines, headers: { Authorization: `Bearer ${svcd.token}` } };
  const texts: string[] = [];
  for (const path of lines) texts.push(await (await fetch(svcd.url + path)).text());
  const bare = await startBareHono(bench, texts);
  const [ours = 0, against = 0] = await raceServers(bench, [svcd, bare], load);
  await Promise.all([svcd.stop(), bare.stop()]);
  return rowOf({
    name,
    ours,
    against,
    better: 'higher',
    unit: 'requests/s',
    peer: 'bare hono, which gives the same answers in turn',
  });
}
