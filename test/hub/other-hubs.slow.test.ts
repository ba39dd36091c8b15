// Several hubs on one PostgreSQL: a machine whose code named one of them learns of the others, and buys through them. And one
// hub that moves, with its machines after it.

import { readFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SvcdError } from '../../src/model/errors.js';
import { startHub } from '../faults/farm/hub.js';
import { presetOf, startService } from '../faults/farm/service.js';
import { startSidecar } from '../faults/farm/sidecar.js';
import { POSTGRESQL } from '../support/postgres.js';
import { freePort } from '../support/free-port.js';
import { describeIf } from '../support/requires.js';
import { runSvcd } from '../support/run-svcd.js';
import { temporaryHome } from '../support/start-daemon.js';
import { startHubOnPostgres } from './hub-on-postgres.js';

const DEADLINE_MS = 5000;
const PATIENCE_MS = 60_000;
/** Longer than a hub takes to end. */
const RETRY_AFTER_S = 10;

/** The addresses of its hubs that a machine has noted. */
const notedBy = ({ home }: { home: string }) =>
  (JSON.parse(readFileSync(join(home, 'hub.json'), 'utf8')) as { addresses: string[] }).addresses;

describeIf(POSTGRESQL, 'a machine whose code named one hub of two', () => {
  it('learns where the other is, and buys there once the first is killed', async () => {
    const { service, hub: first, startOther } = await startHubOnPostgres(2, { identity: temporaryHome() });
    const flags = ['--no-background-sync', '--deadline-ms', String(DEADLINE_MS)];
    const sidecar = await startSidecar('render-1', await first.invite('promo'), flags);
    onTestFinished(() => sidecar.remove());
    const noted = () => notedBy(sidecar);
    expect(noted()).toEqual([first.line.url]);

    const second = await startOther();
    await first.knows(2);
    // A start is one of the times at which it asks.
    await sidecar.end();
    await sidecar.start();
    await expect.poll(noted).toEqual([first.line.url, second.line.url]);
    expect(statSync(join(sidecar.home, 'hub.json')).mode & 0o777).toBe(0o600);

    await first.end('SIGKILL');
    const answer = await sidecar.ask(presetOf(0), AbortSignal.timeout(DEADLINE_MS));
    expect([answer.status, answer.headers.get('x-svcd-source')]).toEqual([200, 'remote']);
    expect([...service.charges()]).toEqual([[`sticker:${presetOf(0)}`, 1]]);
  });

  it('has what it waits for from the other, where the first is stopped in order', async () => {
    const { service, hub: first, startOther } = await startHubOnPostgres(1, { identity: temporaryHome() });
    const second = await startOther();
    await first.knows(2);
    const flags = ['--no-background-sync', '--deadline-ms', String(PATIENCE_MS)];
    const sidecar = await startSidecar('render-1', await first.invite('promo'), flags);
    onTestFinished(() => sidecar.remove());
    let refusals = 1;
    const busy = new SvcdError('rate_limited', 'too many', { retryAfterS: RETRY_AFTER_S });
    service.trouble = (path) => (path.includes('/stickers/') && refusals-- > 0 ? { refuse: busy } : undefined);

    const asked = sidecar.ask(presetOf(0));
    await expect.poll(() => refusals).toBe(0);
    await first.end();
    const { headers } = await asked;
    expect([headers.get('x-svcd-source'), headers.get('x-svcd-cost')]).toEqual(['remote', '1']);
    expect([...service.charges()]).toEqual([[`sticker:${presetOf(0)}`, 1]]);
    expect(await (await second.own('GET', '/svcd/hub/audit')).json()).toMatchObject({ right: true, charged: 1 });
  });
});

describe('a hub that moves', () => {
  it('is followed by its machines while they run, and nothing is bought twice', { timeout: 300_000 }, async () => {
    const service = await startService({ stickers: 2 });
    onTestFinished(() => service.close());
    const [before, after] = [temporaryHome(), `${temporaryHome()}/moved`];
    const how = { remote: service.url, key: service.key };
    const old = await startHub({ ...how, home: before });
    onTestFinished(() => old.remove());
    const code = await old.invite('promo');
    const flags = ['--no-background-sync', '--deadline-ms', String(DEADLINE_MS)];
    const sidecars = [
      await startSidecar('render-1', code, flags),
      await startSidecar('render-2', code, flags),
    ] as const;
    for (const one of sidecars) onTestFinished(() => one.remove());
    const [one, two] = sidecars;
    expect((await one.ask(presetOf(0))).headers.get('x-svcd-cost')).toBe('1');

    const port = await freePort();
    const next = `https://127.0.0.1:${port}`;
    expect(await runSvcd(['hub', 'move', next, '--home', before], { home: before })).toMatchObject({ code: 0 });
    await expect
      .poll(() => sidecars.map(notedBy), { timeout: 120_000 })
      .toEqual([
        [old.line.url, next],
        [old.line.url, next],
      ]);
    await old.end();
    expect((await two.ask(presetOf(1))).headers.get('x-svcd-source')).toBe('default');
    renameSync(before, after);
    const moved = await startHub({ ...how, home: after, flags: ['--listen', `127.0.0.1:${port}`] });
    onTestFinished(() => moved.remove());
    // What the first bought, and what was not to be had meanwhile.
    const sourceOf = async (preset: string) => (await two.ask(preset)).headers.get('x-svcd-source');
    await expect.poll(() => sourceOf(presetOf(1)), { timeout: 60_000 }).toMatch(/remote|owned/);
    await expect.poll(() => sourceOf(presetOf(0)), { timeout: 60_000 }).toMatch(/remote|owned/);
    expect((await one.ask(presetOf(1))).status).toBe(200);
    expect([...service.charges().values()]).toEqual([1, 1]);
    expect(await (await moved.own('GET', '/svcd/hub/audit')).json()).toMatchObject({ right: true, charged: 2 });
  });
});
