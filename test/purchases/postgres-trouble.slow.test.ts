// Databases that would lose money: whose standby lags, that forgot, that failed over.

import { expect, it, onTestFinished } from 'vitest';
import { isSvcdError } from '../../src/model/errors.js';
import type { OpenPostgresOptions } from '../../src/purchases/postgres/open-postgres-purchases.js';
import { makeHubHome } from '../support/postgres-purchases.js';
import { POSTGRESQL, startPostgres, type PostgresServer } from '../support/postgres.js';
import { describeIf } from '../support/requires.js';
import { mine } from './claims.js';
import { codeOf, fileOf, order } from './hub-orders.js';

describeIf(POSTGRESQL, 'a PostgreSQL that is no good for money', () => {
  const open = async (server: PostgresServer, more?: Partial<OpenPostgresOptions>) => {
    const home = makeHubHome(server.url);
    onTestFinished(() => home.remove());
    const hub = await home.open(more);
    await hub.close();
  };

  it.each([{ fsync: 'off' }])('lets no hub start: %j', async (settings) => {
    const server = await startPostgres(settings);
    onTestFinished(() => server.remove());
    const error: unknown = await open(server).catch((thrown: unknown) => thrown);
    expect([isSvcdError(error, 'database_unsafe'), String(error)]).toEqual([
      true,
      expect.stringContaining('fsync is off'),
    ]);
  });

  it('is one whose standby lags, unless that was accepted', async () => {
    const server = await startPostgres();
    onTestFinished(() => server.remove());
    await server.addStandby();
    expect(await codeOf(open(server))).toBe('database_unsafe');
    expect(await codeOf(open(server, { acceptAsynchronous: true }))).toBe('done');
  });

  it('was changed by a newer svcd: a hub that runs sends nothing more, keeps what was sent, and says so', async () => {
    const server = await startPostgres();
    onTestFinished(() => server.remove());
    const home = makeHubHome(server.url);
    onTestFinished(() => home.remove());
    const hub = await home.open();
    onTestFinished(() => hub.close());
    const sent = mine(await hub.journal.intend(order('sent')));
    await hub.journal.send(sent);
    const waits = mine(await hub.journal.intend(order('waits')));
    await server.sql('UPDATE svcd_schema SET version = version + 1');
    expect(await codeOf(hub.journal.send(waits))).toBe('spending_stopped');
    expect(await codeOf(hub.journal.intend(order('other')))).toBe('spending_stopped');
    await hub.owned.keep(sent, 1, fileOf('sent'));
    await hub.hub.lookNow();
    expect(hub.guard.findStop()).toMatchObject({ by: 'newer' });
    expect(await codeOf(open(server))).toBe('database_newer');
  });

  it('forgot what was sent: nothing is bought until it was put back', async () => {
    const primary = await startPostgres();
    onTestFinished(() => primary.remove());
    const standby = await primary.addStandby();
    const hosts = [primary, standby].map(({ port }) => `127.0.0.1:${port}`).join(',');
    const home = makeHubHome(primary.url.replace(/127\.0\.0\.1:\d+/, hosts));
    onTestFinished(() => home.remove());
    const hub = await home.open({ acceptAsynchronous: true });
    onTestFinished(() => hub.close());
    const kept = mine(await hub.journal.intend(order('kept')));
    await hub.journal.send(kept);
    await hub.owned.keep(kept, 1, fileOf('kept'));
    const [at] = await primary.sql<{ lsn: string }>('SELECT pg_current_wal_flush_lsn() AS lsn');
    await expect
      .poll(() => standby.sql(`SELECT 1 FROM pg_stat_wal_receiver WHERE flushed_lsn >= '${at?.lsn}'`))
      .toHaveLength(1);
    await standby.stop();
    const forgotten = mine(await hub.journal.intend(order('forgotten')));
    await hub.journal.send(forgotten);
    await primary.kill();
    await standby.start();
    await standby.promote();
    // Of the same item the new primary knows nothing: it would be bought again.
    expect(await codeOf(hub.journal.intend(order('forgotten')))).toBe('spending_stopped');
    expect(await codeOf(hub.journal.intend(order('other')))).toBe('spending_stopped');
    expect(hub.guard.findStop()).toMatchObject({
      by: 'loss',
      hint: expect.stringContaining('svcd hub recover') as string,
    });
    expect(await hub.hub.recover()).toBe(1);
    const claim = await hub.journal.intend(order('forgotten'));
    expect(claim).toMatchObject({ mine: false, counts: { id: forgotten, state: 'unknown', reason: 'recovered' } });
    expect(mine(await hub.journal.intend(order('other')))).toBeGreaterThan(forgotten);
    // The answer comes after all.
    await hub.owned.keep(forgotten, 1, fileOf('forgotten'));
    expect((await hub.journal.getPurchase(forgotten)).state).toBe('paid');
    expect((await hub.openHub().books.audit()).right).toBe(true);
  });

  it('was put back to an earlier day, from a dump or with its disk: nothing is bought until it was put back', async () => {
    const server = await startPostgres();
    onTestFinished(() => server.remove());
    const home = makeHubHome(server.url);
    onTestFinished(() => home.remove());
    let hub = await home.open();
    onTestFinished(() => hub.close());
    const buy = async (item: string) => {
      const id = mine(await hub.journal.intend(order(item)));
      await hub.journal.send(id);
      await hub.owned.keep(id, 1, fileOf(item));
      return id;
    };
    const expectStopped = async (id: number, item: string) => {
      expect(await codeOf(hub.journal.intend(order(item)))).toBe('spending_stopped');
      expect(await hub.hub.recover()).toBe(1);
      expect(await hub.journal.intend(order(item))).toMatchObject({ mine: false, counts: { id } });
    };
    await buy('kept');
    await server.sql(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'svcd'`, 'postgres');
    await server.sql('CREATE DATABASE dump TEMPLATE svcd', 'postgres');
    const lost = await buy('lost');
    await server.sql('DROP DATABASE svcd WITH (FORCE)', 'postgres');
    await server.sql('ALTER DATABASE dump RENAME TO svcd', 'postgres');
    await expectStopped(lost, 'lost');
    expect((await hub.openHub().books.audit()).right).toBe(true);

    const last = await buy('last');
    await hub.close();
    await server.sql(`SET session_replication_role = replica; DELETE FROM owned WHERE purchase_id = ${last};
      DELETE FROM purchase WHERE id = ${last}; SELECT setval('purchase_id', ${lost})`);
    hub = await home.open();
    await expectStopped(last, 'last');
    expect(mine(await hub.journal.intend(order('next')))).toBeGreaterThan(last);
  });

  it('goes on by itself after a failover that lost nothing', async () => {
    const primary = await startPostgres();
    onTestFinished(() => primary.remove());
    const standby = await primary.addStandby({ synchronous: true });
    const hosts = [primary, standby].map(({ port }) => `127.0.0.1:${port}`).join(',');
    const home = makeHubHome(primary.url.replace(/127\.0\.0\.1:\d+/, hosts));
    onTestFinished(() => home.remove());
    const hub = await home.open();
    onTestFinished(() => hub.close());
    const ids: number[] = [];
    for (let n = 0; n < 5; n += 1) {
      ids.push(mine(await hub.journal.intend(order(`s${n}`))));
      await hub.journal.send(ids.at(-1) ?? 0);
    }
    await primary.kill();
    expect(await codeOf(hub.journal.intend(order('away')))).toBe('database_away');
    await standby.promote();
    for (const [n, id] of ids.entries()) await hub.owned.keep(id, 1, fileOf(`s${n}`));
    expect((await hub.journal.sums()).find(({ state }) => state === 'paid')).toMatchObject({ credits: 5 });
    expect(await codeOf(hub.journal.intend(order('next')))).toBe('done');
  });
});
