// --trust-loopback trusts programs without a token, and never what a browser may have sent.

import { describe, expect, it } from 'vitest';
import { stickerPath } from '../../src/model/sticker.js';
import { CAKE } from '../sandbox/tiny-catalogue.js';
import { requestRaw } from '../support/request-raw.js';
import { startTestDaemon } from '../support/start-daemon.js';
import { startPair, type Pair } from '../support/start-pair.js';

const PATH = stickerPath(CAKE);
const trusting = (untilFileEnds = false) => startPair({ flags: { 'trust-loopback': true }, untilFileEnds });
/** For those who buy nothing there. */
let shared: Promise<Pair> | undefined;

describe('a caller without a token', () => {
  it.each([
    {},
    { 'user-agent': 'curl/8.4.0' },
    { 'user-agent': 'Mozilla/5.0', authorization: 'Bearer TOKEN' },
    { 'user-agent': 'python-requests/2.32' },
    { 'user-agent': 'node', 'sec-fetch-mode': 'cors' },
  ])('that is a program or shows the token, %j, may spend', async (headers: Record<string, string>) => {
    const { svcd, remote } = await trusting();
    const shown = { ...headers, ...(headers['authorization'] && { authorization: `Bearer ${svcd.token}` }) };
    expect((await requestRaw(svcd.url, PATH, shown)).status).toBe(200);
    expect(remote.sandbox.charges()).toHaveLength(1);
  });

  it('may spend within the budget', async () => {
    const { svcd, remote } = await trusting();
    await svcd.send('PUT', '/svcd/budget', '{"day":0}');
    expect((await requestRaw(svcd.url, PATH, { 'x-svcd-fallback': 'off' })).status).toBe(402);
    expect(remote.sandbox.charges()).toEqual([]);
  });

  it.each([
    { origin: 'http://127.0.0.1' },
    { origin: 'null' },
    { referer: 'http://127.0.0.1:1/' },
    { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' },
    { cookie: 'a=b' },
    { 'sec-fetch-site': 'none' },
    { 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-dest': 'image' },
    { 'sec-fetch-mode': 'navigate' },
    { 'sec-fetch-user': '?1' },
    { 'sec-ch-ua': '"Chromium"' },
    { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36' },
  ])('that may be a browser, %j, spends nothing and sees nothing of the account', async (headers) => {
    const { svcd, remote } = await (shared ??= trusting(true));
    const own = headers as Record<string, string>;
    const sticker = await requestRaw(svcd.url, PATH, { ...own, 'x-svcd-fallback': 'off' });
    const account = await requestRaw(svcd.url, '/api/v1/me', own);
    const typed = { ...own, 'content-type': 'application/json', 'x-svcd-fallback': 'off' };
    const image = await requestRaw(svcd.url, '/api/v1/images', typed, 'POST', '{"prompt":"a cat","size":"1024x1024"}');
    expect([401, 403]).toContain(image.status);
    expect([401, 403]).toContain(sticker.status);
    expect([401, 403]).toContain(account.status);
    expect(remote.sandbox.charges()).toEqual([]);
  });

  it('administers nothing, and lists no purchases', async () => {
    const { svcd } = await (shared ??= trusting(true));
    for (const path of ['/svcd/purchases', '/svcd/spending', '/svcd/key', '/svcd/tokens']) {
      expect((await requestRaw(svcd.url, path)).status, path).toBe(401);
    }
    expect((await requestRaw(svcd.url, '/svcd/stop', {}, 'POST')).status).toBe(401);
  });
});

it('has a gate before the embedded sandbox too, through which no page comes', async () => {
  const { daemon } = await startTestDaemon({ flags: { sandbox: true } });
  const { url = '', key = '' } = daemon.info.sandbox ?? {};
  const ask = async (headers: Record<string, string>) =>
    (await fetch(`${url}/api/v1/me`, { headers: { Authorization: `Bearer ${key}`, ...headers } })).status;
  expect(await ask({})).toBe(200);
  expect(await ask({ Origin: 'https://evil.example' })).toBe(403);
  expect(await ask({ 'Sec-Fetch-Site': 'same-site' })).toBe(403);
});
