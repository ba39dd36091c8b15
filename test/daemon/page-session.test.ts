// A browser page signs in: a code, once, for a cookie that only our own pages may use.

import { describe, expect, it } from 'vitest';
import { stickerPath } from '../../src/model/sticker.js';
import { CAKE } from '../sandbox/tiny-catalogue.js';
import { createMovingClock } from '../support/moving-clock.js';
import { requestRaw } from '../support/request-raw.js';
import { startRecordingRemote } from '../support/recording-remote.js';
import { startTestDaemon, type StartedDaemon } from '../support/start-daemon.js';
import { startPair } from '../support/start-pair.js';

const JSON_TYPE = { 'content-type': 'application/json' };
const IMAGE = '{"prompt":"a cat","size":"1024x1024"}';
const OWN_PAGE = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' };

async function openCode(svcd: StartedDaemon): Promise<string> {
  const { url } = (await (await svcd.post('/svcd/session-code', {})).json()) as { url: string };
  return url.slice(svcd.url.length);
}

async function signIn(svcd: StartedDaemon): Promise<string> {
  const { headers } = await svcd.call(await openCode(svcd), { redirect: 'manual' });
  return headers.get('set-cookie')?.split(';', 1)[0] ?? '';
}

describe('a code', () => {
  it('gives a cookie that scripts cannot read and other sites cannot send, and leads on', async () => {
    const { svcd } = await startPair();
    const answer = await svcd.call(await openCode(svcd), { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/']);
    expect(answer.headers.get('set-cookie')).toMatch(
      /^svcd_session_\d+=[\w-]{32}; HttpOnly; SameSite=Strict; Path=\/$/,
    );
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  it('is good once, and a HEAD does not use it up', async () => {
    const { svcd } = await startPair();
    const path = await openCode(svcd);
    expect((await svcd.call(path, { method: 'HEAD' })).status).toBe(204);
    const statuses = [];
    for (let tries = 0; tries < 3; tries++) {
      statuses.push((await svcd.call(path, { redirect: 'manual' })).status);
    }
    expect(statuses).toEqual([303, 401, 401]);
  });

  it('is good for a minute', async () => {
    const clock = createMovingClock('2026-11-21T08:00:00Z');
    const { svcd } = await startPair({ clock });
    const [early, late] = [await openCode(svcd), await openCode(svcd)];
    clock.pass(59_000);
    expect((await svcd.call(early, { redirect: 'manual' })).status).toBe(303);
    clock.pass(2000);
    expect((await svcd.call(late, { redirect: 'manual' })).status).toBe(401);
  });
});

describe('a session', () => {
  it('spends for our own pages, and only for them', async () => {
    const { svcd, remote } = await startPair();
    const cookie = await signIn(svcd);
    const ask = (headers: Record<string, string>) => requestRaw(svcd.url, '/api/v1/me', { cookie, ...headers });
    expect((await ask(OWN_PAGE)).status).toBe(200);
    expect((await ask({})).status).toBe(401);
    expect((await ask({ 'sec-fetch-site': 'same-site' })).status).toBeGreaterThanOrEqual(400);
    expect((await ask({ 'sec-fetch-site': 'none', 'sec-fetch-mode': 'no-cors' })).status).toBeGreaterThanOrEqual(400);
    const origin = svcd.url;
    await requestRaw(svcd.url, '/api/v1/images', { cookie, origin, ...OWN_PAGE, ...JSON_TYPE }, 'POST', IMAGE);
    expect(remote.sandbox.charges()).toHaveLength(1);
  });

  it.each([
    ['none at all', {}],
    ['that of another port', { origin: 'http://127.0.0.1:1' }],
    ['null', { origin: 'null' }],
    ['our other name', { origin: 'http://localhost:PORT' }],
  ])('buys nothing for a POST whose Origin is %s', async (_what, origin) => {
    const { svcd, remote } = await startPair();
    const cookie = await signIn(svcd);
    const spelled = Object.entries(origin).map(([name, value]) => [
      name,
      value.replace('PORT', new URL(svcd.url).port),
    ]);
    const headers = { cookie, ...OWN_PAGE, ...JSON_TYPE, ...Object.fromEntries(spelled), 'x-svcd-fallback': 'off' };
    expect((await requestRaw(svcd.url, '/api/v1/images', headers, 'POST', IMAGE)).status).toBeGreaterThanOrEqual(401);
    expect(remote.sandbox.charges()).toEqual([]);
  });

  const WAYS: Record<string, Record<string, string>> = {
    'a typed address': { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
    'a link of our page': {
      'sec-fetch-site': 'same-origin',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
    },
    'a picture of our page': {
      'sec-fetch-site': 'same-origin',
      'sec-fetch-mode': 'no-cors',
      'sec-fetch-dest': 'image',
    },
    'a script of our page': OWN_PAGE,
  };

  it.each(Object.entries(WAYS))('buys nothing by %s', async (_what, way) => {
    const { svcd, remote } = await startPair();
    const cookie = await signIn(svcd);
    const heard = remote.sandbox.charges();
    for (const method of ['GET', 'HEAD']) {
      const sticker = await requestRaw(svcd.url, stickerPath(CAKE), { cookie, ...way }, method);
      expect(sticker.headers).toMatchObject({ 'x-svcd-source': 'default', 'x-svcd-reason': 'no_key' });
      const strict = { cookie, ...way, 'x-svcd-fallback': 'off' };
      expect((await requestRaw(svcd.url, stickerPath(CAKE), strict, method)).status).toBe(401);
    }
    expect(remote.sandbox.charges()).toEqual(heard);
    // What is owned is there, and so is the account.
    await svcd.get(stickerPath(CAKE));
    const owned = await requestRaw(svcd.url, stickerPath(CAKE), { cookie, ...way });
    expect(owned.headers).toMatchObject({ 'x-svcd-source': 'owned', 'x-service-credits-remaining': '999' });
    expect((await requestRaw(svcd.url, '/api/v1/usage', { cookie, ...way })).status).toBe(200);
  });

  it('handles neither tokens nor Keys, and does not stop svcd', async () => {
    const { svcd } = await startPair();
    const cookie = await signIn(svcd);
    for (const path of ['/svcd/key', '/svcd/tokens']) {
      expect((await requestRaw(svcd.url, path, { cookie, ...OWN_PAGE })).status, path).toBe(403);
    }
    for (const path of ['/svcd/stop', '/svcd/session-code', '/svcd/token/rotate', '/svcd/key/refresh']) {
      expect((await requestRaw(svcd.url, path, { cookie, ...OWN_PAGE }, 'POST')).status, path).toBe(403);
    }
  });

  it('ends with the token that let it in', async () => {
    const { svcd } = await startPair();
    const cookie = await signIn(svcd);
    await svcd.post('/svcd/token/rotate', {});
    expect((await requestRaw(svcd.url, '/api/v1/me', { cookie, ...OWN_PAGE })).status).toBe(401);
  });

  it('is not sent to the remote', async () => {
    const remote = await startRecordingRemote();
    const svcd = await startTestDaemon({ flags: { remote: remote.url }, userKey: 'sk-the-real-one' });
    const cookie = await signIn(svcd);
    await requestRaw(svcd.url, '/api/v1/me', { cookie, ...OWN_PAGE });
    const own = { cookie, origin: svcd.url, ...OWN_PAGE, ...JSON_TYPE };
    await requestRaw(svcd.url, '/api/v1/music/select', own, 'POST', '{}');
    // What a GET of a page may cost is not known, so it brings no Key.
    await requestRaw(svcd.url, '/api/v1/music/list', { cookie, ...OWN_PAGE });
    const key = 'Bearer sk-the-real-one';
    expect(remote.seen.map(({ headers }) => headers.authorization)).toEqual([key, key, undefined]);
    expect(remote.seen.map(({ headers }) => headers.cookie)).toEqual(remote.seen.map(() => undefined));
  });
});

describe('a prefetch', () => {
  it.each([
    ['sec-purpose', 'prefetch'],
    ['sec-purpose', 'prefetch;prerender'],
    ['purpose', 'prefetch'],
    ['x-purpose', 'preview'],
    ['x-moz', 'prefetch'],
  ])('(%s: %s) gets nothing that could cost, with a cookie or with the token', async (name, value) => {
    const { svcd, remote } = await startPair();
    const cookie = await signIn(svcd);
    const callers = [{ cookie, ...OWN_PAGE }, { authorization: `Bearer ${svcd.token}` }, {}];
    for (const caller of callers) {
      for (const path of [stickerPath(CAKE), '/api/v1/music/list', '/svcd/files/a.png']) {
        const { status, text } = await requestRaw(svcd.url, path, { ...caller, [name]: value });
        expect([status, JSON.parse(text)], path).toMatchObject([403, { code: 'not_permitted' }]);
      }
      expect((await requestRaw(svcd.url, '/svcd/status', { ...caller, [name]: value })).status).toBe(200);
    }
    expect(remote.sandbox.charges()).toEqual([]);
  });
});
