// npm run bench:farm [-- NAME…] [-- --database postgres://…] [-- --factor N] [-- --items N] [-- --seed N]: what a hub costs
// and what it holds, a line of JSON each: cold, far, owned, herd, zipf, fairness, full, budget, hubs;
// all of them if none is named.

import { parseArgs } from 'node:util';
import { measureCold, measureFar, measureOwned } from './latency.js';
import { FULL, measureBudget, measureFairness, measureHerd, measureZipf } from './load.js';
import { measureSeveralHubs } from './several-hubs.js';
import { openStand, type Stand } from './stand.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    database: { type: 'string' },
    /** How much faster time runs where minutes are measured. */
    factor: { type: 'string', default: '8' },
    items: { type: 'string', default: '2000' },
    machines: { type: 'string', default: '40' },
    seed: { type: 'string', default: '1' },
  },
});
const factor = Number(values.factor);
const zipf = { factor, items: Number(values.items), machines: Number(values.machines), seed: Number(values.seed) };

const MEASURES: Readonly<Record<string, (stand: Stand) => Promise<object>>> = {
  cold: async (stand) => ({
    quick: await measureCold(stand, 0),
    usual: await measureCold(stand, 100),
    slow: await measureCold(stand, 300),
  }),
  far: (stand) => measureFar(stand, 50),
  owned: measureOwned,
  herd: measureHerd,
  zipf: (stand) => measureZipf(stand, zipf),
  fairness: (stand) => measureFairness(stand, factor),
  full: (stand) => measureFairness(stand, factor, FULL),
  budget: measureBudget,
  hubs: measureSeveralHubs,
};

const names = positionals.length > 0 ? positionals : Object.keys(MEASURES);
for (const name of names) {
  const measure = MEASURES[name];
  if (measure === undefined) throw new Error(`there is no measure ${name}: ${Object.keys(MEASURES).join(', ')}`);
  const stand = openStand(values.database);
  try {
    process.stdout.write(`${name}: ${JSON.stringify(await measure(stand))}\n`);
  } finally {
    await stand.close();
  }
}
// Connections that a stub kept open are of no use any more.
process.exit(0);
