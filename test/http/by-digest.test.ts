// Files by the digest of their bytes: whoever knows it may have them, wherever they were bought, and nothing is ever bought.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { DATA_FOLDER } from '../../src/config/config.js';
import { sha256Hex } from '../../src/model/hash.js';
import { changeOwned } from '../support/sqlite.js';
import { startPair } from '../support/start-pair.js';

const path = (sha256: string) => `/svcd/owned/by-digest/${sha256}`;

it('gives what was bought to anybody, as often as asked, for nothing', async () => {
  const { svcd, remote } = await startPair();
  const bought = await (await svcd.get('/api/v1/stickers/food%2Fcake')).text();
  const sha256 = sha256Hex(bought);
  await remote.stop();
  const found = await svcd.call(path(sha256));
  expect([found.status, await found.text()]).toEqual([200, bought]);
  expect(found.headers.get('x-svcd-cost')).toBe('0');
  expect(found.headers.get('cache-control')).toContain('immutable');
  const head = await svcd.call(path(sha256), { method: 'HEAD' });
  expect([head.status, head.headers.get('content-length')]).toEqual([200, String(Buffer.byteLength(bought))]);

  // What is owned of another remote is the same file, and a damaged one is none.
  changeOwned(svcd, `UPDATE owned SET scope = 'https://elsewhere.example.com'`);
  expect((await svcd.call(path(sha256))).status).toBe(200);
  changeOwned(svcd, `UPDATE owned SET gzip = x'1f8b'`);
  const damaged = await svcd.get(path(sha256));
  expect([damaged.status, await damaged.json()]).toMatchObject([404, { code: 'not_owned' }]);
});

it('gives nothing as a page, whatever somebody once said that it is', async () => {
  const { svcd } = await startPair();
  const bought = await (await svcd.get('/api/v1/stickers/food%2Fcake')).text();
  changeOwned(svcd, `UPDATE owned SET content_type = 'text/html'`);
  const { headers } = await svcd.call(path(sha256Hex(bought)));
  expect([headers.get('content-type'), headers.get('content-disposition')]).toEqual([
    'application/octet-stream',
    'attachment',
  ]);
  expect(headers.get('x-content-type-options')).toBe('nosniff');
});

it('gives what is shipped, and a default that was fitted to a shape just now', async () => {
  const { svcd } = await startPair();
  const picture = readFileSync(join(DATA_FOLDER, 'defaults', 'images', '1024x1024.png'));
  const shipped = await svcd.call(path(sha256Hex(picture)));
  expect([shipped.status, shipped.headers.get('content-type')]).toEqual([200, 'image/png']);
  await svcd.post('/svcd/offline', { offline: true });
  const served = await svcd.get('/api/v1/stickers/food%2Fcake');
  expect(served.headers.get('x-svcd-source')).toBe('default');
  const bytes = await served.text();
  const again = await svcd.call(path(sha256Hex(bytes)));
  expect([again.status, await again.text()]).toEqual([200, bytes]);
});

it('refuses what is no digest, and what nobody has', async () => {
  const { svcd } = await startPair();
  expect((await svcd.call(path('abc'))).status).toBe(400);
  const none = await svcd.get(path('0'.repeat(64)));
  expect([none.status, await none.json()]).toMatchObject([404, { code: 'not_owned' }]);
});

it.each(['/svcd/owned/by-digest/' + '0'.repeat(64), '/svcd/facts/food%2Fcake', '/svcd/status', '/svcd/owned/export'])(
  'refuses a parameter that it does not know: %s',
  async (address) => {
    const { svcd } = await startPair();
    const answer = await svcd.get(`${address}?x=1`);
    expect([answer.status, await answer.json()]).toMatchObject([400, { code: 'invalid_request' }]);
    const planned = await svcd.post('/svcd/plan?x=1', { slots: [{ id: 'a', query: 'cake' }] });
    expect([planned.status, await planned.json()]).toMatchObject([
      400,
      { message: 'unknown parameter "x"; known is none' },
    ]);
  },
);
