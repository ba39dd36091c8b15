// Exchanges with a hub: whom they trust, how they find it, and what they make of its end.

import { createServer, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createReceiptSigner, makeReceiptKey } from '../../src/hub/app/receipts.js';
import { SvcdError } from '../../src/model/errors.js';
import { silentLog } from '../../src/platform/log.js';
import { systemClock } from '../../src/platform/clock.js';
import type { RemoteRequest } from '../../src/upstream/exchange.js';
import { createHubExchanger, REQUEST_ID, type HubAccess } from '../../src/hub/member/hub-exchanger.js';
import { HUB_POLICIES } from '../../src/hub/member/hub-policies.js';
import { remoteError } from '../../src/upstream/remote-error.js';
import { createRemote } from '../../src/upstream/remote.js';
import { startSmallHub, TOKEN, type SmallHub } from './small-hub.js';
import { makeOtherCertificate } from './other-certificate.js';

const LOOK: RemoteRequest = { method: 'GET', path: '/svcd/hub', cost: 'free', timeoutMs: 10_000, maxBytes: 1_000_000 };
const WISH: RemoteRequest = {
  ...LOOK,
  path: '/api/v1/stickers/heart',
  cost: 'paid',
  key: TOKEN,
  headers: { [REQUEST_ID]: '00000000-0000-8000-a000-000000000001' },
};

function exchangerOf(hub: Pick<SmallHub, 'url' | 'pin'>, more: Partial<HubAccess> = {}) {
  const made = createHubExchanger({ addresses: [hub.url], pin: hub.pin, token: TOKEN, ...more });
  onTestFinished(() => made.close());
  return made;
}

function remoteOf(exchanger: ReturnType<typeof exchangerOf>) {
  const remote = createRemote({
    policies: HUB_POLICIES,
    baseUrl: exchanger.address(),
    exchanger: exchanger.exchange,
    forcedOffline: false,
    watchBalance: () => () => undefined,
    clock: systemClock,
    log: silentLog,
  });
  onTestFinished(() => remote.close());
  return remote;
}

/** An address at which connections are taken and nothing is ever said. */
async function startBlackHole() {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    socket.resume();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void (sockets.forEach((socket) => socket.destroy()), server.close()));
  return { url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, open: () => sockets.size };
}

/** One at which nobody listens. */
async function freeAddress(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return `https://127.0.0.1:${port}`;
}

describe('whom a machine talks to', () => {
  it('shows its token to the hub whose certificate it joined, and keeps the connection', async () => {
    const hub = await startSmallHub();
    const { exchange } = exchangerOf(hub);
    for (let turn = 0; turn < 5; turn++) {
      expect(await exchange(LOOK)).toMatchObject({ kind: 'answer', status: 200 });
      await pause(5);
    }
    expect(hub.connections()).toBe(1);
    expect(hub.asked[0]?.headers.authorization).toBe(`Bearer ${TOKEN}`);
  });

  it('sends nothing to a hub with another certificate, and says so', async () => {
    const hub = await startSmallHub(0, makeOtherCertificate());
    const { pin } = await startSmallHub();
    const result = await exchangerOf({ url: hub.url, pin }).exchange(WISH);
    expect(result).toMatchObject({ kind: 'unreached', error: { code: 'hub_certificate_changed' } });
    expect(hub.asked).toEqual([]);
  });

  it("carries a template's own Key beside its token, with that request alone", async () => {
    const hub = await startSmallHub();
    const { exchange } = exchangerOf(hub);
    await exchange({ ...LOOK, key: 'sk-somebodys' });
    await exchange({ ...LOOK, key: TOKEN });
    expect(hub.asked.map(({ headers }) => headers['x-svcd-key'])).toEqual(['sk-somebodys', undefined]);
    expect(hub.asked[0]?.headers.authorization).toBe(`Bearer ${TOKEN}`);
  });
});

describe('a wish that was allowed to leave long ago', () => {
  it('stays here, over a new connection and over a kept one, and is free; the next one leaves', async () => {
    const hub = await startSmallHub();
    const { exchange } = exchangerOf(hub);
    const error = new SvcdError('timeout', 'the machine slept');
    expect(await exchange({ ...WISH, findLate: () => error })).toEqual({ kind: 'unreached', error });
    await exchange(LOOK);
    await pause(5);
    expect(await exchange({ ...WISH, findLate: () => error })).toEqual({ kind: 'unreached', error });
    expect([hub.bought.size, hub.asked.length]).toEqual([0, 1]);
    expect(await exchange({ ...WISH, findLate: () => undefined })).toMatchObject({ kind: 'answer', status: 200 });
    expect(hub.bought.size).toBe(1);
  });
});

describe('more than one address', () => {
  it('asks the next one when one is away, and stays there', async () => {
    const hub = await startSmallHub();
    const made = exchangerOf(hub, { addresses: [await freeAddress(), hub.url] });
    expect(await made.exchange(LOOK)).toMatchObject({ kind: 'answer' });
    expect(made.address()).toBe(hub.url);
  });

  it('does not wait for one that takes connections and says nothing', async () => {
    const hub = await startSmallHub();
    const hole = await startBlackHole();
    const made = exchangerOf(hub, { addresses: [hole.url, hub.url] });
    expect(await made.exchange(LOOK)).toMatchObject({ kind: 'answer' });
    expect(made.address()).toBe(hub.url);
    // Nor does a connection to it stay behind.
    await expect.poll(hole.open).toBe(0);
  });

  it('takes a wish from a hub that stops to another one, and asks there from then on', async () => {
    const [first, second] = [await startSmallHub(), await startSmallHub()];
    const made = exchangerOf(first, { addresses: [first.url, second.url] });
    // Kept, and not used for what comes after.
    await made.exchange(LOOK);
    await pause(5);
    first.manner = { status: 503, code: 'not_running' };
    expect(await made.exchange(WISH)).toMatchObject({ kind: 'answer', status: 200 });
    expect(made.address()).toBe(second.url);
    const { length } = first.asked;
    await pause(5);
    await made.exchange({ ...WISH, path: '/api/v1/stickers/tree' });
    expect([first.asked.length, second.bought.size]).toEqual([length, 2]);
  });

  it('tells that each of them stops, and asks none twice', async () => {
    const hubs = [await startSmallHub(), await startSmallHub()];
    for (const hub of hubs) hub.manner = { status: 503, code: 'not_running' };
    const [first] = hubs as [SmallHub, SmallHub];
    const result = await exchangerOf(first, { addresses: hubs.map(({ url }) => url) }).exchange(WISH);
    expect(result).toMatchObject({ kind: 'answer', status: 503 });
    expect(result.kind === 'answer' && remoteError(result).code).toBe('offline');
    expect(hubs.map(({ asked }) => asked.length)).toEqual([1, 1]);
  });

  it('leaves with a hub that stops what may have cost', async () => {
    const [first, second] = [await startSmallHub(), await startSmallHub()];
    first.manner = { status: 503, code: 'not_running', cost: 'unknown' };
    const made = exchangerOf(first, { addresses: [first.url, second.url] });
    expect(await made.exchange(WISH)).toMatchObject({ kind: 'answer', status: 503 });
    expect(second.asked).toEqual([]);
  });

  it('goes to the other hub with the same wish when one dies over it', async () => {
    const signer = createReceiptSigner(makeReceiptKey());
    const [first, second] = [await startSmallHub(0, undefined, signer), await startSmallHub(0, undefined, signer)];
    first.manner = 'silent';
    const made = exchangerOf(first, { addresses: [first.url, second.url] });
    const wish = remoteOf(made).exchange(WISH);
    await expect.poll(() => first.asked.length).toBeGreaterThan(0);
    await first.kill();
    expect(await wish).toMatchObject({ kind: 'answer', status: 200 });
    const ids = [first.asked[0], second.asked.at(-1)].map((one) => one?.headers['x-svcd-request-id']);
    expect(ids[0]).toBe(ids[1]);
  });
});

describe('what became of a request', () => {
  it('was not sent where nobody listens', async () => {
    const { exchange } = exchangerOf({ url: await freeAddress(), pin: 'x'.repeat(43) });
    let left = false;
    const result = await exchange({ ...WISH, beforeSend: async () => void (left = true) });
    expect(result).toMatchObject({ kind: 'unreached', error: { code: 'offline' } });
    expect(left).toBe(false);
  });

  it('is asked again by its name when the answer was cut off, and is the same purchase', async () => {
    const hub = await startSmallHub();
    hub.manner = 'cuts';
    const wish = remoteOf(exchangerOf(hub)).exchange(WISH);
    await expect.poll(() => hub.asked.length).toBeGreaterThan(0);
    hub.manner = 'well';
    // Owned by now; what it cost is told of the ask.
    expect(await wish).toMatchObject({ kind: 'answer', status: 200, headers: { 'x-svcd-cost': '0' } });
    expect(hub.bought.size).toBe(1);
  });

  it('is not asked again where it has no name and may cost', async () => {
    const hub = await startSmallHub();
    hub.manner = 'cuts';
    const { headers: _, ...nameless } = WISH;
    const result = await remoteOf(exchangerOf(hub)).exchange(nameless);
    expect(result).toMatchObject({ kind: 'lost' });
    expect(hub.asked).toHaveLength(1);
  });

  it('stays lost when a later try finds nobody: it may have arrived', async () => {
    const hub = await startSmallHub();
    hub.manner = 'silent';
    const remote = remoteOf(exchangerOf(hub));
    const wish = remote.exchange(WISH);
    await expect.poll(() => hub.asked.length).toBeGreaterThan(0);
    await hub.kill();
    expect(await wish).toMatchObject({ kind: 'lost', error: { code: 'offline' } });
    expect(remote.reach().offline).toBe(true);
  });

  it('is lost, too, when it left on a kept connection and then finds nobody', async () => {
    const hub = await startSmallHub();
    const { exchange } = exchangerOf(hub);
    await exchange(LOOK);
    await pause(5);
    hub.manner = 'silent';
    const wish = exchange(WISH);
    await expect.poll(() => hub.asked.length).toBe(2);
    await hub.kill();
    expect(await wish).toMatchObject({ kind: 'lost', error: { code: 'offline' } });
  });

  it('goes out on a fresh connection where the kept one was closed unseen', async () => {
    const hub = await startSmallHub();
    const { exchange } = exchangerOf(hub);
    await exchange(LOOK);
    await pause(5);
    await hub.kill();
    const again = await startSmallHub(hub.port);
    expect(await exchange(WISH)).toMatchObject({ kind: 'answer', status: 200 });
    expect(again.bought.size).toBe(1);
  });
});

describe('a hub that takes requests and says nothing', () => {
  it('is away, also for the one that waits; and is found again', async () => {
    const hub = await startSmallHub();
    hub.manner = 'silent';
    const remote = remoteOf(exchangerOf(hub));
    expect(await remote.exchange(WISH)).toMatchObject({ kind: 'lost', error: { code: 'offline' } });
    expect(remote.findRefusal(Infinity)?.code).toBe('offline');
    hub.manner = 'well';
    await expect.poll(() => remote.reach().offline).toBe(false);
    expect(await remote.exchange(WISH)).toMatchObject({ kind: 'answer', status: 200 });
  });
});
