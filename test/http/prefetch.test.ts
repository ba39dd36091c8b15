// Many things bought by one request: what is told of each, what is refused as a whole, and who may.

import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { parse } from 'valibot';
import { prefetchEventSchema, PREFETCH_MAX, type PrefetchEvent } from '../../src/api/prefetch.js';
import { startFaultyRemote, type FaultyRemote } from '../faults/faulty-remote.js';
import { assetsIn, eventsOf } from '../support/prefetch.js';
import { listPurchases } from '../support/purchases.js';
import { startTestDaemon, type StartedDaemon, type StartOptions } from '../support/start-daemon.js';
import { BIRTHDAY_CAKE, CAKE, RAIN } from '../sandbox/tiny-catalogue.js';
import { startPair } from '../support/start-pair.js';

const TINY_STICKERS = [CAKE, BIRTHDAY_CAKE, RAIN];
const SHIPPED = 'default/birthday-cake';
const IMAGE = { prompt: 'a cat on the moon', size: '1024x1024' } as const;
const presets = (count: number, from = 0) => Array.from({ length: count }, (_, nth) => `many/${from + nth}`);

async function start(options: StartOptions = {}): Promise<{ remote: FaultyRemote; svcd: StartedDaemon }> {
  const remote = await startFaultyRemote();
  const svcd = await startTestDaemon({ userKey: remote.key, flags: { remote: remote.url }, ...options });
  return { remote, svcd };
}

async function digestOf(answer: Response): Promise<[string, number]> {
  const bytes = Buffer.from(await answer.arrayBuffer());
  return [createHash('sha256').update(bytes).digest('hex'), bytes.byteLength];
}

const sticker = (svcd: StartedDaemon, preset: string) => svcd.get(`/api/v1/stickers/${encodeURIComponent(preset)}`);
const spent = (remote: FaultyRemote) => remote.account.spent();
const bySource = (events: readonly PrefetchEvent[]) =>
  assetsIn(events).map(({ place, source, cost, reason }) => [place, source, cost, ...(reason ? [reason] : [])]);

async function refusalOf(answer: Response): Promise<{ status: number; code: string; message: string; hint?: string }> {
  return { status: answer.status, ...((await answer.json()) as { code: string; message: string }) };
}

describe('a prefetch', () => {
  it('buys what is not there, tells of each thing, and buys nothing the second time', async () => {
    const { svcd, remote } = await startPair();
    const wanted = TINY_STICKERS;
    await sticker(svcd, wanted[0] ?? '');
    const before = remote.sandbox.charges().length;
    const body = { presets: wanted, images: [IMAGE], max_credits: 12 };
    const answer = await svcd.post('/svcd/prefetch', body);
    expect(answer.headers.get('content-type')).toBe('application/x-ndjson');
    const events = await eventsOf(answer);
    for (const event of events) expect(parse(prefetchEventSchema, event)).toEqual(event);
    expect(events[0]).toEqual({ event: 'begun', of: 4, have: 1, buy: 3, cost: 12 });
    expect(events.at(-1)).toEqual({ event: 'ended', cost: 12, uncertain: [], defaults: 0, failed: [] });
    expect(remote.sandbox.charges().length - before).toBe(3);
    const told = assetsIn(events);
    expect(bySource(events)).toEqual([
      [0, 'owned', 0],
      [1, 'bought', 1],
      [2, 'bought', 1],
      [3, 'bought', 10],
    ]);
    for (const { preset = '', sha256, bytes } of told.slice(0, 3)) {
      const now = await sticker(svcd, preset);
      expect(now.headers.get('x-svcd-source')).toBe('owned');
      expect(await digestOf(now)).toEqual([sha256, bytes]);
    }
    const image = (await (await svcd.post('/api/v1/images', IMAGE)).json()) as { url: string };
    expect(await digestOf(await fetch(image.url))).toEqual([told[3]?.sha256, told[3]?.bytes]);
    const again = await eventsOf(await svcd.post('/svcd/prefetch', { ...body, max_credits: 0 }));
    expect(again[0]).toEqual({ event: 'begun', of: 4, have: 4, buy: 0, cost: 0 });
    expect(bySource(again)).toEqual([0, 1, 2, 3].map((place) => [place, 'owned', 0]));
    expect(remote.sandbox.charges().length - before).toBe(3);
  });

  it('buys what is asked for twice once, and pays nothing for what is shipped or of the user', async () => {
    const { svcd, remote } = await start();
    const lottie = await (await sticker(svcd, 'many/0')).text();
    const own = { title: 'mine', keywords: ['mine'], lottie: JSON.parse(lottie) as object };
    expect((await svcd.send('PUT', '/svcd/library/stickers/own%2Flogo', { ...own, lottie })).status).toBe(200);
    const wanted = ['own/logo', 'many/1', 'many/2', 'many/1', 'own/none', SHIPPED];
    const images = [IMAGE, IMAGE];
    const events = await eventsOf(await svcd.post('/svcd/prefetch', { presets: wanted, images, max_credits: 12 }));
    expect(events[0]).toEqual({ event: 'begun', of: 8, have: 5, buy: 3, cost: 12 });
    expect(bySource(events)).toEqual([
      [0, 'own', 0],
      [1, 'bought', 1],
      [2, 'bought', 1],
      [3, 'owned', 0],
      [5, 'shipped', 0],
      [6, 'bought', 10],
      [7, 'owned', 0],
    ]);
    expect(events.at(-1)).toMatchObject({ cost: 12, failed: [4] });
    expect(remote.account.timesCharged('sticker:many/1')).toBe(1);
    expect(remote.account.timesCharged(`image:${IMAGE.prompt}`)).toBe(1);
  });

  it('begins nothing when all of it would cost more than it may', async () => {
    const { svcd, remote } = await start();
    const body = { presets: presets(3), images: [IMAGE] };
    const refused = await refusalOf(await svcd.post('/svcd/prefetch', { ...body, max_credits: 12 }));
    expect(refused).toMatchObject({ status: 402, code: 'budget' });
    expect(refused.message).toBe('this costs 13 credits, and max_credits is 12');
    expect(refused.hint).toContain('max_credits 13');
    expect(spent(remote)).toBe(0);
    expect(await listPurchases(svcd.get)).toEqual([]);
    for (const max of [13, 1e9]) {
      const events = await eventsOf(await svcd.post('/svcd/prefetch', { ...body, max_credits: max }));
      expect(events.at(-1)).toMatchObject({ event: 'ended', failed: [], defaults: 0 });
    }
    expect(spent(remote)).toBe(13);
  });

  it('begins nothing when a budget does not hold all of it, the limit of a request among them', async () => {
    const { svcd, remote } = await start();
    const set = (change: object) => svcd.send('PUT', '/svcd/budget', change);
    for (const period of ['request', 'day', 'month'] as const) {
      await set({ request: null, day: null, month: null, [period]: 4 });
      const refused = await refusalOf(await svcd.post('/svcd/prefetch', { presets: presets(5), max_credits: 5 }));
      expect(refused).toMatchObject({ status: 402, code: 'budget' });
      expect(refused.message).toContain(`the budget per ${period} is 4 credits`);
      expect(refused.message).toContain('this costs 5');
    }
    await set({ request: null, day: null, month: null });
    const made = (await (await svcd.post('/svcd/runs', { name: 'four', total: 4 })).json()) as { token: string };
    const bearer = { Authorization: `Bearer ${made.token}` };
    const refused = await refusalOf(await svcd.post('/svcd/prefetch', { presets: presets(5), max_credits: 5 }, bearer));
    expect(refused).toMatchObject({ status: 402, code: 'budget' });
    expect(refused.message).toContain(
      'the budget of the token "four" is 4 credits (0 spent or reserved), and this costs 5',
    );
    expect([spent(remote), await listPurchases(svcd.get)]).toEqual([0, []]);
    const events = await eventsOf(await svcd.post('/svcd/prefetch', { presets: presets(4), max_credits: 5 }, bearer));
    expect(events.at(-1)).toMatchObject({ cost: 4, failed: [], defaults: 0 });
  });

  it('is for those who may buy what it asks for', async () => {
    const { svcd, remote } = await start();
    const make = async (name: string, only: string[]) => {
      const made = (await (await svcd.post('/svcd/tokens', { name, only })).json()) as { token: string };
      return { Authorization: `Bearer ${made.token}` };
    };
    const stickers = await make('stickers', ['stickers']);
    const both = { presets: ['many/1'], images: [IMAGE], max_credits: 11 };
    const refused = await refusalOf(await svcd.post('/svcd/prefetch', both, stickers));
    expect(refused).toMatchObject({ status: 403, code: 'not_permitted' });
    expect(refused.message).toContain('images');
    expect(spent(remote)).toBe(0);
    const one = { presets: ['many/1'], max_credits: 1 };
    const account = await make('account', ['account']);
    expect(await refusalOf(await svcd.post('/svcd/prefetch', one, account))).toMatchObject({ status: 403 });
    expect((await eventsOf(await svcd.post('/svcd/prefetch', one, stickers))).at(-1)).toMatchObject({ cost: 1 });
    // What is owned is anybody's on this machine.
    expect(bySource(await eventsOf(await svcd.post('/svcd/prefetch', one, account)))).toEqual([[0, 'owned', 0]]);
    const json = { 'Content-Type': 'application/json' };
    const init = { method: 'POST', headers: json, body: JSON.stringify({ presets: ['many/2'], max_credits: 1 }) };
    expect(bySource(await eventsOf(await svcd.call('/svcd/prefetch', init)))).toEqual([[0, 'default', 0, 'no_key']]);
    const strict = JSON.stringify({ presets: ['many/2'], max_credits: 1, fallback: false });
    const nobody = await refusalOf(await svcd.call('/svcd/prefetch', { ...init, body: strict }));
    expect(nobody).toMatchObject({ status: 401, code: 'invalid_key' });
    for (const method of ['GET', 'HEAD', 'PUT']) {
      expect((await svcd.send(method, '/svcd/prefetch')).status).toBe(405);
    }
    const guess = { 'Sec-Purpose': 'prefetch' };
    expect((await svcd.post('/svcd/prefetch', { presets: ['many/2'], max_credits: 1 }, guess)).status).toBe(403);
    expect(spent(remote)).toBe(1);
  });

  it('says what is wrong with a request, and buys nothing for it', async () => {
    const { svcd, remote } = await start();
    const bad: [object, string][] = [
      [{ presets: ['many/1'] }, 'max_credits'],
      [{ presets: [], max_credits: 1 }, '0 entries'],
      [{ presets: presets(PREFETCH_MAX + 1), max_credits: 300 }, `${PREFETCH_MAX + 1} entries`],
      [{ presets: ['a/../b'], max_credits: 1 }, 'a/../b'],
      [{ presets: ['many/1'], max_credits: 1.5 }, '1.5'],
      [{ presets: ['many/1'], max_credits: -1 }, '-1'],
      [{ presets: ['many/1'], max_credits: 1e9 + 1 }, 'max_credits'],
      [{ presets: ['many/1'], max_credits: 1, folder: '/tmp' }, 'folder'],
      [{ images: [{ prompt: ' ', size: '1024x1024' }], max_credits: 10 }, 'prompt'],
    ];
    for (const [body, said] of bad) {
      const refused = await refusalOf(await svcd.post('/svcd/prefetch', body));
      expect(refused, JSON.stringify(body).slice(0, 80)).toMatchObject({ status: 400, code: 'invalid_request' });
      expect(refused.message).toContain(said);
    }
    const large = {
      images: Array.from({ length: 30 }, () => ({ ...IMAGE, prompt: '长'.repeat(1900) })),
      max_credits: 300,
    };
    expect(await refusalOf(await svcd.post('/svcd/prefetch', large))).toMatchObject({ status: 413 });
    expect(spent(remote)).toBe(0);
  });

  it('gives defaults for what cannot be had, or says so where none may stand in', async () => {
    const { svcd, remote } = await start();
    remote.trouble = ({ path }) =>
      path.includes('images') ? { answer: { status: 503, body: '{"code":"not_enabled"}' } } : undefined;
    const body = { presets: ['many/1', 'missing/1'], images: [IMAGE], max_credits: 12 };
    const events = await eventsOf(await svcd.post('/svcd/prefetch', body));
    expect(bySource(events)).toEqual([
      [0, 'bought', 1],
      [2, 'default', 0, 'not_enabled'],
    ]);
    const standIn = await svcd.call(`/svcd/defaults/images/${IMAGE.size}.png`);
    expect(await digestOf(standIn)).toEqual([assetsIn(events)[1]?.sha256, assetsIn(events)[1]?.bytes]);
    expect(events.find(({ event }) => event === 'failed')).toMatchObject({ place: 1, code: 'unknown_preset', cost: 0 });
    expect(events.at(-1)).toEqual({ event: 'ended', cost: 1, uncertain: [], defaults: 1, failed: [1] });
    const strict = await eventsOf(await svcd.post('/svcd/prefetch', { ...body, fallback: false }));
    expect(strict.filter(({ event }) => event === 'failed')).toMatchObject([
      { place: 1, code: 'unknown_preset' },
      { place: 2, image: true, code: 'not_enabled', cost: 0 },
    ]);
    await svcd.post('/svcd/offline', { offline: true });
    const away = await eventsOf(await svcd.post('/svcd/prefetch', { presets: presets(2, 10), max_credits: 0 }));
    expect(away[0]).toEqual({ event: 'begun', of: 2, have: 0, buy: 0, cost: 0 });
    expect(bySource(away)).toEqual([0, 1].map((place) => [place, 'default', 0, 'offline']));
  });

  it('says that it waits for the pace of the service, and goes on', async () => {
    // Six at once, then one each second and a half.
    const { svcd } = await start({ pace: { burst: 6, limit: 8, windowMs: 3000 } });
    const events = await eventsOf(await svcd.post('/svcd/prefetch', { presets: presets(8), max_credits: 8 }));
    const waiting = events.filter(({ event }) => event === 'waiting');
    expect(waiting.length).toBeGreaterThan(0);
    expect(waiting[0]).toMatchObject({ why: 'pace', seconds: expect.any(Number) as number });
    expect(events.at(-1)).toMatchObject({ cost: 8, defaults: 0, failed: [] });
  });

  it('stands in the report of the run that asked', async () => {
    const { svcd } = await start();
    const made = (await (await svcd.post('/svcd/runs', { name: 'card' })).json()) as { token: string };
    const bearer = { Authorization: `Bearer ${made.token}` };
    const body = { presets: ['many/1', 'missing/1'], images: [IMAGE], max_credits: 12 };
    await eventsOf(await svcd.post('/svcd/prefetch', body, bearer));
    const report = (await (await svcd.call('/svcd/report', { headers: bearer })).json()) as {
      assets: { kind: string; preset?: string; source?: string; cost: number | null; error?: string }[];
    };
    const told = report.assets.map(({ kind, preset, source, cost, error }) => [kind, preset, source ?? error, cost]);
    expect(told).toHaveLength(3);
    expect(told).toEqual(
      expect.arrayContaining([
        ['image', undefined, 'remote', 10],
        ['sticker', 'many/1', 'remote', 1],
        ['sticker', 'missing/1', 'unknown_preset', 0],
      ]),
    );
  });
});
