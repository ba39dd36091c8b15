// Tokens against a running daemon: what each may spend and do, and that one that is ended is worth nothing.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { stickerPath } from '../../src/model/sticker.js';
import { CAKE, tinyLottie } from '../sandbox/tiny-catalogue.js';
import { startRecordingRemote } from '../support/recording-remote.js';
import { startTestDaemon, type StartedDaemon } from '../support/start-daemon.js';
import { startPair } from '../support/start-pair.js';

const STRICT = { 'X-Svcd-Fallback': 'off' };
const anySticker = { replace: () => new Response(tinyLottie(CAKE)) };

async function add(svcd: StartedDaemon, wish: object): Promise<string> {
  const answer = await svcd.post('/svcd/tokens', wish);
  expect(answer.status).toBe(201);
  return ((await answer.json()) as { token: string }).token;
}

const asking = (svcd: StartedDaemon, token: string, path: string) =>
  svcd.call(path, { headers: { Authorization: `Bearer ${token}`, ...STRICT } });

const sold = (answers: readonly Response[]) =>
  answers.filter(({ headers }) => headers.get('x-svcd-cost') === '1').length;

describe('a budget of a token', () => {
  it("holds under 100 purchases at once, and so does the home's own", async () => {
    const { svcd } = await startPair({ remote: { faults: () => anySticker } });
    await svcd.send('PUT', '/svcd/budget', '{"day":30}');
    const promo = await add(svcd, { name: 'promo', day: 20 });
    const buy = (token: string, count: number, name: string) =>
      Array.from({ length: count }, (_, n) => asking(svcd, token, stickerPath(`${name}/${n}`)));
    const first = await Promise.all(buy(promo, 100, 'a'));
    expect(sold(first)).toBe(20);
    expect(first.filter(({ status }) => status === 402)).toHaveLength(80);
    // 10 are left of the home's; another token has more, and gets no more.
    const large = await add(svcd, { name: 'large', day: 1000 });
    expect(sold(await Promise.all(buy(large, 100, 'b')))).toBe(10);
    const { tokens } = (await (await svcd.get('/svcd/tokens')).json()) as {
      tokens: { name: string; spent: { day: number }; last_used_at: string | null }[];
    };
    expect(tokens.map(({ name, spent }) => [name, spent.day])).toEqual([
      ['promo', 20],
      ['large', 10],
    ]);
    expect(tokens[0]?.last_used_at).toMatch(/^\d{4}-/);
  });

  it('that is used up does not keep another from buying the same thing at the same time', async () => {
    const { svcd, remote } = await startPair();
    const empty = await add(svcd, { name: 'empty', day: 0 });
    const full = await add(svcd, { name: 'full', day: 5 });
    const answers = await Promise.all([asking(svcd, empty, stickerPath(CAKE)), asking(svcd, full, stickerPath(CAKE))]);
    expect(answers[1].status).toBe(200);
    expect(remote.sandbox.charges()).toHaveLength(1);
  });

  it('survives a restart', async () => {
    const { svcd, remote } = await startPair();
    const one = await add(svcd, { name: 'one', day: 1 });
    expect((await asking(svcd, one, stickerPath(CAKE))).status).toBe(200);
    await svcd.daemon.close();
    const again = await startTestDaemon({
      home: svcd.home,
      flags: { remote: remote.url },
      userKey: remote.sandbox.key,
    });
    expect((await asking(again, one, stickerPath('weather/rain'))).status).toBe(402);
    expect((await asking(again, one, stickerPath(CAKE))).status).toBe(200);
  });
});

describe('a token', () => {
  it('that was revoked or rotated away is worth nothing at once', async () => {
    const { svcd } = await startPair();
    const promo = await add(svcd, { name: 'promo' });
    expect((await asking(svcd, promo, '/api/v1/me')).status).toBe(200);
    await svcd.send('DELETE', '/svcd/tokens/promo');
    expect((await asking(svcd, promo, '/api/v1/me')).status).toBe(401);

    const rotated = await svcd.post('/svcd/token/rotate', {});
    const { token } = (await rotated.json()) as { token: string };
    expect((await svcd.get('/api/v1/me')).status).toBe(401);
    expect((await asking(svcd, token, '/api/v1/me')).status).toBe(200);
    const written = JSON.parse(readFileSync(join(svcd.home, 'runtime.json'), 'utf8')) as { token: string };
    expect(written.token).toBe(token);
  });

  it('is not taken from an address', async () => {
    const { svcd, remote } = await startPair();
    for (const name of ['token', 'access_token', 'key', 'authorization']) {
      const answer = await svcd.call(`${stickerPath(CAKE)}?${name}=${svcd.token}`, { headers: STRICT });
      expect(answer.status).toBe(401);
    }
    expect(remote.sandbox.charges()).toEqual([]);
  });

  it('is nowhere on the disk but as a digest', async () => {
    const { svcd } = await startPair();
    const promo = await add(svcd, { name: 'promo' });
    await asking(svcd, promo, stickerPath(CAKE));
    await svcd.get('/svcd/tokens');
    await svcd.daemon.close();
    for (const file of readdirSync(svcd.home)) {
      expect(readFileSync(join(svcd.home, file)).includes(promo), file).toBe(false);
    }
  });

  it('never reaches the remote, whichever it is', async () => {
    const remote = await startRecordingRemote();
    const svcd = await startTestDaemon({ flags: { remote: remote.url }, userKey: 'sk-the-real-one' });
    const promo = await add(svcd, { name: 'promo' });
    await asking(svcd, promo, '/api/v1/me');
    await svcd.get('/api/v1/music');
    await svcd.post('/svcd/token/rotate', {});
    for (const token of [svcd.token, promo, 'svcd_unknown']) {
      await asking(svcd, token, '/api/v1/usage');
      await asking(svcd, token, '/api/v1/music');
    }
    expect(remote.seen.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer sk-the-real-one',
      'Bearer sk-the-real-one',
      'Bearer sk-the-real-one',
    ]);
    expect(JSON.stringify(remote.seen)).not.toContain('svcd_');
  });

  it.each([
    [{ name: 'a b' }],
    [{ name: 'run-1' }],
    [{ name: 'x', only: ['everything'] }],
    [{ name: 'x', only: [] }],
    [{ name: 'x', day: -1 }],
    [{ name: 'x', day: 1.5 }],
    [{ name: 'x', admin: true }],
  ])('%j is refused', async (wish) => {
    const { svcd } = await startPair();
    expect((await svcd.post('/svcd/tokens', wish)).status).toBe(400);
  });
});

describe('what svcd does not know and may cost', () => {
  const UNKNOWN = '/api/v1/videos';
  const start = async () => {
    const remote = await startRecordingRemote();
    const svcd = await startTestDaemon({ flags: { remote: remote.url }, userKey: 'sk-the-real-one' });
    return { svcd, asked: () => remote.seen.filter(({ line }) => line.endsWith(UNKNOWN)) };
  };

  it('does not leave while spending is stopped, and tells no cost that is not known', async () => {
    const { svcd, asked } = await start();
    await svcd.post('/svcd/spending', { stopped: true });
    const refused = await svcd.post(UNKNOWN, {});
    expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([403, 'spending_stopped']);
    expect(asked()).toEqual([]);
    await svcd.post('/svcd/spending', { stopped: false });
    expect((await svcd.post(UNKNOWN, {})).headers.get('x-svcd-cost')).toBe('unknown');
    expect(asked().map(({ headers }) => headers.authorization)).toEqual(['Bearer sk-the-real-one']);
  });

  it('gets no Key with a HEAD', async () => {
    const { svcd, asked } = await start();
    await svcd.send('HEAD', UNKNOWN);
    expect(asked().map(({ headers }) => headers.authorization)).toEqual([undefined]);
  });
});
