// Hubs on one PostgreSQL, as tests open them: a database of its own for each test, whose clock shows a time at which no day ends,
// and a temporary home for each hub.

import { afterAll, afterEach, beforeAll, beforeEach, onTestFinished } from 'vitest';
import type { OpenPostgresOptions } from '../../src/purchases/postgres/open-postgres-purchases.js';
import { type PostgresPurchases, makeHubHome, type HubHome } from '../support/postgres-purchases.js';
import { startPostgres, type PostgresServer } from '../support/postgres.js';
import { createWorkdayClock, msToWorkday } from '../support/workday-clock.js';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';
import { mine } from './claims.js';
import { order } from './hub-orders.js';
import type { Order } from '../../src/purchases/journal.js';

export function hubAt(hubs: readonly PostgresPurchases[], nth: number): PostgresPurchases {
  const hub = hubs[nth];
  if (hub === undefined) throw new Error(`there is no hub ${nth}`);
  return hub;
}

/** For one `describe`; what it opens is closed after each test. */
export function useHubs() {
  let server: PostgresServer;
  let url: string;
  const homes: HubHome[] = [];
  const opened: PostgresPurchases[] = [];
  beforeAll(async () => (server = await startPostgres()));
  afterAll(() => server.remove());
  let isAtWork = false;
  beforeEach(async () => {
    url = await server.newDatabase();
    isAtWork = false;
  });
  afterEach(async () => {
    for (const hub of opened.splice(0)) await hub.close();
    for (const home of homes.splice(0)) home.remove();
  });

  const nameOf = (address: string) => address.slice(address.lastIndexOf('/') + 1);
  const rows = <R extends object>(text: string) => server.sql<R>(text, nameOf(url));
  const toWorkday = async () => {
    const ms = msToWorkday();
    await rows(`CREATE OR REPLACE FUNCTION svcd_ms() RETURNS bigint LANGUAGE sql VOLATILE AS
      $$ SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint + ${ms} $$`);
    await rows(`UPDATE holder SET started_at = started_at + ${ms}, seen_at = seen_at + ${ms}`);
  };
  const makeHome = (address = url) => {
    const home = makeHubHome(address);
    homes.push(home);
    return home;
  };
  const openAt = async (home: HubHome, more?: Partial<OpenPostgresOptions>) => {
    const hub = await home.open({ clock: createWorkdayClock(), ...more });
    opened.push(hub);
    if (!isAtWork) await toWorkday();
    isAtWork = true;
    if (more?.scope === undefined) await hub.budget.set('day', null);
    return hub;
  };
  const open = (more?: Partial<OpenPostgresOptions>) => openAt(makeHome(), more);
  const openMany = async (count: number, more?: Partial<OpenPostgresOptions>) => {
    const hubs: PostgresPurchases[] = [];
    for (let n = 0; n < count; n += 1) hubs.push(await open(more));
    return hubs;
  };
  const sent = async (hub: PostgresPurchases, item: string, more?: Partial<Order>) => {
    const id = mine(await hub.journal.intend(order(item, more)));
    await hub.journal.send(id);
    return id;
  };
  const stateOf = async (hub: PostgresPurchases, id: number) => (await hub.journal.getPurchase(id)).state;
  const isRight = async (hub: PostgresPurchases) => (await hub.openHub().books.audit()).right;
  /** Takes a hub for one whose process is gone since long. */
  const takeForDead = (home: string) => rows(`UPDATE holder SET seen_at = seen_at - 31000 WHERE name = '${home}'`);
  /** A hub that reaches the database through a line that can break. */
  const openBehind = async (
    more?: Partial<OpenPostgresOptions>,
  ): Promise<{ hub: PostgresPurchases; line: TcpProxy; home: HubHome }> => {
    const line = await startTcpProxy(server.port);
    onTestFinished(() => line.close());
    const home = makeHome(server.urlAt(line.port, nameOf(url)));
    return { hub: await openAt(home, more), line, home };
  };
  const address = () => url;
  return { address, openAt, open, openMany, openBehind, makeHome, rows, sent, stateOf, isRight, takeForDead };
}
