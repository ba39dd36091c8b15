// --trust-loopback: programs may spend without a token, and what a browser sends may not, however old the browser.

import { describe, expect, it } from 'vitest';
import { stickerPath } from '../../src/model/sticker.js';
import { CAKE } from '../sandbox/tiny-catalogue.js';
import { startPair, type Pair } from '../support/start-pair.js';
import { startTestDaemon } from '../support/start-daemon.js';

const startTrusting = (): Promise<Pair> => startPair({ flags: { 'trust-loopback': true } });

describe('a caller without a token, where callers are trusted', () => {
  it.each([
    ['a browser of today', { 'Sec-Fetch-Site': 'same-origin', 'Sec-Fetch-Mode': 'cors' }],
    ['an address typed into a browser', { 'Sec-Fetch-Site': 'none', 'Sec-Fetch-Mode': 'navigate' }],
    ['a browser that says where its page is from', { Referer: 'http://evil.example/' }],
    ['a browser that says nothing but its name', { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) Safari/605' }],
  ])('spends nothing as %s', async (_what, headers) => {
    const { svcd, remote } = await startTrusting();
    const sticker = await svcd.call(stickerPath(CAKE), { headers });
    expect(sticker.headers.get('x-svcd-reason')).toBe('no_key');
    expect((await svcd.call('/api/v1/usage', { headers })).status).toBe(401);
    const image = {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: '{"prompt":"a cat","size":"1024x1024"}',
    };
    expect((await svcd.call('/api/v1/images', image)).headers.get('x-svcd-reason')).toBe('no_key');
    expect(remote.sandbox.charges()).toEqual([]);
  });

  it.each([['curl/8.5'], ['python-requests/2'], ['node']])('spends as %s', async (agent) => {
    const { svcd } = await startTrusting();
    const sticker = await svcd.call(stickerPath(CAKE), { headers: { 'User-Agent': agent } });
    expect(sticker.headers.get('x-svcd-source')).toBe('remote');
  });

  it('spends as a browser too, once it shows the token', async () => {
    const { svcd } = await startTrusting();
    const headers = { 'User-Agent': 'Mozilla/5.0' };
    expect((await svcd.get(stickerPath(CAKE), headers)).headers.get('x-svcd-source')).toBe('remote');
  });
});

describe('the embedded sandbox', () => {
  it('has a gate too, through which no page comes', async () => {
    const { daemon } = await startTestDaemon({ flags: { sandbox: true } });
    const { url = '', key = '' } = daemon.info.sandbox ?? {};
    const ask = async (headers: Record<string, string>) =>
      (await fetch(`${url}/api/v1/me`, { headers: { Authorization: `Bearer ${key}`, ...headers } })).status;
    expect(await ask({})).toBe(200);
    expect(await ask({ Origin: 'https://evil.example' })).toBe(403);
    expect(await ask({ 'Sec-Fetch-Site': 'same-site' })).toBe(403);
  });
});
