// What stands in when a sticker or picture cannot be had, through a real daemon: every reason, the order of
// choice, what the user registered, and pictures of the right size.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DATA_FOLDER } from '../../src/config/config.js';
import { SvcdError } from '../../src/model/errors.js';
import { stickerPath } from '../../src/model/sticker.js';
import { IMAGE_SIZES, REGISTERED_MAX_BYTES } from '../../src/contract/limits.js';
import { CAKE, SIGN, tinyLottie } from '../sandbox/tiny-catalogue.js';
import { startPair } from '../support/start-pair.js';
import { startTestDaemon, type StartedDaemon } from '../support/start-daemon.js';

const MINE = tinyLottie('mine');
const OTHER = tinyLottie('other');

describe('the reason of a default', () => {
  const refusing = (error: SvcdError) => ({ remote: { faults: () => ({ refuse: error }) } });

  it.each<[string, () => Promise<Response>]>([
    ['no_key', async () => (await startPair()).svcd.call(stickerPath(CAKE))],
    ['offline', async () => (await startPair({ flags: { offline: true } })).svcd.get(stickerPath(CAKE))],
    ['insufficient_credits', () => askPoor()],
    ['budget', () => askBeyondBudget()],
    [
      'not_enabled',
      async () => (await startPair(refusing(new SvcdError('not_enabled', 'not yet')))).svcd.get(stickerPath(CAKE)),
    ],
    ['unsettled', () => askUnsettled()],
  ])('is %s, and the answer is playable, free and not to be stored', async (reason, ask) => {
    const answer = await ask();
    expect(factsOf(answer)).toEqual({ status: 200, source: 'default', cost: '0', reason, caching: 'no-store' });
    expect(answer.headers.get('x-svcd-default')).toMatch(/^default\/[a-z-]+; shipped, the preset says/);
    expect(await answer.json()).toMatchObject({ layers: expect.any(Array) as unknown });
  });

  async function askPoor(): Promise<Response> {
    const { svcd, remote } = await startPair();
    remote.sandbox.setCredits(0);
    return svcd.get(stickerPath(CAKE));
  }

  async function askBeyondBudget(): Promise<Response> {
    const { svcd } = await startPair();
    await svcd.send('PUT', '/svcd/budget', '{"day":0}');
    return svcd.get(stickerPath(CAKE));
  }

  async function startBroken(): Promise<StartedDaemon> {
    return (await startPair({ remote: { faults: () => ({ replace: () => new Response('<html>') }) } })).svcd;
  }

  async function askUnsettled(): Promise<Response> {
    const svcd = await startBroken();
    await svcd.get(stickerPath(CAKE));
    return svcd.get(stickerPath(CAKE));
  }
});

describe('a registered default', () => {
  it('stands in for its preset, and the one for every preset for all others', async () => {
    const { svcd } = await startPair();
    await register(svcd, CAKE, MINE);
    await register(svcd, '*', OTHER);
    const cake = await svcd.call(stickerPath(CAKE));
    expect(await cake.text()).toBe(MINE);
    expect(cake.headers.get('x-svcd-default')).toBe('food/cake; registered for this preset');
    const sign = await svcd.call(stickerPath(SIGN));
    expect(await sign.text()).toBe(OTHER);
    expect(sign.headers.get('x-svcd-default')).toBe('*; registered for every preset');
    expect(factsOf(sign)).toMatchObject({ source: 'default', caching: 'no-store' });
  });

  it('never takes the place of the sticker itself, and is never kept as it', async () => {
    const { svcd } = await startPair();
    await register(svcd, CAKE, MINE);
    await svcd.call(stickerPath(CAKE));
    expect(await (await svcd.get(stickerPath(CAKE))).text()).toBe(tinyLottie(CAKE));
  });

  it('outlives a restart, is listed, replaced, and gone when it is removed', async () => {
    const first = await startTestDaemon();
    await register(first, CAKE, OTHER);
    await register(first, CAKE, MINE);
    await first.daemon.close();
    const svcd = await startTestDaemon({ home: first.home });
    expect(await listed(svcd)).toMatchObject([{ preset: CAKE, width: 120, height: 100, size_bytes: MINE.length }]);
    expect(await (await svcd.call(stickerPath(CAKE))).text()).toBe(MINE);
    expect((await remove(svcd, CAKE)).status).toBe(200);
    expect(await listed(svcd)).toEqual([]);
    expect((await svcd.call(stickerPath(CAKE))).headers.get('x-svcd-default')).toMatch(/^default\//);
    expect((await remove(svcd, CAKE)).status).toBe(404);
  });

  it.each([
    ['no JSON', 'GIF89a', /it is not JSON/],
    ['a .lottie archive', 'PK\u0003\u0004', /\.lottie/],
    ['no size', '{"fr":30,"ip":0,"op":9,"layers":[{"ty":4}]}', /"w" must be a number over 0/],
    ['no layers', '{"w":9,"h":9,"fr":30,"ip":0,"op":9,"layers":[]}', /"layers"/],
  ])('is refused when it is not playable: %s', async (_what, body, message) => {
    const svcd = await startTestDaemon();
    const answer = await register(svcd, CAKE, body);
    const told = (await answer.json()) as { code: string; message: string };
    expect([answer.status, told.code]).toEqual([400, 'invalid_request']);
    expect(told.message).toMatch(message);
    expect(await listed(svcd)).toEqual([]);
  });

  it('may be larger than other bodies, within a bound', async () => {
    const svcd = await startTestDaemon();
    const padded = (size: number) => MINE.padEnd(size);
    expect((await register(svcd, CAKE, padded(1024 * 1024))).status).toBe(200);
    expect((await register(svcd, CAKE, padded(REGISTERED_MAX_BYTES + 1))).status).toBe(413);
  });

  it('is changed with the local token only, and sent as JSON', async () => {
    const svcd = await startTestDaemon();
    const path = `/svcd/defaults/stickers/${encodeURIComponent(CAKE)}`;
    for (const method of ['PUT', 'DELETE']) expect((await svcd.call(path, { method })).status).toBe(401);
    const typeless = { method: 'PUT', body: MINE, headers: { Authorization: `Bearer ${svcd.token}` } };
    expect((await svcd.call(path, typeless)).status).toBe(415);
    expect((await svcd.call(path)).status).toBe(405);
  });
});

describe('the nearest default', () => {
  it('is an owned sticker that shares words and shape, else one of the pack, in the wanted shape', async () => {
    const { svcd, wide, cake } = await startWithLibrary();
    expect((await svcd.call(stickerPath(cake))).headers.get('x-svcd-default')).toMatch(
      /^default\/birthday-cake; shipped, shares /,
    );
    await svcd.get(stickerPath('twemoji/birthday-cake'));
    const owned = await svcd.call(stickerPath(cake));
    expect(owned.headers.get('x-svcd-default')).toMatch(/^twemoji\/birthday-cake; owned, shares %E7%94%9F/);
    expect(factsOf(owned)).toMatchObject({ source: 'default', reason: 'no_key', caching: 'no-store' });
    const file = (await (await svcd.call(stickerPath(wide.preset))).json()) as { w: number; h: number };
    expect(Math.abs(file.w / file.h / wide.aspect - 1)).toBeLessThan(0.01);
  });

  /** A daemon that knows the whole catalogue. */
  async function startWithLibrary() {
    const svcd = await startTestDaemon({ flags: { sandbox: true } });
    const lines = readFileSync(join(DATA_FOLDER, 'catalogue', 'stickers.jsonl'), 'utf8')
      .trim()
      .split('\n');
    const stickers = lines.map((line) => JSON.parse(line) as { preset: string; aspect: number });
    const wide = stickers.find(({ aspect }) => aspect > 1.5 || aspect < 0.7);
    if (wide === undefined) throw new Error('the catalogue has no wide sticker');
    return { svcd, wide, cake: 'fluent-emoji-flat/birthday-cake' };
  }
});

describe('a default picture', () => {
  it.each(IMAGE_SIZES)('of %s is what the answer says, and is served by svcd', async (size) => {
    const { svcd } = await startPair();
    const answer = await svcd.call('/api/v1/images', {
      method: 'POST',
      body: JSON.stringify({ prompt: '一只猫', size }),
      headers: { 'Content-Type': 'application/json' },
    });
    expect(factsOf(answer)).toMatchObject({ status: 200, source: 'default', reason: 'no_key', caching: 'no-store' });
    expect(answer.headers.get('x-svcd-default')).toBe(`images/${size}.png; shipped, the picture of this size`);
    const [width = 0, height = 0] = size.split('x').map(Number);
    const { url, notices, ...said } = (await answer.json()) as { url: string; notices: { code: string }[] };
    expect(said).toEqual({ size, width, height, requested_size: size });
    expect(notices.map(({ code }) => code)).toEqual(['default_image']);
    expect(url).toMatch(new RegExp(`^${svcd.url}/svcd/images/[0-9a-f]{32}\\.png$`));
    // What is in these files is the business of test/data/defaults.test.ts.
    const shipped = readFileSync(join(DATA_FOLDER, 'defaults', 'images', `${size}.png`));
    expect([shipped.readUInt32BE(16), shipped.readUInt32BE(20)]).toEqual([width, height]);
    expect(Buffer.from(await (await fetch(url)).arrayBuffer()).equals(shipped)).toBe(true);
  });

  it('has no other sizes', async () => {
    const { svcd } = await startPair();
    expect((await svcd.post('/api/v1/images', { prompt: '猫', size: '100x100' })).status).toBe(400);
    expect((await svcd.call('/svcd/defaults/images/100x100.png')).status).toBe(404);
  });
});

function factsOf({ status, headers }: Response) {
  return {
    status,
    source: headers.get('x-svcd-source'),
    cost: headers.get('x-svcd-cost'),
    reason: headers.get('x-svcd-reason'),
    caching: headers.get('cache-control'),
  };
}

function register(svcd: StartedDaemon, preset: string, file: string): Promise<Response> {
  return svcd.send('PUT', `/svcd/defaults/stickers/${encodeURIComponent(preset)}`, file);
}

function remove(svcd: StartedDaemon, preset: string): Promise<Response> {
  return svcd.send('DELETE', `/svcd/defaults/stickers/${encodeURIComponent(preset)}`);
}

async function listed(svcd: StartedDaemon): Promise<unknown> {
  const answer = await svcd.call('/svcd/defaults/stickers');
  return ((await answer.json()) as { defaults: unknown }).defaults;
}
