// Lines that break between machine and hub, hub and service, hub and database, primary and standby; clocks a day apart.
// SVCD_FAULT_ROUNDS=300 (npm run test:long) takes the long ones too.

import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { POSTGRESQL, type PostgresServer } from '../../support/postgres.js';
import { describeIf, type Need } from '../../support/requires.js';
import { startTcpProxy } from '../../support/tcp-proxy.js';
import { isTrue } from './machine.js';
import { codeOf, expectKept, startPartitionStage, type PartitionStage } from './partition-stage.js';
import { presetOf } from './service.js';

const IS_LONG = Number(process.env['SVCD_FAULT_ROUNDS'] ?? 0) >= 300;
const LONG = { timeout: 600_000 };
const COMMITS = IS_LONG ? 60 : 10;

describeIf(
  POSTGRESQL,
  'a line that breaks',
  () => {
    it('between machine and hub: the same request again is the same purchase', async () => {
      const stage = await startPartitionStage();
      const [line] = stage.lines.machine;
      const requestId = randomUUID();
      line?.drop('down');
      const lost = stage.ask(0, presetOf(0), { requestId, deadlineMs: 1000 });
      await untilCharged(stage, 1);
      line?.cut();
      expect(await lost).toBeUndefined();
      line?.mend();
      const again = await stage.ask(0, presetOf(0), { requestId });
      expect(again?.status).toBe(200);
      await expectKept(stage, 'machine and hub', { charges: 1 });
    });

    it('between hub and service: what may have been paid asks first', async () => {
      const stage = await startPartitionStage();
      const lost = stage.lines.service.loseAnswerTo('/api/v1/stickers/', 'cut');
      const given = await stage.ask(0, presetOf(0));
      await lost;
      expect(given && codeOf(given)).toBeDefined();
      const again = await stage.ask(0, presetOf(0));
      expect(again && codeOf(again)).toBe('unsettled');
      stage.lines.service.cut();
      expect((await stage.ask(0, presetOf(1)))?.status).toBeGreaterThanOrEqual(500);
      stage.lines.service.mend();
      expect((await stage.want(presetOf(1)))?.status).toBe(200);
      await expectKept(stage, 'hub and service', { charges: 2 });
    });

    it('between hub and database: no answer to a COMMIT makes anything be paid twice or be lost', async () => {
      const stage = await startPartitionStage({ hubs: 2 });
      for (let nth = 0; nth < COMMITS; nth++) {
        const line = stage.lines.database[nth % 2];
        const sprung = line?.loseAnswerTo('COMMIT', nth % 4 < 2 ? 'cut' : 'silence');
        // Other work commits too, so the one that is lost is now this one and now that one.
        await sleep((nth * 37) % 60);
        await Promise.all([stage.ask(0, presetOf(nth)), stage.ask(1, presetOf(nth))]);
        await Promise.race([sprung, sleep(100)]);
        line?.mend();
      }
      for (let nth = 0; nth < COMMITS; nth++) await stage.want(presetOf(nth), 10_000);
      await expectKept(stage, 'answers to COMMIT', {});
    });

    it.each(['cut', 'stalled', 'deaf'] as const)(
      'between hub and database, %s: what is owned is served, and nothing is bought',
      async (how) => {
        const stage = await startPartitionStage();
        const [line] = stage.lines.database;
        expect((await stage.want(presetOf(0)))?.status).toBe(200);
        if (how === 'cut') line?.cut();
        else if (how === 'stalled') line?.stall('up', 'down');
        else line?.drop('down');
        const [owned, fresh] = await Promise.all([stage.ask(0, presetOf(0)), stage.ask(0, presetOf(1))]);
        expect(owned?.status).toBe(200);
        expect(fresh === undefined || fresh.status >= 500, `${fresh?.status}`).toBe(true);
        line?.mend();
        if (how !== 'cut') line?.cut();
        line?.mend();
        expect((await stage.want(presetOf(2)))?.status).toBe(200);
        await expectKept(stage, `hub and database, ${how}`, {});
      },
    );
  },
  LONG,
);

/** Of Debian's package, for whichever processor. */
const FAKETIME_LIBRARY = readdirSync('/usr/lib')
  .map((folder) => `/usr/lib/${folder}/faketime/libfaketime.so.1`)
  .find((file) => existsSync(file));
const FAKETIME: Need = {
  isMet: () => POSTGRESQL.isMet() && FAKETIME_LIBRARY !== undefined,
  advice: 'install PostgreSQL and libfaketime (Debian: apt-get install postgresql libfaketime)',
};

describeIf(
  FAKETIME,
  'hubs whose clocks are a day apart',
  () => {
    it('buy each thing once, on the day of the database', async () => {
      const env = { LD_PRELOAD: FAKETIME_LIBRARY ?? '', FAKETIME: '+1d', FAKETIME_DONT_FAKE_MONOTONIC: '1' };
      const late = { env };
      const stage = await startPartitionStage({ hubs: 2, hub: (nth) => (nth === 1 ? late : {}) });
      const presets = Array.from({ length: 20 }, (_, nth) => presetOf(nth));
      await Promise.all(presets.flatMap((preset) => [stage.ask(0, preset), stage.ask(1, preset)]));
      // On a slow machine some of so many at once are late: they are there afterwards, and were bought once.
      const given = await Promise.all(presets.map((preset) => stage.want(preset)));
      expect(given.filter((one) => one !== undefined && isTrue(one)).length).toBe(presets.length);
      const days = await stage.primary.sql<{ day: Date }>('SELECT DISTINCT day FROM purchase');
      expect(days.length).toBe(1);
      await expectKept(stage, 'clocks a day apart', { charges: presets.length });
    });
  },
  LONG,
);

describeIf(
  POSTGRESQL,
  'a database that fails over',
  () => {
    it('to a synchronous standby, under load: all that was acknowledged is there', async () => {
      let standby: PostgresServer | undefined;
      const stage = await startPartitionStage({
        hubs: 2,
        database: async (primary) => {
          standby = await primary.addStandby({ synchronous: true });
          return [primary, standby];
        },
      });
      const load = storm(stage, 60);
      await sleep(1500);
      await stage.postgres.kill();
      await standby?.promote();
      if (standby !== undefined) stage.primary = standby;
      await load;
      await expectKept(stage, 'a synchronous standby is promoted', {});
    });

    it('to an asynchronous one that lacks rows: buying stops until somebody has put them back', async () => {
      let standby: PostgresServer | undefined;
      let replication: Awaited<ReturnType<typeof startTcpProxy>> | undefined;
      const stage = await startPartitionStage({
        hub: () => ({ flags: ['--hub-accept-asynchronous'] }),
        database: async (primary) => {
          standby = await primary.addStandby();
          replication = await startTcpProxy(primary.port);
          const way = `host=127.0.0.1 port=${replication.port} user=svcd application_name=standby1`;
          await standby.set({ primary_conninfo: way });
          return [primary, standby];
        },
      });
      expect((await stage.want(presetOf(0)))?.status).toBe(200);
      await caughtUp(stage.postgres);
      replication?.cut();
      const lost = [1, 2, 3].map(presetOf);
      for (const preset of lost) expect((await stage.want(preset))?.status).toBe(200);
      await stage.postgres.kill();
      await standby?.promote();
      if (standby !== undefined) stage.primary = standby;
      const charged = stage.service.charges().size;
      const stopped = await stage.want(presetOf(4), 12_000);
      expect(stopped?.status).toBeGreaterThanOrEqual(400);
      expect(stage.service.charges().size).toBe(charged);
      const [hub] = stage.hubs;
      const recovered = await hub?.own('POST', '/svcd/hub/recover', {});
      expect(recovered?.status).toBeLessThan(300);
      // What was bought and lost is asked for again only by consent; the rest is bought.
      for (const preset of lost) await stage.want(preset, 5000);
      expect((await stage.want(presetOf(4)))?.status).toBe(200);
      await replication?.close();
      await expectKept(stage, 'an asynchronous standby is promoted', { charges: charged + 1 });
    });
  },
  LONG,
);

/** All machines want so many things, again and again, until each is there or asks first. */
async function storm(stage: PartitionStage, many: number): Promise<void> {
  const presets = Array.from({ length: many }, (_, nth) => presetOf(nth));
  const wanting: Promise<unknown>[] = [];
  for (const preset of presets) {
    wanting.push(stage.want(preset, 40_000));
    await sleep(40);
  }
  await Promise.all(wanting);
}

async function untilCharged({ service }: PartitionStage, times: number): Promise<void> {
  for (let tries = 0; service.charges().size < times && tries < 1000; tries++) await sleep(10);
}

async function caughtUp(primary: PostgresServer): Promise<void> {
  const behind = () =>
    primary.sql(
      `SELECT 1 FROM pg_stat_replication WHERE replay_lsn >= pg_current_wal_flush_lsn() AND state = 'streaming'`,
    );
  for (let tries = 0; (await behind()).length === 0 && tries < 500; tries++) await sleep(20);
}
