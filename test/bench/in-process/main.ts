// npm run bench:search [-- --json] [-- --entries N]: svcd's search and match beside engines one could install
// instead, at 12,000 and 120,000 entries, then over HTTP and from a cold start beside bare hono. Ratios are what can
// be compared.

import { parseArgs } from 'node:util';
import { benchColdStart } from '../cold-start.js';
import { benchMatch } from '../match.js';
import { tableOf, type Row } from '../report.js';
import { benchSearch } from '../search.js';
import { startSvcd } from '../start-server.js';
import { openWorkbench } from '../workbench.js';
import { timeEngines, type Effort } from './time-engines.js';

/** The catalogue's own size, and ten times that. */
const SIZES = [11_991, 119_910] as const;
const LARGE = 50_000;
const EFFORT: Effort = { queries: 2000, copies: 40 };
// The peers take tenths of a second for each there.
const LESS_EFFORT: Effort = { queries: 200, copies: 5 };

const { values } = parseArgs({ options: { json: { type: 'boolean', default: false }, entries: { type: 'string' } } });
const sizes = values.entries === undefined ? SIZES : [Number(values.entries)];

if (sizes.every((size) => Number.isInteger(size) && size > 0)) {
  await run();
} else {
  process.stderr.write(`--entries must be a whole number above 0, got ${JSON.stringify(values.entries)}.\n`);
  process.exitCode = 2;
}

async function run(): Promise<void> {
  const rows: Row[] = [];
  const tell = (measured: readonly Row[]) => {
    rows.push(...measured);
    if (values.json) for (const row of measured) process.stdout.write(`${JSON.stringify(row)}\n`);
  };
  const note = (line: string) => {
    if (!values.json) process.stderr.write(`${line}\n`);
  };
  for (const size of sizes) tell(timeEngines(size, size < LARGE ? EFFORT : LESS_EFFORT, note));
  await overHttp(tell, note);
  if (!values.json) process.stdout.write(`\n${tableOf(rows)}\n`);
}

async function overHttp(tell: (rows: readonly Row[]) => void, note: (line: string) => void): Promise<void> {
  const bench = openWorkbench();
  const home = bench.makeFolder('home');
  await (await startSvcd(bench, home)).stop();
  for (const measure of [benchSearch, benchMatch, benchColdStart]) {
    note(`${measure.name} …`);
    tell(await measure(bench, home));
  }
}
