// A hub of a few lines, for what a machine does when its hub is away, silent, another one, or lies. It sells every sticker
// once, for one credit, and knows each wish by its name.

import { createHash, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Membership } from '../../src/config/membership.js';
import { pinOf } from '../../src/hub/register/identity.js';
import { createReceiptSigner, makeReceiptKey, type ReceiptSigner } from '../../src/hub/app/receipts.js';
import { FLAWLESS } from '../support/flawed-lottie.js';
import { makeAuthority } from '../support/tls-front.js';

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
}

export type Manner =
  | 'well'
  /** Takes everything and says nothing. */
  | 'silent'
  /** Buys, and closes the connection in place of an answer. */
  | 'cuts'
  /** Answers with this refusal. */
  | { readonly status: number; readonly code: string; readonly cost?: string };

export interface SmallHub {
  readonly url: string;
  readonly port: number;
  readonly pin: string;
  readonly signer: ReceiptSigner;
  readonly asked: Asked[];
  /** What it has bought, by item. */
  readonly bought: Map<string, number>;
  manner: Manner;
  /** So many times before that it buys, and closes the connection in place of an answer. */
  cuts: number;
  /** What it does to the bytes of stickers. */
  spoil: ((headers: Record<string, string>, bytes: Buffer) => Buffer) | undefined;
  /** What it says of every wish in place of what it knows. */
  told: object | undefined;
  connections(): number;
  membership(more?: Partial<Membership>): Membership;
  /** As by kill -9. */
  kill(): Promise<void>;
}

const SCOPE = 'https://assets.example.com';
export const TOKEN = 'svcdm_of-the-test-of-the-test-of-the-test';
const STICKER = Buffer.from(JSON.stringify(FLAWLESS[0]));

/** Starts one on any port, or on this one, until the test ends. */
export async function startSmallHub(
  port = 0,
  credentials = makeAuthority(),
  signer = createReceiptSigner(makeReceiptKey()),
) {
  const asks = new Map<string, { item: string; cost: number }>();
  const sockets = new Set<Socket>();
  let connections = 0;
  const { key, cert } = credentials;

  const sell = (request: IncomingMessage, response: ServerResponse, preset: string) => {
    const item = `sticker:${preset}`;
    const id = String(request.headers['x-svcd-request-id'] ?? '');
    const before = asks.get(id);
    // Asked again by its name it is the same purchase, and owned: what that cost is told of the ask.
    const cost = hub.bought.has(item) ? 0 : 1;
    if (!hub.bought.has(item)) hub.bought.set(item, hub.bought.size + 1);
    asks.set(id, before ?? { item, cost });
    if (hub.manner === 'cuts' || hub.cuts-- > 0) return void request.socket.destroy();
    const sha256 = createHash('sha256').update(STICKER).digest('hex');
    const receipt = signer.sign({ scope: SCOPE, item, sha256, purchase: hub.bought.get(item) ?? 0 });
    const headers = {
      'Content-Type': 'application/json',
      'X-Svcd-Source': 'remote',
      'X-Svcd-Cost': String(cost),
      'X-Svcd-Sha256': sha256,
      'X-Svcd-Receipt': receipt,
    };
    const bytes = hub.spoil?.(headers, STICKER) ?? STICKER;
    response.writeHead(200, headers).end(bytes);
  };

  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const { method = '', url: path = '', headers } = request;
    hub.asked.push({ method, path, headers });
    request.resume();
    if (hub.manner === 'silent') return;
    if (headers.authorization !== `Bearer ${TOKEN}`) return refuse(response, 401, 'not_a_machine', '0');
    if (hub.told !== undefined && path.startsWith('/svcd/hub/asks/'))
      return void response.end(JSON.stringify(hub.told));
    if (typeof hub.manner === 'object' && hub.cuts <= 0)
      return refuse(response, hub.manner.status, hub.manner.code, hub.manner.cost ?? '0');
    if (path === '/svcd/hub') return void response.end('{"name":"svcd hub"}');
    const preset = /^\/api\/v1\/stickers\/(.+)$/.exec(path)?.[1];
    if (preset !== undefined) return sell(request, response, preset);
    const id = /^\/svcd\/hub\/asks\/(.+)$/.exec(path)?.[1];
    if (id === undefined) return refuse(response, 404, 'not_found', '0');
    const ask = asks.get(id);
    response.end(
      JSON.stringify(
        ask ? { state: 'paid', purchase: 1, ...ask } : { state: 'none', purchase: null, item: null, cost: null },
      ),
    );
  };

  const server = createServer({ key, cert, minVersion: 'TLSv1.3' }, answer);
  server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const kill = async () => {
    if (!server.listening) return;
    server.close();
    for (const socket of sockets) socket.resetAndDestroy();
    await once(server, 'close');
  };
  onTestFinished(kill);
  const { port: taken } = server.address() as AddressInfo;
  const url = `https://127.0.0.1:${taken}`;
  const pin = pinOf(new X509Certificate(cert));
  const hub: SmallHub = {
    url,
    port: taken,
    pin,
    signer,
    asked: [],
    bought: new Map(),
    manner: 'well',
    cuts: 0,
    spoil: undefined,
    told: undefined,
    connections: () => connections,
    membership: (more = {}) => ({
      addresses: [url],
      pin,
      token: TOKEN,
      receipt_key: signer.publicKey,
      scope: SCOPE,
      hub_sandbox: false,
      machine: { id: 7, name: 'workstation' },
      project: 'promo',
      projects: ['promo'],
      user: null,
      joined_at: new Date(0).toISOString(),
      ...more,
    }),
    kill,
  };
  return hub;
}

function refuse(response: ServerResponse, status: number, code: string, cost: string): void {
  response.writeHead(status, { 'Content-Type': 'application/json', 'X-Svcd-Cost': cost });
  response.end(JSON.stringify({ code, message: `the hub says ${code}`, hint: 'as it says' }));
}
