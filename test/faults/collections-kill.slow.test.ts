// A daemon that is killed without warning while a page changes its collections: what was answered is there, and nothing is
// half. SVCD_FAULT_ROUNDS says how often (npm run test:long).

import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { temporaryHome } from '../support/start-daemon.js';
import { startSvcd, type StartedSvcd } from '../support/start-svcd.js';
import { createRandom } from './random.js';

const ROUNDS = Math.min(100, Number(process.env['SVCD_FAULT_ROUNDS'] ?? 3));
const SEED = Number(process.env['SVCD_FAULT_SEED'] ?? Math.floor(Math.random() * 1e9));
const LATEST_KILL_MS = 500;
const LONG = 300;

async function listIn({ info }: StartedSvcd): Promise<string[]> {
  const answer = await fetch(`${info.url}/svcd/collections`, { headers: { Authorization: `Bearer ${info.token}` } });
  const { collections } = (await answer.json()) as { collections: { name: string; presets: string[] }[] };
  return collections.find(({ name }) => name === 'wanted')?.presets ?? [];
}

/** The nth content: a whole list anew, or one preset more. */
function contentAt(nth: number, before: readonly string[]): string[] {
  return nth % 3 === 0 ? Array.from({ length: LONG }, (_, i) => `whole/${nth}-${i}`) : [...before, `one/${nth}`];
}

async function changeTo({ info }: StartedSvcd, nth: number, presets: readonly string[]): Promise<void> {
  const headers = { Authorization: `Bearer ${info.token}`, 'Content-Type': 'application/json' };
  const whole = nth % 3 === 0;
  const path = `/svcd/collections/wanted${whole ? '' : `/${encodeURIComponent(presets.at(-1) ?? '')}`}`;
  const answer = await fetch(info.url + path, {
    method: 'PUT',
    headers,
    ...(whole && { body: JSON.stringify({ presets }) }),
  });
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  await answer.arrayBuffer();
}

it(
  'keeps every change that was answered, and the one in flight whole or not at all',
  { timeout: 60_000 + ROUNDS * 10_000 },
  async () => {
    const random = createRandom(SEED);
    const home = temporaryHome();
    let [kept, nth]: [string[], number] = [[], 0];
    for (let round = 1; round <= ROUNDS; round++) {
      const svcd = await startSvcd(['--sandbox'], { home });
      expect(await listIn(svcd)).toEqual(kept);
      let [answered, next] = [kept, kept];
      const changing = (async () => {
        for (;;) {
          nth += 1;
          next = contentAt(nth, answered);
          await changeTo(svcd, nth, next);
          answered = next;
        }
      })().catch(() => undefined);
      await sleep(random.whole(0, LATEST_KILL_MS));
      await svcd.end('SIGKILL');
      await changing;
      const again = await startSvcd(['--sandbox'], { home });
      const found = await listIn(again);
      expect([answered, next], `seed ${SEED}`).toContainEqual(found);
      kept = found;
      await again.end();
    }
  },
);
