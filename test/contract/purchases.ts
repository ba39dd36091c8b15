// What every store of purchases must hold, whatever it is written in: the same tests over owned.db and over PostgreSQL. A
// world opens one database, twice where two processes may share it, and moves its clock.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Machine } from '../../src/model/spender.js';
import type { HubStores } from '../../src/hub/books/hub-stores.js';
import { LEGAL_MOVES, mine, STATES } from '../purchases/claims.js';
import type { Claim, Order } from '../../src/purchases/journal.js';
import type { PurchaseStores as OpenedStores } from '../../src/purchases/purchase-stores.js';

type PurchaseStores = OpenedStores & { readonly openHub: () => HubStores };

export interface PurchaseWorld {
  /** One database, opened by one process. */
  readonly stores: PurchaseStores;
  /** The same database, opened by a second living process; undefined where only one may hold it. */
  openSecond(): Promise<PurchaseStores | undefined>;
  /** The same database after its process was killed, and everybody knows that it is gone. */
  afterKill(): Promise<PurchaseStores>;
  /** Moves the clock by which days are told. */
  passDays(days: number): Promise<void>;
  /** The machine sleeps meanwhile. */
  sleepFor(ms: number): Promise<void>;
  /** Adds a machine, and limits of payers in credits; returns its number. */
  addMachine(name: string): Promise<number>;
  revoke(machineId: number): Promise<void>;
  limit(payer: string, period: 'request' | 'day' | 'month' | 'total', credits: number): Promise<void>;
  /** Makes the kept bytes of an item other than they were. */
  damage(item: string): Promise<void>;
  /** Runs a statement past all of svcd's own code. */
  run(sql: string): Promise<void>;
  /** Lines of budgets that disagree with the journal: `payer day`. */
  audit(): Promise<readonly string[]>;
  close(): Promise<void>;
}

const order = (item: string, more: Partial<Order> = {}): Order => ({
  item: `sticker:${item}`,
  kind: 'sticker',
  price: 1,
  keyId: 'k',
  ...more,
});
const fileOf = (item: string) => ({
  item: `sticker:${item}`,
  bytes: new TextEncoder().encode(`{"of":"${item}"}`),
  contentType: 'application/json',
});

/** Runs the contract over the worlds that `open` makes. */
export function describePurchases(name: string, open: () => Promise<PurchaseWorld>): void {
  describe(`purchases in ${name}`, () => {
    let world: PurchaseWorld;
    beforeEach(async () => {
      world = await open();
    });
    afterEach(async () => {
      expect(await world.audit()).toEqual([]);
      await world.close();
    });

    const intend = async (item: string, more?: Partial<Order>, stores = world.stores) =>
      mine(await stores.journal.intend(order(item, more)));
    const sent = async (item: string, more?: Partial<Order>) => {
      const id = await intend(item, more);
      await world.stores.journal.send(id);
      return id;
    };
    const paid = async (item: string, more?: Partial<Order>) => {
      const id = await sent(item, more);
      await world.stores.owned.keep(id, 1, fileOf(item));
      return id;
    };
    const stateOf = async (id: number, stores = world.stores) => (await stores.journal.getPurchase(id)).state;
    const countedBy = (claim: Claim) => (claim.mine ? 'mine' : `${claim.counts.id} ${claim.counts.state}`);

    it('go from intent to sent to paid, with the bytes', async () => {
      const id = await intend('a');
      expect(await stateOf(id)).toBe('intent');
      await world.stores.journal.send(id);
      expect(await stateOf(id)).toBe('sent');
      const asset = await world.stores.owned.keep(id, 1, fileOf('a'));
      expect(await world.stores.journal.getPurchase(id)).toMatchObject({ state: 'paid', cost: 1, owned: 1 });
      expect((await world.stores.owned.find('sticker:a'))?.sha256).toBe(asset.sha256);
    });

    it.each(['sent', 'paid', 'unknown'] as const)('of an item are not made again while one is %s', async (state) => {
      const id = state === 'paid' ? await paid('a') : await sent('a');
      if (state === 'unknown') await world.stores.journal.lose(id, 'timeout');
      const again = await ((await world.openSecond()) ?? world.stores).journal.intend(order('a', { price: 1 }));
      if (state !== 'sent') expect(countedBy(again)).toBe(`${id} ${state}`);
      else expect(again.mine).toBe(false);
    });

    it('of many at once for one item are one', async () => {
      const second = (await world.openSecond()) ?? world.stores;
      const items = ['a', 'b', 'c', 'd'];
      const asks = Array.from({ length: 64 }, (_, n) =>
        (n % 2 === 0 ? world.stores : second).journal.intend(order(items[n % 4] ?? 'a')),
      );
      const claims = await Promise.allSettled(asks);
      const own = claims.filter((one) => one.status === 'fulfilled' && one.value.mine);
      // In one process the coordinator joins them before they come here; a second intent then ends what was left open.
      if (second !== world.stores) expect(own).toHaveLength(items.length);
      const waiting = (await world.stores.journal.list({ limit: 100 })).filter(({ state }) => state === 'intent');
      expect(waiting).toHaveLength(items.length);
    });

    it('that were refused, or released, make place for the next', async () => {
      const first = await sent('a');
      await world.stores.journal.refuse(first, 'busy');
      const second = await intend('a');
      expect(await world.stores.journal.release(second)).toBe(true);
      expect(await world.stores.journal.release(second)).toBe(false);
      await expect(world.stores.journal.send(second)).rejects.toMatchObject({ code: 'interrupted' });
      expect(await intend('a')).toBeGreaterThan(second);
    });

    it('do not leave by a permission that has grown old, and are free then', async () => {
      const id = await intend('a');
      const findLate = await world.stores.journal.send(id);
      expect(findLate()).toBeUndefined();
      await world.sleepFor(60_000);
      expect(findLate()).toMatchObject({
        code: 'timeout',
        message: expect.stringContaining('nothing was sent') as string,
      });
      await world.stores.journal.refuse(id, 'timeout');
      expect(await intend('a')).toBeGreaterThan(id);
    });

    it('are sent again after a refusal for now', async () => {
      const id = await sent('a');
      await world.stores.journal.takeBack(id);
      expect(await stateOf(id)).toBe('intent');
      await world.stores.journal.send(id);
      await world.stores.owned.keep(id, 1, fileOf('a'));
      expect(await stateOf(id)).toBe('paid');
    });

    it('of what may have been paid are made again by consent only, and the consent ends with its try', async () => {
      const first = await sent('a');
      await world.stores.journal.lose(first, 'timeout');
      expect(countedBy(await world.stores.journal.intend(order('a')))).toBe(`${first} unknown`);
      const second = await intend('a', { allowRepay: true });
      await world.stores.journal.refuse(second, 'busy');
      expect(countedBy(await world.stores.journal.intend(order('a')))).toBe(`${first} unknown`);
      const third = await sent('a', { allowRepay: true });
      await world.stores.owned.keep(third, 1, fileOf('a'));
      expect(countedBy(await world.stores.journal.intend(order('a')))).toBe(`${third} paid`);
      // What became of the first is still to be told, and changes nothing of what counts.
      await world.stores.journal.decide(first, 'refused');
      expect(countedBy(await world.stores.journal.intend(order('a')))).toBe(`${third} paid`);
    });

    const moves = STATES.flatMap((from) => STATES.filter((to) => to !== from).map((to) => [from, to] as const));
    it.each(moves)('move from %s to %s only if that is told, whoever writes to the database', async (from, to) => {
      const id = from === 'paid' ? await paid('a') : from === 'intent' ? await intend('a') : await sent('a');
      if (from === 'refused') await world.stores.journal.refuse(id, 'busy');
      if (from === 'unknown') await world.stores.journal.lose(id, 'timeout');
      const cost = { paid: '1', refused: '0' }[to as string] ?? 'NULL';
      const moved = world.run(`UPDATE purchase SET state = '${to}', cost = ${cost} WHERE id = ${id}`);
      const told = await moved.then(
        () => 'moved',
        (error: unknown) => String(error),
      );
      if (LEGAL_MOVES.has(`${from} ${to}`)) expect(told).toBe('moved');
      else expect(told).toContain('a purchase does not change like that');
      expect(await stateOf(id)).toBe(LEGAL_MOVES.has(`${from} ${to}`) ? to : from);
    });

    it.each([
      ['forgotten', 'DELETE FROM purchase', 'forgets nothing'],
      ['given another price', 'UPDATE purchase SET price = 2', 'does not change like that'],
      ['given another item', `UPDATE purchase SET item = 'sticker:b'`, 'does not change like that'],
      ['given another Key', `UPDATE purchase SET key_id = 'other'`, 'does not change like that'],
      ['superseded while it is open', 'UPDATE purchase SET superseded_by = id', 'does not change like that'],
      [
        'made twice',
        `INSERT INTO purchase (id, scope, item, kind, state, price, key_id, holder, payers, day, created_at)
           SELECT id + 1, scope, item, kind, 'intent', price, key_id, holder, payers, day, created_at FROM purchase`,
        /unique/i,
      ],
    ])('are never %s, whoever writes to the database', async (_what, sql, why) => {
      const id = await intend('a');
      await expect(world.run(sql)).rejects.toThrow(why);
      expect(await world.stores.journal.getPurchase(id)).toMatchObject({
        state: 'intent',
        price: 1,
        item: 'sticker:a',
      });
    });

    it('that were lost become paid when the bytes come after all', async () => {
      const id = await sent('a');
      await world.stores.journal.lose(id, 'timeout');
      await world.stores.owned.keep(id, 1, fileOf('a'));
      expect(await stateOf(id)).toBe('paid');
    });

    it('that a killed process left open end: unsent ones free, sent ones unknown', async () => {
      const [waits, left] = [await intend('a'), await sent('b')];
      const stores = await world.afterKill();
      expect([await stateOf(waits, stores), await stateOf(left, stores)]).toEqual(['refused', 'unknown']);
      expect(countedBy(await stores.journal.intend(order('a')))).toBe('mine');
      expect(countedBy(await stores.journal.intend(order('b')))).toBe(`${left} unknown`);
    });

    it('that a living process holds are left alone by another', async () => {
      const second = await world.openSecond();
      if (second === undefined) return;
      const id = await sent('a');
      expect(countedBy(await second.journal.intend(order('a')))).toBe(`${id} sent`);
      expect(countedBy(await second.journal.intend(order('a', { allowRepay: true })))).toBe(`${id} sent`);
      await world.stores.owned.keep(id, 1, fileOf('a'));
      expect(await second.owned.find('sticker:a')).toBeDefined();
    });

    it('have one reserved line of each payer, and a budget is used to its last credit and no further', async () => {
      await world.stores.budget.set('day', 7);
      const tries = await Promise.allSettled(Array.from({ length: 24 }, (_, n) => intend(`s${n}`)));
      expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(7);
      expect(tries.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'budget' } });
      expect(await world.stores.budget.show()).toContainEqual({ period: 'day', limit: 7, spent: 7 });
    });

    it('of two processes share a budget', async () => {
      const second = await world.openSecond();
      if (second === undefined) return;
      await world.stores.budget.set('day', 37);
      const tries = Array.from({ length: 48 }, (_, n) => intend(`s${n}`, {}, n % 2 === 0 ? world.stores : second));
      const made = await Promise.allSettled(tries);
      expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(37);
    });

    it('give back what was reserved when they cost nothing, and keep it while that is unknown', async () => {
      await world.stores.budget.set('day', 1);
      const first = await sent('a');
      await world.stores.journal.refuse(first, 'busy');
      const second = await sent('b');
      await world.stores.journal.lose(second, 'timeout');
      await expect(intend('c')).rejects.toMatchObject({ code: 'budget' });
      await world.stores.journal.decide(second, 'refused');
      expect(await intend('c')).toBeGreaterThan(second);
    });

    it('are counted on their day and month, which never go back', async () => {
      await world.stores.budget.set('day', 1);
      await paid('a');
      await expect(intend('b')).rejects.toMatchObject({ code: 'budget' });
      await world.passDays(1);
      await paid('b');
      await world.passDays(-1);
      await expect(intend('c')).rejects.toMatchObject({ code: 'budget' });
    });

    it('are all reserved together, or none of them', async () => {
      const orders = ['a', 'b', 'c'].map((item) => order(item));
      const request = { maxCredits: 2, taken: 0 };
      await expect(world.stores.journal.intendAll(orders, request)).rejects.toMatchObject({ code: 'budget' });
      expect(await world.stores.journal.list({ limit: 10 })).toEqual([]);
      await paid('b');
      const claims = await world.stores.journal.intendAll(orders, request);
      expect(claims.map((one) => one.mine)).toEqual([true, false, true]);
    });

    describe('of a machine of the hub', () => {
      let machine: Machine;
      beforeEach(async () => {
        machine = { id: await world.addMachine('render-7'), project: 'promo', user: 'ann' };
      });

      it.each(['project:promo', 'user:ann', 'all'])('are bound by the budget of %s', async (payer) => {
        if (payer === 'all') await world.stores.budget.set('day', 1);
        else await world.limit(payer, 'total', 1);
        await paid('a', { machine });
        const over = intend('b', { machine });
        const hint = `On the hub: "svcd hub budget set ${payer} --${payer === 'all' ? 'day' : 'total'} N".`;
        const whose = payer === 'all' ? 'all projects together' : payer.replace(':', ' ');
        await expect(over).rejects.toMatchObject({ code: 'budget', hint });
        await expect(over).rejects.toThrow(`the budget of ${whose}`);
        if (payer !== 'all') expect(await intend('b')).toBeGreaterThan(0);
      });

      it('leave no more once it was revoked, and nothing is reserved for them', async () => {
        const id = await intend('a', { machine });
        await world.revoke(machine.id);
        await expect(world.stores.journal.send(id)).rejects.toMatchObject({ code: 'machine_revoked' });
        await expect(intend('b', { machine })).rejects.toMatchObject({ code: 'machine_revoked' });
        await world.stores.journal.refuse(id, 'machine_revoked');
      });

      it('are the same when asked again by the same name, also with consent to pay again', async () => {
        const wish = { machine: { ...machine, requestId: '11111111-1111-4111-8111-111111111111' } };
        const id = await paid('a', wish);
        const again = await world.stores.journal.intend(order('a', { ...wish, allowRepay: true }));
        expect(countedBy(again)).toBe(`${id} paid`);
      });

      it('cost what they cost for the ask that caused them, and nothing for those that joined', async () => {
        const [first, second] = [2, 1].map((digit) => `${digit}1111111-1111-4111-8111-111111111111`);
        const id = await paid('a', { machine: { ...machine, requestId: first } });
        for (const requestId of [second, first])
          await world.stores.journal.intend(order('a', { machine: { ...machine, requestId } }));
        const { books } = world.stores.openHub();
        const costs = [first, second].map((requestId) => books.findOutcome(machine.id, requestId ?? ''));
        expect(await Promise.all(costs)).toMatchObject([
          { purchase: id, cost: 1 },
          { purchase: id, cost: 0 },
        ]);
      });

      it('are known by their names for seven days', async () => {
        const requestId = '11111111-1111-4111-8111-111111111111';
        await paid('a', { machine: { ...machine, requestId } });
        const { books } = world.stores.openHub();
        for (const [days, state] of [
          [6, 'paid'],
          [2, 'none'],
        ] as const) {
          await world.passDays(days);
          await books.forgetAsks();
          expect(await books.findOutcome(machine.id, requestId)).toMatchObject({ state });
        }
      });

      it('are the same for a picture never asked for before, which has another name each time', async () => {
        const wish = { machine: { ...machine, requestId: '11111111-1111-4111-8111-111111111111' } };
        const picture = (rest: string) => ({ ...order(rest, wish), item: `image:${rest}` });
        const id = mine(await world.stores.journal.intend(picture('a-digest:fresh-0')));
        expect(countedBy(await world.stores.journal.intend(picture('a-digest:fresh-1')))).toBe(`${id} intent`);
        expect(countedBy(await world.stores.journal.intend(picture('a-digest')))).toBe(`${id} intent`);
      });

      it.each(['sticker:other', 'image:a', 'image:a:fresh-0', 'sticker:a:fresh-0'])(
        'are refused where the name stood for something else: %s',
        async (item) => {
          const wish = { machine: { ...machine, requestId: '11111111-1111-4111-8111-111111111111' } };
          const id = await paid('a', wish);
          await expect(world.stores.journal.intend({ ...order('a', wish), item })).rejects.toMatchObject({
            code: 'invalid_request',
          });
          expect(countedBy(await world.stores.journal.intend(order('a', wish)))).toBe(`${id} paid`);
          expect(await intend('other', { machine })).toBeGreaterThan(id);
        },
      );
    });

    it('of unknown end are counted, with the first of them', async () => {
      const { books } = world.stores.openHub();
      expect(await books.findUnknown()).toBeUndefined();
      const ids = [await sent('a'), await sent('b'), await sent('c')];
      for (const id of ids.slice(0, 2)) await world.stores.journal.lose(id, 'timeout');
      const { createdAt } = await world.stores.journal.getPurchase(ids[0] ?? 0);
      expect(await books.findUnknown()).toEqual({ id: ids[0], purchases: 2, since: createdAt });
      for (const id of ids.slice(0, 2)) await world.stores.journal.decide(id, 'refused');
      expect(await books.findUnknown()).toBeUndefined();
    });

    it('whose bytes are damaged serve nothing, and are not bought again by themselves', async () => {
      const id = await paid('a');
      await world.damage('sticker:a');
      const stores = await world.afterKill();
      expect(await stores.owned.find('sticker:a')).toBeUndefined();
      expect(countedBy(await stores.journal.intend(order('a')))).toBe(`${id} paid`);
    });
  });
}
