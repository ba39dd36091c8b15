// The client against the real daemon and the sandbox: finding, buying once, defaults that say so, deadlines and signals.

import { describe, expect, it } from 'vitest';
import type { ConnectOptions } from '../../src/client/client-types.js';
import { openClient } from '../../src/client/open-client.js';
import { isSvcdError } from '../../src/client/svcd-error.js';
import { lottieProblem } from '../../src/lottie/judge-lottie.js';
import { sha256Hex } from '../../src/model/hash.js';
import { startPair, type PairOptions } from '../support/start-pair.js';
import { LOTTIE, readAll, startScript } from './scripted-server.js';

const CAKE = 'food/cake';

async function openPair(options: PairOptions = {}, given: ConnectOptions = {}) {
  const { svcd, remote } = await startPair(options);
  const client = await openClient({ home: svcd.home, ...given }, {});
  return { svcd, remote, client };
}

describe('what costs nothing', () => {
  it('is answered as svcd answers it', async () => {
    const { client, svcd } = await openPair();
    const { presets } = await fillLibrary(svcd);
    const found = await client.search({ q: '生日', limit: 2 });
    expect(found.results.length).toBeGreaterThan(0);
    expect(found.results[0]).toMatchObject({ owned: false, file: expect.stringContaining(svcd.url) as string });
    const all = await readAll(client.searchAll({ aspect: '0.01..100', limit: 2 }));
    expect(new Set(all.map(({ preset }) => preset)).size).toBe(all.length);
    expect(all.length).toBe((await client.search({ aspect: '0.01..100' })).total);
    expect(all.map(({ preset }) => preset)).toEqual(expect.arrayContaining(presets));
    const [shipped, others] = [await client.search({ shipped: true }), await client.search({ shipped: false })];
    expect(others.total).toBeGreaterThan(0);
    expect(shipped.total).toBeGreaterThan(others.total);
    const matched = await client.match({ keywords: ['生日'], limit: 3 });
    expect(matched.results[0]?.reasons.length).toBeGreaterThan(0);
    expect((await client.complete({ q: '生' })).query).toBe('生');
    expect((await client.related(presets[0] ?? '', { limit: 2 })).limit).toBe(2);
    expect(await client.status()).toMatchObject({ name: 'svcd', pid: process.pid });
    expect((await client.spending()).spent).toBe(0);
  });

  it('is refused with the sentence of svcd', async () => {
    const { client } = await openPair();
    await expect(client.search({ q: '生日', limit: 51 })).rejects.toMatchObject({
      code: 'invalid_request',
      status: 400,
      message: expect.stringContaining('51') as string,
    });
  });
});

describe('a sticker', () => {
  it('is bought once, and owned from then on', async () => {
    const { client } = await openPair();
    const bought = await client.sticker(CAKE);
    expect(bought).toMatchObject({ preset: CAKE, source: 'remote', cost: 1, reason: undefined });
    expect(bought.sha256).toBe(sha256Hex(bought.bytes));
    expect(bought.json().layers).toBeInstanceOf(Array);
    const { w, h, fr, ip, op } = bought.json() as Record<string, unknown> as Record<string, number>;
    expect(bought.facts).toMatchObject({ width: w, height: h, frame_rate: fr, frames: op! - ip! });
    const again = await client.sticker(CAKE);
    expect(again).toMatchObject({ source: 'owned', cost: 0, sha256: bought.sha256, balance: bought.balance });
    expect(bought.balance).toBeTypeOf('number');
  });

  it('is a default that says why, or an error where none will do', async () => {
    const { client } = await openPair({ flags: { offline: true } });
    const stand = await client.sticker(CAKE);
    expect(stand).toMatchObject({ preset: CAKE, source: 'default', reason: 'offline', cost: 0 });
    await expect(client.sticker(CAKE, { fallback: 'error' })).rejects.toMatchObject({ code: 'offline', status: 503 });
  });

  it('that nobody has is an error of its own, and one without a name never leaves', async () => {
    const { client } = await openPair();
    await expect(client.sticker('x/none')).rejects.toMatchObject({ code: 'unknown_preset', status: 404 });
    for (const preset of ['', '.', '..', undefined as never]) {
      await expect(client.sticker(preset)).rejects.toMatchObject({ code: 'invalid_argument' });
    }
  });
});

describe('an image', () => {
  it('comes with its picture, is owned the second time, and another where one is wanted', async () => {
    const { client } = await openPair();
    const request = { prompt: 'a lamp', size: '1024x1024' } as const;
    const bought = await client.image(request);
    expect(bought).toMatchObject({ source: 'remote', cost: 10, contentType: 'image/png', size: '1024x1024' });
    expect(bought.sha256).toBe(sha256Hex(bought.bytes));
    expect(await client.image(request)).toMatchObject({ source: 'owned', cost: 0, sha256: bought.sha256 });
    expect(await client.image({ ...request, variant: '2' })).toMatchObject({ source: 'remote', cost: 10 });
    expect(await client.image({ ...request, fresh: true })).toMatchObject({ source: 'remote', cost: 10 });
  });
});

describe('a deadline', () => {
  it('is told to svcd less 200 ms, so that a default comes in time', async () => {
    const { url, seen } = await startScript([{ body: LOTTIE }]);
    const client = await openClient({ baseUrl: url, deadlineMs: 50_000 }, {});
    await client.sticker(CAKE);
    await client.sticker(CAKE, { deadlineMs: 700_000 });
    await client.sticker(CAKE, { deadlineMs: 10_000 });
    const told = seen.map(({ headers }) => Number(headers['x-svcd-deadline-ms']));
    expect(told[0]).toBeLessThanOrEqual(49_800);
    expect(told[0]).toBeGreaterThan(9800);
    expect(told[1]).toBe(600_000);
    expect(told[2]).toBeLessThanOrEqual(9800);
  });

  it("is svcd's own where the caller has none", async () => {
    const { url, seen } = await startScript([{ body: LOTTIE }]);
    await (await openClient({ baseUrl: url }, {})).sticker(CAKE);
    expect(seen[0]?.headers).not.toHaveProperty('x-svcd-deadline-ms');
    expect(seen[0]?.headers).not.toHaveProperty('x-svcd-fallback');
  });

  it('that passes in silence ends in a plain sticker whose cost is not known, or an error', async () => {
    const { url } = await startScript(['silence']);
    const client = await openClient({ baseUrl: url, deadlineMs: 300 }, {});
    expect(await client.sticker(CAKE)).toMatchObject({ source: 'default', reason: 'no_svcd', cost: 'unknown' });
    await expect(client.sticker(CAKE, { fallback: 'error' })).rejects.toMatchObject({ code: 'timeout' });
    await expect(client.search({ q: 'a' })).rejects.toMatchObject({ code: 'timeout', status: undefined });
  });

  it.each([0, -1, NaN])('of %d is refused', async (deadlineMs) => {
    const client = await openClient({}, {});
    await expect(client.search({ q: 'a' }, { deadlineMs })).rejects.toMatchObject({ code: 'invalid_argument' });
  });
});

describe('a signal', () => {
  it('ends the waiting at once, of one call or of all', async () => {
    const { url } = await startScript(['silence']);
    const [one, all] = [new AbortController(), new AbortController()];
    const client = await openClient({ baseUrl: url, signal: all.signal }, {});
    const call = client.sticker(CAKE, { signal: one.signal });
    one.abort(new Error('enough'));
    await expect(call).rejects.toMatchObject({ code: 'interrupted', cause: { message: 'enough' } });
    const others = [client.search({ q: 'a' }), client.image({ prompt: 'a', size: '1024x1024' })];
    all.abort();
    for (const end of await Promise.allSettled(others)) expect(end).toMatchObject({ reason: { code: 'interrupted' } });
    await expect(client.search({ q: 'a' })).rejects.toMatchObject({ code: 'interrupted' });
  });

  it('ends no purchase that was sent: the sticker is owned when it is asked for again', async () => {
    const { client } = await openPair({ remote: { faults: () => ({ latencyMs: 300 }) } });
    const controller = new AbortController();
    const call = client.sticker(CAKE, { signal: controller.signal });
    const ended = call.catch((error: unknown) => error);
    await expect.poll(async () => (await client.spending()).purchases.sent).toBe(1);
    controller.abort();
    expect(isSvcdError(await ended, 'interrupted')).toBe(true);
    await expect.poll(async () => (await client.spending()).purchases.paid).toBe(1);
    expect(await client.sticker(CAKE)).toMatchObject({ source: 'owned', cost: 0 });
  });
});

describe('without svcd', () => {
  const nowhere = async () => {
    const server = await startScript(['break']);
    await server.close();
    return server.url;
  };

  it('there are plain assets that say so, and nothing else is made up', async () => {
    const client = await openClient({ baseUrl: await nowhere() }, {});
    const plain = await client.sticker(CAKE);
    expect(plain).toMatchObject({ preset: CAKE, source: 'default', reason: 'no_svcd', cost: 0 });
    expect(plain.bytes.byteLength).toBeLessThan(800);
    expect(await lottieProblem(plain.bytes)).toBeUndefined();
    const picture = await client.image({ prompt: 'a lamp', size: '1536x1024' });
    expect(picture).toMatchObject({ source: 'default', reason: 'no_svcd', contentType: 'image/png', cost: 0 });
    await expect(client.search({ q: 'a' })).rejects.toMatchObject({ code: 'not_running' });
    await expect(client.match({ text: 'a' })).rejects.toMatchObject({ code: 'not_running' });
    await expect(client.status()).rejects.toMatchObject({ code: 'not_running' });
  });

  it('there is an error where the caller wants one', async () => {
    const client = await openClient({ baseUrl: await nowhere(), otherwise: 'error' }, {});
    await expect(client.sticker(CAKE)).rejects.toMatchObject({ code: 'not_running' });
    const patient = await openClient({ baseUrl: await nowhere() }, {});
    await expect(patient.sticker(CAKE, { fallback: 'error' })).rejects.toMatchObject({ code: 'not_running' });
  });

  it('the service itself is asked where the caller wants that, and nothing paid is sent twice', async () => {
    const { remote } = await startPair();
    const service = { baseUrl: remote.url, key: remote.sandbox.key };
    const client = await openClient({ baseUrl: await nowhere(), otherwise: 'remote', remote: service }, {});
    expect(await client.sticker(CAKE)).toMatchObject({ source: 'remote', cost: 1 });
    expect(await client.image({ prompt: 'a lamp', size: '1024x1024' })).toMatchObject({ source: 'remote', cost: 10 });
    await expect(client.search({ q: 'a' })).rejects.toMatchObject({ code: 'not_running' });

    const broken = await startScript(['break'], { status: {} });
    const away = await openClient(
      { baseUrl: await nowhere(), otherwise: 'remote', remote: { baseUrl: broken.url, key: 'k' } },
      {},
    );
    await expect(away.sticker(CAKE)).rejects.toMatchObject({ code: 'offline' });
    expect(broken.seen).toHaveLength(1);
  });

  it('the service is not paid for what svcd may have paid for already', async () => {
    const [svcd, service] = [await startScript(['break']), await startScript([{ body: LOTTIE }])];
    const client = await openClient(
      { baseUrl: svcd.url, otherwise: 'remote', remote: { baseUrl: service.url, key: 'k' } },
      {},
    );
    await expect(client.sticker(CAKE)).rejects.toMatchObject({ code: 'not_running' });
    expect(service.seen).toEqual([]);
  });
});

async function fillLibrary(svcd: Awaited<ReturnType<typeof openPair>>['svcd']) {
  const answer = await svcd.get(`/api/v1/stickers/search?q=${encodeURIComponent('生日')}`);
  const { results } = (await answer.json()) as { results: { preset: string }[] };
  return { presets: results.map(({ preset }) => preset) };
}
