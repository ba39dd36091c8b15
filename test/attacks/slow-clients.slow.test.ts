// Clients that are slow on purpose, or many: each connection is cut off in time or makes way, and others get their answers.
// The limits on time are short or very long; no test looks at a clock.

import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { exchangeRaw, head, openRaw, parseAnswer } from '../support/raw-socket.js';
import { startPair } from '../support/start-pair.js';
import { ASKED, LONG, RESET, startSiege, statusOf, type Siege } from './siege.js';

const SHORT = { ...LONG, headersTimeoutMs: 2000, requestTimeoutMs: 3000, strangerBodyMs: 3000 };
const IMPATIENT = { ...LONG, strangerBodyMs: 300 };

let siege: Siege;
let port: number;

async function begin(limits: typeof LONG): Promise<void> {
  siege = await startSiege(limits);
  ({ port } = siege);
}

afterEach(() => siege.expectUnharmed());

const OWN = () => `Host: 127.0.0.1:${port}`;
const SEARCH = 'GET /api/v1/stickers/search?q=a HTTP/1.1';

describe('a client that is slow', () => {
  beforeEach(() => begin(SHORT));

  /** One byte now and then, until the connection ends. */
  async function drip(text: string): Promise<string> {
    const { socket, closed } = openRaw(port);
    for (let i = 0; !socket.destroyed; i++) {
      socket.write(text[i % text.length] ?? 'a');
      await Promise.race([sleep(20), closed]);
    }
    return closed;
  }

  it.each<[string, () => string]>([
    ['with its headers', () => `GET / HTTP/1.1\r\n${'A: bbbb\r\n'.repeat(500)}`],
    ['with its request line', () => `GET /${'a'.repeat(5000)}`],
    [
      'with a body',
      () =>
        head('POST /api/v1/images HTTP/1.1', OWN(), 'Content-Type: application/json', 'Content-Length: 9999') +
        'a'.repeat(9999),
    ],
    [
      'with a body in chunks',
      () =>
        head('POST /api/v1/images HTTP/1.1', OWN(), 'Content-Type: application/json', 'Transfer-Encoding: chunked') +
        '1\r\na\r\n'.repeat(5000),
    ],
  ])('%s, one byte at a time, is told so and cut off', async (_what, bytes) => {
    const text = bytes();
    const end = text.indexOf('\r\n\r\n') + 4;
    // A body is dripped after a head that came at once.
    const answer = end > 4 ? await dripAfter(text.slice(0, end), text.slice(end)) : await drip(text);
    expect(parseAnswer(answer).status).toBe(408);
  });

  async function dripAfter(first: string, rest: string): Promise<string> {
    const { socket, closed } = openRaw(port);
    socket.write(first);
    for (let i = 0; !socket.destroyed && i < rest.length; i++) {
      socket.write(rest[i] ?? '');
      await Promise.race([sleep(20), closed]);
    }
    return closed;
  }

  it('and says nothing at all is cut off', async () => {
    const answer = await openRaw(port).closed;
    expect([408, RESET]).toContain(statusOf(answer));
  });

  it('or many of them, more than there is room for, leave others their answers', async () => {
    const slow = Array.from({ length: 3 * SHORT.maxConnections }, () => openRaw(port));
    for (const { socket } of slow.slice(0, SHORT.maxConnections / 4))
      socket.write(head('GET /svcd/status HTTP/1.1', OWN()));
    // The regular client goes on the while; it keeps its connection.
    await Promise.all(slow.map(({ closed }) => closed));
    expect((await siege.svcd.call('/svcd/status')).status).toBe(200);
  });
});

describe('more connections than there is room for', () => {
  beforeEach(() => begin(LONG));

  const post = (...lines: string[]) =>
    head('POST /api/v1/stickers/match HTTP/1.1', OWN(), 'Content-Type: application/json', ...lines);
  const asked = head(`GET ${ASKED} HTTP/1.1`, OWN());
  const MANY = 4 * LONG.maxConnections;

  // The limits on time are long here: only connections that make way leave others room.
  it.each<[string, () => string]>([
    ['that say nothing', () => ''],
    ['that stop in their headers', () => `${SEARCH}\r\nA: b`],
    ['that announce a body and send one byte of it', () => `${post('Content-Length: 100')}{`],
    ['that send a body in chunks and stop', () => `${post('Transfer-Encoding: chunked')}1\r\n{\r\n`],
    ['that wait to be told to go on', () => post('Content-Length: 100', 'Expect: 100-continue')],
    ['that are refused and go on', () => `${post('Content-Length: 100', 'Origin: https://evil.example')}{`],
    ['that send the rest of what was too large', () => `${post('Content-Length: 1000000')}{`],
    ['that have asked and been answered', () => asked],
  ])('%s leave others their answers', async (_what, bytes) => {
    const opened = await Promise.all(
      Array.from({ length: MANY }, async () => {
        const { socket } = openRaw(port);
        await once(socket, 'connect');
        socket.write(bytes());
        return socket;
      }),
    );
    // Each of these comes on a connection of its own, the first time, while the others are still there.
    for (let i = 0; i < 5; i++) {
      const answer = await exchangeRaw(port, head(`GET ${ASKED} HTTP/1.1`, OWN(), 'Connection: close'));
      expect(statusOf(answer)).toBe(200);
    }
    const matched = await siege.svcd.post('/api/v1/stickers/match', { text: 'cake' }, { Connection: 'close' });
    expect(matched.status).toBe(200);
    expect(opened.filter(({ destroyed }) => !destroyed).length).toBeGreaterThan(0);
    for (const socket of opened) socket.destroy();
  });

  it('that do not read their answers leave others theirs', async () => {
    const few = { ...LONG, maxConnections: 3 };
    const { svcd } = await startPair({ connectionLimits: few });
    const other = Number(new URL(svcd.url).port);
    const host = `Host: 127.0.0.1:${other}`;
    const unread = Array.from({ length: few.maxConnections }, () => openRaw(other));
    for (const { socket } of unread) {
      socket.pause();
      socket.write(head('GET /openapi.json HTTP/1.1', host).repeat(200));
    }
    const ask = () => exchangeRaw(other, head(`GET ${ASKED} HTTP/1.1`, host, 'Connection: close'));
    // svcd makes those answers first, as far as they are taken.
    await expect.poll(async () => statusOf(await ask()), { timeout: 60_000, interval: 200 }).toBe(200);
    for (const { socket } of unread) socket.destroy();
  });

  it('take none from those whose body comes with a token', async () => {
    const body = '{"text":"cake"}';
    const { socket, heard: answer } = openRaw(port);
    const token = `Authorization: Bearer ${siege.svcd.token}`;
    socket.write(`${post(token, `Content-Length: ${body.length}`)}${body.slice(0, 5)}`);
    await expect.poll(() => siege.arrivals.some(({ headers }) => headers.authorization !== undefined)).toBe(true);
    const others = Array.from({ length: MANY }, () => openRaw(port));
    for (const other of others) other.socket.write(`${post('Content-Length: 100')}{`);
    await Promise.all(others.slice(0, LONG.maxConnections).map(({ closed }) => closed));
    socket.write(body.slice(5));
    await expect.poll(answer).toContain('\r\n\r\n');
    expect(parseAnswer(answer()).status).toBe(200);
    for (const other of others) other.socket.destroy();
    socket.destroy();
  });
});

describe('a body that is slow', () => {
  beforeEach(() => begin(IMPATIENT));

  const body = `{"text":"${'a'.repeat(30)}"}`;
  const post = (...lines: string[]) =>
    head(
      'POST /api/v1/stickers/match HTTP/1.1',
      OWN(),
      'Content-Type: application/json',
      'Connection: close',
      ...lines,
    );

  /** Sends a body a byte at a time, for longer than a stranger's may take. */
  async function drip(first: string, bytes: readonly string[]): Promise<string> {
    const { socket, closed } = openRaw(port);
    socket.write(first);
    for (const one of bytes) {
      await Promise.race([sleep(20), closed]);
      if (socket.destroyed) break;
      socket.write(one);
    }
    return closed;
  }

  const chunked = () =>
    drip(
      post('Transfer-Encoding: chunked'),
      body.split('').map((one) => `1\r\n${one}\r\n`),
    );

  it.each<[string, () => Promise<string>]>([
    ['as announced', () => drip(post(`Content-Length: ${body.length}`), body.split(''))],
    ['in chunks', chunked],
    [
      'with a token that is wrong',
      () => drip(post('Authorization: Bearer svcd_wrong', 'Content-Length: 42'), body.split('')),
    ],
    [
      'with a Key, which may be anybody’s',
      () => drip(post('Authorization: Bearer sk-x', 'Content-Length: 42'), body.split('')),
    ],
  ])('%s is cut off after a few seconds', async (_what, send) => {
    expect([408, RESET]).toContain(statusOf(await send()));
  });

  it('is cut off without a second answer when it was refused at once', async () => {
    const answer = await drip(
      head('POST /svcd/stop HTTP/1.1', OWN(), 'Origin: https://evil.example', 'Content-Length: 9999'),
      [],
    );
    expect(answer.match(/HTTP\/1\.1 \d{3}/g)).toEqual(['HTTP/1.1 403']);
  });

  it('may take its time when it comes with a token', async () => {
    const token = `Authorization: Bearer ${siege.svcd.token}`;
    const answer = await drip(post(token, `Content-Length: ${body.length}`), body.split(''));
    expect(statusOf(answer)).toBe(200);
  });
});
