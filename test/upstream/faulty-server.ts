// A remote on a raw socket that answers each request with whatever bytes the test wants, or is rude in other ways.

import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { onTestFinished } from 'vitest';

export interface FaultyServer {
  readonly url: string;
  /** What each connection said, as text. */
  readonly heard: string[];
}

/** Listens until the test ends; `answer` gets each connection once the head of a request is there, `greet` at once. */
export async function startServer(
  answer: (socket: Socket) => void,
  greet: (socket: Socket) => void = () => undefined,
): Promise<FaultyServer> {
  const heard: string[] = [];
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => undefined).on('close', () => open.delete(socket));
    const index = heard.push('') - 1;
    greet(socket);
    socket.on('data', (chunk) => {
      const before = heard[index] ?? '';
      heard[index] = before + chunk.toString('latin1');
      if (!before.includes('\r\n\r\n') && heard[index].includes('\r\n\r\n')) answer(socket);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  return { url: urlOf(server.address() as AddressInfo), heard };
}

/** Bytes of an answer; Content-Length is that of the body unless another is given. */
export function answerOf(status: number, body: string, headers: Record<string, string> = {}): string {
  const all = { 'Content-Length': String(Buffer.byteLength(body)), ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} Whatever`, ...lines, '', body].join('\r\n');
}

/** An address where nothing listens. */
export async function refusedUrl(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = urlOf(server.address() as AddressInfo);
  server.close();
  await once(server, 'close');
  return url;
}

// It listens, and is then asleep for good: nothing is ever accepted.
const SLEEPER = `
  const { parentPort } = require('node:worker_threads');
  const server = require('node:net').createServer();
  server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
    parentPort.postMessage(server.address().port);
    setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0));
  });`;

/** An address that swallows every attempt to connect: a listener whose queue is full and that accepts none. */
export async function blackHoleUrl(): Promise<string> {
  const worker = new Worker(SLEEPER, { eval: true });
  const queued: Socket[] = [];
  onTestFinished(async () => {
    for (const socket of queued) socket.destroy();
    await worker.terminate();
  });
  const [port] = (await once(worker, 'message')) as [number];
  for (let hangs = false; !hangs;) {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    queued.push(socket);
    hangs = await Promise.race([
      once(socket, 'connect').then(() => false),
      new Promise<boolean>((resolve) => setTimeout(() => resolve(true), 300)),
    ]);
  }
  return `http://127.0.0.1:${port}`;
}

function urlOf({ port }: AddressInfo): string {
  return `http://127.0.0.1:${port}`;
}
