// Spending is stopped and allowed again for all hubs of a database, whichever of them is told.

import { afterAll, afterEach, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import type { PostgresPurchases } from '../support/postgres-purchases.js';
import { makeHubHome, type HubHome } from '../support/postgres-purchases.js';
import { POSTGRESQL, startPostgres, type PostgresServer } from '../support/postgres.js';
import { describeIf } from '../support/requires.js';
import { startTcpProxy } from '../support/tcp-proxy.js';
import { codeOf, order } from './hub-orders.js';

describeIf(POSTGRESQL, 'hubs on one PostgreSQL', () => {
  let server: PostgresServer;
  let url: string;
  const homes: HubHome[] = [];
  const opened = new Set<PostgresPurchases>();
  beforeAll(async () => (server = await startPostgres()));
  afterAll(() => server.remove());
  beforeEach(async () => (url = await server.newDatabase()));
  afterEach(async () => {
    for (const hub of opened) await close(hub);
    for (const home of homes.splice(0)) home.remove();
  });

  const makeHome = (address = url) => {
    const home = makeHubHome(address);
    homes.push(home);
    return home;
  };
  const open = async (home = makeHome()) => {
    const hub = await home.open();
    opened.add(hub);
    return hub;
  };
  const close = (hub: PostgresPurchases) => {
    opened.delete(hub);
    return hub.close();
  };
  /** What it says to a wish, when it has looked at the database. */
  const said = (hub: PostgresPurchases, item: string) =>
    codeOf(hub.hub.lookNow().then(() => hub.journal.intend(order(item))));

  it('stop all together, and go on together', async () => {
    const [hub, other] = [await open(), await open()];
    hub.guard.setStopped(true);
    await expect.poll(() => codeOf(other.journal.intend(order('a')))).toBe('spending_stopped');
    await other.hub.lookNow();
    expect(other.guard.findStop()).toMatchObject({ by: 'user' });
    hub.guard.setStopped(false);
    await expect.poll(() => said(other, 'b')).toBe('done');
  });

  it('go on where one lifts what another had stopped', async () => {
    const [hub, other] = [await open(), await open()];
    hub.guard.setStopped(true);
    await expect.poll(() => codeOf(other.journal.intend(order('a')))).toBe('spending_stopped');
    other.guard.setStopped(false);
    await expect.poll(() => said(hub, 'b')).toBe('done');
  });

  it('are stopped as soon as their database is back, also by one that was started anew since', async () => {
    const line = await startTcpProxy(server.port);
    onTestFinished(() => line.close());
    const home = makeHome(server.urlAt(line.port, url.slice(url.lastIndexOf('/') + 1)));
    const [hub, other] = [await open(home), await open()];
    line.cut();
    hub.guard.setStopped(true);
    expect(hub.guard.findStop()).toMatchObject({ by: 'user' });
    await expect.poll(() => said(hub, 'a')).toBe('database_away');
    expect(await codeOf(other.journal.intend(order('a')))).toBe('done');
    await close(hub);
    line.mend();
    const again = await open(home);
    expect(again.guard.findStop()).toMatchObject({ by: 'user' });
    await again.hub.lookNow();
    expect(await codeOf(other.journal.intend(order('b')))).toBe('spending_stopped');
  });
});
