// Ways round the journal that a careless or hostile client could try, and remotes that answer in odd ways.

import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { stickerPath } from '../../src/model/sticker.js';
import { CAKE, tinyLottie } from '../sandbox/tiny-catalogue.js';
import { startPair } from '../support/start-pair.js';

describe('a path of ours in another spelling', () => {
  it.each([
    '/api/v1/%73tickers/food%2Fcake',
    '/api/v1//stickers/food%2Fcake',
    '/api/v1/x/%2e%2e%2fstickers/food%2Fcake',
    '/api/v1/stickers%2Ffood%2Fcake',
    '/api/v1/%69mages',
    '/api/v1/images/',
    '/svcd/files/api/v1/stickers/food%2Fcake',
  ])('%s reaches nobody', async (path) => {
    let asked = 0;
    const faults = () => {
      asked++;
      return undefined;
    };
    const { svcd } = await startPair({ remote: { faults } });
    for (const answer of [await svcd.get(path), await svcd.post(path, { prompt: 'a', size: '1024x1024' })]) {
      expect(answer.status).toBeGreaterThanOrEqual(400);
    }
    expect(asked).toBe(0);
  });
});

describe('an Authorization header that is no Bearer', () => {
  it.each(['Basic abc', 'Bearer ', 'Bearer a b'])('%s spends nothing, even for trusted callers', async (header) => {
    const { svcd, remote } = await startPair({ flags: { 'trust-loopback': true } });
    const answer = await svcd.call(stickerPath(CAKE), { headers: { Authorization: header } });
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([401, 'invalid_key']);
    expect(remote.sandbox.charges()).toEqual([]);
  });

  it('is not needed by trusted callers', async () => {
    const { svcd } = await startPair({ flags: { 'trust-loopback': true } });
    expect((await svcd.call(stickerPath(CAKE))).headers.get('x-svcd-source')).toBe('remote');
  });
});

describe('a remote that compresses what nobody asked it to', () => {
  it('is understood', async () => {
    const replace = () => new Response(gzipSync(tinyLottie(CAKE)), { headers: { 'content-encoding': 'gzip' } });
    const { svcd } = await startPair({ remote: { faults: () => ({ replace }) } });
    const answer = await svcd.get(stickerPath(CAKE));
    expect([answer.headers.get('x-svcd-source'), await answer.text()]).toEqual(['remote', tinyLottie(CAKE)]);
  });
});

describe('a balance', () => {
  it('is not told to who shows neither a Key nor a token', async () => {
    const { svcd } = await startPair();
    await svcd.get(stickerPath(CAKE));
    for (const path of ['/api/v1/stickers/search?q=a', stickerPath(CAKE), '/svcd/purchases', '/nowhere']) {
      const answer = await svcd.call(path);
      expect(answer.headers.get('x-service-credits-remaining'), path).toBeNull();
    }
  });

  it('is not believed from an answer that may speak of nobody', async () => {
    const { svcd } = await startPair();
    await svcd.get(stickerPath(CAKE));
    await svcd.get('/api/v1/nowhere');
    const answer = await svcd.get('/api/v1/stickers/search?q=a');
    expect(answer.headers.get('x-service-credits-remaining')).toBe('999');
  });
});

describe('a fresh image whose end was not seen', () => {
  it('is not bought again by a client that tries again', async () => {
    let asked = 0;
    const faults = ({ method }: { method: string }) => {
      if (method === 'POST') asked++;
      return method === 'POST' ? { replace: () => new Response('broken', { status: 500 }) } : undefined;
    };
    const { svcd } = await startPair({ remote: { faults } });
    const order = { prompt: 'a cat', size: '1024x1024' };
    await svcd.post('/api/v1/images', order, { 'X-Svcd-Fresh': '1' });
    const again = await svcd.post('/api/v1/images', order, { 'X-Svcd-Fresh': '1' });
    expect([again.headers.get('x-svcd-reason'), asked]).toEqual(['unsettled', 1]);
  });
});

describe('a file larger than allowed', () => {
  it('is not taken, and whether it was charged is left open', async () => {
    const replace = () => new Response('x'.repeat(5000));
    const { svcd } = await startPair({
      flags: { 'max-file-bytes': 4096 },
      remote: { faults: () => ({ replace }) },
    });
    const answer = await svcd.get(stickerPath(CAKE), { 'X-Svcd-Fallback': 'off' });
    expect(answer.status).toBe(502);
    const { purchases } = (await (await svcd.get('/svcd/purchases')).json()) as {
      purchases: { state: string }[];
    };
    expect(purchases.map(({ state }) => state)).toEqual(['unknown']);
  });
});
