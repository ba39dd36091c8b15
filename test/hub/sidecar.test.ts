// A daemon whose home belongs to a hub: what it serves, what it keeps, and what it does when the hub is away or says no.

import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Membership } from '../../src/config/membership.js';
import { writeMembership } from '../../src/config/membership.js';
import { checkUnsettled } from '../../src/operations/health/file-checks.js';
import { openDatabase } from '../../src/platform/open-database.js';
import { OWNED_MIGRATIONS } from '../../src/purchases/sqlite/owned-database.js';
import { runHere } from '../support/run-here.js';
import { startTestDaemon, temporaryHome, type StartOptions } from '../support/start-daemon.js';
import { startSmallHub, TOKEN, type SmallHub } from './small-hub.js';
import { told } from './start-sidecar.js';

async function startSidecar(hub: SmallHub, options: StartOptions = {}, more: Partial<Membership> = {}) {
  const home = options.home ?? temporaryHome();
  writeMembership(home, hub.membership(more));
  return startTestDaemon({ ...options, home });
}

const sticker = (preset: string) => `/api/v1/stickers/${preset}`;
const spendingOf = async (get: (path: string) => Promise<Response>) =>
  (await (await get('/svcd/spending')).json()) as object;

describe('a machine of a hub', () => {
  it('gets what the hub pays for, owns it, and pays for it no more', async () => {
    const hub = await startSmallHub();
    const { get } = await startSidecar(hub);
    expect(told(await get(sticker('heart')))).toEqual({ source: 'remote', cost: '1', reason: null });
    expect(told(await get(sticker('heart')))).toEqual({ source: 'owned', cost: '0', reason: null });
    expect(hub.asked.filter(({ path }) => path === sticker('heart'))).toHaveLength(1);
    const { purchases } = (await (await get('/svcd/purchases')).json()) as { purchases: object[] };
    expect(purchases).toMatchObject([{ preset: 'heart', state: 'paid', cost: 1, owned: true }]);
  });

  it('costs nothing here what another machine has caused', async () => {
    const hub = await startSmallHub();
    hub.bought.set('sticker:star', 1);
    const { get } = await startSidecar(hub);
    expect(told(await get(sticker('star')))).toEqual({ source: 'remote', cost: '0', reason: null });
    expect(await (await get('/svcd/spending')).json()).toMatchObject({ spent: 0, unsettled: 0 });
  });

  it('needs no Key, and says whom it belongs to', async () => {
    const hub = await startSmallHub();
    const { get } = await startSidecar(hub, { userKey: 'sk-the-old-one-of-this-machine' });
    await get(sticker('heart'));
    expect(hub.asked.every(({ headers }) => headers['x-svcd-key'] === undefined)).toBe(true);
    const status = await (await get('/svcd/status')).json();
    expect(status).toMatchObject({
      remote: { address: hub.url, sandbox: false, offline: false },
      hub: { addresses: [hub.url], project: 'promo', machine: 'workstation', problem: null, refusal: null },
      key_source: 'hub',
    });
    expect(JSON.stringify(status)).not.toContain(TOKEN);
    expect(JSON.stringify(await (await get('/svcd/key')).json())).not.toContain(TOKEN.slice(-4));
  });

  it('buys for the project that the setting names', async () => {
    const hub = await startSmallHub();
    const { get } = await startSidecar(hub, { flags: { project: 'trailer' } });
    await get(sticker('heart'));
    expect(hub.asked.at(-1)?.headers['x-svcd-project']).toBe('trailer');
  });

  it("passes on a template's own Key with its own requests alone", async () => {
    const hub = await startSmallHub();
    const { call, get } = await startSidecar(hub);
    await call(sticker('heart'), { headers: { Authorization: 'Bearer sk-of-a-template' } });
    await get(sticker('star'));
    const keys = hub.asked.filter(({ path }) => path.startsWith('/api/')).map(({ headers }) => headers['x-svcd-key']);
    expect(keys).toEqual(['sk-of-a-template', undefined]);
  });

  it('asks for consent to pay again by the header of its client', async () => {
    const hub = await startSmallHub();
    const { get } = await startSidecar(hub);
    await get(sticker('heart'), { 'X-Svcd-Allow-Repay': '1' });
    const { headers } = hub.asked.at(-1) ?? {};
    expect(headers).toMatchObject({ 'x-svcd-allow-repay': '1', 'x-svcd-fallback': 'off' });
  });
});

describe('what the hub sends', () => {
  it.each<[string, NonNullable<SmallHub['spoil']>]>([
    ['other bytes than its digest says', (_, bytes) => Buffer.concat([bytes, Buffer.from(' ')])],
    [
      'bytes of which the receipt says nothing',
      (headers, bytes) => {
        delete headers['X-Svcd-Sha256'];
        return Buffer.concat([bytes, Buffer.from(' ')]);
      },
    ],
    [
      'no receipt',
      (headers, bytes) => {
        delete headers['X-Svcd-Receipt'];
        return bytes;
      },
    ],
    [
      'a default',
      (headers, bytes) => {
        headers['X-Svcd-Source'] = 'default';
        return bytes;
      },
    ],
  ])('is not kept nor served when it is %s', async (_what, spoil) => {
    const hub = await startSmallHub();
    hub.spoil = spoil;
    hub.bought.set('sticker:heart', 1);
    const { get } = await startSidecar(hub);
    expect(told(await get(sticker('heart')))).toMatchObject({
      source: 'default',
      cost: '0',
      reason: 'upstream_failure',
    });
    hub.spoil = undefined;
    expect(told(await get(sticker('heart')))).toMatchObject({ source: 'remote', cost: '0' });
  });

  it.each([
    [402, 'budget', 'budget'],
    [403, 'spending_stopped', 'spending_stopped'],
    [409, 'unsettled', 'unsettled'],
    [503, 'offline', 'offline'],
    [503, 'database_away', 'offline'],
    [401, 'machine_revoked', 'offline'],
  ])('means here what it means there: %s %s is a default for %s', async (status, code, reason) => {
    const hub = await startSmallHub();
    hub.manner = { status, code };
    const { get } = await startSidecar(hub);
    expect(told(await get(sticker('heart')))).toEqual({ source: 'default', cost: '0', reason });
    hub.manner = 'well';
    // It was free, so nothing is in doubt.
    expect(told(await get(sticker('heart')))).toMatchObject({ source: 'remote', cost: '1' });
  });

  it('says what is wrong with the machine', async () => {
    const hub = await startSmallHub();
    hub.manner = { status: 401, code: 'machine_revoked' };
    const { get } = await startSidecar(hub);
    await get(sticker('heart'));
    expect(await (await get('/svcd/summary')).json()).toMatchObject({
      key: { source: 'hub', problem: 'machine_revoked' },
    });
  });
});

describe('a cost that cannot be', () => {
  it.each(['2', '999999999', '-3', '1.5', '1e3', 'many'])('is booked as the price: %s of a sticker', async (cost) => {
    const hub = await startSmallHub();
    hub.spoil = (headers, bytes) => {
      headers['X-Svcd-Cost'] = cost;
      return bytes;
    };
    const { get } = await startSidecar(hub);
    expect(told(await get(sticker('heart')))).toEqual({ source: 'remote', cost: '1', reason: null });
    expect(await spendingOf(get)).toMatchObject({ spent: 1, unsettled: 0 });
  });

  it.each([2, -5, 1.5, 1e300, '1', undefined])('is booked as the price when it is told later: %s', async (cost) => {
    const hub = await startSmallHub();
    hub.manner = 'cuts';
    const { get } = await startSidecar(hub);
    for (const preset of ['heart', 'star'])
      expect(told(await get(sticker(preset)))).toMatchObject({ source: 'default', cost: 'unknown' });
    hub.told = { state: 'paid', purchase: 1, item: 'sticker:heart', cost };
    hub.manner = 'well';
    await expect.poll(() => spendingOf(get)).toMatchObject({ spent: 2, unsettled: 0 });
  });
});

describe('an answer of a hub that is lost', () => {
  it('is asked for again at once, and books what the first one cost', async () => {
    const hub = await startSmallHub();
    const { get } = await startSidecar(hub);
    hub.cuts = 1;
    expect(told(await get(sticker('heart')))).toMatchObject({ source: 'remote', cost: '1' });
    expect(await spendingOf(get)).toMatchObject({ spent: 1, unsettled: 0 });
  });

  it('books nothing when others had paid', async () => {
    const hub = await startSmallHub();
    hub.bought.set('sticker:heart', 1);
    const { get } = await startSidecar(hub);
    hub.cuts = 1;
    expect(told(await get(sticker('heart')))).toMatchObject({ source: 'remote', cost: '0' });
    expect(await spendingOf(get)).toMatchObject({ spent: 0, unsettled: 0 });
  });

  it('is served while nobody tells what it cost, and booked as soon as that is told', async () => {
    const hub = await startSmallHub();
    hub.bought.set('sticker:heart', 1);
    const { get } = await startSidecar(hub);
    hub.told = {};
    hub.cuts = 1;
    expect(told(await get(sticker('heart')))).toMatchObject({ source: 'remote', cost: 'unknown' });
    expect(told(await get(sticker('heart')))).toMatchObject({ source: 'owned', cost: '0' });
    expect(await spendingOf(get)).toMatchObject({ spent: 0, unsettled: 1 });
    hub.told = undefined;
    await expect.poll(() => spendingOf(get)).toMatchObject({ spent: 0, unsettled: 0 });
    expect(told(await get(sticker('heart')))).toMatchObject({ source: 'owned', cost: '0' });
  });

  it('and asked for by a later client, books what it cost; that client spends nothing', async () => {
    const hub = await startSmallHub();
    hub.manner = 'cuts';
    const { get } = await startSidecar(hub);
    expect(told(await get(sticker('heart')))).toMatchObject({ source: 'default', cost: 'unknown' });
    hub.manner = 'well';
    expect(told(await get(sticker('heart')))).toMatchObject({ cost: '0', reason: null });
    expect(await spendingOf(get)).toMatchObject({ spent: 1, unsettled: 0 });
  });

  it('stays in doubt when the next one is a refusal, and the first call is in doubt at the hub', async () => {
    const hub = await startSmallHub();
    hub.told = { state: 'unknown', purchase: 1, item: 'sticker:heart', cost: null };
    const { get } = await startSidecar(hub);
    hub.cuts = 1;
    hub.manner = { status: 409, code: 'unsettled' };
    expect(told(await get(sticker('heart')))).toMatchObject({ source: 'default', cost: 'unknown' });
    expect(await spendingOf(get)).toMatchObject({ unsettled: 1 });
    hub.told = { ...hub.told, state: 'paid', cost: 1 };
    hub.manner = 'well';
    await expect.poll(() => spendingOf(get)).toMatchObject({ spent: 1, unsettled: 0 });
  });
});

describe('a hub that knows nothing of a wish', () => {
  it('leaves it in doubt where the next try was refused: the first one may still arrive', async () => {
    const hub = await startSmallHub();
    hub.told = { state: 'none', purchase: null, item: null, cost: null };
    const { get } = await startSidecar(hub);
    hub.cuts = 1;
    hub.manner = { status: 402, code: 'budget' };
    expect(told(await get(sticker('heart')))).toMatchObject({ source: 'default', cost: 'unknown' });
    hub.told = { state: 'paid', purchase: 1, item: 'sticker:heart', cost: 1 };
    hub.manner = 'well';
    await expect.poll(() => spendingOf(get)).toMatchObject({ spent: 1, unsettled: 0 });
  });

  it('may have forgotten it after a week: what it cost is left to a person, also once the hub is left', async () => {
    const hub = await startSmallHub();
    const home = temporaryHome();
    const first = await startSidecar(hub, { home });
    hub.told = {};
    hub.cuts = 1;
    expect(told(await first.get(sticker('heart')))).toMatchObject({ source: 'remote', cost: 'unknown' });
    await first.daemon.close();
    // A machine that was off for a week.
    const db = openDatabase(join(home, 'owned.db'), { migrations: OWNED_MIGRATIONS, durability: 'full' });
    db.prepare(`UPDATE purchase SET sent_at = sent_at - ?`).run(7 * 86_400_000);
    db.close();
    hub.told = { state: 'none', purchase: null, item: null, cost: null };
    const again = await startSidecar(hub, { home });
    const settled = (await (await again.post('/svcd/purchases/settle', {})).json()) as object;
    const why = 'the hub that made purchase 1 has not told what it cost';
    expect(settled).toMatchObject({ settled: [], left: [{ reason: 'cost_untold', owned: true, why }] });
    const { stdout } = await runHere(['purchases'], { home });
    expect(stdout).toContain('the hub has not told what it cost');
    expect(stdout).toContain('svcd purchases settle 1 --as charged|free');
    const place = {
      home,
      remote: hub.membership().scope,
      isRunning: true,
      mends: { mendDates: false, acceptLoss: false },
    };
    expect(checkUnsettled(place)).toMatchObject({ code: 'unsettled_at_hub', values: [1, expect.any(Number), 1] });
    expect(await spendingOf(again.get)).toMatchObject({ spent: 0, unsettled: 1 });
    await again.daemon.close();
    rmSync(join(home, 'hub.json'));
    const alone = await startTestDaemon({ home, flags: { remote: hub.membership().scope } });
    expect(await (await alone.post('/svcd/purchases/1/settle', { as: 'free' })).json()).toMatchObject({ cost: 0 });
    expect(told(await alone.get(sticker('heart')))).toMatchObject({ source: 'owned' });
    expect(await spendingOf(alone.get)).toMatchObject({ spent: 0, unsettled: 0 });
  });
});

describe('a hub that is away', () => {
  it('is lived without: what is owned is served, nothing is bought; and it is found again', async () => {
    const hub = await startSmallHub();
    const { get } = await startSidecar(hub, { flags: { 'deadline-ms': 8000 } });
    await get(sticker('heart'));
    await hub.kill();
    expect(told(await get(sticker('heart')))).toMatchObject({ source: 'owned' });
    expect(told(await get(sticker('star')))).toEqual({ source: 'default', cost: '0', reason: 'offline' });
    expect(await (await get('/svcd/status')).json()).toMatchObject({ remote: { offline: true } });
    const again = await startSmallHub(hub.port, undefined, hub.signer);
    await expect.poll(async () => told(await get(sticker('star'))).source).toBe('remote');
    expect(again.bought.size).toBe(1);
  });

  it('is not asked while it shows another certificate', async () => {
    const hub = await startSmallHub();
    const { get } = await startSidecar(hub, {}, { pin: 'x'.repeat(43) });
    expect(told(await get(sticker('heart')))).toEqual({ source: 'default', cost: '0', reason: 'offline' });
    expect(hub.asked).toEqual([]);
    const status = (await (await get('/svcd/status')).json()) as { remote: { why: string } };
    expect(status.remote.why).toContain('another certificate');
  });

  it('leaves a call in doubt only until it tells what became of it, and gives its bytes then', async () => {
    const hub = await startSmallHub();
    hub.manner = 'silent';
    const { get } = await startSidecar(hub);
    const first = get(sticker('heart'));
    await expect.poll(() => hub.asked.filter(({ path }) => path === sticker('heart')).length).toBe(1);
    const id = hub.asked.find(({ path }) => path === sticker('heart'))?.headers['x-svcd-request-id'];
    expect(told(await first)).toEqual({ source: 'default', cost: 'unknown', reason: 'offline' });
    hub.manner = 'well';
    await expect.poll(async () => told(await get(sticker('heart'))).source).not.toBe('default');
    const ids = hub.asked
      .filter(({ path }) => path === sticker('heart'))
      .map(({ headers }) => headers['x-svcd-request-id']);
    expect(new Set(ids)).toEqual(new Set([id]));
    expect(await (await get('/svcd/spending')).json()).toMatchObject({ spent: 1, unsettled: 0 });
  });

  it('settles by itself what nobody asks for again', async () => {
    const hub = await startSmallHub();
    hub.manner = 'silent';
    const { get } = await startSidecar(hub);
    await get(sticker('heart'));
    hub.bought.set('sticker:heart', 1);
    hub.manner = 'well';
    const spending = async () => (await (await get('/svcd/spending')).json()) as object;
    // It never reached the hub's books, so it was free.
    await expect
      .poll(spending, { timeout: 25_000, interval: 500 })
      .toMatchObject({ unsettled: 0, purchases: { unknown: 0 } });
  });
});

describe('a home whose hub.json cannot be read', () => {
  it('serves what is owned, and buys nothing with the Key that it had', async () => {
    const hub = await startSmallHub();
    const home = temporaryHome();
    const first = await startSidecar(hub, { home });
    await first.get(sticker('heart'));
    await first.daemon.close();
    writeFileSync(join(home, 'hub.json'), '{"addresses": [');
    const { get } = await startTestDaemon({
      home,
      flags: { remote: undefined },
      userKey: 'sk-the-old-one-of-this-machine',
    });
    expect(told(await get(sticker('star')))).toMatchObject({ source: 'default', reason: 'no_key' });
    const status = (await (await get('/svcd/status')).json()) as { hub: { problem: string } };
    expect(status.hub.problem).toContain('hub.json');
  });
});
