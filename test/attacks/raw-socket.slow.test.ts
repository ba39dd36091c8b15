// Bytes that no HTTP client would send: the daemon answers or closes, nothing reaches the remote, and another client
// gets all its answers meanwhile. Clients that are slow: slow-clients.test.ts.

import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { stickerPath } from '../../src/model/sticker.js';
import { CAKE } from '../sandbox/tiny-catalogue.js';
import { exchangeRaw, head, openRaw, parseAnswer } from '../support/raw-socket.js';
import type { Arrival } from './arrivals.js';
import { LONG, RESET, startSiege, statusOf, type Siege } from './siege.js';

let siege: Siege;
let port: number;
let arrivals: readonly Arrival[];

beforeEach(async () => {
  siege = await startSiege(LONG);
  ({ port, arrivals } = siege);
});
afterEach(() => siege.expectUnharmed());

const OWN = () => `Host: 127.0.0.1:${port}`;
const PAID = `GET ${stickerPath(CAKE)} HTTP/1.1`;
const SEARCH = 'GET /api/v1/stickers/search?q=a HTTP/1.1';
// What an attacker hopes that somebody takes for the next request. Were it taken, it would be paid for.
const SMUGGLED = () => head(PAID, OWN());

describe('a request that can be read in two ways', () => {
  const post = (...lines: string[]) =>
    head('POST /api/v1/stickers/match HTTP/1.1', OWN(), 'Content-Type: application/json', ...lines);

  it.each<[string, () => string]>([
    [
      'Content-Length and Transfer-Encoding',
      () => post('Content-Length: 6', 'Transfer-Encoding: chunked') + '0\r\n\r\n' + SMUGGLED(),
    ],
    [
      'Transfer-Encoding and Content-Length',
      () => post('Transfer-Encoding: chunked', 'Content-Length: 6') + '0\r\n\r\n' + SMUGGLED(),
    ],
    ['two lengths', () => post('Content-Length: 0', `Content-Length: ${SMUGGLED().length}`) + SMUGGLED()],
    ['two lengths in one', () => post(`Content-Length: 0, ${SMUGGLED().length}`) + SMUGGLED()],
    ['a length with a sign', () => post('Content-Length: +0') + SMUGGLED()],
    ['a length below zero', () => post('Content-Length: -1') + SMUGGLED()],
    ['a length in hexadecimal', () => post('Content-Length: 0x0') + SMUGGLED()],
    ['a length beyond all numbers', () => post('Content-Length: 99999999999999999999999') + SMUGGLED()],
    ['an empty length', () => post('Content-Length:') + SMUGGLED()],
    ['an encoding nobody knows', () => post('Transfer-Encoding: xchunked') + '0\r\n\r\n' + SMUGGLED()],
    ['chunked that is not last', () => post('Transfer-Encoding: chunked, identity') + '0\r\n\r\n' + SMUGGLED()],
    [
      'chunked twice',
      () => post('Transfer-Encoding: chunked', 'Transfer-Encoding: identity') + '0\r\n\r\n' + SMUGGLED(),
    ],
    ['a folded header', () => head(SEARCH, OWN(), 'X-A: b', ' c: d')],
    ['a folded encoding', () => post('Transfer-Encoding:', ' chunked') + '0\r\n\r\n' + SMUGGLED()],
    ['lines that end in a bare LF', () => `${SEARCH}\n${OWN()}\n\n`],
    ['a header that ends in a bare LF', () => `${SEARCH}\r\n${OWN()}\nX-A: b\r\n\r\n`],
    ['a header that ends in a bare CR', () => `${SEARCH}\r\n${OWN()}\rX-A: b\r\n\r\n`],
    ['a space before the colon', () => post('Content-Length : 0') + SMUGGLED()],
    ['a space before the first header', () => `${SEARCH}\r\n ${OWN()}\r\n\r\n`],
    ['a NUL in a name', () => head(SEARCH, OWN(), 'X\0A: b')],
    ['a NUL in a value', () => head(SEARCH, OWN(), 'X-A: b\0c')],
    ['a NUL in the path', () => head('GET /a\0b HTTP/1.1', OWN())],
    ['a header without a name', () => head(SEARCH, OWN(), ': b')],
    ['a header without a colon', () => head(SEARCH, OWN(), 'nothing')],
    ['a space in the path', () => head('GET /a b HTTP/1.1', OWN())],
    ['a version nobody speaks', () => head('GET / HTTP/3.7', OWN())],
    ['HTTP/2 in plain text', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['a TLS greeting', () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03' + 'a'.repeat(500)],
    [
      'a chunk that lies about its size',
      () => post('Transfer-Encoding: chunked') + '5\r\n{"a":1}\r\n0\r\n\r\n' + SMUGGLED(),
    ],
    ['a chunk size that is no number', () => post('Transfer-Encoding: chunked') + 'zz\r\n\r\n' + SMUGGLED()],
    [
      'a chunk size beyond all numbers',
      () => post('Transfer-Encoding: chunked') + 'fffffffffffffffff\r\n' + SMUGGLED(),
    ],
    ['a chunk that ends in a bare LF', () => post('Transfer-Encoding: chunked') + '2\n{}\n0\n\n' + SMUGGLED()],
    ['nothing but empty lines', () => '\r\n'.repeat(5000) + '\0'],
  ])('%s: one refusal, and the connection ends', async (_what, bytes) => {
    const before = arrivals.length;
    const answer = await exchangeRaw(port, bytes());
    const { status, body, headers } = parseAnswer(answer);
    expect([400, 408]).toContain(status);
    expect(answer.match(/HTTP\/1\.1 \d{3}/g)).toHaveLength(1);
    expect(JSON.parse(body)).toMatchObject({ code: 'invalid_request' });
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    const smuggled = arrivals.slice(before).filter(({ url }) => url.startsWith(stickerPath(CAKE)));
    expect(smuggled).toEqual([]);
  });

  it('a body of another length than announced is no request either', async () => {
    const { socket, closed } = openRaw(port);
    socket.end(`${post('Content-Length: 100')}{"text":"cake"}`);
    expect(statusOf(await closed)).not.toBe(200);
  });
});

describe('requests one after the other', () => {
  it('are answered in order when all are good', async () => {
    const sent = ['/svcd/status', '/nowhere', '/svcd/status'].map((path) => head(`GET ${path} HTTP/1.1`, OWN()));
    const answer = await exchangeRaw(port, sent.join('') + head('GET /svcd/stop HTTP/1.1', OWN(), 'Connection: close'));
    expect(answer.match(/HTTP\/1\.1 \d{3}/g)?.map((line) => Number(line.slice(-3)))).toEqual([200, 404, 200, 405]);
  });

  it('end with the garbage, and the answer before it is whole', async () => {
    const answer = await exchangeRaw(port, `${head(SEARCH, OWN())}\0\0garbage\r\n\r\n${SMUGGLED()}`);
    const { status, headers, body } = parseAnswer(answer);
    expect(status).toBe(200);
    expect(body.slice(0, Number(headers.get('content-length'))).endsWith('}')).toBe(true);
    expect(arrivals.filter(({ url }) => url.startsWith(stickerPath(CAKE)))).toEqual([]);
  });

  it('cannot hide a foreign Host behind a good one', async () => {
    const evil = head(PAID, 'Host: evil.example', 'Connection: close');
    const answer = await exchangeRaw(port, head('GET /svcd/status HTTP/1.1', OWN()) + evil);
    expect(answer.match(/HTTP\/1\.1 \d{3}/g)?.map((line) => Number(line.slice(-3)))).toEqual([200, 403]);
  });
});

describe('a client that sends too much', () => {
  it.each([
    ['10,000 headers', () => head(PAID, OWN(), ...Array.from({ length: 10_000 }, (_, i) => `A${i}: b`)), 431],
    ['one very long header', () => head(PAID, OWN(), `A: ${'b'.repeat(1_000_000)}`), 431],
    ['one very long path', () => head(`GET /${'a'.repeat(1_000_000)} HTTP/1.1`, OWN()), 431],
    ['one very long name', () => head(PAID, OWN(), `${'a'.repeat(1_000_000)}: b`), 431],
  ])('%s', async (_what, bytes, status) => {
    expect(parseAnswer(await exchangeRaw(port, bytes())).status).toBe(status);
  });

  /** Sends the same bytes again and again until the daemon ends the connection. */
  async function pour(start: string, again: string): Promise<string> {
    const { socket, closed, heard: answer } = openRaw(port);
    socket.write(start);
    while (!socket.destroyed) {
      if (!socket.write(again)) await Promise.race([once(socket, 'drain'), closed]).catch(() => undefined);
      await new Promise(setImmediate);
    }
    return answer();
  }

  const post = (...lines: string[]) =>
    head('POST /api/v1/images HTTP/1.1', OWN(), 'Content-Type: application/json', ...lines);

  it.each<[string, () => string, string, number]>([
    ['headers without end', () => `${PAID}\r\n${OWN()}\r\n`, 'A: bbbbbbbb\r\n'.repeat(100), 431],
    ['a header without end', () => `${PAID}\r\n${OWN()}\r\nA: `, 'b'.repeat(1000), 431],
    ['a path without end', () => 'GET /', 'a'.repeat(1000), 431],
    ['a body without end', () => post('Transfer-Encoding: chunked'), `400\r\n${'a'.repeat(1024)}\r\n`, 413],
    ['a chunk extension without end', () => `${post('Transfer-Encoding: chunked')}1;`, 'a'.repeat(1000), 413],
    [
      'trailers without end',
      () => `${post('Transfer-Encoding: chunked')}2\r\n{}\r\n0\r\n`,
      'A: bbbbbbbb\r\n'.repeat(100),
      431,
    ],
  ])('%s', async (_what, start, again, status) => {
    // On a machine that is busy the limit on time may come first.
    expect([status, 408, RESET]).toContain(statusOf(await pour(start(), again)));
  });

  it('a body that is announced too long is refused before it is read', async () => {
    const { socket, heard: answer } = openRaw(port);
    socket.write(post('Content-Length: 1000000'));
    await expect.poll(answer).toContain('\r\n\r\n');
    expect(parseAnswer(answer())).toMatchObject({ status: 413 });
    socket.destroy();
  });

  it('a chunked body over 16 KiB is refused as one with a length is', async () => {
    const chunk = `1000\r\n${'a'.repeat(4096)}\r\n`;
    const answer = await exchangeRaw(
      port,
      `${post('Transfer-Encoding: chunked', 'Connection: close')}${chunk.repeat(5)}0\r\n\r\n`,
    );
    expect(parseAnswer(answer)).toMatchObject({
      status: 413,
      body: expect.stringContaining('body_too_large') as string,
    });
  });
});

describe('requests that are sent ahead on one connection', () => {
  const ask = () => head(SEARCH, OWN());

  it('are each answered, in their order, when they are few', async () => {
    const last = head(SEARCH, OWN(), 'Connection: close');
    const heard = await exchangeRaw(port, ask().repeat(19) + last);
    expect(heard.match(/HTTP\/1\.1 200/g)).toHaveLength(20);
  });

  it('end the connection when they are thousands, and few of them are worked off', async () => {
    const heard = await exchangeRaw(port, ask().repeat(3000));
    expect(heard.match(/HTTP\/1\.1 200/g)?.length ?? 0).toBeLessThanOrEqual(33);
  });
});
