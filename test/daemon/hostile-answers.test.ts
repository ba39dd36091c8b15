// Answers of the remote that are small on the wire and huge when they are read: nobody waits for them, and what was
// charged is told.

import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { sha256Hex } from '../../src/model/hash.js';
import { stickerPath } from '../../src/model/sticker.js';
import { ByteBudget } from '../../src/upstream/byte-budget.js';
import { createExchanger } from '../../src/upstream/exchange.js';
import { Sqlite } from '../support/sqlite.js';
import { startTestDaemon, type StartedDaemon } from '../support/start-daemon.js';
import { portOf } from '../support/in-test.js';

const MB = 1024 * 1024;
const STRICT = { 'X-Svcd-Fallback': 'off' };
const CAT = { prompt: 'a cat', size: '1024x1024' };
const LOTTIE_HEAD = '{"w":1,"h":1,"fr":1,"ip":0,"op":1,"layers":[{"ty":4,"x":';

async function listen(server: Server): Promise<string> {
  return `http://127.0.0.1:${await portOf(server)}`;
}

async function startBefore(plain: string): Promise<StartedDaemon> {
  const packed = gzipSync(plain);
  const server = createServer((request, response) => {
    request.resume();
    const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' };
    if (request.url?.includes('/capabilities') === true) return void response.end('[]');
    response.writeHead(200, headers).end(packed);
  });
  return startTestDaemon({ userKey: 'sk-user', flags: { remote: await listen(server) } });
}

const BOMBS: [string, string, RegExp][] = [
  ['nests arrays', `${LOTTIE_HEAD}${'['.repeat(4 * MB)}${']'.repeat(4 * MB)}}]}`, /nested deeper than \d+ levels/],
  ['lists empty arrays', `${LOTTIE_HEAD}[${'[],'.repeat(4 * MB)}1]}]}`, /more than \d+ values/],
];

describe.each(BOMBS)('an answer that %s', (_what, plain, why) => {
  it('is no sticker: the refusal says so, and the purchase stays open', async () => {
    const svcd = await startBefore(plain);
    const answer = await svcd.get(stickerPath('food/cake'), STRICT);
    expect(answer.status).toBe(502);
    expect(((await answer.json()) as { message: string }).message).toMatch(why);
    const { purchases } = (await (await svcd.get('/svcd/spending')).json()) as { purchases: { unknown: number } };
    expect(purchases.unknown).toBe(1);
  });

  it('is kept as evidence, whole and no larger than it came', async () => {
    const svcd = await startBefore(plain);
    await svcd.get(stickerPath('food/cake'), STRICT);
    const db = new Sqlite(join(svcd.home, 'owned.db'), { readonly: true });
    onTestFinished(() => void db.close());
    const rows = db.prepare('SELECT item, sha256, bytes FROM set_aside').all() as { bytes: Buffer }[];
    expect(rows).toMatchObject([{ item: 'sticker:food/cake', sha256: sha256Hex(plain) }]);
    expect(rows[0]!.bytes.length).toBeLessThan(64 * 1024);
    expect(gunzipSync(rows[0]!.bytes).equals(Buffer.from(plain))).toBe(true);
  });

  it('is no image', async () => {
    const svcd = await startBefore(plain);
    const answer = await svcd.post('/api/v1/images', CAT, STRICT);
    expect(answer.status).toBe(502);
    expect(((await answer.json()) as { message: string }).message).toMatch(why);
  });

  it('is a default for a client that takes one, and lists come from the library', async () => {
    const svcd = await startBefore(plain);
    const sticker = await svcd.get(stickerPath('food/cake'));
    expect([sticker.status, sticker.headers.get('x-svcd-source')]).toEqual([200, 'default']);
    expect((await svcd.get('/api/v1/stickers/search?q=cake')).status).toBe(200);
    expect((await svcd.post('/api/v1/stickers/match', { text: 'cake' })).status).toBe(200);
    expect((await svcd.get('/api/v1/usage')).status).toBe(502);
  });
});

it('a search is answered between eight such answers', async () => {
  const svcd = await startBefore(BOMBS[1]![1]);
  const state = { isOver: false };
  const presets = Array.from({ length: 8 }, (_, i) => `food/cake-${i}`);
  const bought = Promise.all(presets.map((one) => svcd.get(stickerPath(one)))).then(() => (state.isOver = true));
  let between = 0;
  while (!state.isOver) {
    expect((await svcd.get('/svcd/search?q=cake')).status).toBeLessThan(500);
    between += 1;
  }
  await bought;
  expect(between).toBeGreaterThan(0);
});

describe('the bytes of all answers in memory', () => {
  const request = { method: 'GET', path: '/', cost: 'free', timeoutMs: 60_000, maxBytes: 64 * MB } as const;

  /** Large answers that are begun at once and go on only when the test says so. */
  async function startLarge(size: number) {
    const sent: number[] = [];
    const server = createServer((_request, response) => {
      const at = sent.push(0) - 1;
      const piece = Buffer.alloc(64 * 1024);
      const more = () => {
        while (sent[at]! < size) {
          sent[at]! += piece.length;
          if (!response.write(piece)) return void response.once('drain', more);
        }
        response.end();
      };
      more();
    });
    return { url: await listen(server), sent };
  }

  it('are bounded: those that do not fit wait, and all of them come', async () => {
    const { url } = await startLarge(8 * MB);
    const budget = new ByteBudget(10 * MB);
    let [held, highest] = [0, 0];
    const open = budget.open.bind(budget);
    budget.open = () => {
      const holding = open();
      let own = 0;
      return {
        take: async (bytes, signal) => {
          await holding.take(bytes, signal);
          own += bytes;
          held += bytes;
          highest = Math.max(highest, held);
        },
        release: () => {
          held -= own;
          own = 0;
          holding.release();
        },
      };
    };
    const exchange = createExchanger(url, undefined, budget);
    const results = await Promise.all(Array.from({ length: 6 }, () => exchange(request)));
    expect(results.map((one) => (one.kind === 'answer' ? one.bytes.byteLength : one.error.message))).toEqual(
      Array.from({ length: 6 }, () => 8 * MB),
    );
    // The budget, what the oldest may go on with, and what each may begin with.
    expect(highest).toBeLessThan((10 + 8 + 2) * MB);
  });

  it('are held until what was paid is kept', async () => {
    const { url } = await startLarge(8 * MB);
    const exchange = createExchanger(url, undefined, new ByteBudget(10 * MB));
    let keep: () => void = () => undefined;
    const inWork = new Promise<void>((resolve) => (keep = resolve));
    await exchange({ ...request, inWork });
    const order: string[] = [];
    const late = exchange(request).then(() => order.push('read'));
    for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setTimeout(resolve, 2));
    order.push('kept');
    keep();
    await late;
    expect(order).toEqual(['kept', 'read']);
  });

  it('do not keep a small answer waiting', async () => {
    const budget = new ByteBudget(MB);
    await budget.open().take(MB, AbortSignal.timeout(60_000));
    const { url } = await startLarge(64 * 1024);
    expect(await createExchanger(url, undefined, budget)(request)).toMatchObject({ kind: 'answer' });
  });

  it('keep a large one waiting until its own time is over, and no longer', async () => {
    const budget = new ByteBudget(MB);
    const holding = budget.open();
    await holding.take(MB, AbortSignal.timeout(60_000));
    const { url } = await startLarge(4 * MB);
    const exchange = createExchanger(url, undefined, budget);
    expect(await exchange({ ...request, timeoutMs: 300 })).toMatchObject({ kind: 'lost', error: { code: 'timeout' } });
    holding.release();
    expect(await exchange(request)).toMatchObject({ kind: 'answer' });
  });
});
