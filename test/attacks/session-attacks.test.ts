// Everything that changes something, asked with the cookie of a signed-in page in every way but that of a script of our own
// page: nothing is changed, nothing is bought. And what such a script may do, and what it may not.

import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Operation } from '../../src/api/operation.js';
import { OPERATIONS } from '../../src/api/operations.js';
import { BIRTHDAY_CAKE, CAKE, tinyLottie } from '../sandbox/tiny-catalogue.js';
import { startFaultyRemote } from '../faults/faulty-remote.js';
import { listPurchases, statesOf } from '../support/purchases.js';
import { requestRaw } from '../support/request-raw.js';
import { startTestDaemon, temporaryHome, type StartedDaemon } from '../support/start-daemon.js';
import { signIn } from '../support/sign-in.js';
import { startPair } from '../support/start-pair.js';
import { createWorkdayClock } from '../support/workday-clock.js';

const JSON_TYPE = { 'content-type': 'application/json' };
const OWN_SCRIPT = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' };
const DEFAULT = 'default/birthday-cake';

interface Deed {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
}

/** Every operation that a page may use and that changes something, or may buy. */
const DEEDS: Readonly<Record<string, Deed>> = {
  replaceCollection: { method: 'PUT', path: '/svcd/collections/wanted', body: { presets: [CAKE] } },
  addToCollection: { method: 'PUT', path: '/svcd/collections/wanted/food%2Fcake' },
  removeFromCollection: { method: 'DELETE', path: '/svcd/collections/kept/food%2Fcake' },
  removeCollection: { method: 'DELETE', path: '/svcd/collections/kept' },
  keepProject: {
    method: 'PUT',
    path: '/svcd/projects/kept',
    body: { revision: 0, content: { version: 1, name: '', script: '', lines: [], filters: {} } },
  },
  removeProject: { method: 'DELETE', path: '/svcd/projects/kept' },
  noteExports: { method: 'POST', path: '/svcd/exports', body: { presets: [CAKE] } },
  putIntoFolder: { method: 'POST', path: '/svcd/folder', body: { presets: [DEFAULT] } },
  revealFolder: { method: 'POST', path: '/svcd/folder/reveal' },
  setUsualFolder: { method: 'POST', path: '/svcd/folder/default' },
  putMade: { method: 'PUT', path: '/svcd/folder/made?file=a.gif&offset=0' },
  prefetch: { method: 'POST', path: '/svcd/prefetch', body: { presets: [CAKE], max_credits: 1, fallback: false } },
  settlePurchases: { method: 'POST', path: '/svcd/purchases/settle' },
  settlePurchase: { method: 'POST', path: '/svcd/purchases/1/settle', body: { as: 'free' } },
  retryPurchase: { method: 'POST', path: '/svcd/purchases/1/retry', body: {} },
  stopSpending: { method: 'POST', path: '/svcd/spending', body: { stopped: true } },
  setBudget: { method: 'PUT', path: '/svcd/budget', body: { day: null } },
  switchOffline: { method: 'POST', path: '/svcd/offline', body: { offline: true } },
  pauseLibrary: { method: 'POST', path: '/svcd/library/pause' },
  resumeLibrary: { method: 'POST', path: '/svcd/library/resume' },
  addOwnSticker: {
    method: 'PUT',
    path: '/svcd/library/stickers/own%2Fa',
    body: { title: 'a', keywords: [], lottie: tinyLottie('a') },
  },
  removeOwnSticker: { method: 'DELETE', path: '/svcd/library/stickers/own%2Fkept' },
  addDefault: { method: 'PUT', path: '/svcd/defaults/stickers/food%2Fcake', body: {} },
  removeDefault: { method: 'DELETE', path: '/svcd/defaults/stickers/food%2Fcake' },
};

/** How browsers send what is no `fetch` of our own page, and what somebody may add to it. */
const WAYS: Readonly<Record<string, (url: string) => Record<string, string>>> = {
  'a form of our page': (origin) => ({
    ...OWN_SCRIPT,
    'sec-fetch-mode': 'navigate',
    'sec-fetch-dest': 'document',
    origin,
  }),
  'a beacon or a no-cors fetch of our page': (origin) => ({ ...OWN_SCRIPT, 'sec-fetch-mode': 'no-cors', origin }),
  'a same-origin fetch of a tag': (origin) => ({ ...OWN_SCRIPT, 'sec-fetch-mode': 'same-origin', origin }),
  'another port of this machine': () => ({
    ...OWN_SCRIPT,
    'sec-fetch-site': 'same-site',
    origin: 'http://127.0.0.1:1',
  }),
  'another site': () => ({ ...OWN_SCRIPT, 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }),
  'a listed page that says it is ours': () => ({ ...OWN_SCRIPT, origin: 'https://listed.example' }),
  'our other name': (origin) => ({ ...OWN_SCRIPT, origin: origin.replace('127.0.0.1', 'localhost') }),
  nowhere: () => ({ ...OWN_SCRIPT, origin: 'null' }),
  'a browser too old to say': (origin) => ({ origin }),
  'a program with the cookie alone': () => ({}),
  'a typed address': () => ({ 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }),
  'a request without the mode': (origin) => ({ 'sec-fetch-site': 'same-origin', origin }),
};

async function start() {
  const folder = temporaryHome();
  const opened: string[] = [];
  const openOutside = (target: string) => Promise.resolve(opened.push(target) > 0);
  const pair = await startPair({ flags: { folder }, openOutside });
  const { svcd } = pair;
  const bearer = { Authorization: `Bearer ${svcd.token}`, 'Content-Type': 'application/json' };
  const put = (path: string, body: object) =>
    svcd.call(path, { method: 'PUT', headers: bearer, body: JSON.stringify(body) });
  await put('/svcd/collections/kept', { presets: [CAKE] });
  await put('/svcd/projects/kept', DEEDS['keepProject']!.body!);
  await put('/svcd/library/stickers/own%2Fkept', { title: 'kept', keywords: [], lottie: tinyLottie('kept') });
  await put('/svcd/origins/https%3A%2F%2Flisted.example', {});
  const session = await signIn(svcd);
  return { ...pair, folder, opened, session };
}

const send = (svcd: StartedDaemon, { method, path, body }: Deed, headers: Record<string, string>) =>
  requestRaw(svcd.url, path, headers, method, body === undefined ? undefined : JSON.stringify(body));

async function stateOf(svcd: StartedDaemon, folder: string, opened: readonly string[]): Promise<unknown> {
  const read = async (path: string) => (await (await svcd.get(path)).json()) as object;
  const paths = [
    '/svcd/collections',
    '/svcd/projects',
    '/svcd/library/stickers',
    '/svcd/defaults/stickers',
    '/svcd/spending',
  ];
  const told = await Promise.all(paths.map(read));
  const { state } = (await read('/svcd/library')) as { state: string };
  const { remote } = (await read('/svcd/status')) as { remote: object };
  return [told, state, remote, readdirSync(folder), [...opened], await listPurchases(svcd.get)];
}

describe('a page that is signed in', () => {
  it('has every operation tried here that changes something', () => {
    const all = Object.entries(OPERATIONS) as [string, Operation][];
    const changing = all.filter(([, { who, method }]) => who === 'page' && method !== 'GET').map(([name]) => name);
    expect(Object.keys(DEEDS).toSorted()).toEqual([...changing, 'prefetch'].toSorted());
  });

  it.each(Object.entries(WAYS))('changes and buys nothing by %s', async (_way, headersOf) => {
    const { svcd, remote, folder, opened, session } = await start();
    const before = await stateOf(svcd, folder, opened);
    for (const [name, deed] of Object.entries(DEEDS)) {
      const headers = { ...session, ...headersOf(svcd.url), ...(deed.body !== undefined && JSON_TYPE) };
      const { status } = await send(svcd, deed, headers);
      expect([401, 403], name).toContain(status);
    }
    expect(await stateOf(svcd, folder, opened)).toEqual(before);
    expect(remote.sandbox.charges()).toEqual([]);
  });

  it('needs JSON where something is said', async () => {
    const { svcd, remote, folder, opened, session } = await start();
    const before = await stateOf(svcd, folder, opened);
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', '']) {
      for (const [name, deed] of Object.entries(DEEDS).filter(([, { body }]) => body !== undefined)) {
        if (name === 'retryPurchase') continue;
        const headers = { ...session, ...OWN_SCRIPT, origin: svcd.url, ...(type !== '' && { 'content-type': type }) };
        expect((await send(svcd, deed, headers)).status, `${name} ${type}`).toBe(415);
      }
    }
    expect(await stateOf(svcd, folder, opened)).toEqual(before);
    expect(remote.sandbox.charges()).toEqual([]);
  });

  it('may do all of it by a script of ours, and buys by prefetch and retry alone', async () => {
    const { svcd, remote, folder, opened, session } = await start();
    const own = { ...session, ...OWN_SCRIPT, origin: svcd.url, ...JSON_TYPE };
    for (const name of [
      'addToCollection',
      'noteExports',
      'putIntoFolder',
      'revealFolder',
      'pauseLibrary',
      'addOwnSticker',
    ] as const) {
      expect((await send(svcd, DEEDS[name] as Deed, own)).status, name).toBe(200);
    }
    expect([readdirSync(folder).length, opened]).toEqual([1, [folder]]);
    expect(remote.sandbox.charges()).toEqual([]);
    const bought = await send(svcd, DEEDS['prefetch'] as Deed, own);
    expect([bought.status, /"source":"bought"/.test(bought.text)]).toEqual([200, true]);
    expect(remote.sandbox.charges()).toHaveLength(1);
    // Such a purchase is known to have ended well, so there is nothing to buy again.
    expect((await send(svcd, DEEDS['retryPurchase'] as Deed, own)).status).toBeLessThan(500);
    expect(remote.sandbox.charges()).toHaveLength(1);
  });

  it('buys again what was paid for in vain, when a script of ours asks, and in no other way', async () => {
    const remote = await startFaultyRemote({ credits: 100 });
    const svcd = await startTestDaemon({
      userKey: remote.key,
      clock: createWorkdayClock(),
      settleGraceMs: 50,
      flags: { remote: remote.url },
    });
    const session = await signIn(svcd);
    remote.trouble = () => ({ cut: { how: 'reset', after: 'charge' } });
    await svcd.get('/api/v1/stickers/food%2Flost');
    await expect.poll(() => statesOf(svcd.get, 'food/lost'), { timeout: 10_000 }).toEqual(['paid']);
    remote.trouble = () => undefined;
    const again: Deed = { method: 'POST', path: '/svcd/purchases/1/retry' };
    for (const headersOf of Object.values(WAYS)) await send(svcd, again, { ...session, ...headersOf(svcd.url) });
    expect(remote.account.spent()).toBe(1);
    const bought = await send(svcd, again, { ...session, ...OWN_SCRIPT, origin: svcd.url });
    expect([bought.status, bought.headers['x-svcd-cost'], remote.account.spent()]).toEqual([200, '1', 2]);
  });

  it('buys nothing at another price than it showed', async () => {
    const { svcd, remote, session } = await start();
    const own = { ...session, ...OWN_SCRIPT, origin: svcd.url, ...JSON_TYPE };
    const order = { presets: [CAKE, BIRTHDAY_CAKE], max_credits: 10 };
    for (const price of [0, 2, 100]) {
      const { status, text } = await send(
        svcd,
        { method: 'POST', path: '/svcd/prefetch', body: { ...order, price } },
        own,
      );
      expect([status, JSON.parse(text)]).toMatchObject([409, { code: 'price_changed' }]);
    }
    expect(remote.sandbox.charges()).toEqual([]);
    expect(await listPurchases(svcd.get)).toEqual([]);
    await send(svcd, { method: 'POST', path: '/svcd/prefetch', body: { ...order, price: 1 } }, own);
    expect(remote.sandbox.charges()).toHaveLength(2);
  });

  it('has no token, Key, origin or end of svcd', async () => {
    const { svcd, session } = await start();
    const own = { ...session, ...OWN_SCRIPT, origin: svcd.url, ...JSON_TYPE };
    const owners = Object.values(OPERATIONS).filter(({ who }) => who === 'owner');
    expect(owners.length).toBeGreaterThan(15);
    for (const { method, path } of owners) {
      const { status, text } = await send(svcd, { method, path: path.replaceAll(/\{\w+\}/g, 'a'), body: {} }, own);
      expect([status, JSON.parse(text)], path).toMatchObject([403, { code: 'not_permitted' }]);
    }
    expect((await svcd.get('/svcd/status')).status).toBe(200);
  });

  it('is told what is wrong with the Key, until a call succeeds', async () => {
    const { svcd, remote } = await start();
    const problem = async () =>
      ((await (await svcd.get('/svcd/summary')).json()) as { key: { problem: unknown } }).key.problem;
    expect(await problem()).toBeNull();
    remote.sandbox.setKeyState('disabled');
    await svcd.get('/api/v1/usage');
    expect(await problem()).toBe('key_disabled');
    remote.sandbox.setKeyState('active');
    await svcd.get('/api/v1/usage');
    expect(await problem()).toBeNull();
  });
});
