// From starting the process to the first answer: svcd on a home that was started before, and on an empty one, against bare
// hono giving out the same answer; and the first start against a later one.

import { median, rowOf, type Row } from './report.js';
import { startBareHono, startSvcd, type Server } from './start-server.js';
import type { Workbench } from './workbench.js';

const SEARCH = `/api/v1/stickers/search?q=${encodeURIComponent('生日')}`;
const PAIRS = 7;
const FIRST_PAIRS = 5;

/** How starts are measured, for people. */
export const HOW_STARTED = `${PAIRS} pairs of starts (${FIRST_PAIRS} on an empty home), the median`;

/** Measures starts; `home` was started before. */
export async function benchColdStart(bench: Workbench, home: string): Promise<Row[]> {
  const bare = [await readAnswer(bench, home)];
  const startBare = () => startBareHono(bench, bare);
  const again = await raceStarts(PAIRS, () => startSvcd(bench, home), startBare);
  const startFirst = () => startSvcd(bench, bench.makeFolder('home'));
  const first = await raceStarts(FIRST_PAIRS, startFirst, startBare);
  const beside = await raceStarts(FIRST_PAIRS, startFirst, () => startSvcd(bench, home));
  const row = { better: 'lower', unit: 'ms', peer: 'bare hono that reads one answer from a file' } as const;
  return [
    rowOf({ name: 'cold start to the first search', ...again, ...row }),
    rowOf({ name: 'the very first start, on an empty home', ...first, ...row }),
    rowOf({ name: 'the very first start beside a later one', ...beside, ...row, peer: 'svcd, started before' }),
  ];
}

async function readAnswer(bench: Workbench, home: string): Promise<string> {
  const svcd = await startSvcd(bench, home);
  const answer = await (await fetch(svcd.url + SEARCH)).text();
  await svcd.stop();
  return answer;
}

type Start = () => Promise<Server>;

async function raceStarts(pairs: number, ours: Start, against: Start) {
  const times = { ours: [] as number[], against: [] as number[] };
  for (let pair = 0; pair < pairs; pair++) {
    times.ours.push(await timeStart(ours));
    times.against.push(await timeStart(against));
  }
  return { ours: median(times.ours), against: median(times.against) };
}

async function timeStart(start: Start): Promise<number> {
  const startedAt = performance.now();
  const server = await start();
  const response = await fetch(server.url + SEARCH);
  await response.text();
  const ms = performance.now() - startedAt;
  if (response.status !== 200) throw new Error(`the first search was answered with ${response.status}`);
  await server.stop();
  return ms;
}
