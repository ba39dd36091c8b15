// A sticker's file through a real daemon and a real remote: owned, bought once, or a default that fits.

import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openLibrary } from '../../src/library/library.js';
import { SvcdError } from '../../src/model/errors.js';
import { stickerPath } from '../../src/model/sticker.js';
import { silentLog } from '../../src/platform/log.js';
import { CAKE, RAIN, SIGN, tinyLottie } from '../sandbox/tiny-catalogue.js';
import { Sqlite } from '../support/sqlite.js';
import { startPair } from '../support/start-pair.js';
import { startTestDaemon, temporaryHome } from '../support/start-daemon.js';

describe('a sticker that is not owned', () => {
  it('is bought with the local token, kept, and free from then on', async () => {
    const { svcd, remote } = await startPair();
    const first = await svcd.get(stickerPath(CAKE));
    expect(await first.text()).toBe(tinyLottie(CAKE));
    expect(factsOf(first)).toEqual({ status: 200, source: 'remote', cost: '1', reason: null, credits: '999' });

    const second = await svcd.get(stickerPath(CAKE));
    expect(await second.text()).toBe(tinyLottie(CAKE));
    expect(factsOf(second)).toEqual({ status: 200, source: 'owned', cost: '0', reason: null, credits: '999' });
    expect(remote.sandbox.charges()).toHaveLength(1);
  });

  it('is served without network or bearer once it is owned, also after a restart', async () => {
    const { svcd, remote } = await startPair();
    await svcd.get(stickerPath(RAIN));
    await svcd.daemon.close();
    await remote.stop();
    const again = await startTestDaemon({ home: svcd.home, flags: { remote: remote.url } });
    const answer = await again.call(stickerPath(RAIN));
    expect(await answer.text()).toBe(tinyLottie(RAIN));
    expect(answer.headers.get('x-svcd-source')).toBe('owned');
  });

  it('is bought once however many ask at the same time, and told to each', async () => {
    const { svcd, remote } = await startPair({ remote: { faults: () => ({ latencyMs: 50 }) } });
    const answers = await Promise.all(Array.from({ length: 100 }, () => svcd.get(stickerPath(CAKE))));
    const bodies = await Promise.all(answers.map((answer) => answer.text()));
    expect(new Set(bodies)).toEqual(new Set([tinyLottie(CAKE)]));
    expect(remote.sandbox.charges()).toHaveLength(1);
    expect(answers.map((answer) => answer.headers.get('x-svcd-cost')).filter((cost) => cost === '1')).toHaveLength(1);
  });

  it.each([CAKE, RAIN, SIGN])('is found under its preset, encoded or with slashes as they are: %s', async (preset) => {
    const { svcd } = await startPair();
    const slashes = preset.split('/').map(encodeURIComponent).join('/');
    for (const path of [stickerPath(preset), `/api/v1/stickers/${slashes}`]) {
      expect(await (await svcd.get(path)).text()).toBe(tinyLottie(preset));
    }
  });

  it('is 404 unknown_preset when the remote does not know it, and nothing is charged', async () => {
    const { svcd, remote } = await startPair();
    const answer = await svcd.get('/api/v1/stickers/no-such-thing');
    expect([answer.status, await codeOf(answer)]).toEqual([404, 'unknown_preset']);
    expect(remote.sandbox.charges()).toEqual([]);
  });

  it('is not bought by a HEAD', async () => {
    const { svcd, remote } = await startPair();
    await svcd.send('HEAD', stickerPath(CAKE));
    expect(remote.sandbox.charges()).toEqual([]);
  });

  it('is bought with a Key of the request, which goes to the remote as it is', async () => {
    const { svcd, remote } = await startPair({ userKey: undefined });
    const answer = await svcd.call(stickerPath(CAKE), { headers: { Authorization: `Bearer ${remote.sandbox.key}` } });
    expect(factsOf(answer)).toMatchObject({ source: 'remote', cost: '1' });
  });
});

describe('a default', () => {
  it('is served without a bearer, with reason no_key, and is never kept', async () => {
    const { svcd, remote } = await startPair();
    const answer = await svcd.call(stickerPath(CAKE));
    expect(factsOf(answer)).toMatchObject({ status: 200, source: 'default', cost: '0', reason: 'no_key' });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(await answer.json()).toMatchObject({ layers: expect.any(Array) as unknown });
    expect(remote.sandbox.charges()).toEqual([]);
    expect(await (await svcd.get(stickerPath(CAKE))).text()).toBe(tinyLottie(CAKE));
  });

  it('takes the place of a sticker when the remote is gone', async () => {
    const { svcd, remote } = await startPair();
    await remote.stop();
    expect(factsOf(await svcd.get(stickerPath(CAKE)))).toMatchObject({
      status: 200,
      source: 'default',
      reason: 'offline',
    });
  });

  it('is told to stand for what the complete list does not have, offline too', async () => {
    const remote = 'http://127.0.0.1:9';
    const home = temporaryHome();
    const library = openLibrary({ file: join(home, 'library.db'), scope: remote, synonyms: () => '', log: silentLog });
    library.importStickers([{ preset: CAKE, title: '蛋糕', keywords: [] }], 'all');
    library.setComplete(true);
    library.close();
    const svcd = await startTestDaemon({ home, userKey: 'sk', flags: { remote, offline: true } });
    const reasonOf = async (preset: string) => factsOf(await svcd.get(stickerPath(preset))).reason;
    expect([await reasonOf(CAKE), await reasonOf('no-such/thing')]).toEqual(['offline', 'unknown_preset']);
    const strict = await svcd.get(stickerPath('no-such/thing'), { 'X-Svcd-Fallback': 'off' });
    expect([strict.status, await codeOf(strict)]).toEqual([404, 'unknown_preset']);
    await svcd.post('/svcd/offline', { offline: false });
    await svcd.send('PUT', '/svcd/budget', '{"day":0}');
    expect([await reasonOf(CAKE), await reasonOf('no-such/thing')]).toEqual(['budget', 'unknown_preset']);
  });

  it('takes its place when the credits are gone', async () => {
    const { svcd, remote } = await startPair();
    remote.sandbox.setCredits(0);
    expect(factsOf(await svcd.get(stickerPath(CAKE)))).toMatchObject({
      source: 'default',
      reason: 'insufficient_credits',
      credits: '0',
    });
  });

  it('takes its place when the remote takes longer than the deadline, and the sticker is owned all the same', async () => {
    const { svcd, remote } = await startPair({ remote: { faults: () => ({ latencyMs: 300 }) } });
    const answer = await svcd.get(stickerPath(CAKE), { 'X-Svcd-Deadline-Ms': '20' });
    expect(factsOf(answer)).toMatchObject({ source: 'default', reason: 'late' });
    await expect.poll(async () => (await svcd.call(stickerPath(CAKE))).headers.get('x-svcd-source')).toBe('owned');
    expect(remote.sandbox.charges()).toHaveLength(1);
  });

  it('is refused to a strict client, which gets the error instead', async () => {
    const { svcd, remote } = await startPair();
    const strict = { 'X-Svcd-Fallback': 'off' };
    const nobody = await svcd.call(stickerPath(CAKE), { headers: strict });
    expect([nobody.status, await codeOf(nobody)]).toEqual([401, 'invalid_key']);
    remote.sandbox.setCredits(0);
    const poor = await svcd.get(stickerPath(CAKE), strict);
    expect([poor.status, await codeOf(poor)]).toEqual([402, 'insufficient_credits']);
    await remote.stop();
    const away = await svcd.get(stickerPath(CAKE), strict);
    expect([away.status, await codeOf(away)]).toEqual([503, 'offline']);
  });

  it.each([
    ['a wrong Key', 'sk-wrong', 401, 'invalid_key'],
    ['a wrong local token', 'svcd_wrong', 401, 'invalid_token'],
  ])('does not hide %s', async (_what, bearer, status, code) => {
    const { svcd } = await startPair();
    const answer = await svcd.call(stickerPath(CAKE), { headers: { Authorization: `Bearer ${bearer}` } });
    expect([answer.status, await codeOf(answer)]).toEqual([status, code]);
  });

  it('does not hide a disabled Key', async () => {
    const { svcd, remote } = await startPair();
    remote.sandbox.setKeyState('disabled');
    const answer = await svcd.get(stickerPath(CAKE));
    expect([answer.status, await codeOf(answer)]).toEqual([403, 'key_disabled']);
  });

  it('is what a sticker of the pack is, under its own name, without cost', async () => {
    const svcd = await startTestDaemon();
    const answer = await svcd.call('/api/v1/stickers/default%2Fplain');
    expect(factsOf(answer)).toMatchObject({ status: 200, source: 'library', cost: '0' });
  });
});

describe('an answer of the remote that cannot be a sticker', () => {
  it.each([
    ['HTML', () => new Response('<html>', { status: 200 })],
    ['JSON that is no Lottie file', () => Response.json({ hello: 1 })],
  ])('such as %s is paid, kept as evidence, never served and not bought again by itself', async (_what, replace) => {
    const { svcd, remote } = await startPair({ remote: { faults: () => ({ replace }) } });
    const answer = await svcd.get(stickerPath(CAKE));
    expect(factsOf(answer)).toMatchObject({ source: 'default', reason: 'unsettled', cost: 'unknown' });
    expect(remote.sandbox.charges()).toHaveLength(1);
    const { purchases } = (await (await svcd.get('/svcd/purchases')).json()) as { purchases: { state: string }[] };
    expect(purchases.map(({ state }) => state)).toEqual(['paid']);
    expect(factsOf(await svcd.get(stickerPath(CAKE)))).toMatchObject({ source: 'default', reason: 'unsettled' });
    expect(remote.sandbox.charges()).toHaveLength(1);
  });

  it('such as a 500 leaves the purchase unknown: clients get defaults and nothing is sent again', async () => {
    let asked = 0;
    const faults = ({ path }: { path: string }) => {
      if (path.includes('/stickers/')) asked++;
      return { refuse: new SvcdError('internal', 'broken') };
    };
    const { svcd } = await startPair({ remote: { faults } });
    await svcd.get(stickerPath(CAKE));
    const again = await svcd.get(stickerPath(CAKE));
    expect(factsOf(again)).toMatchObject({ source: 'default', reason: 'unsettled' });
    expect(asked).toBe(1);
  });
});

function factsOf({ status, headers }: Response) {
  return {
    status,
    source: headers.get('x-svcd-source'),
    cost: headers.get('x-svcd-cost'),
    reason: headers.get('x-svcd-reason'),
    credits: headers.get('x-service-credits-remaining'),
  };
}

async function codeOf(answer: Response): Promise<unknown> {
  return ((await answer.json()) as { code: unknown }).code;
}

describe('a preset that none can be', () => {
  it('is asked of nobody, also in a home that an older version let it into', async () => {
    const asked: string[] = [];
    const faults = ({ path }: { path: string }) => (asked.push(path), undefined);
    const { svcd: first, remote } = await startPair({ remote: { faults } });
    await first.daemon.close();
    const presets = ['search', 'Search', 'a\nb', 'a/../b', 'a//b', 'own/nothing'];
    const library = new Sqlite(join(first.home, 'library.db'));
    const insert = library.prepare('INSERT INTO sticker (scope, preset, title, keywords) VALUES (?, ?, ?, ?)');
    for (const preset of presets) insert.run(remote.url, preset, '旧', '[]');
    library.close();
    const owned = new Sqlite(join(first.home, 'owned.db'));
    const own = owned.prepare('INSERT INTO own_sticker VALUES (?, ?, ?, 1, 1, ?)');
    own.run('own/a\nb', JSON.stringify({ preset: 'own/a\nb', title: '旧', keywords: [] }), '', Buffer.from(''));
    owned.close();

    const svcd = await startTestDaemon({
      home: first.home,
      userKey: remote.sandbox.key,
      flags: { remote: remote.url },
    });
    for (const preset of presets) {
      const status = preset.startsWith('own/') ? 404 : 400;
      const path = preset === 'search' ? '/api/v1/stickers/s%65arch' : stickerPath(preset);
      expect((await svcd.get(path)).status, preset).toBe(status);
    }
    for (const path of ['/svcd/defaults/stickers/a%0Ab', '/svcd/library/stickers/own%2F..%2Fb']) {
      expect((await svcd.send('PUT', path, '{"v":1}')).status).toBe(400);
    }
    // What is there can be removed.
    const removed = await svcd.send('DELETE', '/svcd/library/stickers/own%2Fa%0Ab');
    expect(removed.status).toBe(200);
    expect(asked).toEqual([]);
  });
});
