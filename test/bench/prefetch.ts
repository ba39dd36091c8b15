// One hundred stickers bought by one request beside a hundred single requests for as many others. The pace of the service (a
// burst of 40, then one each 0.76 s) would make all of them equally slow, so it is off on both sides: what is left is what
// svcd itself takes. All in this process, the sandbox included.

import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { serve } from '@hono/node-server';
import { loadConfig } from '../../src/config/config.js';
import { startDaemon, type Daemon } from '../../src/daemon/daemon.js';
import { systemClock } from '../../src/platform/clock.js';
import { silentLog } from '../../src/platform/log.js';
import { openSandbox, type Sandbox } from '../../src/sandbox/open-sandbox.js';
import { median, rowOf, type Row } from './report.js';
import type { Workbench } from './workbench.js';

const STICKERS = 100;
const ROUNDS = 3;
const UNLIMITED = 1_000_000;
const CREDITS = 1_000_000;
const CATALOGUE = join(import.meta.dirname, '..', '..', 'data', 'catalogue');

type Buy = (daemon: Daemon, presets: readonly string[]) => Promise<void>;

const WAYS: readonly Buy[] = [
  prefetch,
  (daemon, presets) => single(daemon, presets, 6),
  (daemon, presets) => single(daemon, presets, 1),
];

/** Measures purchases of stickers that were never bought. */
export async function benchPrefetch(bench: Workbench): Promise<Row[]> {
  const sandbox = openSandbox({
    file: ':memory:',
    catalogueFolder: CATALOGUE,
    clock: systemClock,
    log: silentLog,
    credits: CREDITS,
    requestsPerMinute: UNLIMITED,
  });
  const server = serve({ fetch: sandbox.app.fetch, port: 0, hostname: '127.0.0.1' });
  await once(server, 'listening');
  const daemon = await start(bench, sandbox, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const presets = Array.from(sandbox.stickers(), ({ preset }) => preset);
  const times: number[][] = WAYS.map(() => []);
  // The first round is not counted: code is loaded in it.
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [way, buy] of WAYS.entries()) {
      const begun = performance.now();
      await buy(daemon, presets.splice(0, STICKERS));
      if (round > 0) times[way]?.push(performance.now() - begun);
    }
  }
  await daemon.close();
  server.close();
  sandbox.close();
  const [ours = 0, six = 0, one = 0] = times.map(median);
  const row = { name: 'prefetch of 100 stickers, no pace', ours, better: 'lower', unit: 'ms' } as const;
  return [
    rowOf({ ...row, against: six, peer: '100 requests, six at a time' }),
    rowOf({ ...row, against: one, peer: '100 requests, one at a time' }),
  ];
}

async function start(bench: Workbench, { key }: Sandbox, remote: string): Promise<Daemon> {
  const home = bench.makeFolder('home');
  const config = await loadConfig({ home, port: 0, remote, 'background-sync': false }, {});
  const pace = { limit: UNLIMITED, burst: UNLIMITED };
  return startDaemon(config, { log: silentLog, userKey: key, listens: true, pace });
}

async function prefetch({ info }: Daemon, presets: readonly string[]): Promise<void> {
  const answer = await fetch(`${info.url}/svcd/prefetch`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${info.token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ presets, max_credits: presets.length }),
  });
  const last = (await answer.text()).trimEnd().split('\n').at(-1) ?? '';
  if (!last.includes(`"cost":${presets.length},`)) throw new Error(`not all was bought: ${last}`);
}

async function single({ info }: Daemon, presets: readonly string[], atOnce: number): Promise<void> {
  const queue = presets.values();
  const work = async () => {
    for (const preset of queue) {
      const headers = { Authorization: `Bearer ${info.token}` };
      const answer = await fetch(`${info.url}/api/v1/stickers/${encodeURIComponent(preset)}`, { headers });
      await answer.arrayBuffer();
      if (answer.headers.get('x-svcd-cost') !== '1') throw new Error(`${preset} was not bought`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}
