// The service on raw sockets, with an honest account and connections that go wrong to order. Below HTTP on
// purpose: a reset in the middle of a header is nothing that an HTTP server would do for us.

import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { createRemoteAccount, type RemoteAccount } from './remote-account.js';
import { readRequest, type WireRequest } from './wire-request.js';

/** How far an exchange has got. A charge happens between the request and the first byte of the answer. */
export type Moment = 'request' | 'charge' | 'headers' | 'body';

/** What goes wrong with one paid request; the parts combine. */
export interface Trouble {
  /** Waited for before anything is done, charging included. */
  readonly until?: () => Promise<unknown>;
  /** What becomes of the connection right after a moment; of the body, half has left by then. */
  readonly cut?: { readonly how: 'reset' | 'close' | 'silence'; readonly after: Moment };
  /** Sent in place of the true answer. A refusal (400 and more) does not charge, unless `charged` says so. */
  readonly answer?: Partial<Answer>;
  readonly charged?: boolean;
  /** Announces so many bytes more, or fewer, than are sent. */
  readonly lengthOff?: number;
  /** Announces no length: the end of the connection is the end of the body. */
  readonly unmeasured?: boolean;
  /** Waited for in the middle of the body. */
  readonly inBody?: () => Promise<unknown>;
}

export interface Answer {
  readonly status: number;
  readonly contentType: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

export interface FaultyRemote {
  /** The origin, without a slash at its end. */
  readonly url: string;
  readonly key: string;
  readonly account: RemoteAccount;
  /** All that arrived, paid or free, oldest first: `GET /api/v1/usage`. */
  readonly seen: string[];
  /** What goes wrong with the paid requests from now on; asked for each. */
  trouble: (request: WireRequest) => Trouble | undefined;
  /** Whether the pictures that image answers point at are there; they are. */
  hasPictures: boolean;
  /** Closes the port, so that connections are refused, until `listen`. */
  refuse(): Promise<void>;
  listen(): Promise<void>;
  stop(): Promise<void>;
}

export interface FaultyRemoteOptions {
  readonly credits?: number;
  /** What a 409 for an image that is being made says of when to come back; nothing if not given. */
  readonly underWayRetryAfterS?: number;
  /** The Lottie text of a sticker; presets below `missing/` do not exist. */
  readonly lottie?: (preset: string) => string;
}

const STICKERS = '/api/v1/stickers/';
const IMAGES = '/api/v1/images';
/** What an image answer points at. */
export const PICTURE = { status: 200, contentType: 'image/png', headers: {}, body: 'not really a picture' };

/** Something to wait for that ends when the test says so; for `until` and `inBody`. */
export function hold(): { readonly until: () => Promise<void>; readonly release: () => void } {
  let release = (): void => undefined;
  const ended = new Promise<void>((resolve) => (release = resolve));
  return { until: () => ended, release: () => release() };
}

/** The Lottie text this remote sells under a preset. */
export function lottieOf(preset: string): string {
  const layers = [{ ty: 4, ip: 0, op: 60, st: 0, ks: {}, shapes: [] }];
  return JSON.stringify({ v: '5.9.0', nm: preset, fr: 30, ip: 0, op: 60, w: 120, h: 100, layers });
}

/** Starts a remote that ends with the test. */
export async function startFaultyRemote(options: FaultyRemoteOptions = {}): Promise<FaultyRemote> {
  const remote = await openFaultyRemote(options);
  onTestFinished(() => remote.stop());
  return remote;
}

/** Starts a remote; to be stopped. */
export async function openFaultyRemote(options: FaultyRemoteOptions = {}): Promise<FaultyRemote> {
  const { credits = 1_000_000, lottie = lottieOf } = options;
  const account = createRemoteAccount(credits);
  const underWay = new Set<string>();
  const sockets = new Set<Socket>();
  const seen: string[] = [];

  const isUnderWay = ({ subject }: Sale) => subject.startsWith('image:') && underWay.has(subject);

  const serve = async (socket: Socket): Promise<void> => {
    const request = await readRequest(socket);
    if (request === undefined) return;
    seen.push(`${request.method} ${request.path}`);
    const refusal = refusalOf(request, remote.key);
    if (refusal !== undefined) return send(socket, refusal, account);
    const sale = saleOf(request, lottie, remote.url);
    if (sale === undefined) return send(socket, freeAnswer(request, remote), account);
    if (isUnderWay(sale)) return send(socket, duplicate(options.underWayRetryAfterS), account);
    await sell(socket, sale, remote.trouble(request) ?? {}, account, underWay);
  };

  let server: Server | undefined;
  let port = 0;
  const listen = async () => {
    server = createServer((socket) => {
      sockets.add(socket.on('close', () => sockets.delete(socket)).on('error', () => undefined));
      void serve(socket);
    });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  };
  const refuse = async () => {
    for (const socket of sockets) socket.destroy();
    if (server?.listening !== true) return;
    server.close();
    await once(server, 'close');
  };

  await listen();
  const remote: FaultyRemote = {
    url: `http://127.0.0.1:${port}`,
    key: 'sk-faulty',
    account,
    seen,
    trouble: () => undefined,
    hasPictures: true,
    refuse,
    listen,
    stop: refuse,
  };
  return remote;
}

/** What a request wants to buy, and the true answer to it. */
interface Sale {
  readonly subject: string;
  readonly price: number;
  readonly answer: Answer;
}

function saleOf({ method, path, body }: WireRequest, lottie: (preset: string) => string, origin: string) {
  if (method === 'GET' && path.startsWith(STICKERS)) {
    const preset = decodeURIComponent(path.slice(STICKERS.length));
    if (preset.startsWith('missing/')) return undefined;
    return { subject: `sticker:${preset}`, price: 1, answer: json(200, lottie(preset)) } satisfies Sale;
  }
  if (method !== 'POST' || path !== IMAGES) return undefined;
  const { prompt, size } = JSON.parse(body) as { prompt: string; size: string };
  const url = `${origin}${IMAGES}/files/${encodeURIComponent(prompt)}.png`;
  const [width, height] = size.split('x').map(Number);
  const said = JSON.stringify({ size, width, height, requested_size: size, url });
  return { subject: `image:${prompt}`, price: 10, answer: json(200, said) } satisfies Sale;
}

function refusalOf({ key }: WireRequest, known: string): Answer | undefined {
  return key === known ? undefined : json(401, JSON.stringify({ code: 'invalid_key' }));
}

function freeAnswer({ path }: WireRequest, { account: { credits }, hasPictures }: FaultyRemote): Answer {
  if (path === '/api/v1/usage') {
    return json(200, JSON.stringify({ effective_credits_remaining: credits, capabilities: [] }));
  }
  if (path === '/api/v1/capabilities') return json(200, JSON.stringify({ capabilities: [] }));
  if (path.startsWith(`${IMAGES}/files/`) && hasPictures) return PICTURE;
  return json(404, JSON.stringify({ code: 'not_found' }));
}

async function sell(
  socket: Socket,
  sale: Sale,
  trouble: Trouble,
  account: RemoteAccount,
  underWay: Set<string>,
): Promise<void> {
  underWay.add(sale.subject);
  try {
    await trouble.until?.();
  } finally {
    underWay.delete(sale.subject);
  }
  const { cut } = trouble;
  if (cut?.after === 'request') return end(socket, cut.how);
  const answer = { ...sale.answer, ...trouble.answer };
  const charges = answer.status < 400 || trouble.charged === true;
  if (charges && !account.charge(sale.subject, sale.price)) {
    return send(socket, json(402, '{"code":"insufficient_credits"}'), account);
  }
  if (cut?.after === 'charge') return end(socket, cut.how);
  return send(socket, answer, account, trouble);
}

async function send(
  socket: Socket,
  answer: Answer,
  { credits }: RemoteAccount,
  { cut, lengthOff = 0, unmeasured = false, inBody }: Trouble = {},
): Promise<void> {
  const body = Buffer.from(answer.body);
  const head = headOf(answer, unmeasured ? undefined : body.length + lengthOff, credits);
  if (cut?.after === 'headers') {
    await write(socket, head.slice(0, head.length / 2));
    return end(socket, cut.how);
  }
  await write(socket, head);
  if (cut?.after === 'body') {
    await write(socket, body.subarray(0, body.length / 2));
    return end(socket, cut.how);
  }
  await write(socket, body.subarray(0, body.length / 2));
  await inBody?.();
  await write(socket, body.subarray(body.length / 2));
  socket.end();
}

function headOf({ status, contentType, headers }: Answer, length: number | undefined, credits: number): string {
  const lines = Object.entries({
    'Content-Type': contentType,
    ...(length === undefined ? {} : { 'Content-Length': String(length) }),
    'X-Service-Credits-Remaining': String(credits),
    Connection: 'close',
    ...headers,
  }).map(([name, value]) => `${name}: ${value}`);
  return `HTTP/1.1 ${status} Said\r\n${lines.join('\r\n')}\r\n\r\n`;
}

function duplicate(retryAfterS: number | undefined): Answer {
  const headers = retryAfterS === undefined ? {} : { 'Retry-After': String(retryAfterS) };
  return { ...json(409, '{"code":"duplicate_request"}'), headers };
}

function json(status: number, body: string): Answer {
  return { status, contentType: 'application/json', headers: {}, body };
}

/** Resolves when the bytes are on their way, or nobody is there any more. */
function write(socket: Socket, bytes: string | Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    if (!socket.writable) return resolve();
    // Called with an error when the connection is gone, which is all the same here.
    socket.write(bytes, () => resolve());
  });
}

async function end(socket: Socket, how: 'reset' | 'close' | 'silence'): Promise<void> {
  if (how === 'silence') return;
  // A reset overtakes what was written just before it.
  await sleep(20);
  if (how === 'reset') socket.resetAndDestroy();
  else socket.end();
}
