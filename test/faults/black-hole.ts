// Black holes on loopback: a port where no connection is ever completed, for its queue is full and nobody takes from it;
// and a remote that takes connections and requests, and never answers.

import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { onTestFinished } from 'vitest';

// The thread sleeps for good after listening, so it never accepts; the system queues a few, then drops the rest.
const LISTEN_AND_SLEEP = `
  const { parentPort } = require('node:worker_threads');
  const server = require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
    parentPort.postMessage(server.address().port);
    setTimeout(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0), 20);
  });
`;
const QUEUED_MAX = 64;
const PATIENCE_MS = 200;

/** Opens a black hole that closes with the test; the port, or undefined when this system completes connections all the same. */
export async function openBlackHole(): Promise<number | undefined> {
  const worker = new Worker(LISTEN_AND_SLEEP, { eval: true });
  const fillers: Socket[] = [];
  onTestFinished(async () => {
    for (const filler of fillers) filler.destroy();
    await worker.terminate();
  });
  const port = await new Promise<number>((resolve) => void worker.once('message', resolve));
  await sleep(50);
  for (let queued = 0; queued < QUEUED_MAX; queued++) {
    const filler = connect(port, '127.0.0.1').on('error', () => undefined);
    fillers.push(filler);
    const completed = new Promise((resolve) => void filler.once('connect', () => resolve('completed')));
    if ((await Promise.race([completed, sleep(PATIENCE_MS)])) === undefined) return port;
  }
  return undefined;
}

/** A remote that takes connections and requests, and never says a byte. */
export interface SilentRemote {
  readonly url: string;
  /** Every request that reached it, oldest first: `GET /api/v1/usage`. */
  readonly seen: readonly string[];
  /** Breaks every connection: what svcd has sent is lost then, and no stop waits for it. */
  close(): void;
}

/** Opens one that closes with the test. */
export async function openSilentRemote(): Promise<SilentRemote> {
  const seen: string[] = [];
  const server = createServer((request) => void seen.push(`${request.method} ${request.url}`)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  onTestFinished(close);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen, close };
}
