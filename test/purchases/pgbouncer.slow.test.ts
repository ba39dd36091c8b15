// PgBouncer between hub and PostgreSQL: well in transaction mode, refused in statement mode.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { freePort } from '../support/free-port.js';
import { makeHubHome } from '../support/postgres-purchases.js';
import { PASSWORD, POSTGRESQL, startPostgres } from '../support/postgres.js';
import { describeIf, hasProgram, type Need } from '../support/requires.js';
import { mine } from './claims.js';
import { fileOf, order } from './hub-orders.js';

const PGBOUNCER: Need = {
  isMet: () => hasProgram('pgbouncer') && POSTGRESQL.isMet(),
  advice: 'install PgBouncer and PostgreSQL (Debian: apt-get install pgbouncer postgresql)',
  instead: 'the same statements are asked of PostgreSQL itself',
};

/** A hub's home whose database is behind a PgBouncer of this mode. */
async function openBehind(mode: 'transaction' | 'statement') {
  const server = await startPostgres();
  onTestFinished(() => server.remove());
  const folder = mkdtempSync(join(tmpdir(), 'svcd-pgbouncer-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const port = await freePort();
  const file = join(folder, 'pgbouncer.ini');
  const database = `* = host=127.0.0.1 port=${server.port} user=svcd password='${PASSWORD}'`;
  const settings = [
    `listen_addr = 127.0.0.1`,
    `listen_port = ${port}`,
    `auth_type = any`,
    `pool_mode = ${mode}`,
    'unix_socket_dir =',
  ];
  // Fewer than a hub opens.
  writeFileSync(file, ['[databases]', database, '[pgbouncer]', ...settings, 'default_pool_size = 3', ''].join('\n'));
  const child = spawn('pgbouncer', [...(process.getuid?.() === 0 ? ['-u', 'nobody'] : []), file], { stdio: 'ignore' });
  onTestFinished(async () => {
    child.kill();
    if (child.exitCode === null) await once(child, 'close');
  });
  const isUp = () =>
    new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false));
      socket.on('connect', () => socket.destroy());
    });
  await expect.poll(isUp).toBe(true);
  const home = makeHubHome(server.urlAt(port));
  onTestFinished(() => home.remove());
  return home;
}

describeIf(PGBOUNCER, 'a hub behind PgBouncer', () => {
  it('buys in transaction mode, with fewer connections than it asks for', async () => {
    const hub = await (await openBehind('transaction')).open();
    onTestFinished(() => hub.close());
    const buy = async (_: unknown, nth: number) => {
      const id = mine(await hub.journal.intend(order(`s${nth}`)));
      await hub.journal.send(id);
      await hub.owned.keep(id, 1, fileOf(`s${nth}`));
    };
    await Promise.all(Array.from({ length: 12 }, buy));
    await hub.hub.lookNow();
    expect(await hub.openHub().books.audit()).toMatchObject({ right: true, charged: 12 });
  });

  it('does not start in statement mode, and says so', async () => {
    const home = await openBehind('statement');
    await expect(home.open()).rejects.toMatchObject({
      code: 'database_unsafe',
      hint: expect.stringContaining('pool_mode = transaction') as string,
    });
  });
});
