// Ways round the journal that a careless or hostile client could try, and remotes that answer in odd ways.

import { request, type RequestOptions } from 'node:http';
import { gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stickerPath } from '../../src/model/sticker.js';
import { CAKE, tinyLottie } from '../sandbox/tiny-catalogue.js';
import type { StartedDaemon } from '../support/start-daemon.js';
import { startPair } from '../support/start-pair.js';

describe('a path of ours in another spelling', () => {
  let asked = 0;
  const faults = () => void asked++;
  let shared: ReturnType<typeof startPair> | undefined;

  it.each([
    '/api/v1/%73tickers/food%2Fcake',
    '/api/v1//stickers/food%2Fcake',
    '/api/v1/x/%2e%2e%2fstickers/food%2Fcake',
    '/api/v1/stickers%2Ffood%2Fcake',
    '/api/v1/%69mages',
    '/api/v1/images/',
    '/api/v1/images.json',
    '/api/v1/Images',
    '/api/v1/Stickers/food%2Fcake',
    '/api/v1/stickers;v=1/food%2Fcake',
    '/api/v1;v=1/stickers/food%2Fcake',
    '/api/v1/x/%252e%252e/stickers/food%2Fcake',
    '/api/v1/x/..;/stickers/food%2Fcake',
    '/svcd/files/api/v1/stickers/food%2Fcake',
    '/svcd/files/API/v1/stickers/food%2Fcake',
    '/svcd/files/x/..;/api/v1/stickers/food%2Fcake',
    '/svcd/files/api;/v1/stickers/food%2Fcake',
    '/svcd/files/api;x=1/V1;/stickers/food%2Fcake',
    '/svcd/files/x/api/v1/stickers/food%2Fcake',
    '/svcd/files/%61pi%5cv1%5cstickers/food%2Fcake',
    '/svcd/files/ａpi/v1/stickers/food%2Fcake',
    '/svcd/files/pictures/never-named.png',
  ])('%s reaches nobody', async (path) => {
    const { svcd } = await (shared ??= startPair({ remote: { faults }, untilFileEnds: true }));
    for (const answer of [await svcd.get(path), await svcd.post(path, { prompt: 'a', size: '1024x1024' })]) {
      expect(answer.status).toBeGreaterThanOrEqual(400);
    }
    expect(asked).toBe(0);
  });
});

describe('any spelling that some server might read as an address that costs', () => {
  const sold = ['stickers', 'food', 'cake'];
  const paid = fc.constantFrom(sold, ['images'], ['stickers', 'search', 'x']);
  const letter = (char: string) =>
    fc.constantFrom(
      char,
      char,
      char,
      char.toUpperCase(),
      percent(char),
      percent(percent(char)),
      percent(percent(percent(char))),
    );
  const segment = (name: string) =>
    fc
      .tuple(
        fc.tuple(...Array.from(name, letter)),
        fc.constantFrom('', '', '', ';', ';v=1', '.', '%20', ',a', '%00', '%e2%80%8b'),
      )
      .map(([letters, end]) => letters.join('') + end);
  const slash = fc.constantFrom(
    '/',
    '/',
    '/',
    '//',
    '%2f',
    '%252F',
    '\\',
    '%5C',
    '/./',
    '/;/',
    '/x/../',
    '/x/%2e%2e/',
    '/x/..;/',
  );
  const spelled = paid.chain((names) => {
    const all = ['api', 'v1', ...names];
    return fc
      .tuple(
        fc.tuple(...all.map(() => slash)),
        fc.tuple(...all.map(segment)),
        fc.constantFrom('', '', '/', '.json', '?a=b', '%3f'),
      )
      .map(([slashes, segments, end]) => segments.map((one, i) => `${slashes[i]}${one}`).join('') + end);
  });

  it('reaches the remote with a purchase in the journal, or not at all', async () => {
    const asked: string[] = [];
    const faults = ({ method, path }: { method: string; path: string }) => (asked.push(`${method} ${path}`), undefined);
    const { svcd } = await startPair({ remote: { faults } });
    const headers = { Authorization: `Bearer ${svcd.token}`, 'Content-Type': 'application/json' };
    const spelling = fc.tuple(fc.constantFrom('', '/svcd/files'), spelled, fc.constantFrom('GET', 'POST'));
    await fc.assert(
      fc.asyncProperty(spelling, async ([area, path, method]) => {
        const before = [asked.length, (await purchasesOf(svcd)).length];
        const body = JSON.stringify({ prompt: `${Math.random()}`, size: '1024x1024' });
        await send(svcd.url, area + path, { method, headers, ...(method === 'POST' && { body }) });
        const after = [asked.length, (await purchasesOf(svcd)).length];
        expect(after[0]! - before[0]!, `${asked.at(-1)}`).toBe(after[1]! - before[1]!);
      }),
      { numRuns: 400 },
    );
  });
});

function percent(text: string): string {
  return Array.from(text, (char) => `%${char.charCodeAt(0).toString(16).padStart(2, '0')}`).join('');
}

/** As it is: fetch would put the path in order first. */
function send(url: string, path: string, { body, ...options }: { method: string; headers: object; body?: string }) {
  return new Promise<void>((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const asking = request({ hostname, port, path, ...options } as RequestOptions, (response) => {
      response.resume().on('end', resolve);
    });
    asking.on('error', reject).end(body);
  });
}

async function purchasesOf(svcd: StartedDaemon): Promise<{ state: string }[]> {
  const { purchases } = (await (await svcd.get('/svcd/purchases?limit=1000')).json()) as {
    purchases: { state: string }[];
  };
  return purchases;
}

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
    const { svcd } = await startPair({ flags: { 'max-file-bytes': 4096 }, remote: { faults: () => ({ replace }) } });
    const answer = await svcd.get(stickerPath(CAKE), { 'X-Svcd-Fallback': 'off' });
    expect(answer.status).toBe(502);
    const { purchases } = (await (await svcd.get('/svcd/purchases')).json()) as { purchases: { state: string }[] };
    expect(purchases.map(({ state }) => state)).toEqual(['unknown']);
  });
});
