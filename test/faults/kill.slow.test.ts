// A daemon that is killed without warning, again and again, on one home and before one remote that lives on.
// SVCD_FAULT_ROUNDS says how often (npm run test:long); SVCD_FAULT_SEED repeats a run as far as chance goes.

import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { stickerPath } from '../../src/model/sticker.js';
import { makeHome, spawnSvcd } from '../support/run-svcd.js';
import { startSvcd, type StartedSvcd } from '../support/start-svcd.js';
import { lottieOf, startFaultyRemote, type FaultyRemote } from './faulty-remote.js';
import { createRandom, type Random } from './random.js';
import { readHome, type HomeContents } from './read-home.js';

const ROUNDS = Number(process.env['SVCD_FAULT_ROUNDS'] ?? 12);
const SEED = Number(process.env['SVCD_FAULT_SEED'] ?? Math.floor(Math.random() * 1e9));
const LATEST_KILL_MS = 400;
/** How long a remote is busy with what it was asked at once. */
const BUSY_MS = 400;
/** One round in so many is killed while it starts. */
const STARTUP_EVERY = 5;
const ANSWER_PATIENCE_MS = 30_000;

interface Stage {
  readonly home: string;
  readonly remote: FaultyRemote;
  readonly random: Random;
  /** Presets that a client was given as the true sticker. */
  readonly acknowledged: Set<string>;
  /** All that was asked for so far. */
  readonly asked: string[];
}

it(
  'loses nothing it acknowledged and pays for nothing twice, whenever it is killed',
  { timeout: 60_000 + ROUNDS * 3000 },
  async () => {
    const stage = await setStage();
    const begun = performance.now();
    for (let round = 1; round <= ROUNDS; round++) {
      if (round % STARTUP_EVERY === 0) await killWhileStarting(stage);
      else await killWhileBuying(stage);
    }
    // Nothing that a killed daemon sent may still be on its way to a charge.
    await sleep(LATEST_KILL_MS);
    await everythingIsServed(stage);
    const contents = readHome(stage.home);
    report(stage, contents, performance.now() - begun);
    expectPromisesKept(stage, contents);
  },
);

async function setStage(): Promise<Stage> {
  const { home, remove } = makeHome();
  onTestFinished(remove);
  const random = createRandom(SEED);
  const remote = await startFaultyRemote();
  remote.trouble = () => ({
    until: () => sleep(random.whole(0, 60)),
    ...(random.next() < 0.3 ? { inBody: () => sleep(random.whole(10, 150)) } : {}),
  });
  return { home, remote, random, acknowledged: new Set(), asked: [] };
}

function start({ home, remote }: Stage): Promise<StartedSvcd> {
  return startSvcd(['--remote', remote.url], { home, env: { SERVICE_API_KEY: remote.key } });
}

async function killWhileStarting({ home, remote, random }: Stage): Promise<void> {
  const args = ['start', '--json', '--port', '0', '--remote', remote.url];
  const child = spawnSvcd(args, { home, env: { SERVICE_API_KEY: remote.key } }, 'ignore');
  const closed = once(child, 'close');
  await sleep(random.whole(0, LATEST_KILL_MS));
  child.kill('SIGKILL');
  await closed;
}

async function killWhileBuying(stage: Stage): Promise<void> {
  const { random, remote } = stage;
  const svcd = await start(stage);
  const killed = new AbortController();
  const seen = remote.seen.length;
  const clients = choosePresets(stage).map((preset) => ask(stage, svcd, preset, killed.signal));
  const before = stage.acknowledged.size;
  // However slow this machine is, a third of the kills fall into the short while in which the remote is at work,
  // and another third come when somebody was just given something.
  const moment = random.whole(0, 2);
  if (moment === 0) await sleep(random.whole(0, LATEST_KILL_MS));
  else await becomesTrue(() => (moment === 1 ? remote.seen.length > seen : stage.acknowledged.size > before));
  if (moment === 1) await sleep(random.whole(0, BUSY_MS));
  await svcd.end('SIGKILL');
  killed.abort();
  await Promise.all(clients);
}

/** Resolves when something has happened, or did not for long. */
async function becomesTrue(happened: () => boolean): Promise<void> {
  for (let waitedMs = 0; !happened() && waitedMs < ANSWER_PATIENCE_MS; waitedMs += 5) await sleep(5);
}

/** Four new ones, some of those asked for before, and each of them more than once. */
function choosePresets({ random, asked }: Stage): string[] {
  const fresh = Array.from({ length: 4 }, () => {
    const preset = `kill/sticker-${asked.length}`;
    asked.push(preset);
    return preset;
  });
  const again = Array.from({ length: 4 }, () => asked[random.whole(0, asked.length - 1)] ?? fresh[0] ?? '');
  return [...fresh, ...again, ...fresh.slice(0, 2)];
}

/** Asks once more and once more, as careless clients do, and notes what it was given. */
async function ask({ acknowledged }: Stage, svcd: StartedSvcd, preset: string, killed: AbortSignal): Promise<void> {
  const headers = { Authorization: `Bearer ${svcd.info.token}` };
  for (let tries = 0; tries < 20 && !killed.aborted; tries++) {
    try {
      const answer = await fetch(svcd.info.url + stickerPath(preset), { headers, signal: killed });
      const text = await answer.text();
      if (!isTrue(answer)) continue;
      expect(text).toBe(lottieOf(preset));
      acknowledged.add(preset);
      return;
    } catch (error) {
      if (!(error instanceof TypeError) && !killed.aborted) throw error;
    }
  }
}

function isTrue({ ok, headers }: Response): boolean {
  return ok && ['remote', 'owned'].includes(headers.get('x-svcd-source') ?? '');
}

/** The last start: each acknowledged sticker is there for anybody, without network or Key. */
async function everythingIsServed(stage: Stage): Promise<void> {
  await stage.remote.refuse();
  const svcd = await start(stage);
  for (const preset of stage.acknowledged) {
    const signal = AbortSignal.timeout(ANSWER_PATIENCE_MS);
    const answer = await fetch(svcd.info.url + stickerPath(preset), { signal });
    expect([preset, answer.headers.get('x-svcd-source')]).toEqual([preset, 'owned']);
    expect(await answer.text()).toBe(lottieOf(preset));
  }
  expect(await svcd.end()).toBe(0);
}

function expectPromisesKept({ remote, acknowledged, asked }: Stage, { journal, owned, integrity }: HomeContents) {
  expect(integrity).toEqual({ 'owned.db': 'ok', 'library.db': 'ok' });
  for (const preset of acknowledged) expect(owned.get(`sticker:${preset}`), preset).toBe(lottieOf(preset));
  for (const preset of asked) {
    const item = `sticker:${preset}`;
    const states = journal.filter((row) => row.item === item).map(({ state }) => state);
    const paid = states.filter((state) => state === 'paid').length;
    const unknown = states.filter((state) => state === 'unknown').length;
    const charges = remote.account.timesCharged(item);
    expect(charges, `${item} is ${states.join()}`).toBeLessThanOrEqual(1);
    expect(charges, `${item} is ${states.join()}`).toBeGreaterThanOrEqual(paid);
    expect(charges, `${item} is ${states.join()}`).toBeLessThanOrEqual(paid + unknown);
    if (owned.has(item)) expect(paid, item).toBe(1);
  }
  for (const { state, cost } of journal) if (state === 'paid') expect(cost).toBe(1);
  expect(journal.filter(({ state }) => state === 'intent' || state === 'sent')).toEqual([]);
  expect(acknowledged.size).toBeGreaterThan(0);
}

function report({ remote, acknowledged, asked }: Stage, { journal, owned }: HomeContents, ms: number): void {
  const count = (state: string) => journal.filter((row) => row.state === state).length;
  const figures = {
    seed: SEED,
    rounds: ROUNDS,
    asked: asked.length,
    acknowledged: acknowledged.size,
    charges: remote.account.charges.length,
    paid: count('paid'),
    unknown: count('unknown'),
    refused: count('refused'),
    owned: owned.size,
    seconds: Math.round(ms / 1000),
  };
  process.stdout.write(`kill: ${JSON.stringify(figures)}\n`);
}
