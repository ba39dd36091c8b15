// Purchases of one account that overlap: a balance read between them must not be taken for more than it says.

import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { keyIdOf } from '../../src/model/spender.js';
import { silentLog } from '../../src/platform/log.js';
import { openPurchases } from '../../src/purchases/sqlite/open-purchases.js';
import type { Exchange } from '../../src/upstream/exchange.js';
import { movableClock, type MovableClock } from '../purchases/open-test-purchases.js';
import { createTestBuyer, delivered, KEY, lost, refused as refusal, type TestBuyer } from '../purchases/test-buyer.js';
import { makeHome } from '../support/run-svcd.js';
import { Sqlite } from '../support/sqlite.js';
import type { PurchaseStores } from '../../src/purchases/purchase-stores.js';

const KEY_ID = keyIdOf(KEY);
const GRACE_MS = 10_000;

let clock: MovableClock;
let file: string;
let stores: PurchaseStores;
let buyer: TestBuyer;
let balance: number;

beforeEach(() => {
  clock = movableClock();
  const { home, remove } = makeHome();
  file = join(home, 'owned.db');
  stores = openPurchases({
    file,
    marks: { homeFile: `${file}.mark`, outsideFile: undefined },
    scope: 'test',
    clock,
    log: silentLog,
    timeZone: undefined,
    graceMs: GRACE_MS,
    imageGraceMs: GRACE_MS,
  });
  buyer = createTestBuyer(stores, () => balance);
  balance = 100;
  return () => {
    stores.close();
    remove();
  };
});

describe('a purchase that waits for its turn while another one is made', () => {
  it('is settled truly when its own end is not seen', async () => {
    await buy('first', answered);
    const turn = gate();
    const waiting = buy('waiting', lostCharged, turn.opened);
    await buy('other', answered);
    turn.open();
    await waiting;
    clock.at += GRACE_MS;
    await settle();
    expect(await rowOf('waiting')).toMatchObject({ state: 'paid', cost: 1 });
  });

  it('does not make a later one look dearer than it was', async () => {
    await buy('first', answered);
    const turns = [gate(), gate()] as const;
    const waiting = turns.map((turn, i) => buy(`waiting ${i}`, answered, turn.opened));
    await buy('other', answered);
    for (const turn of turns) turn.open();
    await Promise.all(waiting);
    await buy('later', answered);
    for (const item of ['waiting 0', 'waiting 1', 'later']) expect(await rowOf(item)).toMatchObject({ cost: 1 });
  });
});

describe('two purchases whose end was not seen', () => {
  it('are both settled, although the remote charged for one of them only later', async () => {
    await buy('first', answered);
    await buy('quick', lostCharged);
    await buy('slow', lostFree);
    await settle();
    balance -= 1;
    clock.at += GRACE_MS;
    await settle();
    expect(await rowOf('quick')).toMatchObject({ state: 'paid', cost: 1 });
    expect(await rowOf('slow')).toMatchObject({ state: 'paid', cost: 1 });
  });
});

describe('a purchase that could not be kept yet', () => {
  it('does not make the next one look dearer than it was', async () => {
    await buy('first', answered);
    const writeAgain = failWrites('INSERT ON owned');
    expect(await buy('unkept', answered)).toMatchObject({ kind: 'bought', kept: false });
    writeAgain();
    expect(await buy('next', answered)).toMatchObject({ kind: 'bought', kept: true, cost: 1 });
    await buyer.coordinator.idle();
    expect(await rowOf('unkept')).toMatchObject({ state: 'paid', cost: 1 });
  });
});

describe('a purchase that could not be written down as sent', () => {
  it('is refused, not unknown, when the item is wanted again', async () => {
    const writeAgain = failWrites('UPDATE ON purchase');
    expect(await buy('wanted', answered)).toMatchObject({ kind: 'refused' });
    writeAgain();
    expect(balance).toBe(100);
    expect(await buy('wanted', refused)).toMatchObject({ kind: 'refused' });
    expect(await buy('wanted', answered)).toMatchObject({ kind: 'bought' });
  });
});

describe('a request that may pay again, while one that may not is under way', () => {
  it('runs after it and does not take its refusal', async () => {
    const turn = gate();
    const careful = buy('wanted', lostCharged, turn.opened);
    const alsoCareful = buy('wanted', answered);
    const willing = buy('wanted', answered, undefined, true);
    turn.open();
    expect((await Promise.all([careful, alsoCareful])).map(({ kind }) => kind)).toEqual(['unsettled', 'unsettled']);
    expect(await willing).toMatchObject({ kind: 'bought', cost: 1 });
    expect(balance).toBe(98);
  });
});

type End = (item: string) => Exchange;

const answered: End = (item) => {
  balance -= 1;
  return delivered(item, balance);
};
const lostFree: End = () => lost();
const lostCharged: End = () => {
  balance -= 1;
  return lost();
};
const refused: End = () => refusal();

/** Buys an item; the call leaves when `turn` comes. */
function buy(item: string, end: End, turn = Promise.resolve(), allowRepay = false) {
  return buyer.buy(item, () => end(item), { turn, allowRepay });
}

/** Asks for the balance, later than the last time it was asked for. */
function settle(): Promise<void> {
  clock.at += 2000;
  return stores.settlement.settle(KEY_ID, async () => balance);
}

/** From now on such writes fail, until the returned function is called. */
function failWrites(what: string): () => void {
  const exec = (sql: string) => {
    const db = new Sqlite(file);
    db.exec(sql);
    db.close();
  };
  exec(`CREATE TRIGGER full BEFORE ${what} BEGIN SELECT RAISE(FAIL, 'full'); END`);
  return () => exec('DROP TRIGGER full');
}

async function rowOf(item: string) {
  return (await stores.journal.list({ limit: 1, item }))[0];
}

function gate(): { open: () => void; opened: Promise<void> } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open, opened };
}

describe('a purchase that is dropped because every client has gone', () => {
  it('is made for one that comes while that is written down', async () => {
    let leave = (): void => undefined;
    const turn = new Promise<void>((resolve) => (leave = resolve));
    const dropped = buyer.buy('a', () => delivered('a', 99), { turn, isGone: () => true });
    await expect.poll(async () => (await stores.journal.list({ limit: 1 }))[0]?.state).toBe('intent');
    leave();
    // The turn comes before the commit of the refusal, which waits for the next phase of the loop.
    await new Promise((resolve) => setImmediate(resolve));
    const bought = buyer.buy('a', () => delivered('a', 99));
    expect(await dropped).toMatchObject({ kind: 'refused', error: { code: 'interrupted' } });
    expect((await bought).kind).toBe('bought');
    expect((await stores.journal.list({ limit: 9 })).map(({ state }) => state)).toEqual(['paid', 'refused']);
  });
});
