// Nobody may be able to tell how a question arrived: the same one has the same answer in this process and through a
// socket, whole or in pieces.

import { connect, Server } from 'node:net';
import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { requireFreePort } from '../../src/http/listen.js';
import { startPair } from '../support/start-pair.js';

const TOLD = [
  'content-type',
  'cache-control',
  'allow',
  'retry-after',
  'x-svcd-source',
  'x-svcd-cost',
  'x-svcd-search',
  'x-svcd-library',
  'x-service-credits-remaining',
];

const words = fc.constantFrom('生日', '蛋糕 火星', 'cake', 'brithday', '🎂', ' ', '', 'x'.repeat(501), 'a&b#c', '%');
const parameter = fc.oneof(
  words.map((q) => `q=${encodeURIComponent(q)}`),
  fc.constantFrom('limit=3', 'limit=51', 'limit=', 'q=%zz', 'q=a+b', 'q=a/../b', 'q=%ff', 'other=1', 'q', '='),
);
const search = fc.record({
  method: fc.constantFrom('GET', 'GET', 'GET', 'HEAD', 'DELETE'),
  path: fc.array(parameter, { maxLength: 3 }).map((parameters) => `/api/v1/stickers/search?${parameters.join('&')}`),
  body: fc.constant(undefined),
  type: fc.constant(undefined),
});
const match = fc.record({
  method: fc.constantFrom('POST', 'POST', 'POST', 'PUT'),
  path: fc.constantFrom('/api/v1/stickers/match', '/api/v1/stickers/match', '/api/v1/stickers/match?x=1'),
  body: fc.oneof(
    fc.record({ text: words, limit: fc.constantFrom(1, 12, 99) }).map((value) => JSON.stringify(value)),
    fc.record({ keywords: fc.array(words, { maxLength: 3 }) }).map((value) => JSON.stringify(value)),
    fc.constantFrom('', '[]', '{', '{"text":1}', '{"text":"生日","more":1}'),
  ),
  type: fc.constantFrom('application/json', 'application/json; charset=utf-8', 'text/plain', undefined),
});

const TOO_LONG = {
  method: 'POST',
  path: '/api/v1/stickers/match',
  body: JSON.stringify({ text: 'x'.repeat(17_000) }),
  type: 'application/json',
} as const;

describe('search and match', () => {
  it('say the same through a socket as in this process', async () => {
    // Offline, because what is learned from the remote between two questions would change the second answer.
    const { svcd, remote } = await startPair({ flags: { offline: true } });
    const bearers = [
      undefined,
      `Bearer ${svcd.token}`,
      `Bearer ${remote.sandbox.key}`,
      'Bearer svcd_wrong',
      'bearer',
      'Bearer sk-nobody',
    ];
    const statuses = new Set<number>();
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(search, match),
        fc.constantFrom(...bearers),
        async ({ method, path, body, type }, authorization) => {
          const headers = {
            ...(authorization === undefined ? {} : { Authorization: authorization }),
            ...(type === undefined ? {} : { 'Content-Type': type }),
          };
          const init = { method, headers, ...(body === undefined ? {} : { body: Buffer.from(body) }) };
          const there = await tell(await svcd.call(path, init));
          // A socket tells how long a body is.
          const length = { ...headers, 'Content-Length': String(Buffer.byteLength(body ?? '')) };
          const request = new Request(svcd.url + path, { ...init, headers: length });
          const here = await tell(await svcd.daemon.fetch(request));
          statuses.add(there.status);
          expect(there).toEqual(here);
        },
      ),
      { numRuns: 200, examples: [[{ ...TOO_LONG }, undefined]] },
    );
    expect([...statuses].toSorted((a, b) => a - b)).toEqual([200, 400, 405, 413, 415]);
  });

  it('answer what comes in pieces, and go on when somebody leaves in the middle', async () => {
    const { svcd } = await startPair();
    const body = JSON.stringify({ keywords: ['生日'] });
    const head = `POST /api/v1/stickers/match HTTP/1.1\r\nHost: ${new URL(svcd.url).host}\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`;
    const bytes = Buffer.from(head + body);
    const cut = bytes.length - 9;
    await leaveAfter(svcd.url, bytes.subarray(0, cut));
    const answer = await sendInPieces(svcd.url, [bytes.subarray(0, cut), bytes.subarray(cut)]);
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    const whole = await svcd.call('/api/v1/stickers/match', {
      method: 'POST',
      body,
      headers: { 'Content-Type': 'application/json' },
    });
    expect(answer.slice(answer.indexOf('\r\n\r\n') + 4)).toBe(await whole.text());
  });
});

async function tell(answer: Response) {
  const headers = TOLD.map((name) => [name, answer.headers.get(name)]);
  return { status: answer.status, headers, text: await answer.text() };
}

function open(url: string) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  return new Promise<typeof socket>((resolve, reject) => {
    socket.once('connect', () => resolve(socket));
    socket.once('error', reject);
  });
}

async function leaveAfter(url: string, bytes: Buffer): Promise<void> {
  const socket = await open(url);
  await new Promise((resolve) => socket.write(bytes, resolve));
  socket.resetAndDestroy();
}

async function sendInPieces(url: string, pieces: readonly Buffer[]): Promise<string> {
  const socket = await open(url);
  const chunks: Buffer[] = [];
  const ended = new Promise((resolve) => socket.on('data', (chunk: Buffer) => chunks.push(chunk)).once('end', resolve));
  for (const piece of pieces) {
    await new Promise((resolve) => socket.write(piece, resolve));
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await ended;
  return Buffer.concat(chunks).toString();
}

it('a port that this user may not have is refused with what helps', async () => {
  const listen = vi.spyOn(Server.prototype, 'listen').mockImplementation(function refuse(this: Server) {
    queueMicrotask(() => this.emit('error', Object.assign(new Error('listen'), { code: 'EACCES' })));
    return this;
  });
  const refused = requireFreePort(80).finally(() => listen.mockRestore());
  await expect(refused).rejects.toMatchObject({
    code: 'port_in_use',
    hint: expect.stringMatching(/1024.+--port N/),
  });
});
