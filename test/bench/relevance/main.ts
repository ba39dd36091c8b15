// npm run bench:relevance -- DIR [--json] [--engine svcd,…] [--all-set-ups] [--failures TRACK N]: how well svcd
// finds what was judged relevant, beside engines one could install instead. In about two minutes. With --makers [--worst] in
// place of DIR: svcd alone, on the sets of test/golden/makers, in half a minute.

import { parseArgs } from 'node:util';
import { BEST_SET_UPS, EVERY_SET_UP } from '../peers/every-set-up.js';
import { readBenchmark, type Benchmark } from './benchmark-files.js';
import { describeFailures } from './failures.js';
import { describeMakers } from './makers.js';
import { scorePeer, scoreSvcd } from './score-engine.js';
import { openSvcd } from './svcd.js';
import { tablesOf, type Scored } from './table.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    engine: { type: 'string' },
    'all-set-ups': { type: 'boolean', default: false },
    failures: { type: 'string' },
    makers: { type: 'boolean', default: false },
    worst: { type: 'boolean', default: false },
  },
});
const [folder, count = '20'] = positionals;
const setUps = values['all-set-ups'] ? EVERY_SET_UP : BEST_SET_UPS;
const known = ['svcd', ...new Set(setUps.queries.map(({ engine }) => engine))];
const chosen = values.engine?.split(',') ?? known;
const unknown = chosen.find((engine) => !known.includes(engine));

if (values.makers) {
  process.stdout.write(`${describeMakers(values.worst)}\n`);
} else if (folder === undefined || unknown !== undefined) {
  const problem = unknown === undefined ? 'The folder of a benchmark is missing.' : `There is no engine ${unknown}.`;
  process.stderr.write(`${problem} Engines: ${known.join(', ')}.\n`);
  process.exitCode = 2;
} else if (values.failures === undefined) {
  run(readBenchmark(folder));
} else {
  showFailures(readBenchmark(folder), values.failures);
}

function run(benchmark: Benchmark): void {
  const scored: Scored[] = [];
  for (const engine of chosen) {
    if (!values.json) process.stderr.write(`${engine} …\n`);
    const one = engine === 'svcd' ? scoreSvcd(benchmark) : scorePeer(engine, setUps, benchmark);
    scored.push(one);
    if (!values.json) continue;
    for (const figures of one.figures) process.stdout.write(`${JSON.stringify({ engine, ...figures })}\n`);
  }
  if (!values.json) process.stdout.write(`\n${tablesOf(scored)}\n`);
}

function showFailures(benchmark: Benchmark, track: string): void {
  const svcd = openSvcd(benchmark.library);
  process.stdout.write(`${describeFailures(svcd, benchmark, track, Number(count))}\n`);
  svcd.close();
}
