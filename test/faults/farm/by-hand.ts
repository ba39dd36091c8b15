// The whole of it once, by hand: npx tsx test/faults/farm/by-hand.ts [SECONDS]. PostgreSQL with a synchronous standby, two
// hubs, five sidecars, a sandbox; renders on all of them at once; the primary is killed, then a hub; then the ledger is added up.

import { setTimeout as sleep } from 'node:timers/promises';
import { startPostgres } from '../../support/postgres.js';
import { makeHome, runSvcd } from '../../support/run-svcd.js';
import { createRandom } from '../random.js';
import { startHub } from './hub.js';
import { findBroken, sumsOf } from './oracle.js';
import { presetOf, startService } from './service.js';
import { isTrue, startSidecar, type Sidecar } from './sidecar.js';
import { readPostgresTill } from './tills.js';

const SECONDS = Number(process.argv[2] ?? 40);
const SIDECARS = 5;
const STICKERS = 400;
const SLOTS = 8;
const random = createRandom(Number(process.env['SVCD_FAULT_SEED'] ?? 1));
const begun = performance.now();
const cleaning: (() => unknown)[] = [];

try {
  const service = await startService({ stickers: STICKERS });
  cleaning.unshift(() => service.close());
  service.trouble = () => ({ latencyMs: random.whole(50, 300) });
  const primary = await startPostgres();
  cleaning.unshift(() => primary.remove());
  const standby = await primary.addStandby({ synchronous: true });
  say(`PostgreSQL on ${primary.port}, a synchronous standby on ${standby.port}, the service on ${service.port}`);
  const database = primary.url.replace(/@[^/]+/, `@127.0.0.1:${primary.port},127.0.0.1:${standby.port}`);
  const identity = makeHome();
  cleaning.unshift(identity.remove);
  const hubs = [];
  for (let nth = 0; nth < 2; nth++) {
    const hub = await startHub({ remote: service.url, key: service.key, database, identity: identity.home });
    cleaning.unshift(() => hub.remove());
    hubs.push(hub);
    say(`hub ${nth} at ${hub.line.url}`);
  }
  const [first, second] = hubs;
  if (first === undefined || second === undefined) throw new Error('there are two hubs');
  for (const hub of hubs) await hub.knows(hubs.length);
  const code = await first.invite('promo');
  const sidecars: Sidecar[] = [];
  for (let nth = 0; nth < SIDECARS; nth++) {
    const sidecar = await startSidecar(`machine-${nth}`, code);
    cleaning.unshift(() => sidecar.remove());
    sidecars.push(sidecar);
  }
  say(`${SIDECARS} sidecars have joined`);

  const acknowledged = new Set<string>();
  const counts = { renders: 0, asked: 0, given: 0, defaults: 0, refused: 0, broken: 0 };
  const reasons: Record<string, number> = {};
  const over = new AbortController();
  const load = sidecars.map(async (sidecar) => {
    while (!over.signal.aborted) {
      // A render: some slots, wanted at once; the same few stickers are wanted by all.
      const presets = Array.from({ length: SLOTS }, () => presetOf(Math.floor(STICKERS * random.next() ** 3)));
      await Promise.all(
        presets.map(async (preset) => {
          counts.asked += 1;
          try {
            const answer = await sidecar.ask(preset);
            await answer.arrayBuffer();
            if (isTrue(answer)) {
              counts.given += 1;
              acknowledged.add(`sticker:${preset}`);
            } else if (answer.ok) {
              counts.defaults += 1;
              const why = answer.headers.get('x-svcd-reason') ?? '';
              reasons[why] = (reasons[why] ?? 0) + 1;
            } else counts.refused += 1;
          } catch {
            counts.broken += 1;
          }
        }),
      );
      counts.renders += 1;
      await sleep(100);
    }
  });
  await sleep((SECONDS * 1000) / 3);
  say(`before anything is killed: ${JSON.stringify({ ...counts, reasons, charges: service.chargedAt().length })}`);
  await primary.kill();
  await standby.promote();
  say('the primary is killed, the standby is promoted');
  await sleep((SECONDS * 1000) / 3);
  say(`after that: ${JSON.stringify({ ...counts, reasons, charges: service.chargedAt().length })}`);
  await first.end('SIGKILL');
  say('hub 0 is killed');
  await sleep((SECONDS * 1000) / 3);
  say(`after that: ${JSON.stringify({ ...counts, reasons, charges: service.chargedAt().length })}`);
  over.abort();
  await Promise.all(load);
  const sql = <R extends object>(text: string) => standby.sql<R>(text);
  const open = () => sql(`SELECT id FROM purchase WHERE state IN ('intent', 'sent')`);
  const reaping = performance.now();
  while ((await open()).length > 0 && performance.now() - reaping < 90_000) await sleep(500);
  say(`what hub 0 left open was ended within ${Math.round((performance.now() - reaping) / 1000)} s`);
  const audit = await runSvcd(['hub', 'audit', '--home', second.home, '--json'], { home: second.home });
  for (const one of [...sidecars, second]) await one.end();
  const evidence = { charges: service.charges(), acknowledged, ...(await readPostgresTill(sql)) };
  const broken = findBroken(evidence);
  say(JSON.stringify({ ...sumsOf(evidence), audit: audit.code === 0 ? 'right' : audit.stdout.slice(0, 500) }));
  say(broken.length === 0 ? 'the ledger adds up' : `BROKEN: ${broken.join('; ')}`);
  process.exitCode = broken.length === 0 && audit.code === 0 ? 0 : 1;
} finally {
  for (const clean of cleaning) await clean();
}
process.exit();

function say(text: string): void {
  process.stdout.write(`${((performance.now() - begun) / 1000).toFixed(1)} s: ${text}\n`);
}
