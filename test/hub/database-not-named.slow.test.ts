// The home of a hub on PostgreSQL, started by somebody who forgot to name the database: its owned.db does not know all that
// was paid for, and would pay again.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { presetOf } from '../faults/farm/service.js';
import { startSidecar } from '../faults/farm/sidecar.js';
import { POSTGRESQL } from '../support/postgres.js';
import { describeIf } from '../support/requires.js';
import { runSvcd } from '../support/run-svcd.js';
import { startHubOnPostgres } from './hub-on-postgres.js';

describeIf(POSTGRESQL, 'the home of a hub whose purchases are in PostgreSQL', () => {
  it('buys nothing without it, says where they are, and goes on with it', async () => {
    const { server, service, hub } = await startHubOnPostgres(3);
    const sidecar = await startSidecar('render-1', await hub.invite('promo'), ['--no-background-sync']);
    onTestFinished(() => sidecar.remove());
    expect((await sidecar.ask(presetOf(0))).headers.get('x-svcd-source')).toBe('remote');
    await hub.end();

    const inHome = (...words: string[]) =>
      runSvcd(words, { home: hub.home, env: { SERVICE_API_KEY: service.key, SVCD_REMOTE: service.url } });
    const file = join(sidecar.home, 'sticker.json');
    const started = await inHome('hub', 'start', '--listen', '127.0.0.1:0', '--port', '0');
    expect(started.code).not.toBe(0);
    expect(started.stderr).toMatch(/purchases and machines of this hub are in postgres:\/\/.*no database is named/);
    expect(started.stderr).toContain('--database postgres://');
    expect(started.stderr).not.toContain(new URL(server.url).password || 'no password');

    // By a command alone, too: what is owned is there, and nothing else is bought.
    expect((await inHome('get', presetOf(0), '-o', file)).code).toBe(0);
    const bought = await inHome('get', presetOf(1), '--strict', '-o', `${file}.other`);
    expect(bought.code).not.toBe(0);
    expect(bought.stderr).toContain('postgres://');
    expect([...service.charges().values()]).toEqual([1]);

    // Nor does owned.db know machines and purchases: it does not say that there are none.
    for (const command of ['machines', 'purchases', 'audit', 'budget']) {
      const asked = await inHome('hub', command);
      expect(asked).toMatchObject({ code: 4, stdout: '' });
      expect(asked.stderr).toMatch(/purchases and machines of this hub are in postgres:\/\/.*does not run with it/);
    }

    // A copy of it would be taken for a backup of what it does not hold.
    const copied = await inHome('owned', 'backup', `${file}.db`);
    expect(copied).toMatchObject({ code: 2, stdout: '' });
    expect(copied.stderr).toContain('pg_dump --format=custom');
    expect(existsSync(`${file}.db`)).toBe(false);

    await hub.start();
    const doctor = async () => (await inHome('hub', 'doctor')).stdout;
    expect(await doctor()).toMatch(/backup +the last backup: never[^]*pg_dump --format=custom/);
    expect((await inHome('hub', 'backup-done')).code).toBe(0);
    expect(await doctor()).not.toContain('pg_dump');
    // The machine notices in its own time that its hub is there again.
    await expect
      .poll(async () => (await sidecar.ask(presetOf(1))).headers.get('x-svcd-source'), { interval: 500 })
      .toBe('remote');
    expect([...service.charges().values()]).toEqual([1, 1]);
  });
});
