// A daemon that is killed without warning while it buys many things for one request, again and again on one home: nothing is
// paid twice, nothing that was told is lost, and the next request buys the rest alone. SVCD_FAULT_ROUNDS says how often
// (npm run test:long); SVCD_FAULT_SEED repeats a run as far as chance goes.

import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import type { PrefetchEvent } from '../../src/api/prefetch.js';
import { assetsIn, eventsOf, type AssetEvent } from '../support/prefetch.js';
import { makeHome } from '../support/run-svcd.js';
import { startSvcd, type StartedSvcd } from '../support/start-svcd.js';
import { lottieOf, startFaultyRemote, type FaultyRemote } from './faulty-remote.js';
import { createRandom, type Random } from './random.js';
import { readHome, type HomeContents } from './read-home.js';

const ROUNDS = Number(process.env['SVCD_FAULT_ROUNDS'] ?? 8);
const SEED = Number(process.env['SVCD_FAULT_SEED'] ?? Math.floor(Math.random() * 1e9));
const FRESH = 6;
const AT_ONCE = 100;

interface Stage {
  readonly home: string;
  readonly remote: FaultyRemote;
  readonly random: Random;
  /** All that was asked for so far. */
  readonly asked: string[];
  /** What a line said was had. */
  readonly told: Set<string>;
}

it(
  'pays for nothing twice, loses nothing, and buys only the rest afterwards, whenever it is killed',
  { timeout: 60_000 + ROUNDS * 4000 },
  async () => {
    const stage = await setStage();
    for (let round = 1; round <= ROUNDS; round++) await killWhileBuying(stage);
    // Nothing that a killed daemon sent may still be on its way to a charge.
    await sleep(500);
    const before = readHome(stage.home);
    const svcd = await start(stage);
    const charges = stage.remote.account.charges.length;
    const assets: AssetEvent[] = [];
    for (let from = 0; from < stage.asked.length; from += AT_ONCE) {
      const presets = stage.asked.slice(from, from + AT_ONCE);
      assets.push(...assetsIn(await eventsOf(await prefetch(svcd, { presets, max_credits: presets.length }))));
    }
    const by = (source: AssetEvent['source']) =>
      assets.filter((one) => one.source === source).map(({ preset = '' }) => preset);
    expect(by('owned')).toEqual(stage.asked.filter((preset) => before.owned.has(`sticker:${preset}`)));
    expect(assets.filter(({ source }) => source === 'default').map(({ reason }) => reason)).toEqual(
      by('default').map(() => 'unsettled'),
    );
    expect(stage.remote.account.charges.length - charges).toBe(by('bought').length);
    for (const preset of [...by('owned'), ...by('bought')]) stage.told.add(preset);
    expect(await svcd.end()).toBe(0);
    const after = readHome(stage.home);
    const count = (state: string) => after.journal.filter((row) => row.state === state).length;
    const figures = {
      asked: stage.asked.length,
      bought: by('bought').length,
      unknown: count('unknown'),
      refused: count('refused'),
    };
    process.stdout.write(`kill while prefetching: ${JSON.stringify({ seed: SEED, rounds: ROUNDS, ...figures })}\n`);
    expectPromisesKept(stage, after);
  },
);

async function setStage(): Promise<Stage> {
  const { home, remove } = makeHome();
  onTestFinished(remove);
  const random = createRandom(SEED);
  const remote = await startFaultyRemote();
  remote.trouble = () => ({
    until: () => sleep(random.whole(0, 60)),
    ...(random.next() < 0.3 ? { inBody: () => sleep(random.whole(10, 100)) } : {}),
  });
  return { home, remote, random, asked: [], told: new Set() };
}

async function start({ home, remote }: Stage): Promise<StartedSvcd> {
  const svcd = await startSvcd(['--remote', remote.url], { home, env: { SERVICE_API_KEY: remote.key } });
  const headers = { Authorization: `Bearer ${svcd.info.token}`, 'Content-Type': 'application/json' };
  await fetch(`${svcd.info.url}/svcd/budget`, { method: 'PUT', headers, body: '{"day":null}' });
  return svcd;
}

function prefetch({ info }: StartedSvcd, body: object): Promise<Response> {
  return fetch(`${info.url}/svcd/prefetch`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${info.token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** Asks for new things and for some of before, and kills it at some moment: before the first line, or after some lines. */
async function killWhileBuying(stage: Stage): Promise<void> {
  const { random, asked } = stage;
  const svcd = await start(stage);
  const fresh = Array.from({ length: FRESH }, (_, nth) => `kill/sticker-${asked.length + nth}`);
  asked.push(...fresh);
  const again = Array.from({ length: 3 }, () => asked[random.whole(0, asked.length - 1)] ?? '');
  const presets = [...new Set([...fresh, ...again])];
  const reading = read(stage, prefetch(svcd, { presets, max_credits: presets.length }));
  const lines = random.whole(0, FRESH);
  if (lines === 0) await sleep(random.whole(0, 60));
  else await Promise.race([reading.untilLine(lines), reading.ended]);
  await sleep(random.whole(0, 20));
  await svcd.end('SIGKILL');
  await reading.ended;
}

/** Notes what the lines tell, as far as they come. */
function read({ told }: Stage, asking: Promise<Response>) {
  let lines = 0;
  const ended = (async () => {
    try {
      let text = '';
      for await (const chunk of (await asking).body ?? []) {
        text += Buffer.from(chunk).toString();
        const whole = text.split('\n');
        text = whole.pop() ?? '';
        for (const line of whole) {
          lines += 1;
          const event = JSON.parse(line) as PrefetchEvent;
          if (event.event === 'asset' && event.source !== 'default') told.add(event.preset ?? '');
        }
      }
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
    }
  })();
  const untilLine = async (count: number) => {
    while (lines < count) await sleep(2);
  };
  return { ended, untilLine };
}

function expectPromisesKept({ remote, asked, told }: Stage, { journal, owned, integrity }: HomeContents): void {
  expect(integrity).toEqual({ 'owned.db': 'ok', 'library.db': 'ok' });
  for (const preset of told) expect(owned.get(`sticker:${preset}`), preset).toBe(lottieOf(preset));
  for (const preset of asked) {
    const item = `sticker:${preset}`;
    const states = journal.filter((row) => row.item === item).map(({ state }) => state);
    const count = (state: string) => states.filter((one) => one === state).length;
    const charges = remote.account.timesCharged(item);
    expect(charges, `${item} is ${states.join()}`).toBeLessThanOrEqual(1);
    expect(charges, `${item} is ${states.join()}`).toBeGreaterThanOrEqual(count('paid'));
    expect(charges, `${item} is ${states.join()}`).toBeLessThanOrEqual(count('paid') + count('unknown'));
    // One whose bytes were lost may have been found charged.
    expect(owned.has(item) || count('unknown') + count('paid') > 0, item).toBe(true);
  }
  expect(journal.filter(({ state }) => state === 'intent' || state === 'sent')).toEqual([]);
  expect(told.size).toBeGreaterThan(0);
}
