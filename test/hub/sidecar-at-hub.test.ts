// Machines with svcd on them, and a real hub: what one caused the others get, whatever becomes of the hub between.

import { createHash } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { writeMembership } from '../../src/config/membership.js';
import type { LibraryStatus } from '../../src/api/library.js';
import { silentLog } from '../../src/platform/log.js';
import { sleep as systemSleep, type Sleep } from '../../src/platform/sleep.js';
import { BIRTHDAY_CAKE, CAKE, RAIN } from '../sandbox/tiny-catalogue.js';
import { startHub } from '../support/machine.js';
import { runHere } from '../support/run-here.js';
import { runSvcd } from '../support/run-svcd.js';
import { startTcpProxy } from '../support/tcp-proxy.js';
import { startTestDaemon, temporaryHome } from '../support/start-daemon.js';
import { membershipOf, startSidecar, told } from './start-sidecar.js';

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

describe('a machine whose answer is lost on its way from the hub', () => {
  it('asks again, and books what it caused', async () => {
    let cutOff = (): void => undefined;
    const hub = await startHub({
      remote: {
        faults: ({ path }) =>
          path.includes('/stickers/')
            ? {
                replace: async (answer) => {
                  cutOff();
                  return answer;
                },
              }
            : undefined,
      },
    });
    const line = await startTcpProxy(Number(new URL(hub.machinesUrl).port));
    onTestFinished(() => line.close());
    const { joined } = await hub.machine();
    const home = temporaryHome();
    writeMembership(home, { ...membershipOf(joined), addresses: [`https://127.0.0.1:${line.port}`] });
    const { get } = await startTestDaemon({ home });
    // It was charged by then, and the hub's answer finds nobody.
    cutOff = () => {
      line.cut();
      line.mend();
    };
    expect(told(await get(sticker(CAKE)))).toEqual({ source: 'remote', cost: '1', reason: null });
    expect(await (await get('/svcd/spending')).json()).toMatchObject({ spent: 1, unsettled: 0 });
    expect(hub.remote.sandbox.charges()).toHaveLength(1);
  });
});

/** A service that sells one image, and answers for its picture as it is told. */
async function startImages(showPicture: (response: ServerResponse) => Promise<void> | void) {
  let sold = 0;
  const server = createServer((request, response) => {
    request.resume();
    response.setHeader('content-type', 'application/json');
    if (request.method === 'POST') {
      const url = `http://${request.headers.host}/api/v1/images/${++sold}.png`;
      response.end(JSON.stringify({ url, size: '1024x1024', width: 1024, height: 1024 }));
    } else if (request.url?.endsWith('.png') === true) void showPicture(response);
    else response.end('{"balance": 100}');
  });
  onTestFinished(() => void (server.closeAllConnections(), server.close()));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sold: () => sold };
}

const show = (response: ServerResponse) => void response.setHeader('content-type', 'image/png').end('a picture');

describe('an image whose picture is refused, though it was paid', () => {
  const wish = { prompt: 'a red fox', size: '1024x1024' };
  const pictureOf = async (answer: Response) => fetch(((await answer.json()) as { url: string }).url);

  it('is a default that can be had, and comes for nothing once the Key is valid again', async () => {
    let isDisabled = true;
    const service = await startImages((response) => {
      if (!isDisabled) return show(response);
      response.writeHead(403).end('{"code": "key_disabled", "message": "This Key was disabled."}');
    });
    const hub = await startHub({ flags: { remote: service.url }, userKey: 'sk-user-key' });
    const { post } = await startSidecar(hub, 'one');
    const first = await post('/api/v1/images', wish);
    expect(told(first)).toEqual({ source: 'default', reason: 'upstream_failure', cost: '10' });
    expect((await pictureOf(first)).status).toBe(200);
    const strict = await post('/api/v1/images', wish, { 'X-Svcd-Fallback': 'off' });
    expect([strict.status, await strict.json()]).toMatchObject([
      403,
      { code: 'key_disabled', hint: expect.stringMatching(/not paid/) as unknown },
    ]);
    isDisabled = false;
    const later = await post('/api/v1/images', wish);
    expect(told(later)).toEqual({ source: 'owned', reason: null, cost: '0' });
    expect(await (await pictureOf(later)).text()).toBe('a picture');
    expect(service.sold()).toBe(1);
  });

  it('is a default where the machine was revoked before it had the picture', async () => {
    let revoke = async (): Promise<unknown> => undefined;
    const service = await startImages(async (response) => {
      await revoke();
      show(response);
    });
    const hub = await startHub({ flags: { remote: service.url }, userKey: 'sk-user-key' });
    const { post, joined } = await startSidecar(hub, 'one');
    revoke = async () => hub.send('DELETE', `/svcd/hub/machines/${joined.machine.id}`);
    const answer = await post('/api/v1/images', wish);
    expect(told(answer)).toEqual({ source: 'default', reason: 'offline', cost: '10' });
    expect((await pictureOf(answer)).status).toBe(200);
  });
});

describe("the hub's Key", () => {
  const doctor = async (home: string) =>
    JSON.parse((await runSvcd(['doctor', '--json'], { home })).stdout) as { checks: { name: string; code: string }[] };

  it('that is not there makes a default, and is told at the machine and at the hub', async () => {
    const hub = await startHub({ userKey: undefined });
    const { get, home } = await startSidecar(hub, 'one');
    expect(told(await get(sticker(CAKE)))).toEqual({ source: 'default', reason: 'no_key', cost: '0' });
    const strict = await get(sticker(CAKE), { 'X-Svcd-Fallback': 'off' });
    expect([strict.status, await strict.json()]).toMatchObject([403, { code: 'hub_without_key' }]);
    expect((await doctor(home)).checks).toContainEqual(expect.objectContaining({ name: 'Key', code: 'key_hub_none' }));
    const status = (await (await hub.get('/svcd/hub/status')).json()) as { checks: object[] };
    expect(status.checks).toContainEqual(expect.objectContaining({ name: 'Key', status: 'bad' }));
  });

  it('that the service refuses is told at the machine and at the hub', async () => {
    const hub = await startHub({ userKey: 'sk-not-a-key-of-the-service' });
    const { home } = await startSidecar(hub, 'one');
    const status = (await (await hub.get('/svcd/hub/status')).json()) as { checks: object[] };
    const words = expect.stringContaining('invalid_key') as unknown;
    expect(status.checks).toContainEqual(expect.objectContaining({ name: 'Key', status: 'bad', words }));
    expect((await doctor(home)).checks).toContainEqual(expect.objectContaining({ name: 'Key', code: 'key_hub_wrong' }));
  });
});

describe('the library of a machine', () => {
  it("is the hub's, from its first start", async () => {
    const hub = await startHub();
    await hub.get('/api/v1/stickers/search?q=蛋糕');
    const known = ((await (await hub.get('/svcd/library')).json()) as { known: number }).known;
    const { get } = await startSidecar(hub, 'one', { flags: { 'background-sync': true } });
    const found = async () => ((await (await get('/svcd/library')).json()) as { known: number }).known;
    await expect.poll(found).toBeGreaterThanOrEqual(known);
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
    await expect.poll(async () => (await library(again.get)).known).toBeGreaterThan(before);
    const between = (await library(again.get)).known;
    await hub.get('/api/v1/stickers/search?q=蛋糕');
    await expect.poll(async () => (await library(again.get)).known).toBeGreaterThan(between);

    const { stdout } = await runHere(['library', 'status'], { home: first.home });
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
    const flags = { 'deadline-ms': 6000 };
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
    await hub.send('DELETE', `/svcd/hub/machines/${joined.machine.id}`);
    await expect
      .poll(async () => told(await get(sticker(RAIN))))
      .toEqual({ source: 'default', cost: '0', reason: 'offline' });
    expect(told(await get(sticker(CAKE)))).toMatchObject({ source: 'owned' });
    expect(await (await get('/svcd/summary')).json()).toMatchObject({ key: { problem: 'machine_revoked' } });
  });
});

describe('what a hub refuses a machine for', () => {
  it('is said with what to do: that it was revoked', async () => {
    const hub = await startHub();
    const { home, joined, get } = await startSidecar(hub, 'one');
    await hub.send('DELETE', `/svcd/hub/machines/${joined.machine.id}`);
    const got = await runHere(['get', CAKE, '-o', join(home, 'cake.json')], { home });
    expect([got.code, got.stdout]).toEqual([
      0,
      expect.stringMatching(/hub no longer accepts this machine.*"svcd hub join CODE".*"svcd hub leave"/) as unknown,
    ]);
    const several = await runHere(['get', CAKE, RAIN, '--yes', '-o', temporaryHome()], { home });
    expect(several.stdout).toMatch(/hub no longer accepts this machine/);
    const status = await runHere(['status'], { home });
    expect(status.stdout).toMatch(/refused: the hub no longer accepts this machine.*svcd hub join CODE/);
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
    const got = await runHere(['get', RAIN, '-o', join(home, 'rain.json')], { home });
    expect(got.stdout).toMatch(/hub refuses it: the budget of project promo is 1 credit.*"svcd hub budget"/);
    expect((await runHere(['status'], { home })).stdout).toContain('online: it has answered');
    // One of this machine's own is still called so.
    await runHere(['budget', 'set', '--day', '0'], { home });
    const own = await runHere(['get', BIRTHDAY_CAKE, '-o', join(home, 'birthday.json')], { home });
    expect(own.stdout).toContain('"svcd budget" shows it');
  });

  it('is said when another certificate answers in its place', async () => {
    const hub = await startHub();
    const { joined } = await hub.machine({}, 'one');
    const home = temporaryHome();
    writeMembership(home, { ...membershipOf(joined), pin: 'A'.repeat(43) });
    await startTestDaemon({ home });
    const got = await runHere(['get', CAKE, '-o', join(home, 'cake.json')], { home });
    expect(got.stdout).toMatch(/not the hub that this machine joined.*"svcd hub join CODE" or "svcd hub leave"/);
    expect((await runHere(['status'], { home })).stdout).toMatch(/refused: what answers is not the hub/);
  });
});

describe('a limit on what a machine keeps', () => {
  it('lets go what was not used for longest, and has it again for nothing', async () => {
    const hub = await startHub();
    const { get, home, daemon, joined } = await startSidecar(hub, 'one');
    for (const preset of [CAKE, BIRTHDAY_CAKE, RAIN]) await get(sticker(preset));
    await daemon.close();
    const { openOwnedDatabase } = await import('../../src/purchases/sqlite/owned-database.js');
    const { openHubCache } = await import('../../src/hub/member/connect-member.js');
    const { systemClock } = await import('../../src/platform/clock.js');
    const db = openOwnedDatabase(`${home}/owned.db`);
    expect(openHubCache(db, joined.scope, systemClock, silentLog).trim(1, () => undefined)).toBe(3);
    db.close();
    const again = await startTestDaemon({ home });
    expect(told(await again.get(sticker(CAKE)))).toMatchObject({ source: 'remote', cost: '0' });
    expect(await (await again.get('/svcd/spending')).json()).toMatchObject({ spent: 3 });
  });
});
