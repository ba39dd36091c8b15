// A PostgreSQL that archives its log: the doctor takes that for the backup of a hub, by the age that the server tells.

import { mkdirSync, chownSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { POSTGRESQL } from '../support/postgres.js';
import { describeIf } from '../support/requires.js';
import { runSvcd } from '../support/run-svcd.js';
import { startHubOnPostgres } from './hub-on-postgres.js';

const NOBODY = 65_534;

describeIf(POSTGRESQL, 'a hub whose PostgreSQL archives its log', () => {
  it('has a backup once a piece of it was archived', async () => {
    const { server, hub } = await startHubOnPostgres(1, { settings: { archive_mode: 'on' } });
    const archive = join(server.folder, 'archive');
    mkdirSync(archive);
    if (process.getuid?.() === 0) chownSync(archive, NOBODY, NOBODY);
    const backup = async () => {
      const { stdout } = await runSvcd(['doctor', '--json'], { home: hub.home });
      const { checks } = JSON.parse(stdout) as { checks: { name: string; code: string }[] };
      return checks.find(({ name }) => name === 'backup');
    };
    expect(await backup()).toMatchObject({ code: 'backup_old', words: 'the last backup: never' });

    await server.set({ archive_command: `cp %p ${archive}/%f` });
    await server.sql('SELECT pg_switch_wal()');
    await expect.poll(backup, { interval: 500 }).toMatchObject({ code: 'backup_ok' });
  });
});
