// Several hubs on one PostgreSQL, one account: they share its turns, and settle by its balance what nobody saw the end of.

import { expect, it } from 'vitest';
import type { PostgresPurchases } from '../support/postgres-purchases.js';
import { sleep as systemSleep, type Sleep } from '../../src/platform/sleep.js';
import { noTurnForMs } from '../../src/upstream/no-turn.js';
import { POSTGRESQL } from '../support/postgres.js';
import { describeIf } from '../support/requires.js';
import { mine } from './claims.js';
import { codeOf, fileOf, order } from './hub-orders.js';
import { hubAt, useHubs } from './several-hubs.js';
import type { Order } from '../../src/purchases/journal.js';

// Longer than the test takes on a machine that is busy: no turn comes back meanwhile.
const WINDOW_MS = 3_600_000;
const shortSleep: Sleep = (ms, options) => systemSleep(Math.min(ms, 20), options);

/** So many orders, a hub after the other: all at once, the last would wait longer for the account than a statement may. */
async function intendEach(hubs: readonly PostgresPurchases[], count: number): Promise<number[]> {
  const ids: number[] = [];
  for (let n = 0; n < count; n += 1) {
    ids.push(mine(await hubAt(hubs, n % hubs.length).journal.intend(order(`s${n}`))));
  }
  return ids;
}

/** Sixteen at a time, for the same reason. */
async function batched<T, R>(
  all: readonly T[],
  act: (one: T, n: number) => Promise<R>,
): Promise<PromiseSettledResult<R>[]> {
  const ends: PromiseSettledResult<R>[] = [];
  for (let from = 0; from < all.length; from += 16) {
    ends.push(...(await Promise.allSettled(all.slice(from, from + 16).map((one, n) => act(one, from + n)))));
  }
  return ends;
}

describeIf(POSTGRESQL, 'hubs that share an account', () => {
  const { open, openMany, openBehind, rows, sent, stateOf, isRight } = useHubs();

  it('share the turns of a Key: never one too many in a window, and the rest know how long to wait', async () => {
    const hubs = await openMany(4, { pace: { limit: 80, windowMs: WINDOW_MS } });
    const ids = await intendEach(hubs, 96);
    const ends = await batched(ids, (id, n) => hubAt(hubs, n % 4).journal.send(id));
    const waits = ends.flatMap((end) => (end.status === 'rejected' ? [noTurnForMs(end.reason)] : []));
    expect(waits).toHaveLength(16);
    for (const wait of waits) expect(wait).toBeGreaterThan(0);
    for (const wait of waits) expect(wait).toBeLessThanOrEqual(WINDOW_MS);
    const [key] = await rows<{ departures: string; kept: number }>(
      'SELECT departures, cardinality(left_at) AS kept FROM service_key',
    );
    expect(key).toEqual({ departures: '80', kept: 80 });
    // What had no turn was not sent, and is not taken for it.
    expect(await rows(`SELECT state, count(*)::int AS n FROM purchase GROUP BY state ORDER BY state`)).toEqual([
      { state: 'intent', n: 16 },
      { state: 'sent', n: 80 },
    ]);
  });

  it('spread the turns of a Key together: a burst, then a handful in five intervals, so that no hub has to pause', async () => {
    const interval = 1_000_000;
    const hubs = await openMany(2, { pace: { limit: 80, windowMs: 80 * interval, burst: 10 } });
    const ids = await intendEach(hubs, 40);
    const waiting = new Map(ids.map((id, n) => [id, hubAt(hubs, n % 2)]));
    const sendAll = async () => {
      const waits: number[] = [];
      await batched([...waiting], async ([id, hub]) => {
        try {
          await hub.journal.send(id);
          waiting.delete(id);
        } catch (error) {
          waits.push(noTurnForMs(error) ?? Number.NaN);
        }
      });
      return waits;
    };
    const passes = (ms: number) =>
      rows(`UPDATE service_key SET left_at = array(SELECT at - ${ms} FROM unnest(left_at) AS at)`);
    const waits = await sendAll();
    expect(waits).toHaveLength(30);
    for (const wait of waits) expect(wait).toBeGreaterThan(0);
    for (const wait of waits) expect(wait).toBeLessThanOrEqual(5 * interval);
    for (const left of [25, 20]) {
      await passes(5 * interval);
      expect(await sendAll()).toHaveLength(left);
    }
  });

  it('give calls that cost nothing turns of the same Key, and none too many', async () => {
    const { hub: one, line } = await openBehind({ pace: { limit: 3, windowMs: WINDOW_MS } });
    const other = await open({ pace: { limit: 3, windowMs: WINDOW_MS } });
    const take = async (hub: PostgresPurchases, key = 'k') => (await hub.turns?.take(key)) ?? -1;
    // One that the service has not taken yet may be made up.
    for (const key of ['k', 'made-up']) expect(await take(one, key)).toBe(0);
    expect(await rows('SELECT key_id FROM service_key')).toEqual([]);
    await one.turns?.noteGood('other');
    await one.turns?.noteGood('made-up');
    expect(await rows('SELECT key_id, cardinality(left_at)::int AS turns FROM service_key')).toEqual([
      { key_id: 'made-up', turns: 1 },
    ]);
    await rows('DELETE FROM service_key');
    await sent(one, 'first');
    expect([await take(one), await take(other)]).toEqual([0, 0]);
    for (const wait of [await take(one), await take(other)]) {
      expect(wait).toBeGreaterThan(0);
      expect(wait).toBeLessThanOrEqual(WINDOW_MS);
    }
    const left = 'SELECT cardinality(left_at)::int AS turns FROM service_key';
    expect(await rows(left)).toEqual([{ turns: 3 }]);
    await expect(sent(other, 'second')).rejects.toSatisfy((error) => (noTurnForMs(error) ?? 0) > 0);
    // What the service said to one holds for all.
    await rows(`UPDATE service_key SET left_at = '{}'`);
    await one.turns?.block('k', 30_000);
    expect(await take(other)).toBeGreaterThan(0);
    await expect(sent(other, 'third')).rejects.toSatisfy((error) => (noTurnForMs(error) ?? 0) > 0);
    // They cost nothing: where nobody can be asked they leave.
    line.cut();
    expect(await take(one)).toBe(0);
  });

  it('all wait when the service told one of them to', async () => {
    const [one, other] = (await openMany(2)) as [PostgresPurchases, PostgresPurchases];
    const refusedForNow = await sent(one, 'a');
    await one.journal.takeBack(refusedForNow, 30_000);
    const waiting = mine(await other.journal.intend(order('b')));
    const error: unknown = await other.journal.send(waiting).catch((thrown: unknown) => thrown);
    expect(noTurnForMs(error)).toBeGreaterThan(1000);
    await other.journal.release(waiting);
  });

  it('book a charge that comes after it was settled as free, once, and say so', async () => {
    const [hub, other] = (await openMany(2)) as [PostgresPurchases, PostgresPurchases];
    const id = await sent(hub, 'a');
    await rows(`UPDATE purchase SET state = 'unknown' WHERE id = ${id}`);
    await rows(`UPDATE purchase SET state = 'refused', cost = 0 WHERE id = ${id}`);
    const again = await sent(other, 'a');
    await other.owned.keep(again, 1, fileOf('a'));
    for (let n = 0; n < 2; n += 1) await hub.owned.keep(id, 1, fileOf('a'));
    expect((await hub.journal.sums()).find(({ state }) => state === 'paid')).toMatchObject({
      purchases: 2,
      credits: 2,
    });
    expect(await rows(`SELECT verb FROM hub_event WHERE verb = 'late'`)).toHaveLength(1);
    expect(await isRight(hub)).toBe(true);
  });

  it('book what left after it was settled as free and was not answered, once, for the next balance to judge', async () => {
    const [hub, other] = (await openMany(2, { graceMs: 0 })) as [PostgresPurchases, PostgresPurchases];
    const id = await sent(hub, 'a');
    await rows(`UPDATE purchase SET state = 'unknown' WHERE id = ${id}`);
    await rows(`UPDATE purchase SET state = 'refused', cost = 0 WHERE id = ${id}`);
    await other.owned.keep(await sent(other, 'a'), 1, fileOf('a'));
    await other.settlement.prepare('k', async () => 99);
    for (let n = 0; n < 2; n += 1) await hub.journal.lose(id, 'timeout');
    const late = () => rows<{ state: string }>(`SELECT state FROM purchase WHERE superseded_by IS NOT NULL`);
    expect(await late()).toEqual([{ state: 'unknown' }]);
    expect(await rows(`SELECT verb FROM hub_event WHERE verb = 'late'`)).toHaveLength(1);
    expect(await isRight(hub)).toBe(true);
    await other.settlement.settle('k', async () => 98);
    expect(await late()).toEqual([{ state: 'paid' }]);
    expect(await isRight(hub)).toBe(true);
  });

  it('settle what is unknown only by a balance that was read while no hub sent anything', async () => {
    const [hub, other] = (await openMany(2, { graceMs: 0, sleep: shortSleep })) as [
      PostgresPurchases,
      PostgresPurchases,
    ];
    await hub.settlement.prepare('k', async () => 100);
    const lost = await sent(hub, 'a');
    await hub.journal.lose(lost, 'timeout');
    // Another hub sends while the balance is read: it says nothing.
    let during: number | undefined;
    await hub.settlement.settle('k', async () => {
      during ??= await sent(other, 'b');
      return 100;
    });
    expect(await stateOf(hub, lost)).toBe('unknown');
    await other.owned.keep(during ?? 0, 1, fileOf('b'));
    await other.settlement.settle('k', async () => 99);
    expect(await hub.journal.getPurchase(lost)).toMatchObject({ state: 'refused', cost: 0, reason: 'not_charged' });
    const charged = await sent(other, 'c');
    await other.journal.lose(charged, 'timeout');
    const third = await open({ graceMs: 0 });
    await third.settlement.settle('k', async () => 98);
    // The first may have come late in its place.
    expect(await hub.journal.getPurchase(charged)).toMatchObject({ state: 'unknown', cost: null });
    const last = await sent(other, 'd');
    await other.journal.lose(last, 'timeout');
    await rows(`UPDATE purchase SET settled_at = 0 WHERE id = ${lost}`);
    await (await open({ graceMs: 0 })).settlement.settle('k', async () => 97);
    expect(await hub.journal.getPurchase(last)).toMatchObject({ state: 'paid', cost: 1, reason: 'bytes_lost' });
    expect(await isRight(hub)).toBe(true);
  });

  it('do not believe for good that a lost purchase was free: a later fall of the balance, or a rise, puts it in doubt', async () => {
    const [hub, other] = (await openMany(2, { graceMs: 0, sleep: shortSleep })) as [
      PostgresPurchases,
      PostgresPurchases,
    ];
    await hub.settlement.prepare('k', async () => 100);
    const lostAll = [await sent(hub, 'a'), await sent(hub, 'b')];
    for (const lost of lostAll) await hub.journal.lose(lost, 'timeout');
    await hub.settlement.settle('k', async () => 100);
    for (const lost of lostAll) expect(await stateOf(hub, lost)).toBe('refused');
    // The one that was asked for again is bought, then its first request arrives.
    await other.owned.keep(await sent(other, 'b'), 1, fileOf('b'));
    await other.settlement.settle('k', async () => 98);
    const [free = 0, late = 0] = lostAll;
    expect(await hub.journal.getPurchase(late)).toMatchObject({ state: 'unknown', cost: null, reason: 'late' });
    expect(await stateOf(hub, free)).toBe('refused');
    expect(await isRight(hub)).toBe(true);
    // What a person decides raises no balance: it hides no charge, and what is still unknown is settled.
    const [charged, later] = [await sent(hub, 'c'), await sent(hub, 'd')];
    for (const lost of [charged, later]) await hub.journal.lose(lost, 'timeout');
    await (await open({ graceMs: 600_000 })).settlement.settle('k', async () => 97);
    await hub.journal.decide(charged, 'paid');
    await (await open({ graceMs: 0 })).settlement.settle('k', async () => 97);
    expect([await stateOf(hub, free), await stateOf(hub, later)]).toEqual(['refused', 'refused']);
    const third = await open({ graceMs: 0 });
    await third.settlement.settle('k', async () => 598);
    expect(await hub.journal.getPurchase(free)).toMatchObject({ state: 'unknown', reason: 'balance_rose' });
    expect(await codeOf(hub.journal.decide(free, 'refused'))).toBe('done');
    expect(await isRight(hub)).toBe(true);
  });

  it('let a busy account rest for the question, once in five minutes', async () => {
    const [hub, other] = (await openMany(2, { graceMs: 0 })) as [PostgresPurchases, PostgresPurchases];
    await hub.settlement.prepare('k', async () => 100);
    const [lost, busy] = [await sent(hub, 'a'), await sent(other, 'b')];
    await hub.journal.lose(lost, 'timeout');
    const settling = hub.settlement.settle('k', async () => 99);
    const waiting = mine(await other.journal.intend(order('c')));
    await expect.poll(() => rows('SELECT 1 FROM service_key WHERE paused_at > 0')).toHaveLength(1);
    await other.owned.keep(busy, 1, fileOf('b'));
    await settling;
    expect(await stateOf(hub, lost)).toBe('refused');
    expect(await codeOf(other.journal.send(waiting))).toBe('done');
    // While it rests nothing leaves.
    await rows('UPDATE service_key SET paused_until = svcd_ms() + 60000');
    const later = mine(await other.journal.intend(order('d')));
    expect(await codeOf(other.journal.send(later))).toBe('rate_limited');
  });

  it('let new images wait when images kept an account busy for half an hour, until what was lost is settled', async () => {
    const open3 = () => openMany(3, { graceMs: 0, imageGraceMs: 0, sleep: shortSleep });
    const [hub, other, third] = (await open3()) as [PostgresPurchases, PostgresPurchases, PostgresPurchases];
    const image = (name: string): Order => ({ ...order(name), item: `image:${name}`, kind: 'image', price: 10 });
    const sentImage = async (name: string) => {
      const id = mine(await other.journal.intend(image(name)));
      await other.journal.send(id);
      return id;
    };
    let left = 100;
    const readBalance = async () => left;
    const keep = async (id: number, cost: number, item: string) => {
      left -= cost;
      await other.owned.keep(id, cost, { ...fileOf('a'), item });
    };
    await hub.settlement.prepare('k', readBalance);
    const [lost, first] = [await sent(hub, 'a'), await sentImage('a')];
    await hub.journal.lose(lost, 'timeout');
    await hub.settlement.settle('k', readBalance);
    const second = await sentImage('b');
    await keep(first, 10, 'image:a');
    expect(await stateOf(hub, lost)).toBe('unknown');
    await rows(`UPDATE purchase SET settled_at = settled_at - 1800000 WHERE id = ${lost}`);
    await third.settlement.settle('k', readBalance);
    await expect.poll(() => rows('SELECT 1 FROM service_key WHERE images_held_until > svcd_ms()')).toHaveLength(1);
    expect(await codeOf(other.journal.intend(image('c')))).toBe('rate_limited');
    await keep(await sent(other, 'b'), 1, 'sticker:b');
    // A minute later.
    await rows('UPDATE service_key SET paused_at = 0');
    await keep(second, 10, 'image:b');
    await expect.poll(() => stateOf(hub, lost)).toBe('refused');
    await expect.poll(() => codeOf(other.journal.intend(image('c')))).toBe('done');
    expect(await isRight(hub)).toBe(true);
  });
});
