// A hub whose disk or database lost what it had paid for, and machines that have it: it comes back with their receipts.

import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createGiveBack } from '../../src/hub/member/return-lost.js';
import { keyIdOf } from '../../src/model/spender.js';
import { systemClock } from '../../src/platform/clock.js';
import { silentLog } from '../../src/platform/log.js';
import { openPurchases } from '../../src/purchases/sqlite/open-purchases.js';
import { createHubExchanger } from '../../src/hub/member/hub-exchanger.js';
import { HUB_POLICIES } from '../../src/hub/member/hub-policies.js';
import { createRemote } from '../../src/upstream/remote.js';
import { CAKE, RAIN } from '../sandbox/tiny-catalogue.js';
import { startHub, type StartedHub } from '../support/machine.js';
import { Sqlite } from '../support/sqlite.js';
import { membershipOf, startSidecar } from './start-sidecar.js';

const sticker = (preset: string) => `/api/v1/stickers/${encodeURIComponent(preset)}`;

/** What the machine of this home does every few minutes; its daemon is closed. */
function openGiveBack(home: string, joined: Awaited<ReturnType<typeof startSidecar>>['joined']) {
  const { addresses, pin, token, receipt_key: receiptKey, scope } = membershipOf(joined);
  const file = join(home, 'owned.db');
  const marks = { homeFile: `${file}.mark`, outsideFile: undefined };
  const times = { clock: systemClock, timeZone: undefined, graceMs: 1000, imageGraceMs: 1000 };
  const stores = openPurchases({ file, marks, scope, log: silentLog, ...times });
  const exchanger = createHubExchanger({ addresses, pin, token });
  const remote = createRemote({
    policies: HUB_POLICIES,
    baseUrl: addresses[0] ?? '',
    exchanger: exchanger.exchange,
    forcedOffline: false,
    watchBalance: () => () => undefined,
    clock: systemClock,
    log: silentLog,
  });
  const hub = { token, keyId: keyIdOf(token), receiptKey, scope, joinedAt: 0 };
  const giving = createGiveBack({ hub, remote, owned: stores.owned, carrier: stores.carrier, log: silentLog });
  onTestFinished(() => {
    giving.stop();
    remote.close();
    exchanger.close();
    stores.close();
  });
  return giving;
}

function inBooks(hub: StartedHub, sql: string): void {
  const db = new Sqlite(join(hub.home, 'owned.db'));
  db.exec(sql);
  db.close();
}

function ownedBy(hub: StartedHub): unknown[] {
  const db = new Sqlite(join(hub.home, 'owned.db'), { readonly: true });
  onTestFinished(() => void db.close());
  return db.prepare('SELECT item, origin FROM owned ORDER BY item').all();
}

it('comes back from a machine that has it, as paid, and is served to the others for nothing', async () => {
  const hub = await startHub();
  const one = await startSidecar(hub, 'one');
  for (const preset of [CAKE, RAIN]) await one.get(sticker(preset));
  await one.daemon.close();
  // As after a restore: of one it is known that it was paid, of the other that it may have been.
  inBooks(
    hub,
    `DELETE FROM owned; DROP TRIGGER purchase_moves; UPDATE purchase SET state = 'unknown', cost = NULL WHERE id = 2`,
  );
  const two = await hub.machine({}, 'two');
  const lacking = JSON.parse((await two.ask('/svcd/hub/returned')).text) as { items: string[] };
  expect(lacking.items.toSorted()).toEqual([CAKE, RAIN].map((preset) => `sticker:${preset}`).toSorted());
  await openGiveBack(one.home, one.joined).look();
  const { purchases } = (await (await hub.get('/svcd/hub/purchases')).json()) as { purchases: object[] };
  expect(purchases).toMatchObject([
    { id: 2, state: 'paid', cost: 1, reason: 'returned' },
    { id: 1, state: 'paid', cost: 1, reason: null },
  ]);
  expect(ownedBy(hub)).toMatchObject([{ origin: 'returned' }, { origin: 'returned' }]);
  for (const preset of [CAKE, RAIN]) {
    const { status, headers } = await two.get(preset);
    expect([status, headers['x-svcd-cost']]).toEqual([200, '0']);
  }
  expect(hub.remote.sandbox.charges()).toHaveLength(2);
  expect(await (await hub.get('/svcd/hub/audit')).json()).toMatchObject({ right: true, charged: 2 });
});

it('does not come from a machine whose bytes the hub never signed', async () => {
  const hub = await startHub();
  const one = await startSidecar(hub, 'one');
  await one.get(sticker(CAKE));
  await one.daemon.close();
  const db = new Sqlite(join(one.home, 'owned.db'));
  db.exec(`UPDATE owned SET receipt = 'v1.1.' || '${'A'.repeat(86)}'`);
  db.close();
  inBooks(hub, 'DELETE FROM owned');
  await openGiveBack(one.home, one.joined).look();
  expect(ownedBy(hub)).toEqual([]);
});
