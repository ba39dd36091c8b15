// npm run bench [-- --json] [-- NAME…]: svcd beside what a machine can do, in one run, in about two and a half
// minutes. Times hold for this machine and this moment; the ratios are what can be compared.

import { loadavg } from 'node:os';
import { type Choice, readChoice } from './choice.js';
import { benchColdStart, HOW_STARTED } from './cold-start.js';
import { benchMatch } from './match.js';
import { benchMemory } from './memory.js';
import { benchOwnedSticker } from './owned-sticker.js';
import { benchPlan } from './plan.js';
import { benchPrefetch } from './prefetch.js';
import { tableOf, type Row } from './report.js';
import { benchSearch } from './search.js';
import { startSvcd } from './start-server.js';
import { openWorkbench, type Workbench } from './workbench.js';
import { HOW_LOADED } from './wrk.js';

const BENCHMARKS: Readonly<Record<string, (bench: Workbench, home: string) => Promise<Row[]>>> = {
  search: benchSearch,
  match: benchMatch,
  plan: benchPlan,
  'owned-sticker': benchOwnedSticker,
  prefetch: benchPrefetch,
  'cold-start': benchColdStart,
  memory: benchMemory,
};

await run(readChoice(Object.keys(BENCHMARKS)));

async function run({ json, chosen }: Choice): Promise<void> {
  const [load = 0] = loadavg();
  const bench = openWorkbench();
  const home = bench.makeFolder('home');
  // So that every benchmark finds a home that was started before.
  await (await startSvcd(bench, home)).stop();
  const rows: Row[] = [];
  for (const name of chosen) {
    if (!json) process.stderr.write(`${name} …\n`);
    const measured = (await BENCHMARKS[name]?.(bench, home)) ?? [];
    rows.push(...measured);
    if (json) for (const row of measured) process.stdout.write(`${JSON.stringify(row)}\n`);
  }
  if (!json) process.stdout.write(`\n${tableOf(rows)}\n\n${howMeasured(bench, load)}\n`);
}

function howMeasured({ pinned }: Workbench, load: number): string {
  const cores = pinned ? 'load on core 0, servers on core 1' : 'load and servers on any core';
  return `Node ${process.version}, ${cores}, load average ${load.toFixed(1)} before the run. Requests: ${HOW_LOADED}.\nStarts: ${HOW_STARTED}. Peers take turns within one run.`;
}
