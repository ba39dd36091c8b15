// Several hubs on one PostgreSQL: races, hubs that die, answers that do not come, a database that forgets.

import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { expect, it, onTestFinished } from 'vitest';
import { sha256Hex } from '../../src/model/hash.js';
import { systemClock } from '../../src/platform/clock.js';
import { readDatabaseAddress } from '../../src/platform/postgres/address.js';
import { migrate } from '../../src/platform/postgres/migrate.js';
import { openPostgres } from '../../src/platform/postgres/transaction.js';
import { PURCHASES } from '../../src/purchases/postgres/schema.js';
import type { PostgresPurchases } from '../support/postgres-purchases.js';
import { POSTGRESQL } from '../support/postgres.js';
import { tinyLottie } from '../sandbox/tiny-catalogue.js';
import { describeIf } from '../support/requires.js';
import { COMMIT } from '../support/tcp-proxy.js';
import { mine } from './claims.js';
import { codeOf, fileOf, order, patiently } from './hub-orders.js';
import { hubAt, useHubs } from './several-hubs.js';
import { createTestBuyer, delivered } from './test-buyer.js';

/** As hubs do by themselves, more often: say that they live, and end what nobody knows of. */
const LOOKS = { lookEveryMs: 1000 };

describeIf(POSTGRESQL, 'hubs on one PostgreSQL', () => {
  const { address, openAt, open, openMany, openBehind, rows, sent, stateOf, isRight, takeForDead } = useHubs();

  it('that all want the same forty things at once buy each of them once', async () => {
    const { hub, line } = await openBehind(LOOKS);
    const hubs = [hub, ...(await openMany(3, LOOKS))];
    const items = Array.from({ length: 40 }, (_, n) => `s${n}`);
    // One is written, and its hub is not told.
    const lost = line.loseAnswerTo(COMMIT, 'cut');
    const asks = Array.from({ length: 32 }, (_, ask) =>
      // Each in an order of its own.
      items.map((_item, n) => items[(n * (2 * ask + 1) + ask) % 40] ?? ''),
    );
    const claims = await Promise.all(
      asks.map(async (wanted, ask) => {
        const won: string[] = [];
        const one = hubAt(hubs, ask % 4);
        for (const item of wanted)
          if ((await patiently(one, () => one.journal.intend(order(item)))).mine) won.push(item);
        return won;
      }),
    );
    await lost;
    expect(claims.flat().toSorted()).toEqual(items.toSorted());
    expect(
      await rows(
        "SELECT count(*)::int AS purchases, sum(price)::int AS credits FROM purchase WHERE state <> 'refused'",
      ),
    ).toEqual([{ purchases: 40, credits: 40 }]);
    expect(await isRight(hubAt(hubs, 0))).toBe(true);
  });

  it('that reserve overlapping lists at once get each thing once, and none waits for ever', async () => {
    const hubs = await openMany(3, LOOKS);
    const lists = Array.from({ length: 12 }, (_, n) =>
      Array.from({ length: 20 }, (_one, at) => order(`s${(n * 7 + (n % 2 === 0 ? at : 19 - at)) % 40}`)),
    );
    const claims = await Promise.all(
      lists.map((list, n) => {
        const one = hubAt(hubs, n % 3);
        return patiently(one, () => one.journal.intendAll(list, { maxCredits: 40, taken: 0 }));
      }),
    );
    expect(claims.flat().filter((claim) => claim.mine)).toHaveLength(40);
    expect(await isRight(hubAt(hubs, 0))).toBe(true);
  });

  it('use a budget to its last credit and no further: 24 writers against 37', async () => {
    const hubs = await openMany(3, LOOKS);
    await hubAt(hubs, 0).openHub().books.setBudget('project:promo', 'month', 37);
    const id = Number(
      (
        await rows<{ id: number }>(
          `INSERT INTO machine (name, digest, projects, only_for) VALUES ('m', 'm', '["promo"]', '') RETURNING id`,
        )
      )[0]?.id,
    );
    const machine = { id, project: 'promo' };
    const tries = await Promise.all(
      Array.from({ length: 24 }, async (_, writer) => {
        const told: string[] = [];
        const one = hubAt(hubs, writer % 3);
        for (let n = 0; n < 4; n += 1) {
          const wanted = order(`w${writer}-${n}`, { machine });
          told.push(await codeOf(patiently(one, () => one.journal.intend(wanted))));
        }
        return told;
      }),
    );
    expect(tries.flat().filter((told) => told === 'done')).toHaveLength(37);
    expect(new Set(tries.flat())).toEqual(new Set(['done', 'budget']));
    const { lines } = await hubAt(hubs, 1).openHub().books.audit();
    const promo = lines.filter(({ payer, day }) => payer === 'project:promo' && day === 'total');
    expect(promo).toMatchObject([{ reserved: 37, spent: 0, right: true }]);
  });

  it('list what their tokens spent', async () => {
    const [one, other] = [await open(), await open()];
    const limits = { request: null, day: 5, month: null, total: null };
    const add = (hub: PostgresPurchases) =>
      hub.tokens.find(hub.tokens.add({ name: 'render', only: ['stickers'], limits }))?.id ?? -1;
    const [tokenId] = [add(one), add(other)];
    await one.owned.keep(await sent(one, 'a', { tokenId }), 1, fileOf('a'));
    await sent(one, 'b', { tokenId });
    for (const hub of [one, other]) await hub.hub.lookNow();
    expect(one.tokens.list()).toMatchObject([{ spent: { day: 2, month: 2, total: 2 } }]);
    expect(other.tokens.list()).toMatchObject([{ spent: { day: 0, month: 0, total: 0 } }]);
  });

  it('end what a dead one left, and nothing of one that lives', async () => {
    const dead = await open({ hubName: 'dead' });
    const [first, second] = (await openMany(2)) as [PostgresPurchases, PostgresPurchases];
    const ids = {
      waits: mine(await dead.journal.intend(order('a'))),
      left: await sent(dead, 'b'),
      alive: await sent(first, 'c'),
    };
    await second.hub.lookNow();
    expect([await stateOf(second, ids.waits), await stateOf(second, ids.left)]).toEqual(['intent', 'sent']);
    await takeForDead('dead');
    // Both at once: what one is at is left to it.
    await Promise.all([first.hub.lookNow(), second.hub.lookNow()]);
    const states = [ids.waits, ids.left, ids.alive].map((id) => stateOf(second, id));
    expect(await Promise.all(states)).toEqual(['refused', 'unknown', 'sent']);
    expect((await second.journal.intend(order('a'))).mine).toBe(true);
    expect((await second.journal.intend(order('b'))).mine).toBe(false);
    // It was only held up: its answer comes, and its purchase is paid. What it had not sent, it does not send.
    await dead.owned.keep(ids.left, 1, fileOf('b'));
    expect(await stateOf(second, ids.left)).toBe('paid');
    expect(await codeOf(dead.journal.send(ids.waits))).toBe('interrupted');
    expect(await isRight(first)).toBe(true);
  });

  it.each(['silence', 'cut'] as const)(
    'take an intent whose commit was not confirmed for none (%s), and end it',
    async (how) => {
      const { hub, line } = await openBehind();
      const other = await open();
      const lost = line.loseAnswerTo(COMMIT, how);
      expect(await codeOf(hub.journal.intend(order('a')))).toBe('database_away');
      await lost;
      // It is there, and of a living holder.
      expect((await other.journal.intend(order('a'))).mine).toBe(false);
      await hub.hub.lookNow();
      expect((await other.journal.intend(order('a'))).mine).toBe(true);
      expect(await isRight(other)).toBe(true);
    },
  );

  it.each(['silence', 'cut'] as const)(
    'send nothing when the commit of that is not confirmed (%s), and pay nothing',
    async (how) => {
      const { hub, line } = await openBehind();
      const id = mine(await hub.journal.intend(order('a')));
      const lost = line.loseAnswerTo(COMMIT, how);
      expect(await codeOf(hub.journal.send(id))).toBe('database_away');
      await lost;
      expect(await stateOf(hub, id)).toBe('sent');
      // As the coordinator does with what did not leave.
      await hub.journal.refuse(id, 'database_away');
      expect(await stateOf(hub, id)).toBe('refused');
      expect(await isRight(hub)).toBe(true);
    },
  );

  it('keep bytes that the database did not take on their own disk, and bring them there after a kill', async () => {
    const { hub, line, home } = await openBehind();
    const id = await sent(hub, 'a');
    line.cut();
    expect(await codeOf(hub.owned.keep(id, 1, fileOf('a')))).toBe('database_away');
    line.mend();
    // The process is gone; its home is opened again.
    const again = await openAt(home);
    await again.hub.lookNow();
    expect([await stateOf(again, id), (await again.owned.find('sticker:a'))?.contentType]).toEqual([
      'paid',
      'application/json',
    ]);
    const elsewhere = await open();
    await elsewhere.hub.lookNow();
    expect(elsewhere.owned.has('sticker:a')).toBe(true);
    expect(await isRight(again)).toBe(true);
  });

  it('serve what is owned while the database is away, and buy nothing', async () => {
    const { hub, line } = await openBehind();
    const other = await open();
    await other.owned.keep(await sent(other, 'a'), 1, fileOf('a'));
    await hub.hub.lookNow();
    line.cut();
    expect(Buffer.from((await hub.owned.find('sticker:a'))?.bytes ?? []).toString()).toBe('{"of":"a"}');
    expect(await codeOf(hub.journal.intend(order('b')))).toBe('database_away');
    line.mend();
    expect(await codeOf(hub.journal.intend(order('b')))).toBe('done');
  });

  it('come through a line that is cut before any message, at every step of a purchase', async () => {
    const { hub, line } = await openBehind();
    const other = await open();
    let cuts = 0;
    for (let message = 1; ; message += 1) {
      const item = `cut${message}`;
      const reached = line.cutAt(message);
      let wasCut = false;
      void reached.then(() => (wasCut = true));
      let id: number | undefined;
      const step = async () => {
        id = mine(await hub.journal.intend(order(item)));
        await hub.journal.send(id);
        await hub.owned.keep(id, 1, fileOf(item));
      };
      await codeOf(step());
      line.mend();
      if (!wasCut) break;
      cuts += 1;
      // What the coordinator and the hub do afterwards.
      if (id !== undefined && ['intent', 'sent'].includes(await stateOf(hub, id))) {
        const isAnswered = (await hub.journal.getPurchase(id)).sentAt !== null;
        if (isAnswered) await hub.owned.keep(id, 1, fileOf(item));
        else await hub.journal.refuse(id, 'database_away');
      }
      await hub.hub.lookNow();
      const counts = await other.journal.intend(order(item));
      expect(counts.mine || counts.counts.state === 'paid').toBe(true);
      expect(await isRight(other)).toBe(true);
    }
    // Each round trip: three to reserve, three to send, two to keep.
    expect(cuts).toBeGreaterThanOrEqual(8);
  });

  it('take back what a machine has of a purchase that the database only knows to be in doubt: it is paid', async () => {
    const [hub, other] = (await openMany(2)) as [PostgresPurchases, PostgresPurchases];
    const id = await sent(hub, 'food/cake');
    await hub.journal.lose(id, 'recovered');
    const { books } = hub.openHub();
    expect(await books.listLacking(10)).toEqual(['sticker:food/cake']);
    const bytes = Buffer.from(tinyLottie('cake'));
    const line = JSON.stringify({
      scope: 'test',
      item: 'sticker:food/cake',
      content_type: 'application/json',
      sha256: sha256Hex(bytes),
      kept_at: '2026-11-22T00:00:00Z',
      receipt: `v1.${id}.${'A'.repeat(86)}`,
      gzip: gzipSync(bytes).toString('base64'),
    });
    expect(await hub.carrier.take(line, 1e6, () => false)).toMatchObject({ kind: 'bad' });
    expect(await hub.carrier.take(line, 1e6, () => true)).toEqual({ kind: 'added' });
    expect(await other.journal.getPurchase(id)).toMatchObject({ state: 'paid', cost: 1, reason: 'returned' });
    expect(await other.owned.find('sticker:food/cake')).toBeDefined();
    expect([await books.listLacking(10), await isRight(other)]).toEqual([[], true]);
  });

  it('wait twelve times for the database to buy what is new, from the token of who asks to the file that is kept', async () => {
    const hub = await open();
    const { machines, books } = hub.openHub();
    const wish = { projects: ['promo'], only: null, user: null, uses: 1, expiresInS: 60, machineLivesS: null } as const;
    const { token, machine } = await machines.join((await machines.invite(wish)).secret, { name: 'r', user: null });
    await books.setBudget('project:promo', 'day', 9);
    const buyer = createTestBuyer(hub, () => 100);
    const trips: number[] = [];
    for (const name of ['first', 'second']) {
      const before = hub.hub.db.roundTrips();
      const { id } = await machines.find(token);
      // Who asks is told what is owned without the coordinator.
      expect(await hub.owned.find(`sticker:${name}`)).toBeUndefined();
      const payer = { kind: 'key', key: 'k', machine: { id, project: 'promo', requestId: randomUUID() } } as const;
      const receipt = await buyer.coordinator.buy(
        buyer.itemOf(name, () => delivered(name)),
        payer,
      );
      expect(receipt).toMatchObject({ kind: 'bought', cost: 1, kept: true });
      trips.push(hub.hub.db.roundTrips() - before);
    }
    // The first one also reads the balance to compare with.
    expect(trips[1]).toBeLessThanOrEqual(12);
    expect([machine.id, await isRight(hub)]).toEqual([1, true]);
  });

  it('have a first budget with the first real Key, before it buys and once, as a home has', async () => {
    const dayOf = async (one: PostgresPurchases) =>
      (await one.budget.show()).find(({ period }) => period === 'day')?.limit ?? null;
    const real = await open({ scope: 'https://service.test' });
    expect([await dayOf(real), real.firstBudget.isDue()]).toEqual([null, true]);
    real.firstBudget.give('k');
    await real.journal.intend(order('a'));
    expect([await dayOf(real), real.firstBudget.isDue()]).toEqual([100, false]);
    await real.budget.set('day', null);
    const again = await open({ scope: 'https://service.test' });
    again.firstBudget.give('other');
    await again.journal.intend(order('b'));
    expect(await dayOf(again)).toBeNull();
  });

  it('have none where somebody has decided about the budget before there was a Key', async () => {
    const hub = await open({ scope: 'https://service.test' });
    await hub.budget.set('month', 5);
    await hub.budget.set('month', null);
    const other = await open({ scope: 'https://service.test' });
    other.firstBudget.give('k');
    await other.journal.intend(order('a'));
    expect((await other.budget.show()).map(({ limit }) => limit)).toEqual([null, null, null]);
  });

  it('keep what an earlier version limited, and heed what one that still runs limits', async () => {
    const earlier = openPostgres(readDatabaseAddress(address()), systemClock);
    onTestFinished(() => earlier.close());
    await migrate(earlier, { ...PURCHASES, steps: PURCHASES.steps.slice(0, 2) });
    await earlier.run(
      `INSERT INTO hub_budget VALUES ('test', 'project:promo', 'total', 9), ('test', 'all', 'month', 9), ('other', 'all', 'day', 0)`,
    );
    const hub = await open();
    const shown = async () =>
      (await hub.openHub().books.showBudgets()).map(({ payer, period, credits }) => `${payer} ${period} ${credits}`);
    expect(await shown()).toEqual(['all month 9', 'project:promo total 9']);
    await earlier.run(
      `INSERT INTO hub_budget (scope, payer, period, credits) VALUES ('test', 'project:promo', 'total', 1)
       ON CONFLICT (scope, payer, period) DO UPDATE SET credits = excluded.credits`,
    );
    await earlier.run(`DELETE FROM hub_budget WHERE scope = 'test' AND payer = 'all'`);
    expect(await shown()).toEqual(['project:promo total 1']);
    await sent(hub, 'a', { project: 'promo' });
    await expect(hub.journal.intend(order('b', { project: 'promo' }))).rejects.toMatchObject({ code: 'budget' });
    await hub.openHub().books.setBudget('project:promo', 'total', 2);
    expect(await earlier.all(`SELECT credits FROM hub_budget WHERE scope = 'test'`)).toEqual([{ credits: 2 }]);
    await sent(hub, 'b', { project: 'promo' });
  });

  it('know the machines that joined at another, and revoke them there', async () => {
    const [hub, other] = (await openMany(2)) as [PostgresPurchases, PostgresPurchases];
    const [here, there] = [hub.openHub().machines, other.openHub().machines];
    const wish = { projects: ['promo'], only: null, user: null, uses: 1, expiresInS: 60, machineLivesS: null } as const;
    const { secret } = await here.invite(wish);
    const { token, machine } = await there.join(secret, { name: 'render-7', user: 'ann' });
    expect(await codeOf(here.join(secret, { name: 'render-8', user: null }))).toBe('invite_used_up');
    expect(await codeOf(here.join('nonsense', { name: 'x', user: null }))).toBe('invalid_invite');
    // Of two processes the first is the machine's, whichever hub is asked, and the next on its home follows at once.
    expect(await here.claim(machine.id, 'one', undefined)).toBe(true);
    expect(await there.claim(machine.id, 'two', undefined)).toBe(false);
    expect((await there.list(false))[0]?.clonedAt).toBeNull();
    expect(await there.claim(machine.id, 'one', undefined)).toBe(true);
    expect((await here.list(false))[0]).toMatchObject({ clonedAt: expect.any(Number) as number, replacedAt: null });
    expect(await there.claim(machine.id, 'three', 'one')).toBe(true);
    expect(await here.find(token)).toMatchObject({
      id: machine.id,
      name: 'render-7',
      user: 'ann',
      projects: ['promo'],
    });
    expect(await here.revokeUnseen(60_000, 'owner')).toEqual([]);
    await here.revoke('render-7', 'owner');
    expect(await codeOf(here.find(token))).toBe('machine_revoked');
    const of = { machine: { id: machine.id, project: 'promo' } };
    expect(await codeOf(other.journal.intend(order('a', of)))).toBe('machine_revoked');
    await expect.poll(() => codeOf(there.find(token))).toBe('machine_revoked');
    expect(await codeOf(here.find('svcdm_unknown'))).toBe('not_a_machine');

    const again = await there.join((await here.invite(wish)).secret, { name: 'render-9', user: null });
    await expect.poll(async () => (await here.revokeUnseen(1, 'owner')).map(({ name }) => name)).toEqual(['render-9']);
    expect(await codeOf(here.find(again.token))).toBe('machine_revoked');
  });
});
