// A browser page signs in: a code, once, for a cookie that only our own pages may use.

import { describe, expect, it } from 'vitest';
import { stickerPath } from '../../src/model/sticker.js';
import { CAKE } from '../sandbox/tiny-catalogue.js';
import { createMovingClock } from '../support/moving-clock.js';
import { requestRaw } from '../support/request-raw.js';
import { startRecordingRemote } from '../support/recording-remote.js';
import { startTestDaemon, type StartedDaemon } from '../support/start-daemon.js';
import { startPair } from '../support/start-pair.js';

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
    await requestRaw(svcd.url, stickerPath(CAKE), { cookie, ...OWN_PAGE });
    expect(remote.sandbox.charges()).toHaveLength(1);
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
    await requestRaw(svcd.url, '/api/v1/music/list', { cookie, ...OWN_PAGE });
    expect(remote.seen).toHaveLength(2);
    for (const { headers } of remote.seen) {
      expect([headers.authorization, headers.cookie]).toEqual(['Bearer sk-the-real-one', undefined]);
    }
  });
});
