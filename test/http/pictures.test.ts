// Looking at a sticker: it shows what is here, and whoever asks, however, buys nothing and asks nobody.

import { describe, expect, it } from 'vitest';
import type { TileDetails } from '../../src/api/tile.js';
import { CAKE, tinyLottie } from '../sandbox/tiny-catalogue.js';
import { listPurchases } from '../support/purchases.js';
import { startRecordingRemote } from '../support/recording-remote.js';
import { changeOwned } from '../support/sqlite.js';
import { startTestDaemon } from '../support/start-daemon.js';
import { startPair } from '../support/start-pair.js';

const KEY = 'sk-picture-0123456789abcdef';
const PATHS = [
  `/svcd/pictures/${encodeURIComponent(CAKE)}`,
  `/svcd/tiles/${encodeURIComponent(CAKE)}`,
  '/svcd/tiles',
  '/svcd/sketches/iconpark-filled/birthday-cake',
];

describe('a picture', () => {
  it('never spends: with cookie, token or Key, by HEAD, as a guess or an image', async () => {
    const remote = await startRecordingRemote();
    const svcd = await startTestDaemon({ userKey: KEY, flags: { remote: remote.url, 'trust-loopback': true } });
    const { url } = (await (await svcd.post('/svcd/session-code', {})).json()) as { url: string };
    const entered = await fetch(url, { redirect: 'manual' });
    const cookie = entered.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
    const heard = remote.seen.length;
    const callers: Record<string, string>[] = [
      {},
      {
        cookie,
        'x-svcd-session': url.split('=').at(-1) ?? '',
        'sec-fetch-site': 'same-origin',
        'sec-fetch-mode': 'cors',
      },
      { cookie, 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate', 'sec-purpose': 'prefetch;prerender' },
      { cookie, 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' },
      { authorization: `Bearer ${svcd.token}` },
      { authorization: `Bearer ${KEY}` },
      { authorization: `Bearer ${svcd.token}`, purpose: 'prefetch' },
      { authorization: `Bearer ${svcd.token}`, range: 'bytes=0-10' },
    ];
    for (const headers of callers) {
      for (const path of PATHS) {
        for (const method of ['GET', 'HEAD']) await svcd.call(path, { method, headers });
      }
    }
    expect((await svcd.get(PATHS[0] ?? '')).status).toBe(404);
    expect(await (await svcd.get(PATHS[0] ?? '')).json()).toMatchObject({ code: 'not_owned' });
    expect(remote.seen.slice(heard)).toEqual([]);
    expect(await listPurchases(svcd.get)).toEqual([]);
  });

  it('of what was bought is the file, with a tag that answers for it', async () => {
    const { svcd, remote } = await startPair();
    await svcd.get(`/api/v1/stickers/search?q=${encodeURIComponent('蛋糕')}`);
    await svcd.get(`/api/v1/stickers/${encodeURIComponent(CAKE)}`);
    await remote.stop();
    const shown = await svcd.call(PATHS[0] ?? '');
    expect([shown.status, await shown.text(), shown.headers.get('x-svcd-source')]).toEqual([
      200,
      tinyLottie(CAKE),
      'owned',
    ]);
    const tag = shown.headers.get('etag') ?? '';
    expect(tag).toMatch(/^"[^"]+"$/);
    expect(shown.headers.get('cache-control')).toBe('private, no-cache');
    expect((await svcd.call(PATHS[0] ?? '', { headers: { 'if-none-match': tag } })).status).toBe(304);
    const details = (await (await svcd.call(PATHS[1] ?? '')).json()) as TileDetails;
    expect(details).toMatchObject({ picture: 'owned', price: 0, purchase: null, sketch: null });
    expect(details.file).toMatchObject({ bytes: tinyLottie(CAKE).length });
  });

  it('of a file that was damaged is an error of its own until it is bought again', async () => {
    const { svcd } = await startPair();
    const buy = () => svcd.get(`/api/v1/stickers/${encodeURIComponent(CAKE)}`);
    await buy();
    await svcd.daemon.close();
    changeOwned(svcd, `UPDATE owned SET gzip = x'1f8b'`);
    const again = await startPair({ home: svcd.home });
    // That of another remote is not this one's; the sandbox moved to another port.
    changeOwned(svcd, `UPDATE owned SET scope = '${again.remote.url}'`);
    await again.svcd.get(`/api/v1/stickers/search?q=${encodeURIComponent('蛋糕')}`);
    const look = async () => (await again.svcd.call(PATHS[0] ?? '')).json();
    for (let time = 0; time < 2; time += 1) expect(await look()).toMatchObject({ code: 'damaged' });
    const tile = (await (await again.svcd.call(PATHS[1] ?? '')).json()) as TileDetails;
    expect(tile).toMatchObject({ purchase: 'damaged', picture: null, price: 1, file: null });
    expect(await listPurchases(again.svcd.get)).toEqual([]);
  });
});
