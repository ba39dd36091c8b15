// A server that does with each request what a test says: it answers, breaks at a chosen place, or is not there.

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** What becomes of one request: an answer, or the place where the connection breaks. */
export type Act =
  | { readonly status?: number; readonly headers?: Record<string, string>; readonly body: unknown }
  /** After the request was read; or in the middle of the answer's body. */
  | 'break'
  | 'break-in-body'
  /** Heard, and never answered. */
  | 'silence';

export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface ScriptedServer {
  readonly url: string;
  /** Requests besides those of the status, oldest first. */
  readonly seen: readonly Seen[];
  /** Requests of the status, oldest first. */
  readonly asked: readonly Seen[];
  open(): Promise<void>;
  /** No connection is taken any more, and those there are end. */
  close(): Promise<void>;
}

export interface ScriptOptions {
  /** What it says at /svcd/status; another program says something else, or 404 where this is undefined. */
  readonly status?: object | undefined;
}

const SVCD = { name: 'svcd', pid: process.pid };
export const LOTTIE = { w: 100, h: 50, fr: 25, ip: 0, op: 50, layers: [] };

/** Starts one that ends with the test. Requests beyond the script get its last act. */
export async function startScript(
  acts: readonly [Act, ...Act[]],
  { status = SVCD }: ScriptOptions = {},
): Promise<ScriptedServer> {
  const seen: Seen[] = [];
  const asked: Seen[] = [];
  const server = createServer((request, response) => void handle(request, response));
  let port = 0;

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = '', url: path = '', headers } = request;
    const one = { method, path, headers, body: Buffer.concat(chunks).toString() };
    if (path === '/svcd/status') {
      asked.push(one);
      const isThere = Object.keys(status).length > 0;
      response.writeHead(isThere ? 200 : 404, { 'Content-Type': 'application/json' });
      return void response.end(JSON.stringify(isThere ? status : { code: 'not_found' }));
    }
    seen.push(one);
    const act = acts[Math.min(seen.length, acts.length) - 1] ?? 'break';
    if (act === 'silence') return;
    if (act === 'break') return void response.destroy();
    if (act === 'break-in-body') {
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '1000' });
      response.write('{"layers":', () => response.destroy());
      return;
    }
    const text = typeof act.body === 'string' ? act.body : JSON.stringify(act.body);
    response.writeHead(act.status ?? 200, { 'Content-Type': 'application/json', ...act.headers }).end(text);
  }

  const open = async () => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
  };
  const close = async () => {
    if (!server.listening) return;
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  await open();
  onTestFinished(close);
  return { url: `http://127.0.0.1:${port}`, seen, asked, open, close };
}

/** All that is told, in its order. */
export async function readAll<T>(told: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const one of told) all.push(one);
  return all;
}
