// Match requests a second, of a copy that was asked before and of more copies than are remembered, against
// bare hono that reads the body and gives out the same answers.

import { makeCopies } from './questions.js';
import { rowOf, type Row } from './report.js';
import { startBareHono, startSvcd } from './start-server.js';
import { missingWrk, raceServers, type Load } from './wrk.js';
import type { Workbench } from './workbench.js';

const PATH = '/api/v1/stickers/match';
// More than twice what src/operations/search/match-stickers.ts remembers: asked in turn, none is found there.
const MANY = 2500;

/** Measures match on a home that was started before. */
export async function benchMatch(bench: Workbench, home: string): Promise<Row[]> {
  const copies = makeCopies(MANY);
  return [
    await measure(bench, home, 'match, one copy', copies.slice(0, 1)),
    await measure(bench, home, 'match, many copies', copies),
  ];
}

async function measure(bench: Workbench, home: string, name: string, copies: readonly string[]): Promise<Row> {
  const skipped = missingWrk();
  if (skipped !== undefined) return { name, skipped };
  const svcd = await startSvcd(bench, home);
  const headers = { Authorization: `Bearer ${svcd.token}`, 'Content-Type': 'application/json' };
  const lines = copies.map((text) => JSON.stringify({ text }));
  const load: Load = { kind: 'bodies', lines, path: PATH, headers };
  const texts: string[] = [];
  for (const body of lines) {
    texts.push(await (await fetch(svcd.url + PATH, { method: 'POST', headers, body })).text());
  }
  const bare = await startBareHono(bench, texts);
  const [ours = 0, against = 0] = await raceServers(bench, [svcd, bare], load);
  await Promise.all([svcd.stop(), bare.stop()]);
  return rowOf({
    name,
    ours,
    against,
    better: 'higher',
    unit: 'requests/s',
    peer: 'bare hono, which reads the body and gives the same answers in turn',
  });
}
