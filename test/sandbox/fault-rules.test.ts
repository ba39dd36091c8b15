// Faults as they reach a client: over a real socket, set by rule or by header.

import { connect } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { stickerPath } from '../../src/model/sticker.js';
import { FAULT_KINDS } from '../../src/sandbox/faults/fault-kinds.js';
import { expectDocTable } from '../support/doc-table.js';
import { openControlled } from './open-control.js';
import { refusalIn } from './refusal-in.js';
import { startSandbox, type StartedSandbox } from './start-sandbox.js';
import { CAKE, RAIN, tinyLottie } from './tiny-catalogue.js';

const ME = '/api/v1/me';
const FILE = tinyLottie(CAKE);
const withFault = (fault: string) => ({ headers: { 'X-Sandbox-Fault': fault } });

/** What comes over the wire, up to the end of the connection or `waitMs` of silence, and how it ended. */
function read(
  { url, sandbox }: StartedSandbox,
  path: string,
  fault: string,
  waitMs = 5000,
): Promise<{ bytes: string; end: string }> {
  const { port } = new URL(url);
  return new Promise((resolve) => {
    let bytes = '';
    const socket = connect(Number(port), '127.0.0.1');
    const end = (how: string) => {
      socket.destroy();
      resolve({ bytes, end: how });
    };
    onTestFinished(() => void socket.destroy());
    socket.setEncoding('utf8').on('data', (part: string) => (bytes += part));
    socket.on('error', (error) => end((error as NodeJS.ErrnoException).code ?? 'error'));
    socket.on('end', () => end('FIN'));
    socket.setTimeout(waitMs, () => end('silence'));
    const lines = [
      `GET ${path} HTTP/1.1`,
      'Host: x',
      `Authorization: Bearer ${sandbox.key}`,
      `X-Sandbox-Fault: ${fault}`,
    ];
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  });
}

const bodyIn = (bytes: string) => bytes.slice(bytes.indexOf('\r\n\r\n') + 4);
const lengthIn = (bytes: string) => Number(/content-length: (\d+)/i.exec(bytes)?.[1]);

describe('below HTTP', () => {
  test('a reset before the headers: not one byte comes, and nothing is charged', async () => {
    const started = await startSandbox({ credits: 5 });
    expect(await read(started, stickerPath(CAKE), 'reset')).toEqual({ bytes: '', end: 'ECONNRESET' });
    expect(started.sandbox.credits()).toBe(5);
  });

  test('a reset before the headers with the work done: not one byte comes, but it was charged', async () => {
    const started = await startSandbox({ credits: 5 });
    const { bytes, end } = await read(started, stickerPath(CAKE), 'reset; work=true');
    expect([bytes, end, started.sandbox.credits()]).toEqual(['', 'ECONNRESET', 4]);
  });

  test.each([0, 1, 40])('a reset at byte %i: exactly so many of the body come', async (atByte) => {
    const started = await startSandbox({ credits: 5 });
    const { bytes, end } = await read(started, stickerPath(CAKE), `reset; at_byte=${atByte}`);
    expect([bodyIn(bytes), lengthIn(bytes), end]).toEqual([FILE.slice(0, atByte), FILE.length, 'ECONNRESET']);
    expect(bytes).toMatch(/^HTTP\/1\.1 200 /);
    expect(bytes).toMatch(/x-service-credits-remaining: 4/i);
    expect(started.sandbox.credits()).toBe(4);
  });

  test('a reset behind the end comes before the last byte', async () => {
    const started = await startSandbox();
    const { bytes, end } = await read(started, stickerPath(CAKE), 'reset; at_byte=100000');
    expect([bodyIn(bytes), end]).toEqual([FILE.slice(0, -1), 'ECONNRESET']);
  });

  test('a black hole: nothing comes, and the sandbox can still be closed', async () => {
    const started = await startSandbox({ credits: 5 });
    expect(await read(started, stickerPath(CAKE), 'black-hole', 300)).toEqual({ bytes: '', end: 'silence' });
    const held = read(started, stickerPath(CAKE), 'black-hole');
    await new Promise((resolve) => setTimeout(resolve, 100));
    started.sandbox.letGo();
    expect((await held).end).toMatch(/FIN|ECONNRESET/);
    expect(started.sandbox.credits()).toBe(5);
  });

  test.each([
    [7, FILE],
    [-7, FILE],
  ])('a length that is wrong by %i', async (by, whole) => {
    const started = await startSandbox();
    const { bytes, end } = await read(started, stickerPath(CAKE), `wrong-length; by=${by}`);
    expect([lengthIn(bytes), bodyIn(bytes), end]).toEqual([FILE.length + by, whole, 'FIN']);
  });

  test('a slow body: it comes in many pieces and is whole', async () => {
    const { call } = await startSandbox();
    const answer = await call(stickerPath(CAKE), withFault(`slow-body; bytes_per_s=${FILE.length * 4}`));
    let [text, pieces] = ['', 0];
    for await (const piece of answer.body ?? []) {
      text += Buffer.from(piece).toString();
      pieces += 1;
    }
    expect(text).toBe(FILE);
    expect(pieces).toBeGreaterThan(2);
  });
});

describe('within HTTP', () => {
  test('JSON that is none, with the right length, and charged', async () => {
    const { call, sandbox } = await startSandbox({ credits: 5 });
    const answer = await call(stickerPath(CAKE), withFault('bad-json'));
    expect(answer.status).toBe(200);
    const text = await answer.text();
    expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError);
    expect(sandbox.credits()).toBe(4);
  });

  test.each([
    ['status; status=500', '500 damaged'],
    ['status; status=502; code=bad_gateway', '502 bad_gateway'],
    ['status; status=504', '504 timeout'],
    ['status; status=401', '401 invalid_key'],
    ['no-credits', '402 insufficient_credits'],
    ['busy; retry_after_s=7', '429 busy'],
  ])('%s is %s, and free', async (fault, refusal) => {
    const { call, sandbox } = await startSandbox({ credits: 5 });
    const answer = await call(stickerPath(CAKE), withFault(fault));
    expect(answer.headers.get('Retry-After')).toBe(/retry_after_s=(\d+)/.exec(fault)?.[1] ?? null);
    expect((await refusalIn(answer)).split(' ')[0]).toBe(refusal.split(' ')[0]);
    expect(sandbox.credits()).toBe(5);
  });

  test('a latency that is always the same, and one that is spread', async () => {
    const { call } = await startSandbox();
    for (const fault of ['latency; ms=60', 'latency; median_ms=60; sigma=0']) {
      const from = performance.now();
      await call(ME, withFault(fault));
      expect(performance.now() - from).toBeGreaterThanOrEqual(55);
    }
  });

  test.each(['', 'nonsense', 'reset; at_byte', 'reset; at_byte=x', 'latency; count=3', 'status'])(
    'a header that asks for %j is refused, and the work is not done',
    async (fault) => {
      const { call, sandbox } = openControlled({ credits: 5 });
      const answer = await call(stickerPath(CAKE), withFault(fault));
      expect(await refusalIn(answer)).toBe('400 invalid_request');
      expect(sandbox.credits()).toBe(5);
    },
  );
});

describe('a rule', () => {
  const statuses = async (call: (path: string) => Promise<Response>, path: string, times: number) => {
    const seen: number[] = [];
    for (let i = 0; i < times; i++) seen.push((await call(path)).status);
    return seen;
  };

  test('is for a path, * standing for anything, and a method', async () => {
    const { control, call, post } = openControlled();
    await control('POST', 'faults', { kind: 'status', status: 500, path: '/api/v1/stickers/*', method: 'GET' });
    expect((await call(stickerPath(CAKE))).status).toBe(500);
    expect((await call('/api/v1/stickers/search?q=a')).status).toBe(500);
    expect((await post('/api/v1/stickers/match', { text: 'a' })).status).toBe(200);
    expect((await call(ME)).status).toBe(200);
    expect((await call('/x/api/v1/stickers/a')).status).toBe(404);
    await control('DELETE', 'faults');
    await control('POST', 'faults', { kind: 'status', status: 500, path: '/api/v1/m.' });
    expect((await call(ME)).status).toBe(200);
  });

  test('happens so often, after so many: 402 after 3', async () => {
    const { control, call, sandbox } = openControlled();
    await control('POST', 'faults', { kind: 'no-credits', after: 3, count: 2, path: stickerPath(CAKE) });
    expect(await statuses(call, stickerPath(CAKE), 7)).toEqual([200, 200, 200, 402, 402, 200, 200]);
    expect(await statuses(call, stickerPath(RAIN), 1)).toEqual([200]);
    expect(sandbox.credits()).toBe(994);
    expect(await control('GET', 'faults')).toMatchObject({ faults: [{ id: 1, seen: 7, fired: 2 }] });
  });

  test('of probability 0 never happens, of 1 always', async () => {
    const { control, call } = openControlled();
    await control('POST', 'faults', { kind: 'status', status: 500, probability: 0 });
    expect(await statuses(call, ME, 20)).not.toContain(500);
    await control('POST', 'faults', { kind: 'status', status: 500, probability: 1 });
    expect(new Set(await statuses(call, ME, 20))).toEqual(new Set([500]));
  });

  test('that depends on chance can be replayed: cleared and added again it fails for the same requests', async () => {
    const { control, call } = openControlled();
    const run = async () => {
      await control('POST', 'faults', { kind: 'status', status: 500, probability: 0.3 });
      const seen = await statuses(call, ME, 60);
      await control('DELETE', 'faults');
      return seen;
    };
    const first = await run();
    expect(await run()).toEqual(first);
    expect(new Set(first)).toEqual(new Set([200, 500]));
  });

  test('can be one of several: waits add up, and the first of the rest counts', async () => {
    const { control, call } = openControlled();
    for (const rule of [
      { kind: 'latency', ms: 1 },
      { kind: 'status', status: 501 },
      { kind: 'status', status: 502 },
    ]) {
      await control('POST', 'faults', rule);
    }
    expect((await call(ME)).status).toBe(501);
    await control('DELETE', 'faults/2');
    expect((await call(ME)).status).toBe(502);
  });
});

test('every fault is in the README of the sandbox, with what it takes', async () => {
  const rows = Object.entries(FAULT_KINDS).map(([kind, names]) => [
    `\`${kind}\``,
    names.map((name) => `\`${name}\``).join(' '),
  ]);
  await expectDocTable('src/sandbox/README.md', 'faults', [['fault', 'what it takes'], ...rows]);
});
