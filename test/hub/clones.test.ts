// A home that was copied: two processes with the token of one machine are told apart, a restart is not taken for one, and a hub that
// is strict lets the first alone buy. Over SQLite; over PostgreSQL in test/purchases/postgres.slow.test.ts.

import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { HealthRow } from '../../src/api/health.js';
import type { MachineView } from '../../src/api/hub.js';
import { findBelonging } from '../../src/config/membership.js';
import { systemClock } from '../../src/platform/clock.js';
import { BIRTHDAY_CAKE, CAKE, RAIN } from '../sandbox/tiny-catalogue.js';
import { refusalIn, startHub, type StartedHub } from '../support/machine.js';
import { runHere } from '../support/run-here.js';
import { startTestDaemon, temporaryHome } from '../support/start-daemon.js';
import { startSidecar } from './start-sidecar.js';

const STRICT = { flags: { 'hub-strict-machines': true } };

/** The hub's clock, which the test moves on. */
function movedClock() {
  let ahead = 0;
  const clock = { now: () => systemClock.now() + ahead, monotonic: () => systemClock.monotonic() + ahead };
  return { clock, wait: (ms: number) => void (ahead += ms) };
}

async function listed(hub: StartedHub): Promise<MachineView | undefined> {
  return ((await (await hub.get('/svcd/hub/machines')).json()) as { machines: MachineView[] }).machines[0];
}

describe('two processes with one token', () => {
  it('are a clone where both go on, and one that follows another is said and allowed', async () => {
    const { clock, wait } = movedClock();
    const hub = await startHub({ clock });
    const { get } = await hub.machine();
    const [one, other, later] = [randomUUID(), randomUUID(), randomUUID()];
    const asks = async (process: string) => (await get(CAKE, { 'X-Svcd-Process': process })).status;
    expect(await asks(one)).toBe(200);
    // The next of the same home, which ended well.
    expect(await asks(`${other} ${one}`)).toBe(200);
    expect(await listed(hub)).toMatchObject({ cloned_at: null, replaced_at: null });
    wait(100_000);
    expect(await asks(later)).toBe(200);
    await expect.poll(() => listed(hub)).toMatchObject({ cloned_at: null, replaced_at: expect.any(String) as string });
    expect(await asks(other)).toBe(200);
    expect(await listed(hub)).toMatchObject({ cloned_at: null });
    wait(25_000);
    expect(await asks(later)).toBe(200);
    await expect.poll(() => listed(hub)).toMatchObject({ cloned_at: expect.any(String) as string });
    const table = await runHere(['hub', 'machines'], { home: hub.home });
    expect(table.stdout).toMatch(/in two places at once .*another process took over/);
    const { checks } = (await (await hub.get('/svcd/hub/status')).json()) as { checks: HealthRow[] };
    expect(checks.find(({ name }) => name === 'machines')?.words).toContain('render-1');
    wait(2 * 60 * 60_000);
    const after = (await (await hub.get('/svcd/hub/status')).json()) as { checks: HealthRow[] };
    expect(after.checks.map(({ name }) => name)).not.toContain('machines');
  });

  it('buy at the first alone where the hub is strict, also when the clone is first, until that is gone', async () => {
    const { clock, wait } = movedClock();
    const hub = await startHub({ ...STRICT, clock });
    const { get } = await hub.machine();
    const [clone, own] = [{ 'X-Svcd-Process': randomUUID() }, { 'X-Svcd-Process': randomUUID() }];
    expect(await get(CAKE, clone)).toMatchObject({ status: 200 });
    const refused = refusalIn(await get(RAIN, own));
    expect(refused).toMatchObject({ status: 403, code: 'not_permitted' });
    expect(refused.message + refused.hint).toMatch(/runs in two places.*svcd hub join CODE --anew/);
    // What is owned it gets, and one without svcd is not counted.
    expect(await get(CAKE, own)).toMatchObject({ status: 200, headers: { 'x-svcd-source': 'owned' } });
    expect(await get(BIRTHDAY_CAKE)).toMatchObject({ status: 200 });
    wait(100_000);
    expect(await get(RAIN, own)).toMatchObject({ status: 200, headers: { 'x-svcd-source': 'remote' } });
    expect(hub.remote.sandbox.charges()).toHaveLength(3);
  });
});

describe('a copied home', () => {
  it('buys nothing at a strict hub until it joins anew; a restart of the first goes on at once', async () => {
    const hub = await startHub(STRICT);
    const first = await startSidecar(hub, 'one');
    const buys = async (svcd: Pick<typeof first, 'get'>, preset: string) => {
      const answer = await svcd.get(`/api/v1/stickers/${encodeURIComponent(preset)}`);
      const told = answer.status === 200 ? (answer.headers.get('x-svcd-source') ?? '') : await answer.text();
      return `${answer.status} ${told}`;
    };
    expect(await buys(first, CAKE)).toBe('200 remote');
    const copied = temporaryHome();
    cpSync(join(first.home, 'hub.json'), join(copied, 'hub.json'));
    expect(existsSync(join(first.home, 'last-process'))).toBe(false);
    const copy = await startTestDaemon({ home: copied });
    // In the words of the hub.
    expect(await buys(copy, RAIN)).toMatch(/^403 .*runs in two places.*svcd hub join CODE --anew/);
    await first.daemon.close();
    const again = await startTestDaemon({ home: first.home });
    expect(await buys(again, BIRTHDAY_CAKE)).toBe('200 remote');
    await copy.daemon.close();
    const joined = await runHere(['hub', 'join', (await hub.invite()).code, '--anew', '--name', 'two'], {
      home: copied,
    });
    expect(joined.code).toBe(0);
    expect(findBelonging(copied)).toMatchObject({ membership: { machine: { id: 2, name: 'two' } } });
    expect(await buys(await startTestDaemon({ home: copied }), RAIN)).toBe('200 remote');
  });
});
