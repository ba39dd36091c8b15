// Resident memory at rest: after a few requests, and after everything that svcd loads late has been loaded.

import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { rowOf, type Row } from './report.js';
import { startBareHono, startSvcd, type Server } from './start-server.js';
import type { Workbench } from './workbench.js';

const NAME = 'memory at rest';
const SEARCH = `/api/v1/stickers/search?q=${encodeURIComponent('生日')}`;
const REQUESTS = 5;
// Soon after its start svcd warms up and loads its HTTP client; that belongs to what it needs.
const SETTLE_MS = 4000;

/** Measures memory on a home that was started before; the sandbox runs in the same process and is counted. */
export async function benchMemory(bench: Workbench, home: string): Promise<Row[]> {
  if (!existsSync('/proc/self/status')) return [{ name: NAME, skipped: 'this system has no /proc' }];
  const svcd = await startSvcd(bench, home);
  const bare = await startBareHono(bench, [await useALittle(svcd)]);
  await useALittle(bare);
  await wait(SETTLE_MS);
  const [ours, against] = [residentMegabytes(svcd), residentMegabytes(bare)];
  await Promise.all([svcd.stop(), bare.stop()]);
  return [
    rowOf({
      name: NAME,
      ours,
      against,
      better: 'lower',
      unit: 'MB',
      peer: 'bare hono with that answer, after as many requests',
    }),
  ];
}

async function useALittle(server: Server): Promise<string> {
  let answer = '';
  for (let request = 0; request < REQUESTS; request++) {
    answer = await (await fetch(server.url + SEARCH)).text();
  }
  return answer;
}

function residentMegabytes({ pid }: Server): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  if (kilobytes === undefined) throw new Error(`process ${pid} tells no VmRSS`);
  return Number(kilobytes) / 1024;
}
