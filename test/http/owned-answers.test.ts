// What is owned, as answers: tags, parts, compressed forms and HEAD, byte by byte through a real daemon.

import { request, type IncomingHttpHeaders } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseEncoding } from '../../src/http/accepted-encoding.js';
import { parseRange } from '../../src/http/answer-asset.js';
import { stickerPath } from '../../src/model/sticker.js';
import { CAKE, RAIN } from '../sandbox/tiny-catalogue.js';
import { startPair } from '../support/start-pair.js';
import { startTestDaemon, type StartedDaemon } from '../support/start-daemon.js';
import { changeOwned } from '../support/sqlite.js';

const LAYER = { ty: 4, ip: 0, op: 60, st: 0, ks: {}, shapes: [], nm: '层' };
const FILE = Buffer.from(
  JSON.stringify({ w: 120, h: 100, fr: 30, ip: 0, op: 60, layers: Array.from({ length: 500 }, () => LAYER) }),
);
const PATH = stickerPath(CAKE);

type Headers = Readonly<Record<string, string>>;

describe('an owned sticker', () => {
  it('is whole, lasting, and says how it may be asked for', async () => {
    const svcd = await startOwning();
    const { status, headers, bytes } = await ask(svcd, PATH);
    expect([status, bytes.equals(FILE)]).toEqual([200, true]);
    expect(headers).toMatchObject({
      'x-svcd-source': 'owned',
      'content-type': 'application/json',
      'content-length': String(FILE.byteLength),
      'cache-control': 'public, max-age=31536000, immutable',
      'accept-ranges': 'bytes',
      vary: 'Accept-Encoding, Origin',
    });
    expect(headers.etag).toMatch(/^"[0-9a-f]{32}"$/);
    expect(headers['content-encoding']).toBeUndefined();
  });

  it('looks the same right after it was bought, owned, and after a restart', async () => {
    const { svcd } = await startPair({ remote: { faults: () => ({ replace: () => new Response(FILE) }) } });
    const token = { Authorization: `Bearer ${svcd.token}` };
    const answers = [await ask(svcd, PATH, token), await ask(svcd, PATH, token)];
    await svcd.daemon.close();
    const again = await startTestDaemon({ home: svcd.home, flags: { remote: svcd.daemon.remote } });
    answers.push(await ask(again, PATH));
    const encoded = [await ask(again, PATH, { 'Accept-Encoding': 'br' })];
    expect(answers.map(({ headers }) => headers['x-svcd-source'])).toEqual(['remote', 'owned', 'owned']);
    expect(new Set(answers.map(({ headers }) => `${headers.etag} ${headers.vary}`)).size).toBe(1);
    expect(encoded[0]?.headers['content-encoding']).toBe('br');
  });

  it.each([
    ['its tag', (etag: string) => etag, 304],
    ['its tag, weak', (etag: string) => `W/${etag}`, 304],
    ['its tag in a list', (etag: string) => `"a", ${etag} ,W/"b"`, 304],
    ['any tag', () => '*', 304],
    ['another tag', () => '"0123"', 200],
    ['the tag without quotes', (etag: string) => etag.replaceAll('"', ''), 200],
    ['an empty list', () => ' , ', 200],
  ])('is not sent again to whoever has %s', async (_what, tagFor, status) => {
    const svcd = await startOwning();
    const { headers } = await ask(svcd, PATH);
    const answer = await ask(svcd, PATH, { 'If-None-Match': tagFor(headers.etag ?? '') });
    expect([answer.status, answer.bytes.byteLength]).toEqual([status, status === 304 ? 0 : FILE.byteLength]);
    expect(answer.headers).toMatchObject({ etag: headers.etag, vary: 'Accept-Encoding, Origin' });
  });

  it('answers HEAD with the headers of GET, and never with a part', async () => {
    const svcd = await startOwning();
    for (const asked of [{}, { 'Accept-Encoding': 'gzip' }, { 'Accept-Encoding': 'br', 'If-None-Match': '*' }]) {
      const [head, get] = [await ask(svcd, PATH, asked, 'HEAD'), await ask(svcd, PATH, asked)];
      expect([head.status, head.bytes.byteLength]).toEqual([get.status, 0]);
      expect({ ...head.headers, date: '' }).toEqual({ ...get.headers, date: '' });
    }
    const part = await ask(svcd, PATH, { Range: 'bytes=0-1' }, 'HEAD');
    expect([part.status, part.headers['content-length']]).toEqual([200, String(FILE.byteLength)]);
  });
});

describe('a part of an owned sticker', () => {
  it.each([
    ['bytes=0-9', 0, 9],
    ['bytes=10-', 10, FILE.byteLength - 1],
    ['bytes=-7', FILE.byteLength - 7, FILE.byteLength - 1],
    ['bytes=5-99999999', 5, FILE.byteLength - 1],
    ['bytes=-99999999', 0, FILE.byteLength - 1],
    [`bytes=${FILE.byteLength - 1}-`, FILE.byteLength - 1, FILE.byteLength - 1],
  ])('%s is those bytes of the plain form', async (range, start, end) => {
    const svcd = await startOwning();
    const { status, headers, bytes } = await ask(svcd, PATH, { Range: range, 'Accept-Encoding': 'gzip, br' });
    expect(status).toBe(206);
    expect(headers).toMatchObject({
      'content-range': `bytes ${start}-${end}/${FILE.byteLength}`,
      'content-length': String(end - start + 1),
      etag: (await ask(svcd, PATH)).headers.etag,
    });
    expect(headers['content-encoding']).toBeUndefined();
    expect(bytes.equals(FILE.subarray(start, end + 1))).toBe(true);
  });

  it.each(['bytes=0-1,4-5', 'items=0-1', 'bytes=', 'bytes=-', 'bytes=9-3', 'bytes=a-b', 'bytes'])(
    'is the whole when it cannot be one part: %s',
    async (range) => {
      const svcd = await startOwning();
      const { status, bytes } = await ask(svcd, PATH, { Range: range });
      expect([status, bytes.equals(FILE)]).toEqual([200, true]);
    },
  );

  it.each([`bytes=${FILE.byteLength}-`, 'bytes=99999999999999999999-', 'bytes=-0'])(
    'is 416 with the real length when it lies beyond the end: %s',
    async (range) => {
      const svcd = await startOwning();
      const { status, headers, bytes } = await ask(svcd, PATH, { Range: range });
      expect([status, headers['content-range']]).toEqual([416, `bytes */${FILE.byteLength}`]);
      expect(JSON.parse(bytes.toString())).toMatchObject({ code: 'range_not_satisfiable' });
      expect(headers['cache-control']).toBe('no-store');
    },
  );

  it('is given while the file is still the one that was begun, else the whole', async () => {
    const svcd = await startOwning();
    const { etag = '' } = (await ask(svcd, PATH)).headers;
    const ask206 = async (tag: string) => (await ask(svcd, PATH, { Range: 'bytes=0-1', 'If-Range': tag })).status;
    expect(await ask206(etag)).toBe(206);
    for (const tag of [`W/${etag}`, '"other"', 'Sat, 21 Nov 2026 10:00:00 GMT', etag.replace(/"$/, '-gzip"')]) {
      expect(await ask206(tag), tag).toBe(200);
    }
  });

  it('does not matter to whoever has the file, and not where the plain form is refused', async () => {
    const svcd = await startOwning();
    const { etag = '' } = (await ask(svcd, PATH)).headers;
    const had = await ask(svcd, PATH, { Range: 'bytes=0-1', 'If-None-Match': etag });
    expect(had.status).toBe(304);
    const coded = await ask(svcd, PATH, { Range: 'bytes=0-1', 'Accept-Encoding': 'gzip, identity;q=0' });
    expect([coded.status, coded.headers['content-encoding']]).toEqual([200, 'gzip']);
  });

  it('with the others makes the whole, wherever it is cut', async () => {
    const svcd = await startOwning();
    const cuts = fc.uniqueArray(fc.integer({ min: 1, max: FILE.byteLength - 1 }), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(cuts, async (places) => {
        const edges = [0, ...places.toSorted((a, b) => a - b), FILE.byteLength];
        const ranges = edges.slice(1).map((end, index) => `bytes=${edges[index]}-${end - 1}`);
        const parts = await Promise.all(ranges.map((Range) => ask(svcd, PATH, { Range })));
        expect(Buffer.concat(parts.map(({ bytes }) => bytes)).equals(FILE)).toBe(true);
      }),
      { numRuns: 30 },
    );
  });
});

describe('a compressed form', () => {
  it.each<[string, (bytes: Buffer) => Buffer]>([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ])('%s is the same file, shorter, under a tag of its own', async (encoding, decompress) => {
    const svcd = await startOwning();
    const { headers, bytes } = await ask(svcd, PATH, { 'Accept-Encoding': encoding });
    expect(headers).toMatchObject({
      'content-encoding': encoding,
      'content-length': String(bytes.byteLength),
      vary: 'Accept-Encoding, Origin',
    });
    expect(decompress(bytes).equals(FILE)).toBe(true);
    expect(bytes.byteLength).toBeLessThan(FILE.byteLength / 10);
    const { etag = '' } = headers;
    expect(etag).toMatch(new RegExp(`^"[0-9a-f]{32}-${encoding}"$`));
    const again = await ask(svcd, PATH, { 'Accept-Encoding': encoding, 'If-None-Match': etag });
    expect([again.status, again.headers.etag]).toEqual([304, etag]);
    expect((await ask(svcd, PATH, { 'If-None-Match': etag })).status).toBe(200);
  });

  it.each([
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip, deflate, br', 'br'],
    ['gzip, deflate', 'gzip'],
    ['GZIP;Q=0.5, br;q=0.4', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0.001', 'br'],
    ['gzip;q=0.5, identity', 'identity'],
    ['gzip;q=0.5, identity;q=0.5', 'gzip'],
    ['deflate, zstd', 'identity'],
    ['*', 'br'],
    ['br;q=0, *', 'gzip'],
    ['*;q=0, gzip', 'gzip'],
    ['identity;q=0', 'identity'],
    ['*;q=0', 'identity'],
    ['gzip;q=nonsense', 'identity'],
    [',;,', 'identity'],
  ])('of %s is %s', (header, encoding) => {
    expect(chooseEncoding(header, () => true)).toBe(encoding);
  });

  it('is never chosen where there is none', () => {
    const anything = fc.oneof(fc.string(), fc.constantFrom('gzip, br', '*', 'br;q=1'));
    fc.assert(
      fc.property(anything, (header) => {
        expect(chooseEncoding(header, () => false)).toBe('identity');
      }),
    );
  });

  it('that is damaged on disk is left out, and the file still served', async () => {
    const svcd = await startOwning();
    await svcd.daemon.close();
    changeOwned(svcd, `UPDATE owned SET brotli = x'0102'`);
    const again = await startTestDaemon({ home: svcd.home, flags: { remote: svcd.daemon.remote } });
    const { headers, bytes } = await ask(again, PATH, { 'Accept-Encoding': 'gzip, br' });
    expect(headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(bytes).equals(FILE)).toBe(true);
  });

  it('is not made of what is compressed already, such as a picture', async () => {
    const { svcd } = await startPair();
    const { url } = (await (await svcd.post('/api/v1/images', { prompt: '猫', size: '1024x1024' })).json()) as {
      url: string;
    };
    const path = url.slice(svcd.url.length);
    const whole = await ask(svcd, path, { 'Accept-Encoding': 'gzip, br' });
    expect(whole.headers).toMatchObject({ 'content-type': 'image/png', 'accept-ranges': 'bytes' });
    expect([whole.headers['content-encoding'], whole.headers.vary]).toEqual([
      undefined,
      'Referer, Sec-Fetch-Mode, Origin',
    ]);
    const part = await ask(svcd, path, { Range: 'bytes=1-3' });
    expect([part.status, part.bytes.toString()]).toEqual([206, 'PNG']);
    const head = await ask(svcd, path, {}, 'HEAD');
    expect(head.headers['content-length']).toBe(String(whole.bytes.byteLength));
  });
});

describe('a default', () => {
  it('is whole and plain whatever is asked for, and has nothing to be remembered by', async () => {
    const { svcd } = await startPair();
    const asked = { Range: 'bytes=0-1', 'If-None-Match': '*', 'Accept-Encoding': 'gzip, br' };
    const { status, headers, bytes } = await ask(svcd, stickerPath(RAIN), asked);
    expect([status, headers['cache-control'], headers['x-svcd-source']]).toEqual([200, 'no-store', 'default']);
    expect([headers.etag, headers['content-encoding'], headers['accept-ranges']]).toEqual(Array(3).fill(undefined));
    expect(JSON.parse(bytes.toString())).toMatchObject({ layers: expect.any(Array) as unknown });
  });
});

describe('any Range header', () => {
  it('is a part within the file, the whole, or beyond it', () => {
    const number = fc.oneof(fc.constant(''), fc.nat({ max: 30 }).map(String), fc.bigInt({ min: 0n }).map(String));
    const header = fc.oneof(
      fc.string(),
      fc.tuple(number, number).map(([from, to]) => `bytes=${from}-${to}`),
    );
    fc.assert(
      fc.property(header, fc.nat({ max: 20 }), (text, size) => {
        const range = parseRange(text, size);
        const part = typeof range === 'object' ? range : { start: 0, end: 0 };
        const last = typeof range === 'object' ? size - 1 : 0;
        expect([0 <= part.start, part.start <= part.end, part.end <= last]).toEqual([true, true, true]);
      }),
    );
  });
});

/** A daemon that owns the cake. */
async function startOwning(): Promise<StartedDaemon> {
  const { svcd } = await startPair({ remote: { faults: () => ({ replace: () => new Response(FILE) }) } });
  await svcd.get(PATH);
  return svcd;
}

interface Told {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

/** Asks without what fetch adds and undoes by itself. */
function ask(svcd: StartedDaemon, path: string, headers: Headers = {}, method = 'GET'): Promise<Told> {
  return new Promise((resolve, reject) => {
    const asked = request(svcd.url + path, { method, headers, agent: false }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', reject);
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, bytes: Buffer.concat(chunks) }),
      );
    });
    asked.on('error', reject);
    asked.end();
  });
}
