// A hub that is stopped and goes on later: at random moments, and at the two worst ones of a purchase, before and after its
// last look at the clock. SVCD_FAULT_ROUNDS=300 (npm run test:long) takes the long ones too.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { POSTGRESQL } from '../../support/postgres.js';
import { describeIf } from '../../support/requires.js';
import type { Hub } from './hub.js';
import { isTrue } from './machine.js';
import { expectKept, startPartitionStage } from './partition-stage.js';
import { presetOf } from './service.js';
import { buildStoppingProgram, FIRST_BYTE, openOrders, type Stop, type StoppingProgram } from './stops.js';

const IS_LONG = Number(process.env['SVCD_FAULT_ROUNDS'] ?? 0) >= 300;
const LONG = { timeout: 1_800_000 };
// An untouched balance proves nothing for ten minutes.
const SECONDS = IS_LONG ? [3, 40, 120, 700] : [3];

let program: StoppingProgram;
beforeAll(async () => {
  program = await buildStoppingProgram();
});
afterAll(() => program.remove());

describeIf(
  POSTGRESQL,
  'a hub that stands still',
  () => {
    it.each(SECONDS)('for %i s, before and after its purchase is sent: nothing is paid twice', async (seconds) => {
      const stage = await startPartitionStage({ hubs: 2 });
      // Held at some moment of a purchase: in the transactions before it, or while the service is at work.
      const moments = [0, 3, 6, 10, 15, 25, 60, 200];
      stage.service.trouble = (path) => (path.startsWith('/api/v1/stickers/') ? { latencyMs: 150 } : undefined);
      const asking = moments.map(async (after, nth) => {
        await sleep(after);
        await stage.ask(0, presetOf(nth), { deadlineMs: 1000 });
      });
      await sleep(30);
      stage.hubs[0]?.signal('SIGSTOP');
      const others = moments.map((_, nth) => stage.ask(1, presetOf(nth), { deadlineMs: 2000 }));
      await sleep(seconds * 1000);
      stage.hubs[0]?.signal('SIGCONT');
      await Promise.all([...asking, ...others]);
      for (const nth of moments.keys()) await stage.want(presetOf(nth), 10_000);
      await expectKept(stage, `hub stopped for ${seconds} s`, {});
    });

    it.each(SECONDS)('for %i s between its permission to send and its last look: sends nothing', async (seconds) => {
      const { stage, given } = await standStill(siteOf('journal.send(id)', 'after'), seconds);
      expect(given && isTrue(given)).toBe(false);
      expect((await stage.want(presetOf(0)))?.status).toBe(200);
      await expectKept(stage, `stopped for ${seconds} s before its last look`, { charges: 2 });
      expect(await stage.primary.sql(`SELECT 1 FROM hub_event WHERE verb = 'late'`)).toEqual([]);
    });

    // What no svcd can exclude against a service without idempotency keys: between that look and the write there is nothing
    // but the processor. A service that waits so long for a request is rare, too.
    it.each(SECONDS)('for %i s after its last look: what leaves late is booked once, and told', async (seconds) => {
      const { stage, given } = await standStill(siteOf(FIRST_BYTE, 'before'), seconds);
      // After a minute of standing still it stops waiting for the answer at once.
      expect(given?.status).toBe(seconds < 60 ? 200 : 504);
      const late = await stage.primary.sql(`SELECT 1 FROM hub_event WHERE verb = 'late'`);
      const consents = new Map([[`sticker:${presetOf(0)}`, late.length]]);
      await expectKept(stage, `stopped for ${seconds} s after its last look`, { charges: 2 + late.length, consents });
      expect(late.length).toBe(seconds > 630 ? 1 : 0);
      expect(stage.hubs[0]?.said().match(/was sent late/g)?.length ?? 0).toBe(late.length);
    });
  },
  LONG,
);

function siteOf(text: string, phase: Stop['phase']): Stop {
  const found = program.sites.find((site) => site.text.includes(text));
  if (found === undefined) throw new Error(`no place of the purchase has "${text}"`);
  return { site: found.number, phase, nth: 1 };
}

/** One hub stops in its purchase for so long; the other one is asked for the same thing all the time. */
async function standStill(stop: Stop, seconds: number) {
  const folder = mkdtempSync(join(tmpdir(), 'svcd-orders-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const orders = openOrders(folder);
  const held = { env: orders.env, program: program.program };
  const stage = await startPartitionStage({ hubs: 2, isPatient: true, hub: (nth) => (nth === 0 ? held : {}) });
  const [hub] = stage.hubs;
  // The first purchase of all asks for the balance too.
  expect((await stage.want(presetOf(1)))?.status).toBe(200);
  orders.stopAt(stop, 'SIGSTOP');
  const patienceMs = (seconds + 60) * 1000;
  const asking = stage.ask(0, presetOf(0), { deadlineMs: patienceMs, timeoutMs: patienceMs });
  if (hub === undefined) throw new Error('there is no hub');
  while (!isStopped(hub)) await sleep(20);
  orders.leaveAlone();
  for (const until = performance.now() + seconds * 1000; performance.now() < until; await sleep(1000))
    await stage.ask(1, presetOf(0), { deadlineMs: 1000 });
  const chargedMeanwhile = stage.service.charges().get(`sticker:${presetOf(0)}`) ?? 0;
  hub.signal('SIGCONT');
  const given = await asking;
  process.stdout.write(`${JSON.stringify({ seconds, chargedMeanwhile, given: given?.status })}\n`);
  return { stage, given };
}

function isStopped({ line }: Hub): boolean {
  return execFileSync('ps', ['-o', 'state=', '-p', String(line.pid)], { encoding: 'utf8' }).startsWith('T');
}
