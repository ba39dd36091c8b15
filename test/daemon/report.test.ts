// Reports against a running daemon: what each run was served, who may read it, and what a restart leaves of it.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Report } from '../../src/api/report.js';
import { describeReport } from '../../src/cli/run/run-report.js';
import { stickerPath } from '../../src/model/sticker.js';
import { openLog } from '../../src/platform/log.js';
import { hold, startFaultyRemote } from '../faults/faulty-remote.js';
import { CAKE } from '../sandbox/tiny-catalogue.js';
import { startTestDaemon, type StartedDaemon } from '../support/start-daemon.js';
import { leaseToken } from '../support/lease-token.js';
import { startPair, type Pair } from '../support/start-pair.js';

const STRICT = { 'X-Svcd-Fallback': 'off' };
const PROMPT = '一个很秘密的生日蛋糕';

async function begin(svcd: StartedDaemon, name: string, options: object = {}): Promise<string> {
  const answer = await svcd.post('/svcd/runs', { name, ...options });
  expect(answer.status).toBe(201);
  return ((await answer.json()) as { token: string }).token;
}

const as = (svcd: StartedDaemon, token: string) => ({
  get: (path: string, headers: object = {}) =>
    svcd.call(path, { headers: { Authorization: `Bearer ${token}`, ...headers } }),
  image: (prompt: string) =>
    svcd.call('/api/v1/images', {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ prompt, size: '1024x1024' }),
    }),
});

async function reportOf(svcd: StartedDaemon, run?: string): Promise<Report> {
  const answer = await svcd.get(`/svcd/report${run === undefined ? '' : `?run=${run}`}`);
  expect(answer.status).toBe(200);
  return (await answer.json()) as Report;
}

/** The same home, opened again. */
function again({ svcd, remote }: Pair): Promise<StartedDaemon> {
  return startTestDaemon({ home: svcd.home, flags: { remote: remote.url }, userKey: remote.sandbox.key });
}

describe('the report of a run', () => {
  it('counts lists in which svcd’s own stickers stood in because the remote was not heard', async () => {
    const pair = await startPair();
    const { svcd } = pair;
    const token = await begin(svcd, 'card');
    await svcd.post('/svcd/offline', { offline: true });
    const match = (daemon: StartedDaemon) =>
      daemon.post('/api/v1/stickers/match', { text: '生日蛋糕' }, { Authorization: `Bearer ${token}` });
    for (let i = 0; i < 2; i++) {
      expect((await match(svcd)).headers.get('x-svcd-library')).toMatch(/unheard=offline$/);
    }
    await svcd.post('/api/v1/stickers/match', { text: '生日蛋糕' });
    const report = await reportOf(svcd, 'card');
    expect(report.summary.unheard).toBe(2);
    expect(describeReport(report)).toBe(
      "0 assets: 2 lists of svcd's own stickers alone, for the service was not heard",
    );
    expect((await reportOf(svcd)).summary.unheard).toBe(1);
    await svcd.daemon.close();
    expect((await reportOf(await again(pair), 'card')).summary.unheard).toBe(2);
  });

  it('counts no list that has stickers of the remote, though nothing fits', async () => {
    const { svcd } = await startPair();
    const token = await begin(svcd, 'card');
    const lines = JSON.stringify({ preset: 'zoo/dog', title: '狗', keywords: ['动物'] });
    await svcd.post('/svcd/library/import?any_remote=1', lines, { 'Content-Type': 'application/x-ndjson' });
    await svcd.post('/svcd/offline', { offline: true });
    const answer = await as(svcd, token).get(`/api/v1/stickers/search?q=${encodeURIComponent('柯基生日会场')}`);
    expect(answer.headers.get('x-svcd-search')).toMatch(/^weak/);
    expect(answer.headers.get('x-svcd-shipped')).toMatch(/^default%2F/);
    expect(answer.headers.get('x-svcd-library')).toMatch(/unheard=offline$/);
    expect(await answer.json()).toMatchObject({
      results: expect.arrayContaining([expect.objectContaining({ preset: 'zoo/dog' })]),
    });
    expect((await reportOf(svcd, 'card')).summary).not.toHaveProperty('unheard');
  });

  it('tells every asset once, with what was paid, what stands in and what failed', async () => {
    const { svcd } = await startPair();
    const card = as(svcd, await begin(svcd, 'card', { total: 1 }));
    const bytes = await (await card.get(stickerPath(CAKE))).arrayBuffer();
    await card.get(stickerPath(CAKE));
    await card.get(stickerPath('weather/rain'));
    expect((await card.get(stickerPath('weather/sun'), STRICT)).status).toBe(402);
    expect((await card.get(stickerPath('no/such'), STRICT)).status).toBe(402);
    await card.image(PROMPT);
    await svcd.get('/api/v1/stickers/search?q=%E8%9B%8B%E7%B3%95');
    const { assets, summary, run } = await reportOf(svcd, 'card');
    expect(summary).not.toHaveProperty('unheard');
    expect(run).toBe('card');
    expect(summary).toMatchObject({ assets: 5, bought: 1, credits: 1, fallbacks: 2, failed: 2, asked: 6 });
    const told = assets.map(({ kind, preset, outcome, reason, error, asked }) => [
      preset ?? kind,
      outcome,
      reason ?? error,
      asked,
    ]);
    expect(told).toEqual([
      ['image', 'default', 'budget', 1],
      [CAKE, 'bought', null, 2],
      ['no/such', 'failed', 'budget', 1],
      ['weather/rain', 'default', 'budget', 1],
      ['weather/sun', 'failed', 'budget', 1],
    ]);
    const cake = assets.find(({ preset }) => preset === CAKE);
    const digest = Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex');
    expect(cake).toMatchObject({ sha256: digest, cost: 1, source: 'owned', fallbacks: 0 });
    expect(cake?.title).toMatch(/\p{Script=Han}/u);
  });

  it('says of an asset that was right in the end that a default was served', async () => {
    const { svcd } = await startPair();
    const card = as(svcd, await begin(svcd, 'card'));
    await svcd.post('/svcd/offline', { offline: true });
    await card.get(stickerPath(CAKE));
    await svcd.post('/svcd/offline', { offline: false });
    expect((await card.get(stickerPath(CAKE))).headers.get('x-svcd-source')).toBe('remote');
    const { assets } = await reportOf(svcd, 'card');
    expect(assets).toMatchObject([{ outcome: 'default', reason: 'offline', source: 'remote', fallbacks: 1, asked: 2 }]);
  });

  it.each([
    ['a default', {}, 'default', 200],
    ['an error', STRICT, 'failed', 504],
  ])('does not call what is under way free: %s came in its place', async (_what, more, outcome, status) => {
    const remote = await startFaultyRemote();
    const svcd = await startTestDaemon({ userKey: remote.key, flags: { remote: remote.url } });
    const call = hold();
    remote.trouble = () => ({ until: call.until });
    const card = as(svcd, await begin(svcd, 'card'));
    const hasty = { 'X-Svcd-Deadline-Ms': '200', ...more };
    const late = await card.get(stickerPath(CAKE), hasty);
    const joined = await card.get(stickerPath(CAKE), hasty);
    expect([late.status, late.headers.get('x-svcd-cost')]).toEqual([status, 'unknown']);
    expect([joined.status, joined.headers.get('x-svcd-cost')]).toEqual([status, '0']);
    const { assets, summary } = await reportOf(svcd, 'card');
    expect(assets).toMatchObject([{ outcome, cost: null, asked: 2 }]);
    expect(summary).toMatchObject({ credits: 0, uncertain: 1 });
    call.release();
    await expect.poll(() => remote.account.timesCharged(`sticker:${CAKE}`)).toBe(1);
  });

  it('tells an image by the digest of the picture that a client gets', async () => {
    const { svcd, remote } = await startPair();
    const card = as(svcd, await begin(svcd, 'card'));
    const { url } = (await (await card.image(PROMPT)).json()) as { url: string };
    const bytes = await (await fetch(url)).arrayBuffer();
    const sha256 = Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex');
    expect((await reportOf(svcd, 'card')).assets).toMatchObject([{ kind: 'image', outcome: 'bought', sha256 }]);
    await remote.stop();
    const other = as(svcd, await begin(svcd, 'other'));
    await other.image(PROMPT);
    expect((await reportOf(svcd, 'other')).assets).toMatchObject([{ source: 'owned', sha256 }]);
    const third = as(svcd, await begin(svcd, 'third'));
    await third.image('another');
    expect((await reportOf(svcd, 'third')).assets).toMatchObject([{ source: 'default', sha256: null }]);
  });

  it('is not mixed with that of another run, nor with requests that belong to none', async () => {
    const { svcd } = await startPair();
    const [one, two] = [as(svcd, await begin(svcd, 'one')), as(svcd, await begin(svcd, 'two'))];
    await one.get(stickerPath(CAKE));
    await two.get(stickerPath('weather/rain'));
    await svcd.get(stickerPath('weather/sun'));
    await svcd.call(stickerPath('love/heart'));
    // A HEAD asks what is there; no picture is made of that.
    await svcd.call(stickerPath('music/note'), { method: 'HEAD' });
    const presets = async (run?: string) => (await reportOf(svcd, run)).assets.map(({ preset }) => preset);
    expect([await presets('one'), await presets('two')]).toEqual([[CAKE], ['weather/rain']]);
    expect(await presets()).toEqual(['love/heart', 'weather/sun']);
  });

  it('is for the owner and for its own token', async () => {
    const { svcd } = await startPair();
    const [one, two] = [await begin(svcd, 'one'), await begin(svcd, 'two')];
    expect((await as(svcd, one).get('/svcd/report?run=one')).status).toBe(200);
    expect(((await (await as(svcd, one).get('/svcd/report')).json()) as Report).run).toBe('one');
    expect((await as(svcd, two).get('/svcd/report?run=one')).status).toBe(403);
    expect((await svcd.call('/svcd/report?run=one')).status).toBe(401);
    expect((await svcd.get('/svcd/report?run=..%2F..%2Fconfig')).status).toBe(404);
    expect((await svcd.get('/svcd/report?name=one')).status).toBe(400);
  });

  it('begins anew with a name that is used again, whose earlier token ends', async () => {
    const { svcd } = await startPair();
    const first = await begin(svcd, 'card');
    await as(svcd, first).get(stickerPath(CAKE));
    const second = await begin(svcd, 'card');
    expect((await reportOf(svcd, 'card')).assets).toEqual([]);
    expect((await as(svcd, first).get('/api/v1/me')).status).toBe(401);
    expect((await as(svcd, second).get('/api/v1/me')).status).toBe(200);
    await svcd.post('/svcd/tokens', { name: 'promo' });
    expect((await svcd.post('/svcd/runs', { name: 'promo' })).status).toBe(400);
  });

  it('holds no prompt, nor does the log, which has a line for each default', async () => {
    const lines: string[] = [];
    const { svcd } = await startPair({ log: openLog((line) => lines.push(line), { json: true }) });
    const token = await begin(svcd, 'card', { total: 0 });
    await as(svcd, token).image(PROMPT);
    await as(svcd, token).get(stickerPath(CAKE));
    const served = lines
      .map((line) => JSON.parse(line) as Record<string, string>)
      .filter(({ event }) => event === 'served a default');
    expect(served).toMatchObject([
      { reason: 'budget', token: 'card' },
      { reason: 'budget', token: 'card', sticker: CAKE },
    ]);
    const files = readdirSync(join(svcd.home, 'reports')).map((file) => readFileSync(join(svcd.home, 'reports', file)));
    for (const text of [...lines, ...files]) {
      expect(text.includes(PROMPT)).toBe(false);
      expect(text.includes(token)).toBe(false);
    }
  });

  it('goes on after a restart, and so do the token of the run and what it spent', async () => {
    const pair = await startPair();
    const token = await begin(pair.svcd, 'card', { total: 1 });
    await as(pair.svcd, token).get(stickerPath(CAKE));
    await pair.svcd.daemon.close();
    const svcd = await again(pair);
    expect((await as(svcd, token).get(stickerPath('weather/rain'), STRICT)).status).toBe(402);
    expect((await reportOf(svcd, 'card')).summary).toMatchObject({ assets: 2, credits: 1, failed: 1 });
  });

  it('is kept of the last fifty runs', async () => {
    const { svcd } = await startPair();
    for (let n = 0; n < 60; n++) await begin(svcd, `n${n}`);
    expect(readdirSync(join(svcd.home, 'reports')).length).toBeLessThanOrEqual(50);
    expect((await svcd.get('/svcd/report?run=n0')).status).toBe(404);
    expect((await reportOf(svcd, 'n59')).assets).toEqual([]);
  });
});

describe('the token of a command', () => {
  it('waits after a restart for its command, which leases it again with what is left of its budget', async () => {
    const pair = await startPair();
    const { token } = await leaseToken(pair.svcd, { total: 1 });
    expect((await as(pair.svcd, token).get(stickerPath(CAKE), STRICT)).status).toBe(200);
    await pair.svcd.daemon.close();
    const svcd = await again(pair);
    const asked = ['weather/rain', CAKE].map((preset) => as(svcd, token).get(stickerPath(preset), STRICT));
    const resumed = await leaseToken(svcd, { resume: token });
    expect(resumed).toMatchObject({ status: 200, token });
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([402, 200]);
    resumed.end();
    await expect.poll(async () => (await as(svcd, token).get('/api/v1/me')).status).toBe(401);
    expect((await leaseToken(svcd, { resume: token })).status).toBe(401);
  });

  it('that was revoked is not leased again', async () => {
    const { svcd } = await startPair();
    const { token } = await leaseToken(svcd, {});
    const { tokens } = (await (await svcd.get('/svcd/tokens')).json()) as { tokens: { name: string }[] };
    const path = `/svcd/tokens/${tokens[0]?.name ?? ''}`;
    await svcd.send('DELETE', path);
    expect((await leaseToken(svcd, { resume: token })).status).toBe(401);
    expect((await leaseToken(svcd, { resume: 'svcd_unknown' })).status).toBe(401);
  });

  it('belongs to who leased it last', async () => {
    const { svcd } = await startPair();
    const first = await leaseToken(svcd, {});
    const second = await leaseToken(svcd, { resume: first.token });
    first.end();
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect((await as(svcd, second.token).get('/api/v1/me')).status).toBe(200);
  });
});
