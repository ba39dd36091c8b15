// --trust-loopback trusts programs without a token, and never what a browser may have sent.

import { describe, expect, it } from 'vitest';
import { stickerPath } from '../../src/model/sticker.js';
import { CAKE } from '../sandbox/tiny-catalogue.js';
import { requestRaw } from '../support/request-raw.js';
import { startPair } from '../support/start-pair.js';

const PATH = stickerPath(CAKE);
const trusting = () => startPair({ flags: { 'trust-loopback': true } });

describe('a caller without a token', () => {
  it.each([
    {},
    { 'user-agent': 'curl/8.4.0' },
    { 'user-agent': 'python-requests/2.32' },
    { 'user-agent': 'node', 'sec-fetch-mode': 'cors' },
  ])('that is a program, %j, may spend', async (headers) => {
    const { svcd, remote } = await trusting();
    expect((await requestRaw(svcd.url, PATH, headers as Record<string, string>)).status).toBe(200);
    expect(remote.sandbox.charges()).toHaveLength(1);
  });

  it('may spend within the budget', async () => {
    const { svcd, remote } = await trusting();
    const headers = { Authorization: `Bearer ${svcd.token}`, 'Content-Type': 'application/json' };
    await svcd.call('/svcd/budget', { method: 'PUT', headers, body: '{"day":0}' });
    expect((await requestRaw(svcd.url, PATH, { 'x-svcd-fallback': 'off' })).status).toBe(402);
    expect(remote.sandbox.charges()).toEqual([]);
  });

  it.each([
    { origin: 'http://127.0.0.1' },
    { origin: 'null' },
    { referer: 'http://127.0.0.1:1/' },
    { cookie: 'a=b' },
    { 'sec-fetch-site': 'none' },
    { 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-dest': 'image' },
    { 'sec-fetch-mode': 'navigate' },
    { 'sec-fetch-user': '?1' },
    { 'sec-ch-ua': '"Chromium"' },
    { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36' },
  ])('that may be a browser, %j, spends nothing and sees nothing of the account', async (headers) => {
    const { svcd, remote } = await trusting();
    const own = headers as Record<string, string>;
    const sticker = await requestRaw(svcd.url, PATH, { ...own, 'x-svcd-fallback': 'off' });
    const account = await requestRaw(svcd.url, '/api/v1/me', own);
    expect([401, 403]).toContain(sticker.status);
    expect([401, 403]).toContain(account.status);
    expect(remote.sandbox.charges()).toEqual([]);
  });

  it('administers nothing, and lists no purchases', async () => {
    const { svcd } = await trusting();
    for (const path of ['/svcd/purchases', '/svcd/spending', '/svcd/key', '/svcd/tokens']) {
      expect((await requestRaw(svcd.url, path)).status, path).toBe(401);
    }
    expect((await requestRaw(svcd.url, '/svcd/stop', {}, 'POST')).status).toBe(401);
  });
});
