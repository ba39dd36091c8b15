// npm run bench:page [-- --json] [-- NAME…]: how quick the page is, in a real Chromium before a real svcd with its sandbox, in
// about six minutes. Ratios are of one run; frames are those of this machine.

import { loadavg } from 'node:os';
import type { Browser } from 'playwright-core';
import { openChromium } from '../../support/launch-chromium.js';
import { type Choice, readChoice } from '../choice.js';
import { startSvcd, type SvcdServer } from '../start-server.js';
import { openWorkbench } from '../workbench.js';
import { importGrown } from './import-grown.js';
import { figureTable, isKept, type Figure } from './figures.js';
import { benchFirstTiles } from './first-tiles.js';
import { benchIdle } from './idle.js';
import { benchKeystrokes } from './keystrokes.js';
import { benchScrolling } from './scrolling.js';

const LARGE = 120_000;

const BENCHMARKS: Readonly<
  Record<string, (browser: Browser, usual: SvcdServer, large: () => Promise<SvcdServer>) => Promise<Figure[]>>
> = {
  'first-tiles': benchFirstTiles,
  keystrokes: benchKeystrokes,
  scrolling: async (browser, usual, large) => benchScrolling(browser, usual, await large()),
  idle: benchIdle,
};

await run(readChoice(Object.keys(BENCHMARKS)));

async function run({ json, chosen }: Choice): Promise<void> {
  const [load = 0] = loadavg();
  // Before the workbench, which keeps this process and its children to one core.
  const browser = await openChromium();
  const bench = openWorkbench();
  const usual = await startSvcd(bench, bench.makeFolder('home'));
  const large = async () => {
    const svcd = await startSvcd(bench, bench.makeFolder('large'));
    await importGrown(svcd, LARGE);
    return svcd;
  };
  const figures: Figure[] = [];
  for (const name of chosen) {
    if (!json) process.stderr.write(`${name} …\n`);
    const measured = (await BENCHMARKS[name]?.(browser, usual, large)) ?? [];
    figures.push(...measured);
    if (json) for (const one of measured) process.stdout.write(`${JSON.stringify({ ...one, kept: isKept(one) })}\n`);
  }
  await browser.close();
  if (!json) {
    process.stdout.write(`\n${figureTable(figures)}\n\nNode ${process.version}, Chromium ${browser.version()}, `);
    process.stdout.write(`load average ${load.toFixed(1)} before the run.\n`);
  }
  process.exit(0);
}
