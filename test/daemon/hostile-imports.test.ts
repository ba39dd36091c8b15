// Imports that are made to stall svcd or to fill its memory: searches are answered in between, and the report says what was
// left out.

import { gzipSync } from 'node:zlib';
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readLines, type NumberedLine } from '../../src/platform/read-lines.js';
import { startTestDaemon, type StartedDaemon } from '../support/start-daemon.js';

const MB = 1024 * 1024;

function send(svcd: StartedDaemon, path: string, body: string): Promise<Response> {
  return svcd.send('POST', path, body, { 'Content-Type': 'application/x-ndjson' });
}

/** What was answered, and how many searches were answered before it. */
async function searchMeanwhile(svcd: StartedDaemon, sent: Promise<Response>) {
  const state = { isOver: false };
  const report = sent.then(async (answer) => {
    state.isOver = true;
    return (await answer.json()) as Record<string, unknown> & { bad_lines: { why: string }[] };
  });
  let searches = 0;
  while (!state.isOver) {
    expect((await svcd.get('/svcd/search?q=cake')).status).toBe(200);
    searches += 1;
  }
  return { report: await report, searches };
}

const HEADER = { format: 'svcd-library', version: 1, scope: 'none', exported_at: '', stickers: 40, complete: false };

describe('a library of stickers with thousands of keywords', () => {
  it.each([
    ['an export of svcd', [JSON.stringify(HEADER)]],
    ['any list', []],
  ])(
    'from %s is taken with 64 of each, while searches are answered',
    async (_what, before) => {
      const svcd = await startTestDaemon();
      const keywords = (i: number) => Array.from({ length: 18_000 }, (_, k) => `w${i}x${k}`);
      const stickers = Array.from({ length: 40 }, (_, i) =>
        JSON.stringify({ preset: `heavy/${i}`, title: `heavy ${i}`, keywords: keywords(i) }),
      );
      const body = [...before, ...stickers].join('\n');
      const { report, searches } = await searchMeanwhile(svcd, send(svcd, '/svcd/library/import', body));
      expect(report).toMatchObject({ added: 40, bad: 0, dropped_keywords: 40 * (18_000 - 64) });
      expect(searches).toBeGreaterThan(1);
      const exported = (await (await svcd.get('/svcd/library/export')).text()).split('\n');
      const kept = exported.filter((line) => line.includes('"heavy/7"')).map((line) => JSON.parse(line) as object);
      expect(kept).toMatchObject([{ keywords: keywords(7).slice(0, 64) }]);
    },
    60_000,
  );
});

function ownedLine(item: string, plain: Buffer, contentType = 'application/json'): string {
  const sha256 = createHash('sha256').update(plain).digest('hex');
  const told = { scope: 'none', item, content_type: contentType, sha256, kept_at: '2026-01-01T00:00:00Z' };
  return JSON.stringify({ ...told, gzip: gzipSync(plain).toString('base64') });
}

describe('a line of owned bytes', () => {
  it('that unpacks to more than a file may hold is refused in words', async () => {
    const svcd = await startTestDaemon({ flags: { 'max-file-bytes': MB } });
    const line = ownedLine('file:/pictures/1.png', Buffer.alloc(64 * MB), 'image/png');
    const { report } = await searchMeanwhile(svcd, send(svcd, '/svcd/owned/import', line));
    expect(report).toMatchObject({ added: 0, bad: 1 });
    expect(report.bad_lines[0]?.why).toMatch(/more than 1048576 \(setting maxFileBytes\)/);
  });

  it.each([
    ['sticker', 'sticker:food/cake', /nested deeper than/],
    ['image', `image:${'a'.repeat(64)}`, /not the JSON object of an image/],
  ])('that is a %s of nested arrays is refused', async (_what, item, why) => {
    const svcd = await startTestDaemon();
    const plain = Buffer.from(`{"a":${'['.repeat(MB)}${']'.repeat(MB)}}`);
    const { report } = await searchMeanwhile(svcd, send(svcd, '/svcd/owned/import', ownedLine(item, plain)));
    expect(report.bad_lines[0]?.why).toMatch(why);
  });
});

describe('the reader of lines', () => {
  async function linesOf(chunks: Uint8Array[], maxBytes = 100, batch = 3): Promise<NumberedLine[][]> {
    const found: NumberedLine[][] = [];
    for await (const lines of readLines(asStream(chunks), { maxBytes, batch })) found.push(lines);
    return found;
  }

  async function* asStream(chunks: Uint8Array[]): AsyncGenerator<Uint8Array> {
    yield* chunks;
  }

  it('reads each line once, however it is cut', async () => {
    const bytes = Buffer.from('one\n\n生日蛋糕\r\nlast');
    for (let size = 1; size <= bytes.length; size++) {
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
        bytes.subarray(i * size, (i + 1) * size),
      );
      expect((await linesOf(chunks)).flat()).toEqual([
        { number: 1, text: 'one' },
        { number: 3, text: '生日蛋糕\r' },
        { number: 4, text: 'last' },
      ]);
    }
  });

  it('passes over what is too long, and keeps counting', async () => {
    const lines = await linesOf([Buffer.from('a'.repeat(60)), Buffer.from(`${'a'.repeat(60)}\nshort\n`)]);
    expect(lines.flat()).toEqual([
      { number: 1, text: undefined },
      { number: 2, text: 'short' },
    ]);
  });

  it('looks at each byte of a long line once', async () => {
    // Each chunk says how often it was read: joining what came before at each one would read it again.
    let reads = 0;
    const chunk = Buffer.from('x'.repeat(1000));
    const watched = new Proxy(chunk, {
      get: (target, name) => {
        if (name === 'slice' || name === 'subarray') reads += 1;
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    const lines = await linesOf(
      Array.from({ length: 500 }, () => watched),
      600_000,
    );
    expect(lines.flat()[0]?.text).toHaveLength(500_000);
    expect(reads).toBeLessThanOrEqual(1000);
  });

  it('hands over no more at a time than can be worked on at once', async () => {
    const line = `${'y'.repeat(50_000)}\n`;
    const batches = await linesOf([Buffer.from(line.repeat(10))], 100_000, 50);
    expect(batches.map((one) => one.length)).toEqual([2, 2, 2, 2, 2]);
  });
});

describe('an own sticker', () => {
  const put = async (svcd: StartedDaemon, body: object) => {
    const answer = await svcd.send('PUT', '/svcd/library/stickers/own%2Flogo', body);
    return { status: answer.status, ...((await answer.json()) as object) };
  };

  it('with tens of thousands of fields is refused before they are parsed, one with a wrong field by its name', async () => {
    const svcd = await startTestDaemon();
    const many = Object.fromEntries(Array.from({ length: 90_000 }, (_, i) => [`k${i}`, 1]));
    expect(await put(svcd, { lottie: '{}', ...many })).toMatchObject({
      status: 400,
      message: 'body: it holds more than 2000 values',
    });
    expect(await put(svcd, { lottie: '{}', tilte: 'x' })).toMatchObject({
      status: 400,
      message: 'title: is required; unknown field "tilte"',
    });
  });
});
