// What stands between svcd and its remote in these scenarios: it passes on what it is asked, and from the download that a
// test chooses it goes wrong.

import { once } from 'node:events';
import { createServer, request as sendRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';

/** What happens to a request; `pass` is right. */
export type Trouble =
  | { readonly kind: 'pass' }
  /** No connection is taken any more, and those there are end. */
  | { readonly kind: 'refuse' }
  /** Heard, and never answered. */
  | { readonly kind: 'black-hole' }
  /** Answered later. */
  | { readonly kind: 'latency'; readonly ms: number }
  /** 429 with `Retry-After`, for this many requests of one path; then right. */
  | { readonly kind: 'busy'; readonly times: number; readonly retryAfterS: number };

export interface FaultProxy {
  readonly url: string;
  /** Paths that were asked for, oldest first; downloads of stickers alone. */
  readonly downloads: readonly string[];
  /** From the download of this number on (the first is 1) everything meets `trouble`; `act` is done before. */
  from(download: number, trouble: Trouble, act?: () => Promise<unknown>): void;
  /** Everything is right from now on. */
  mend(): void;
}

/** Starts one in front of `remote` that ends with the test. */
export async function startFaultProxy(remote: string): Promise<FaultProxy> {
  const target = new URL(remote);
  const downloads: string[] = [];
  const refusals = new Map<string, number>();
  const sockets = new Set<Socket>();
  let plan: { download: number; trouble: Trouble; act: () => Promise<unknown> } | undefined;
  let trouble: Trouble = { kind: 'pass' };

  const server = createServer((incoming, response) => void handle(incoming, response).catch(() => response.destroy()));
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const refuse = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(refuse);

  async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = incoming.url ?? '/';
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    if (/^\/api\/v1\/stickers\/(?!search|match)/.test(path)) downloads.push(path);
    if (plan !== undefined && downloads.length >= plan.download) {
      const { act } = plan;
      ({ trouble } = plan);
      plan = undefined;
      await act();
    }
    if (trouble.kind === 'refuse') return refuse();
    if (trouble.kind === 'black-hole') return;
    if (trouble.kind === 'latency') await sleep(trouble.ms);
    if (trouble.kind === 'busy') {
      const earlier = refusals.get(path) ?? 0;
      refusals.set(path, earlier + 1);
      if (earlier < trouble.times) {
        const headers = { 'Content-Type': 'application/json', 'Retry-After': String(trouble.retryAfterS) };
        response.writeHead(429, headers).end('{"code":"rate_limited","message":"too many requests"}');
        return;
      }
    }
    await passOn(incoming, Buffer.concat(chunks), response);
  }

  async function passOn(incoming: IncomingMessage, body: Buffer, response: ServerResponse): Promise<void> {
    const { method, url: path } = incoming;
    const headers = { ...incoming.headers, host: target.host };
    const outgoing = sendRequest(new URL(path ?? '/', target), { method, headers });
    outgoing.end(body);
    const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
    const chunks: Buffer[] = [];
    for await (const chunk of answer) chunks.push(chunk as Buffer);
    const bytes = Buffer.concat(chunks);
    // Addresses in answers lead back here, as they would behind any reverse proxy.
    const isText = answer.headers['content-type']?.includes('json') === true && bytes.includes(target.origin);
    const told = isText ? Buffer.from(bytes.toString().replaceAll(target.origin, url)) : bytes;
    response.writeHead(answer.statusCode ?? 502, { ...answer.headers, 'content-length': told.length }).end(told);
  }

  return {
    url,
    downloads,
    from: (download, next, act = () => Promise.resolve()) => {
      plan = { download, trouble: next, act };
    },
    mend: () => {
      plan = undefined;
      trouble = { kind: 'pass' };
    },
  };
}
