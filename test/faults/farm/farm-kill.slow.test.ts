// Sidecars and hubs that are killed without warning, again and again, while renders want the same things of all of them.
// SVCD_FAULT_ROUNDS says how often (npm run test:long: 300 times, of 20 sidecars), SVCD_FAULT_MINUTES for how long in one piece,
// with calls that are held up on their way; SVCD_FAULT_SEED repeats a run as far as chance goes.

import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { POSTGRESQL, startPostgres } from '../../support/postgres.js';
import { itIf } from '../../support/requires.js';
import { makeHome } from '../../support/run-svcd.js';
import { createRandom, type Random } from '../random.js';
import { startFarm, type Farm } from './farm.js';
import { presetOf, startService, type Service } from './service.js';

const ROUNDS = Number(process.env['SVCD_FAULT_ROUNDS'] ?? 5);
const MINUTES = Number(process.env['SVCD_FAULT_MINUTES'] ?? 0);
const MOST_ROUNDS = Math.max(ROUNDS, MINUTES * 30);
const SEED = Number(process.env['SVCD_FAULT_SEED'] ?? Math.floor(Math.random() * 1e9));
const SIDECARS = Number(process.env['SVCD_FAULT_SIDECARS'] ?? (ROUNDS >= 100 ? 20 : 4));
const FRESH = 4;
const LATEST_KILL_MS = 700;
/** How long who asks goes on after a kill. */
const GOES_ON_MS = 6000;
/** How long a call is held up at most: longer than whoever sent it lives. */
const HELD_MS = 70_000;

interface Stage {
  readonly farm: Farm;
  readonly random: Random;
  /** How many of the stickers were asked for so far. */
  asked: number;
}

/** Something that can be killed, and comes back. */
interface Victim {
  readonly name: string;
  kill(): Promise<void>;
  back(): Promise<void>;
}

const PATIENCE = { timeout: 120_000 + MOST_ROUNDS * 20_000 };

describe('a farm of which any process is killed at any moment', () => {
  it('pays for nothing twice and loses nothing: one hub over SQLite', PATIENCE, async () => {
    const random = createRandom(SEED);
    const farm = await startFarm({ service: await openService(random), hubs: 1, sidecars: SIDECARS });
    await expectPromisesKept({ farm, random, asked: 0 }, 'SQLite, one hub', []);
  });

  itIf(
    POSTGRESQL,
    'pays for nothing twice and loses nothing: two hubs over PostgreSQL',
    async () => {
      const random = createRandom(SEED);
      const postgres = await startPostgres();
      onTestFinished(() => postgres.remove());
      const identity = makeHome();
      onTestFinished(identity.remove);
      const farm = await startFarm({
        service: await openService(random),
        hubs: 2,
        sidecars: SIDECARS,
        identity: identity.home,
        postgres: { urls: [postgres.url], sql: (text) => postgres.sql(text) },
      });
      const database = { name: 'postgres', kill: () => postgres.kill(), back: () => postgres.start() };
      await expectPromisesKept({ farm, random, asked: 0 }, 'PostgreSQL, two hubs', [database]);
    },
    PATIENCE,
  );
});

async function openService(random: Random): Promise<Service> {
  const service = await startService({ stickers: FRESH * MOST_ROUNDS + FRESH });
  onTestFinished(() => service.close());
  service.trouble = () => ({
    latencyMs: MINUTES > 0 && random.next() < 0.01 ? random.whole(0, HELD_MS) : random.whole(0, 60),
    ...(random.next() < 0.2 ? { transfer: { kind: 'slow-body', bytesPerS: random.whole(500, 5000), work: true } } : {}),
    ...(random.next() < 0.03 ? { transfer: { kind: 'reset', atByte: 20, work: true } } : {}),
  });
  return service;
}

async function expectPromisesKept(stage: Stage, name: string, more: readonly Victim[]): Promise<void> {
  const { farm } = stage;
  const begun = performance.now();
  const killed: Record<string, number> = {};
  let rounds = 0;
  const goesOn = () =>
    MINUTES > 0 ? rounds < MOST_ROUNDS && performance.now() - begun < MINUTES * 60_000 : rounds < ROUNDS;
  for (; goesOn(); rounds++) {
    const victim = await killWhileAsking(stage, more);
    const kind = victim.replace(/-.*/, '');
    killed[kind] = (killed[kind] ?? 0) + 1;
  }
  farm.service.trouble = () => undefined;
  // All that was asked for is there now, or was lost for good by a charge whose answer nobody saw.
  const presets = Array.from({ length: stage.asked }, (_, nth) => presetOf(nth));
  await Promise.all(presets.map((preset, nth) => farm.ask(farm.sidecars[nth % farm.sidecars.length] as never, preset)));
  // The last one that was held up arrives.
  if (MINUTES > 0) await sleep(HELD_MS);
  const { broken, sums } = await farm.judge();
  const figures = { seed: SEED, rounds, sidecars: farm.sidecars.length, killed, asked: stage.asked, ...sums };
  const seconds = Math.round((performance.now() - begun) / 1000);
  process.stdout.write(`farm kill (${name}): ${JSON.stringify({ ...figures, seconds })}\n`);
  expect(broken).toEqual([]);
  expect(sums.acknowledged).toBeGreaterThan(0);
}

/** All sidecars want new things and some of before; somewhere in the middle one process is killed. Its name. */
async function killWhileAsking(stage: Stage, more: readonly Victim[]): Promise<string> {
  const { farm, random } = stage;
  const victims: Victim[] = [
    ...more,
    ...farm.hubs.map((hub, nth) => ({ name: `hub-${nth}`, kill: () => hub.end('SIGKILL'), back: () => hub.start() })),
    ...farm.sidecars.map((sidecar) => ({
      name: `sidecar-${sidecar.name}`,
      kill: () => sidecar.end('SIGKILL'),
      back: () => sidecar.start(),
    })),
  ];
  // Hubs and what they stand on are where money can be lost: two of three kills are theirs.
  const heavy = victims.filter(({ name }) => !name.startsWith('sidecar'));
  const victim = random.pick((random.next() < 2 / 3 ? heavy : victims) as [Victim, ...Victim[]]);
  const presets = [
    ...Array.from({ length: FRESH }, () => presetOf(stage.asked++)),
    ...Array.from({ length: FRESH }, () => presetOf(random.whole(0, stage.asked - 1))),
  ];
  const enough = new AbortController();
  const before = farm.acknowledged.size;
  const asking = farm.sidecars.flatMap((sidecar) => presets.map((preset) => farm.ask(sidecar, preset, enough.signal)));
  const all = Promise.all(asking);
  // Half of the kills come at any moment, half when somebody was just given something.
  if (random.next() < 0.5) await sleep(random.whole(0, LATEST_KILL_MS));
  else for (let waited = 0; farm.acknowledged.size === before && waited < LATEST_KILL_MS; waited += 5) await sleep(5);
  await victim.kill();
  const late = setTimeout(() => enough.abort(), GOES_ON_MS);
  await victim.back();
  await all;
  clearTimeout(late);
  return victim.name;
}
