// Machines with svcd on them, and a real hub: what one caused the others get, whatever becomes of the hub between.

import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeMembership } from '../../src/config/membership.js';
import type { LibraryStatus } from '../../src/api/library-status.js';
import { sleep as systemSleep, type Sleep } from '../../src/platform/sleep.js';
import { BIRTHDAY_CAKE, CAKE, RAIN } from '../sandbox/tiny-catalogue.js';
import { startHub } from '../support/machine.js';
import { runSvcd } from '../support/run-svcd.js';
import { startTestDaemon, temporaryHome } from '../support/start-daemon.js';
import { membershipOf, startSidecar } from './start-sidecar.js';

const told = ({ headers }: Response) => ({
  source: headers.get('x-svcd-source'),
  cost: headers.get('x-svcd-cost'),
  reason: headers.get('x-svcd-reason'),
});
const sticker = (preset: string) => `/api/v1/stickers/${encodeURIComponent(preset)}`;

describe('two machines of one hub', () => {
  it('pay once for a sticker, and have the same bytes', async () => {
    const hub = await startHub();
    const [one, two] = [await startSidecar(hub, 'one'), await startSidecar(hub, 'two')];
    const first = await one.get(sticker(CAKE));
    const second = await two.get(sticker(CAKE));
    expect([told(first).cost, told(second).cost]).toEqual(['1', '0']);
    expect(await second.text()).toBe(await first.text());
    expect(told(await two.get(sticker(CAKE)))).toMatchObject({ source: 'owned' });
  });

  it('that ask at the same time cause one purchase', async () => {
    const hub = await startHub();
    const machines = [await startSidecar(hub, 'one'), await startSidecar(hub, 'two'), await startSidecar(hub, 'three')];
    const answers = await Promise.all(machines.map(({ get }) => get(sticker(RAIN))));
    expect(answers.map((answer) => told(answer).source)).toEqual(['remote', 'remote', 'remote']);
    expect(answers.map((answer) => Number(told(answer).cost)).toSorted((a, b) => a - b)).toEqual([0, 0, 1]);
  });

  it('share a picture with its file', async () => {
    const hub = await startHub();
    const [one, two] = [await startSidecar(hub, 'one'), await startSidecar(hub, 'two')];
    const wish = { prompt: 'a red fox', size: '1024x1024' };
    const first = await one.post('/api/v1/images', wish);
    const second = await two.post('/api/v1/images', wish);
    expect([told(first).cost, told(second).cost]).toEqual(['10', '0']);
    const digests = await Promise.all(
      [first, second].map(async (answer) => {
        const { url } = (await answer.json()) as { url: string };
        const picture = await fetch(url);
        expect(picture.headers.get('content-type')).toMatch(/^image\//);
        return createHash('sha256')
          .update(Buffer.from(await picture.arrayBuffer()))
          .digest('hex');
      }),
    );
    expect(digests[0]).toBe(digests[1]);
  });

  it('each get a fresh picture when they ask for one', async () => {
    const hub = await startHub();
    const [one, two] = [await startSidecar(hub, 'one'), await startSidecar(hub, 'two')];
    const wish = { prompt: 'a red fox', size: '1024x1024' };
    const fresh = { 'X-Svcd-Fresh': '1' };
    expect(told(await one.post('/api/v1/images', wish, fresh)).cost).toBe('10');
    expect(told(await two.post('/api/v1/images', wish, fresh)).cost).toBe('10');
    // And whoever asks plainly gets the newest, with a receipt that holds.
    const three = await startSidecar(hub, 'three');
    expect(told(await three.post('/api/v1/images', wish))).toMatchObject({ source: 'remote', cost: '0' });
  });

  it('see the account, and search, by way of the hub', async () => {
    const hub = await startHub();
    const { get } = await startSidecar(hub, 'one');
    expect(await (await get('/api/v1/usage')).json()).toMatchObject({ balance: expect.any(Number) as unknown });
  });
});

describe('the library of a machine', () => {
  it("is the hub's, from its first start", async () => {
    const hub = await startHub();
    await hub.get('/api/v1/stickers/search?q=蛋糕');
    const known = ((await (await hub.get('/svcd/library')).json()) as { known: number }).known;
    const { get } = await startSidecar(hub, 'one', { flags: { 'background-sync': true } });
    const found = async () => ((await (await get('/svcd/library')).json()) as { known: number }).known;
    await expect.poll(found, { timeout: 10_000 }).toBeGreaterThanOrEqual(known);
  });

  it('is taken again when the hub has learned more: at the start, and now and then', async () => {
    const hub = await startHub();
    const flags = { 'background-sync': true };
    // Where a machine waits for minutes it waits for a moment.
    const sleep: Sleep = (ms, options) => systemSleep(Math.min(ms, 50), options);
    const first = await startSidecar(hub, 'one', { flags });
    const library = async (get: typeof first.get) => (await (await get('/svcd/library')).json()) as LibraryStatus;
    await expect.poll(async () => (await library(first.get)).hub?.taken_at).toEqual(expect.any(String));
    expect((await library(first.get)).hub?.address).toBe(hub.machinesUrl);
    const before = (await library(first.get)).known;
    await first.daemon.close();

    await hub.get('/api/v1/stickers/search?q=雨');
    const again = await startTestDaemon({ home: first.home, flags, sleep });
    await expect.poll(async () => (await library(again.get)).known, { timeout: 10_000 }).toBeGreaterThan(before);
    const between = (await library(again.get)).known;
    await hub.get('/api/v1/stickers/search?q=蛋糕');
    await expect.poll(async () => (await library(again.get)).known, { timeout: 10_000 }).toBeGreaterThan(between);

    const { stdout } = await runSvcd(['library', 'status'], { home: first.home });
    expect(stdout).toMatch(/from +the hub at https:.*\n *last taken +.* ago/);
    expect(stdout).not.toContain('requests a minute');
  });

  it('is sent to a machine that has it in no more than a word', async () => {
    const hub = await startHub();
    await hub.get('/api/v1/stickers/search?q=雨');
    const machine = await hub.machine();
    const ask = (headers: Record<string, string> = {}) => machine.ask('/svcd/hub/library', { headers });
    await expect.poll(async () => (await ask()).text).toContain(RAIN);
    const { etag = '' } = (await ask()).headers;
    expect(await ask({ 'If-None-Match': etag })).toMatchObject({ status: 304, text: '' });
    expect((await ask({ 'If-None-Match': 'W/"another"' })).headers).toMatchObject({ etag });
    await hub.get('/api/v1/stickers/search?q=蛋糕');
    await expect.poll(async () => (await ask({ 'If-None-Match': etag })).text).toContain(CAKE);
  });
});

describe('a project whose budget is used up', () => {
  it('does not keep another one from buying what both ask for at the same time', async () => {
    const hub = await startHub();
    const [poor, rich] = [
      await hub.machine({ projects: ['poor'], budget: 0 }),
      await hub.machine({ projects: ['rich'] }),
    ];
    const answers = await Promise.all([CAKE, RAIN, BIRTHDAY_CAKE].flatMap((one) => [poor.get(one), rich.get(one)]));
    expect(answers.filter((_, nth) => nth % 2 === 1).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(hub.remote.sandbox.charges()).toHaveLength(3);
  });
});

describe('a client whose time is over while its wish waits in the queue of the hub', () => {
  it('is told that, and not that the service was late; also one that joined', async () => {
    // The balance, and one sticker.
    const hub = await startHub({ pace: { limit: 2, burst: 2, windowMs: 600_000 } });
    const flags = { 'deadline-ms': 3000 };
    const [one, two] = [await startSidecar(hub, 'one', { flags }), await startSidecar(hub, 'two', { flags })];
    expect(told(await one.get(sticker(CAKE)))).toMatchObject({ source: 'remote' });
    const waiting = { source: 'default', cost: '0', reason: 'rate_limited' };
    const answers = await Promise.all([one, two].map(({ get }) => get(sticker(RAIN))));
    expect(answers.map(told)).toEqual([waiting, waiting]);
    // Where it was asked for before.
    expect(told(await one.get(sticker(RAIN)))).toEqual(waiting);
    // The machines' daemons end when what they asked for has.
    await hub.daemon.close();
  });
});

describe('what a machine may not', () => {
  it('spend more than its project, for which it gets a default', async () => {
    const hub = await startHub();
    const { get } = await startSidecar(hub, 'one', { invite: { budget: 1 } });
    expect(told(await get(sticker(CAKE)))).toMatchObject({ source: 'remote' });
    expect(told(await get(sticker(RAIN)))).toMatchObject({ source: 'default', reason: 'budget', cost: '0' });
  });

  it('buy once it is revoked; what it has it keeps', async () => {
    const hub = await startHub();
    const { get, joined } = await startSidecar(hub, 'one');
    await get(sticker(CAKE));
    await hub.call(`/svcd/hub/machines/${joined.machine.id}`, {
      method: 'DELETE',
      headers: { Authorization: `Bearer ${hub.token}` },
    });
    await expect
      .poll(async () => told(await get(sticker(RAIN))), { timeout: 5000 })
      .toEqual({ source: 'default', cost: '0', reason: 'offline' });
    expect(told(await get(sticker(CAKE)))).toMatchObject({ source: 'owned' });
    expect(await (await get('/svcd/summary')).json()).toMatchObject({ key: { problem: 'machine_revoked' } });
  });
});

describe('what a hub refuses a machine for', () => {
  it('is said with what to do: that it was revoked', async () => {
    const hub = await startHub();
    const { home, joined, get } = await startSidecar(hub, 'one');
    await hub.call(`/svcd/hub/machines/${joined.machine.id}`, {
      method: 'DELETE',
      headers: { Authorization: `Bearer ${hub.token}` },
    });
    const got = await runSvcd(['get', CAKE, '-o', join(home, 'cake.json')], { home });
    expect([got.code, got.stdout]).toEqual([
      0,
      expect.stringMatching(/hub no longer accepts this machine.*"svcd join CODE".*"svcd leave"/) as unknown,
    ]);
    const several = await runSvcd(['get', CAKE, RAIN, '--yes', '-o', temporaryHome()], { home });
    expect(several.stdout).toMatch(/hub no longer accepts this machine/);
    const status = await runSvcd(['status'], { home });
    expect(status.stdout).toMatch(/refused: the hub no longer accepts this machine.*svcd join CODE/);
    expect(status.stdout).not.toContain('online');
    const summary = (await (await get('/svcd/summary')).json()) as { hub: { refusal: unknown } };
    expect(summary.hub.refusal).toMatchObject({
      code: 'machine_revoked',
      why: expect.stringContaining('revoked') as unknown,
    });
    expect((await runSvcd(['doctor'], { home })).stdout).toMatch(/hub does not accept this machine.*revoked/);
  });

  it('is said with whose budget it was, and where it is changed', async () => {
    const hub = await startHub();
    const { home, get } = await startSidecar(hub, 'one', { invite: { budget: 1 } });
    await get(sticker(CAKE));
    const got = await runSvcd(['get', RAIN, '-o', join(home, 'rain.json')], { home });
    expect(got.stdout).toMatch(/hub refuses it: the budget of project promo is 1 credit.*"svcd hub budget"/);
    expect((await runSvcd(['status'], { home })).stdout).toContain('online: it has answered');
    // One of this machine's own is still called so.
    await runSvcd(['budget', 'set', '--day', '0'], { home });
    const own = await runSvcd(['get', BIRTHDAY_CAKE, '-o', join(home, 'birthday.json')], { home });
    expect(own.stdout).toContain('"svcd budget" shows it');
  });

  it('is said when another certificate answers in its place', async () => {
    const hub = await startHub();
    const { joined } = await hub.machine({}, 'one');
    const home = temporaryHome();
    writeMembership(home, { ...membershipOf(joined), pin: 'A'.repeat(43) });
    await startTestDaemon({ home });
    const got = await runSvcd(['get', CAKE, '-o', join(home, 'cake.json')], { home });
    expect(got.stdout).toMatch(/not the hub that this machine joined.*"svcd join CODE" or "svcd leave"/);
    expect((await runSvcd(['status'], { home })).stdout).toMatch(/refused: what answers is not the hub/);
  });
});

describe('a limit on what a machine keeps', () => {
  it('lets go what was not used for longest, and has it again for nothing', async () => {
    const hub = await startHub();
    const { get, home, daemon, joined } = await startSidecar(hub, 'one');
    for (const preset of [CAKE, BIRTHDAY_CAKE, RAIN]) await get(sticker(preset));
    await daemon.close();
    const { openOwnedDatabase } = await import('../../src/purchases/owned-database.js');
    const { openHubCache } = await import('../../src/purchases/hub-cache.js');
    const { systemClock } = await import('../../src/platform/clock.js');
    const db = openOwnedDatabase(`${home}/owned.db`);
    expect(openHubCache(db, joined.scope, systemClock).trim(1, () => undefined)).toBe(3);
    db.close();
    const again = await startTestDaemon({ home });
    expect(told(await again.get(sticker(CAKE)))).toMatchObject({ source: 'remote', cost: '0' });
    expect(await (await again.get('/svcd/spending')).json()).toMatchObject({ spent: 3 });
  });
});
