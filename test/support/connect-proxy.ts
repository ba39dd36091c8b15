// A proxy as companies have them: CONNECT only, a password where one is set, every name leads to 127.0.0.1. It can be rude
// at each point of a connection.

import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** What it does in place of opening a tunnel. */
export type Refusal = (client: Socket, request: IncomingMessage) => void;

export interface ConnectProxy {
  readonly url: string;
  readonly port: number;
  /** `HOST:PORT` of each CONNECT, oldest first. */
  readonly asked: string[];
  /** All that clients sent to it, as bytes of latin1: what it could read. */
  readonly heard: () => string;
  /** `user:password` it wants; none. */
  password: string | undefined;
  /** Asked at each CONNECT; undefined lets it pass. */
  refuse: Refusal | undefined;
  /** Told of each piece that a client sends through a tunnel, before it is passed on, with how many came before. */
  onPiece: (before: number) => void;
  /** How many connections are open, to both sides. */
  open(): number;
  /** Ends all connections at once, to both sides. */
  cut(how?: 'close' | 'reset'): void;
  /** Closes the port, and all connections. */
  stop(): Promise<void>;
}

/** Answers CONNECT with a status, and closes. */
export function answerWith(status: number, headers: readonly string[] = []): Refusal {
  return (client) => void client.end(refusalOf(status, headers));
}

function refusalOf(status: number, headers: readonly string[] = []): string {
  return [`HTTP/1.1 ${status} No`, ...headers, 'Content-Length: 0', '', ''].join('\r\n');
}

/** Starts one that ends with the test; with `tls`, clients speak TLS to the proxy itself. */
export async function startConnectProxy(tls?: { key: string; cert: string }): Promise<ConnectProxy> {
  const open = new Set<Socket>();
  const pieces: Buffer[] = [];
  const hear = (piece: Buffer) => void pieces.push(piece);
  const server: Server = tls === undefined ? createHttpServer() : createHttpsServer(tls);
  const keep = (socket: Socket) => {
    open.add(socket.on('error', () => undefined).on('close', () => open.delete(socket)));
    return socket;
  };
  server.on('connection', (socket: Socket) => keep(socket));
  server.on('secureConnection', (socket: Socket) => keep(socket));
  server.on('tlsClientError', () => undefined);
  server.on('request', (request, response) => {
    pieces.push(Buffer.from(`${request.method} ${request.url} ${JSON.stringify(request.headers)}`));
    response.writeHead(405).end();
  });
  server.on('connect', (request, client: Socket, head) => {
    keep(client);
    proxy.asked.push(request.url ?? '');
    pieces.push(Buffer.from(`CONNECT ${request.url} ${JSON.stringify(request.headers)}\n`));
    if (proxy.refuse !== undefined) return proxy.refuse(client, request);
    const given = Buffer.from(request.headers['proxy-authorization']?.split(' ')[1] ?? '', 'base64').toString();
    if (proxy.password !== undefined && given !== proxy.password) {
      return answerWith(407, ['Proxy-Authenticate: Basic realm="x"'])(client, request);
    }
    tunnel(client, keep(connect(Number(/\d+$/.exec(request.url ?? '')?.[0]), '127.0.0.1')), head);
  });

  function tunnel(client: Socket, behind: Socket, head: Buffer): void {
    behind.once('connect', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      if (head.length > 0) behind.write(head);
      let count = 0;
      client.on('data', (piece: Buffer) => {
        hear(piece);
        proxy.onPiece(count++);
        if (!behind.destroyed) behind.write(piece);
      });
      behind.on('data', (piece) => client.write(piece));
    });
    behind.on('error', () => {
      if (behind.connecting || client.bytesWritten === 0) client.end(refusalOf(502));
      else client.resetAndDestroy();
    });
    client.on('end', () => behind.end()).on('close', () => behind.destroy());
    behind.on('end', () => client.end()).on('close', () => client.destroySoon());
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const proxy: ConnectProxy = {
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    port,
    asked: [],
    heard: () => Buffer.concat(pieces).toString('latin1'),
    password: undefined,
    refuse: undefined,
    onPiece: () => undefined,
    open: () => open.size,
    cut: (how = 'close') => {
      for (const socket of open) {
        if (how === 'reset') socket.resetAndDestroy();
        else socket.destroy();
      }
    },
    stop: async () => {
      proxy.cut();
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    },
  };
  onTestFinished(() => proxy.stop());
  return proxy;
}
