// Several hubs on one PostgreSQL: a machine whose code named one of them learns of the others, and buys through them.

import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { SvcdError } from '../../src/model/errors.js';
import { presetOf } from '../faults/farm/service.js';
import { startSidecar } from '../faults/farm/sidecar.js';
import { POSTGRESQL } from '../support/postgres.js';
import { describeIf } from '../support/requires.js';
import { temporaryHome } from '../support/start-daemon.js';
import { startHubOnPostgres } from './hub-on-postgres.js';

const DEADLINE_MS = 5000;
const PATIENCE_MS = 60_000;
/** Longer than a hub takes to end. */
const RETRY_AFTER_S = 10;

describeIf(POSTGRESQL, 'a machine whose code named one hub of two', () => {
  it('learns where the other is, and buys there once the first is killed', async () => {
    const { service, hub: first, startOther } = await startHubOnPostgres(2, { identity: temporaryHome() });
    const flags = ['--no-background-sync', '--deadline-ms', String(DEADLINE_MS)];
    const sidecar = await startSidecar('render-1', await first.invite('promo'), flags);
    onTestFinished(() => sidecar.remove());
    const file = join(sidecar.home, 'hub.json');
    const noted = () => (JSON.parse(readFileSync(file, 'utf8')) as { addresses: string[] }).addresses;
    expect(noted()).toEqual([first.line.url]);

    const second = await startOther();
    await first.knows(2);
    // A start is one of the times at which it asks.
    await sidecar.end();
    await sidecar.start();
    await expect.poll(noted).toEqual([first.line.url, second.line.url]);
    expect(statSync(file).mode & 0o777).toBe(0o600);

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
