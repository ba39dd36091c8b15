// Several hubs on one PostgreSQL: a machine whose code named one of them learns of the others, and buys through them.

import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startHub } from '../faults/farm/hub.js';
import { presetOf, startService } from '../faults/farm/service.js';
import { startSidecar } from '../faults/farm/sidecar.js';
import { POSTGRESQL, startPostgres } from '../support/postgres.js';
import { describeIf } from '../support/requires.js';

const DEADLINE_MS = 5000;

describeIf(POSTGRESQL, 'a machine whose code named one hub of two', () => {
  it('learns where the other is, and buys there once the first is killed', async () => {
    const server = await startPostgres();
    onTestFinished(() => server.remove());
    const identity = mkdtempSync(join(tmpdir(), 'svcd-identity-'));
    onTestFinished(() => rmSync(identity, { recursive: true, force: true }));
    const service = await startService({ stickers: 2 });
    onTestFinished(() => service.close());
    const startOne = async () => {
      const hub = await startHub({ remote: service.url, key: service.key, database: server.url, identity });
      onTestFinished(() => hub.remove());
      return hub;
    };
    const first = await startOne();
    const flags = ['--no-background-sync', '--deadline-ms', String(DEADLINE_MS)];
    const sidecar = await startSidecar('render-1', await first.invite('promo'), flags);
    onTestFinished(() => sidecar.remove());
    const file = join(sidecar.home, 'hub.json');
    const noted = () => (JSON.parse(readFileSync(file, 'utf8')) as { addresses: string[] }).addresses;
    expect(noted()).toEqual([first.line.url]);

    const second = await startOne();
    await first.knows(2);
    // A start is one of the times at which it asks.
    await sidecar.end();
    await sidecar.start();
    await expect.poll(noted, { timeout: 20_000 }).toEqual([first.line.url, second.line.url]);
    expect(statSync(file).mode & 0o777).toBe(0o600);

    await first.end('SIGKILL');
    const answer = await sidecar.ask(presetOf(0), AbortSignal.timeout(DEADLINE_MS));
    expect([answer.status, answer.headers.get('x-svcd-source')]).toEqual([200, 'remote']);
    expect([...service.charges()]).toEqual([[`sticker:${presetOf(0)}`, 1]]);
  });
});
