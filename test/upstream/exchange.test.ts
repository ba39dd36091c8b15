// One exchange on real sockets, against remotes that are rude in every way we could think of.

import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Socket } from 'node:net';
import { SvcdError } from '../../src/model/errors.js';
import { createExchanger, type Exchange, type RemoteRequest } from '../../src/upstream/exchange.js';
import { answerOf, blackHoleUrl, refusedUrl, startServer } from './faulty-server.js';

const REQUEST: RemoteRequest = {
  method: 'GET',
  path: '/api/v1/stickers/cake',
  key: 'sk-right',
  cost: 'paid',
  timeoutMs: 60_000,
  maxBytes: 1000,
};

const NO_CONNECTION = expect.stringContaining('no connection in 2000 ms') as string;

/** From now on the timeout of an exchange comes when `pass` says so, however fast this machine is. */
function holdTimers(): { pass: (ms: number) => void } {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  return { pass: (ms) => void vi.advanceTimersByTime(ms) };
}

describe('an exchange', () => {
  it('brings the whole answer, with lower-case header names', async () => {
    const { url, heard } = await startServer(says(answerOf(200, '{"a":1}', { 'X-Some': 'thing' })));
    const result = await createExchanger(url)(REQUEST);
    expect(result).toMatchObject({ kind: 'answer', status: 200, headers: { 'x-some': 'thing' } });
    expect(bodyOf(result)).toBe('{"a":1}');
    expect(heard[0]).toMatch(/^GET \/api\/v1\/stickers\/cake HTTP\/1\.1\r\n/);
    expect(heard[0]).toContain('authorization: Bearer sk-right');
  });

  it('keeps the path of the base address', async () => {
    const { url, heard } = await startServer(says(answerOf(200, '')));
    await createExchanger(`${url}/below/`)(REQUEST);
    expect(heard[0]).toMatch(/^GET \/below\/api\/v1\/stickers\/cake /);
  });

  it.each<[string, string, number, string]>([
    ['a 500 without JSON', answerOf(500, 'oops'), 500, 'oops'],
    ['HTML', answerOf(200, '<html>', { 'Content-Type': 'text/html' }), 200, '<html>'],
    ['a body that the end of the connection delimits', 'HTTP/1.1 200 OK\r\n\r\nall', 200, 'all'],
    ['chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nall\r\n0\r\n\r\n', 200, 'all'],
    ['an early hint before the answer', `HTTP/1.1 103 Early\r\n\r\n${answerOf(200, 'all')}`, 200, 'all'],
    ['more than it announced, up to what it announced', answerOf(200, 'allmore', length(3)), 200, 'all'],
  ])('takes %s as an answer', async (_what, bytes, status, body) => {
    const { url } = await startServer(says(bytes));
    const result = await createExchanger(url)(REQUEST);
    expect(result).toMatchObject({ kind: 'answer', status });
    expect(bodyOf(result)).toBe(body);
  });

  it.each([301, 302, 303, 307, 308])('does not follow a %i', async (status) => {
    const { url, heard } = await startServer(says(answerOf(status, '', { Location: '/elsewhere' })));
    expect(await createExchanger(url)(REQUEST)).toMatchObject({ kind: 'answer', status });
    expect(heard).toHaveLength(1);
  });

  it('makes a connection of its own each time, even when the remote would keep the last one', async () => {
    const { url, heard } = await startServer(
      (socket) => void socket.write(answerOf(200, '', { Connection: 'keep-alive' })),
    );
    const exchange = createExchanger(url);
    for (const _ of [1, 2, 3]) expect(await exchange(REQUEST)).toMatchObject({ kind: 'answer' });
    expect(heard.map((said) => said.split('GET ').length - 1)).toEqual([1, 1, 1]);
  });
});

describe('an exchange that never leaves', () => {
  it.each<[string, () => string | Promise<string>]>([
    ['refuses the connection', refusedUrl],
    ['has a name that cannot be resolved', () => 'http://nobody.invalid'],
    ['swallows every attempt to connect', blackHoleUrl],
    ['speaks no TLS though it should', async () => withTls(await answering('SSH-2.0-hello\r\n'))],
    ['says nothing to a TLS greeting', async () => withTls(await answering(''))],
  ])('is unreached when the remote %s', async (_what, urlOf) => {
    const beforeSend = vi.fn<() => Promise<void>>(async () => undefined);
    const result = await createExchanger(await urlOf())({ ...REQUEST, beforeSend });
    expect(outcome(result)).toEqual(['unreached', 'offline']);
    expect(beforeSend).not.toHaveBeenCalled();
  });

  it('is given up after two seconds without a connection', async () => {
    const result = await createExchanger(await blackHoleUrl())(REQUEST);
    expect(result).toMatchObject({ kind: 'unreached', error: { message: NO_CONNECTION } });
  });

  it('is unreached when a Key cannot be put into a header', async () => {
    const { url, heard } = await startServer(says(answerOf(200, '')));
    for (const key of ['sk-密钥', 'sk with spaces', 'sk\r\nX-Evil: 1', '']) {
      expect(outcome(await createExchanger(url)({ ...REQUEST, key }))).toEqual(['unreached', 'invalid_key']);
    }
    expect(heard).toEqual([]);
  });

  it('is unreached when its path cannot be sent', async () => {
    const { url, heard } = await startServer(says(answerOf(200, '')));
    const result = await createExchanger(url)({ ...REQUEST, path: '/a b\r\n' });
    expect(outcome(result)).toEqual(['unreached', 'internal']);
    expect(heard.join('')).toBe('');
  });

  it('is called back while it connects, with the reason of the recall', async () => {
    const recall = new AbortController();
    const reason = new SvcdError('offline', 'svcd is stopping');
    const connect = (_base: URL, signal: AbortSignal) =>
      new Promise<Socket>((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error));
        recall.abort(reason);
      });
    const result = await createExchanger('http://127.0.0.1:1', connect)({ ...REQUEST, recall: recall.signal });
    expect(result).toEqual({ kind: 'unreached', error: reason });
  });
});

describe('the hook before sending', () => {
  it('is awaited when the connection is there, before the first byte', async () => {
    const { url, heard } = await startServer(says(answerOf(200, '')));
    const beforeSend = async () => {
      await pause(50);
      expect(heard).toEqual(['']);
    };
    expect(await createExchanger(url)({ ...REQUEST, beforeSend })).toMatchObject({ kind: 'answer' });
  });

  it.each([
    ['its own error', new SvcdError('budget', 'spent'), 'budget'],
    ['any other', new Error('disk full'), 'internal'],
  ])('keeps the request from leaving when it rejects with %s', async (_what, error, code) => {
    const { url, heard } = await startServer(says(answerOf(200, '')));
    const result = await createExchanger(url)({ ...REQUEST, beforeSend: () => Promise.reject(error) });
    expect(outcome(result)).toEqual(['unreached', code]);
    expect(heard.join('')).toBe('');
  });

  it('may take so long that the request does not leave any more', async () => {
    const { url, heard } = await startServer(says(answerOf(200, '')));
    const { pass } = holdTimers();
    const beforeSend = async () => pass(REQUEST.timeoutMs);
    const result = await createExchanger(url)({ ...REQUEST, beforeSend });
    expect(outcome(result)).toEqual(['unreached', 'timeout']);
    expect(heard.join('')).toBe('');
  });

  it('is not the last moment: with the bytes in hand it is asked once more whether it is too late', async () => {
    const { url, heard } = await startServer(says(answerOf(200, '')));
    const late = new SvcdError('timeout', 'it stood still');
    const steps: string[] = [];
    const request: RemoteRequest = {
      ...REQUEST,
      method: 'POST',
      body: Buffer.from('{}'),
      beforeSend: async () => void steps.push('may leave'),
      findLate: () => (steps.push('leaves') > 2 ? undefined : late),
    };
    expect(await createExchanger(url)(request)).toEqual({ kind: 'unreached', error: late });
    expect(heard.join('')).toBe('');
    expect(await createExchanger(url)(request)).toMatchObject({ kind: 'answer', status: 200 });
    expect(steps).toEqual(['may leave', 'leaves', 'may leave', 'leaves']);
    expect(heard.join('')).toMatch(/^POST [^]*\r\n\r\n\{\}$/);
  });

  it.each<[string, (socket: Socket) => void]>([
    ['resets', (socket) => socket.resetAndDestroy()],
    ['closes', (socket) => socket.end()],
  ])('is the last moment to notice that the remote %s the connection', async (_what, rude) => {
    const { url } = await startServer(() => undefined, rude);
    const result = await createExchanger(url)({ ...REQUEST, beforeSend: () => pause(100) });
    expect(outcome(result)).toEqual(['unreached', 'offline']);
  });
});

describe('an exchange without an end', () => {
  it.each<[string, (socket: Socket) => void]>([
    ['resets before the head', (socket) => socket.resetAndDestroy()],
    ['closes before the head', (socket) => socket.end()],
    ['closes within the head', says('HTTP/1.1 200 OK\r\nContent-Le')],
    ['resets in mid body', resets(answerOf(200, 'half', length(10)))],
    ['resets a body of unknown length', resets('HTTP/1.1 200 OK\r\n\r\nhalf')],
    ['closes in mid body', says(answerOf(200, 'half', length(10)))],
    ['closes between chunks', says('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n')],
    ['announces no number as the length', says(answerOf(200, 'half', { 'Content-Length': 'ten' }))],
    ['announces two lengths', says('HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab')],
    ['sends too much', says(answerOf(200, 'x'.repeat(1001)))],
    ['sends too much without announcing it', says(`HTTP/1.1 200 OK\r\n\r\n${'x'.repeat(100_000)}`)],
    ['sends a head without end', says(`HTTP/1.1 200 OK\r\nX-Long: ${'x'.repeat(100_000)}`)],
    ['does not speak HTTP', says('SSH-2.0-hello\r\n')],
    ['answers 100 only', says('HTTP/1.1 100 Continue\r\n\r\n')],
  ])('is lost when the remote %s', async (_what, rude) => {
    const { url, heard } = await startServer(rude);
    expect(outcome(await createExchanger(url)(REQUEST))).toEqual(['lost', 'upstream_failure']);
    expect(heard).toHaveLength(1);
  });

  it.each<[string, (socket: Socket) => void]>([
    ['says nothing', () => undefined],
    ['stops after the head', (socket) => void socket.write(answerOf(200, '', length(10)))],
    ['drips', drips],
    ['drips its head', (socket) => drips(socket, 'HTTP/1.1 200 OK\r\nX-Slow: ')],
  ])('is lost to the timeout when the remote %s', async (_what, rude) => {
    const { url, heard } = await startServer(rude);
    const { pass } = holdTimers();
    const result = createExchanger(url)(REQUEST);
    await expect.poll(() => heard.join('')).toContain('GET ');
    pass(REQUEST.timeoutMs);
    expect(outcome(await result)).toEqual(['lost', 'timeout']);
  });

  it('is not called back once it has left', async () => {
    const recall = new AbortController();
    const { url } = await startServer((socket) => {
      recall.abort(new SvcdError('offline', 'too late'));
      setTimeout(() => socket.end(answerOf(200, 'all')), 20);
    });
    const result = await createExchanger(url)({ ...REQUEST, recall: recall.signal });
    expect(result).toMatchObject({ kind: 'answer', status: 200 });
  });
});

function says(bytes: string): (socket: Socket) => void {
  return (socket) => void socket.end(bytes, 'latin1');
}

function resets(bytes: string): (socket: Socket) => void {
  return (socket) => {
    socket.write(bytes);
    setTimeout(() => socket.resetAndDestroy(), 50);
  };
}

/** A byte each 20 ms, so that no pause is long. */
function drips(socket: Socket, head = answerOf(200, '', length(1000))): void {
  socket.write(head);
  const timer = setInterval(() => socket.write('x'), 20);
  socket.on('close', () => clearInterval(timer));
}

function length(bytes: number): Record<string, string> {
  return { 'Content-Length': String(bytes) };
}

/** Address of a server that says this to every connection. */
async function answering(greeting: string): Promise<string> {
  const { url } = await startServer(
    () => undefined,
    (socket) => void socket.write(greeting),
  );
  return url;
}

function withTls(url: string): string {
  return url.replace('http:', 'https:');
}

function outcome(result: Exchange): [string, string | number] {
  return [result.kind, result.kind === 'answer' ? result.status : result.error.code];
}

function bodyOf(result: Exchange): string {
  return result.kind === 'answer' ? new TextDecoder().decode(result.bytes) : result.kind;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
