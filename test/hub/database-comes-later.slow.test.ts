// A machine restarts at night, and PostgreSQL comes up after the hub: what is owned is served meanwhile, nothing is bought, and
// people are told why. Real processes.

import { expect, it, onTestFinished } from 'vitest';
import type { HealthRow } from '../../src/api/health.js';
import type { HubStatus } from '../../src/api/hub.js';
import type { Hub } from '../faults/farm/hub.js';
import { presetOf } from '../faults/farm/service.js';
import { startSidecar } from '../faults/farm/sidecar.js';
import { makeHome, runSvcd } from '../support/run-svcd.js';
import { POSTGRESQL, startPostgres } from '../support/postgres.js';
import { describeIf } from '../support/requires.js';
import { startHubOnPostgres } from './hub-on-postgres.js';

const DEADLINE_MS = 5000;
const COMES_WITHIN_MS = 30_000;

describeIf(POSTGRESQL, 'a hub that starts while its database is away', () => {
  const databaseCheck = async (hub: Hub): Promise<HealthRow | undefined> =>
    ((await (await hub.own('GET', '/svcd/hub/status')).json()) as HubStatus).checks.find(
      ({ name }) => name === 'database',
    );

  it('serves what is owned, buys nothing, says so, and buys once the database has come', async () => {
    const { server, service, hub } = await startHubOnPostgres(3);
    const flags = ['--no-background-sync', '--deadline-ms', String(DEADLINE_MS)];
    const sidecars = [];
    for (const [nth, name] of ['render-1', 'render-2'].entries()) {
      const sidecar = await startSidecar(name, await hub.invite('promo'), flags);
      onTestFinished(() => sidecar.remove());
      expect((await sidecar.ask(presetOf(nth))).headers.get('x-svcd-source')).toBe('remote');
      sidecars.push(sidecar);
    }
    const [, second] = sidecars;
    const ask = async (nth: number) => {
      const { headers } = (await second?.ask(presetOf(nth))) ?? new Response();
      return [headers.get('x-svcd-source'), headers.get('x-svcd-cost'), headers.get('x-svcd-reason')];
    };

    await hub.end('SIGKILL');
    await server.kill();
    await hub.start();
    // It has this from the hub, which the other machine had caused to buy it.
    expect(await ask(0)).toEqual(['remote', '0', null]);
    expect(await ask(2)).toEqual(['default', '0', 'offline']);
    expect(await databaseCheck(hub)).toMatchObject({ status: 'bad', words: expect.stringContaining('ECONNREFUSED') });
    const doctor = await runSvcd(['hub', 'doctor', '--home', hub.home], { home: hub.home });
    expect([doctor.code === 0, doctor.stdout]).toEqual([false, expect.stringContaining('cannot be used now')]);
    expect(doctor.stdout).toMatch(/audit +the books could not be compared while the database is away/);
    const status = await runSvcd(['hub', 'status', '--home', hub.home], { home: hub.home });
    expect([status.code, status.stdout]).toEqual([0, expect.stringContaining('cannot be used now')]);

    await server.start();
    await expect.poll(() => databaseCheck(hub), { timeout: COMES_WITHIN_MS }).toMatchObject({ status: 'ok' });
    await expect.poll(() => ask(2), { timeout: COMES_WITHIN_MS, interval: 500 }).toEqual(['remote', '1', null]);
    expect(service.charges()).toEqual(new Map([0, 1, 2].map((nth) => [`sticker:${presetOf(nth)}`, 1])));
    expect(await (await hub.own('GET', '/svcd/hub/audit')).json()).toMatchObject({ right: true, charged: 3 });
  });

  it('buys nothing from one that came back unsafe, and says why', async () => {
    const { server, service, hub } = await startHubOnPostgres(1);
    await server.sql('ALTER SYSTEM SET fsync = off');
    await hub.end('SIGKILL');
    await server.kill();
    await hub.start();
    await server.start();
    await expect
      .poll(() => databaseCheck(hub), { timeout: COMES_WITHIN_MS })
      .toMatchObject({ status: 'bad', words: expect.stringContaining('fsync is off') });
    const answer = await hub.own('GET', `/api/v1/stickers/${presetOf(0)}`);
    expect(answer.headers.get('x-svcd-source')).toBe('default');
    expect([...service.charges()]).toEqual([]);
  });

  it('does not start where it has never used the database, and says so', async () => {
    const server = await startPostgres();
    onTestFinished(() => server.remove());
    await server.kill();
    const { home, remove } = makeHome();
    onTestFinished(remove);
    const { code, stderr } = await runSvcd(
      ['hub', 'start', '--home', home, '--listen', '127.0.0.1:0', '--port', '0', '--database', server.url],
      { home },
    );
    expect([code === 0, stderr]).toEqual([false, expect.stringContaining('has never used it')]);
  });
});
