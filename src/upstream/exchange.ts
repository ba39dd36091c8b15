// One exchange with the remote: a request out, a whole answer in, or the truth about how far it got.
// The only importer of undici, loaded when first needed. No retries, no meaning: only the wire.

import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Client, buildConnector } from 'undici';
import { SvcdError, systemCode } from '../model/errors.js';
import { ByteBudget, type Holding } from './byte-budget.js';
import { adviceOn, causeName, hookError, keyError, lateError, lostError, unreachedError } from './exchange-error.js';
import { openConnection, type OpenConnection } from './open-connection.js';
import { collect, decoded, flat, type Reading } from './read-answer.js';

export interface RemoteRequest {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path and query below the base address, beginning with a slash. */
  readonly path: string;
  readonly key?: string | undefined;
  readonly body?: Uint8Array | undefined;
  readonly contentType?: string | undefined;
  /** Told to a hub, which is svcd too; the service is told nothing but what its contract names. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** By what the operator's own program knows us; the service is told none. */
  readonly signed?: Readonly<Record<string, string>> | undefined;
  /** What is paid, or may be, is never sent a second time by itself. */
  readonly cost: 'free' | 'paid';
  /** In credits, of what is paid; 1 if not given. */
  readonly price?: number;
  /** Whether a person waits for it (the default), or only background work. */
  readonly urgency?: Urgency | undefined;
  /** The thing that it buys, where it is a purchase of a journal: the order of those that wait depends on it. */
  readonly hubItem?: HubItem | undefined;
  /** How long the whole exchange may take, from when its turn comes. */
  readonly timeoutMs: number;
  /** How long it may wait for its turn; without end if not given. */
  readonly queueTimeoutMs?: number | undefined;
  /** Since when it waits (monotonic), of one that was refused for now and waits again. Set by the resending. */
  readonly waitingSince?: number | undefined;
  /** Whether a client still waits for it; if none does, others go first. Always, if not given. */
  readonly isAwaited?: (() => boolean) | undefined;
  /** Told when it has its turn and nothing but the connection is waited for. */
  readonly onTurn?: (() => void) | undefined;
  readonly maxBytes: number;
  /** Until when the answer counts as being in memory, where that is longer than until it was read: what is paid, until it is kept. */
  readonly inWork?: Promise<void> | undefined;
  /** Awaited right before the first byte leaves, each time it does; if it rejects, nothing is sent. */
  readonly beforeSend?: (() => Promise<void>) | undefined;
  /** Asked with the first bytes in hand: between it and the write there is nothing. What it tells keeps them here. */
  readonly findLate?: FindLate | undefined;
  /** For how long it is sent again when the remote refuses it for now (429, or 409 for a paid call). */
  readonly resendWithinMs?: number | undefined;
  /** Awaited before such a wait with the refusal: it was free, and the request will be sent again. Must not reject. */
  readonly beforeWait?: ((refusal: RemoteAnswer) => Promise<void>) | undefined;
  /** Whether minutes without a byte are usual, so that they do not mean that the remote is away. */
  readonly expectsSilence?: boolean | undefined;
  /** Takes it back while nothing of it was sent, with an SvcdError as the reason. Set by the breaker. */
  readonly recall?: AbortSignal | undefined;
  /** Told when the answer begins. Set by the breaker. */
  readonly onAnswer?: (() => void) | undefined;
}

/** Why it is too late for the first byte to leave, if it is: the process may have stood still since it was allowed to. */
export type FindLate = () => SvcdError | undefined;

export type Urgency = 'person' | 'background';

/** A thing that is wanted, and the project of a hub that pays for it. */
export interface HubItem {
  readonly item: string;
  readonly project: string;
}

export interface RemoteAnswer {
  readonly kind: 'answer';
  /** 200 or more; a redirect is an answer too and is not followed. */
  readonly status: number;
  /** Lower-case names; of a repeated header the last value. */
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Uint8Array;
  /** Whether a hub gave it, whose codes are svcd's own. */
  readonly fromHub?: boolean;
  /** Whether an earlier try of this request may have arrived too: what it caused is not what this answer tells of. */
  readonly again?: boolean;
  /** Whether the balance fell with this refusal of a paid call, and whether it shows that it had with earlier ones (watch-refusals.ts). */
  readonly fell?: true;
  readonly doubts?: true;
}

export type Exchange =
  | RemoteAnswer
  /** Not one byte of the request left. */
  | { readonly kind: 'unreached'; readonly error: SvcdError }
  /** The request left, or may have; no whole answer came. */
  | { readonly kind: 'lost'; readonly error: SvcdError };

/** Makes one exchange; never rejects. */
export type Exchanger = (request: RemoteRequest) => Promise<Exchange>;

/** A policy around exchanges. */
export type Layer = (next: Exchanger) => Exchanger;

type ClientClass = typeof Client;

const CONNECT_TIMEOUT_MS = 2000;
export const MAX_BYTES_IN_FLIGHT = 64 * 1024 * 1024;

/**
 * Exchanges with one base address. Each exchange has a connection of its own: a kept one may have been closed
 * by the other side, and then it is not known whether a paid request went out on it. The price is a handshake.
 */
export function createExchanger(
  baseUrl: string,
  connect: OpenConnection = openConnection,
  budget = new ByteBudget(MAX_BYTES_IN_FLIGHT),
): Exchanger {
  const base = new URL(baseUrl);
  return async (request) => {
    // Loaded first, so that between `beforeSend` and the first byte nothing is waited for.
    // By its default export: of a CommonJS package the build knows no other.
    const { Client } = (await import('undici')).default;
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(lateError(request.timeoutMs)), request.timeoutMs);
    const holding = budget.open();
    let exchange: Exchange | undefined;
    try {
      exchange = await exchangeOnce(Client, base, connect, request, { late: late.signal, holding });
      return withoutKey(exchange, request.key);
    } finally {
      clearTimeout(timer);
      releaseAfter(holding, request, exchange);
    }
  };
}

/** A refusal that repeats the Key, as a careless proxy does, is told to programs that must not know it. */
function withoutKey(exchange: Exchange, key: string | undefined): Exchange {
  if (key === undefined || exchange.kind !== 'answer' || exchange.status < 300) return exchange;
  const bytes = Buffer.from(exchange.bytes);
  if (!bytes.includes(key)) return exchange;
  return { ...exchange, bytes: Buffer.from(bytes.toString('latin1').replaceAll(key, '[Key]'), 'latin1') };
}

/**
 * Not before the caller has read it: the next large answer is not to lie beside what is made of this one. A refusal is kept
 * by nobody, and the same request is sent again: it would wait for itself.
 */
export function releaseAfter(holding: Holding, { inWork }: RemoteRequest, exchange: Exchange | undefined): void {
  const isKept = exchange?.kind === 'answer' && exchange.status < 300;
  void ((isKept ? inWork : undefined) ?? nextTurn()).then(() => holding.release());
}

/** Loads the HTTP client, so that the first paid call need not wait for it; that call tells why it cannot be loaded. */
export async function loadClient(): Promise<void> {
  await import('undici').catch(() => undefined);
}

async function exchangeOnce(
  ClientOf: ClientClass,
  base: URL,
  connect: OpenConnection,
  request: RemoteRequest,
  reading: Reading,
): Promise<Exchange> {
  if (request.key !== undefined && !/^[\x21-\x7e]+$/.test(request.key)) return unreached(keyError());
  const socket = await connectInTime(connect, base, request);
  if (socket instanceof SvcdError) return unreached(socket);
  try {
    const refusal = await findRefusal(socket, request, reading.late);
    if (refusal !== undefined) return unreached(refusal);
    return await send(ClientOf, base, socket, request, reading);
  } finally {
    socket.destroy();
  }
}

export function unreached(error: SvcdError): Exchange {
  return { kind: 'unreached', error };
}

/** Why the first byte must not leave: `beforeSend` failed, it was recalled, is late, or the connection is closed. */
export async function findRefusal(
  socket: Pick<Socket, 'writable'>,
  { beforeSend, recall }: RemoteRequest,
  late: AbortSignal,
): Promise<SvcdError | undefined> {
  try {
    await beforeSend?.();
  } catch (cause) {
    return cause instanceof SvcdError ? cause : hookError(cause);
  }
  for (const signal of [recall, late]) {
    if (signal?.aborted === true) return signal.reason as SvcdError;
  }
  if (!socket.writable) return unreachedError('it closed the connection at once');
  return undefined;
}

async function send(
  ClientOf: ClientClass,
  base: URL,
  socket: Socket,
  request: RemoteRequest,
  reading: Reading,
): Promise<Exchange> {
  const { late } = reading;
  const whyHeld = holdIfLate(socket, request.findLate);
  const client = new ClientOf(base.origin, {
    connect: handOver(socket),
    pipelining: 0,
    maxResponseSize: request.maxBytes,
    // Its timers are coarse and begin anew with each byte; ours counts from the beginning.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  try {
    const answer = await ask(client, base, request, reading);
    // A body that only the end of the connection delimits looks whole to undici when that end is a reset.
    if (systemCode(socket.errored) === 'ECONNRESET') throw socket.errored;
    return answer;
  } catch (cause) {
    const held = whyHeld();
    if (held !== undefined) return unreached(held);
    const error = late.aborted ? (late.reason as SvcdError) : lostError(cause, request.maxBytes);
    // What undici refuses to put into words was not sent.
    return systemCode(cause) === 'UND_ERR_INVALID_ARG' ? unreached(error) : { kind: 'lost', error };
  } finally {
    // Not awaited: the answer is whole, and how slowly the other side closes does not matter.
    void client.destroy().catch(() => undefined);
  }
}

/**
 * Has the next write of a socket ask `findLate`: undici waits for several things before it writes, and while a process is
 * stopped no hook of it runs. Returns why nothing was written, if so.
 */
export function holdIfLate(socket: Socket, findLate: FindLate | undefined): FindLate {
  if (findLate === undefined) return () => undefined;
  let held: SvcdError | undefined;
  const once = (...what: Parameters<Socket['write']>) => {
    // The socket's own is there again.
    Reflect.deleteProperty(socket, 'write');
    held = findLate();
    if (held === undefined) return socket.write(...what);
    socket.destroy(held);
    return false;
  };
  Object.defineProperty(socket, 'write', { value: once, configurable: true });
  return () => held;
}

/** Gives undici one connection, once: it would quietly open another and send the request again. */
function handOver(socket: Socket): buildConnector.connector {
  let given = false;
  return (_options, callback) => {
    const again = given;
    given = true;
    // Later, for undici does not look at its queue again while it is connecting.
    queueMicrotask(() =>
      again ? callback(new Error('an exchange has one connection'), null) : callback(null, socket),
    );
  };
}

async function ask(client: Client, base: URL, request: RemoteRequest, reading: Reading): Promise<RemoteAnswer> {
  const response = await client.request({
    method: request.method,
    path: base.pathname.replace(/\/+$/, '') + request.path,
    headers: headersOf(request),
    body: request.body ?? null,
    signal: reading.late,
  });
  request.onAnswer?.();
  const headers = flat(response.headers);
  const plain = decoded(response.body, headers['content-encoding']);
  const bytes = await collect(plain, request.maxBytes, reading);
  return { kind: 'answer', status: response.statusCode, headers, bytes };
}

/** Only what the contract needs is sent: nothing of the client's own headers. */
function headersOf(request: RemoteRequest): Record<string, string> {
  return {
    accept: 'application/json, */*;q=0.5',
    // Without this header any coding may be sent.
    'accept-encoding': 'identity',
    ...(request.key === undefined ? {} : { authorization: `Bearer ${request.key}` }),
    ...(request.contentType === undefined ? {} : { 'content-type': request.contentType }),
    ...request.signed,
  };
}

/**
 * A connection, or why there is none: `offline`, or the reason of the recall, an SvcdError. It is tried for two seconds, less if
 * the request has less. Never rejects.
 */
async function connectInTime(
  connect: OpenConnection,
  base: URL,
  { recall, timeoutMs }: RemoteRequest,
): Promise<Socket | SvcdError> {
  const giveUp = new AbortController();
  const whenRecalled = () => giveUp.abort(recall?.reason);
  if (recall?.aborted === true) whenRecalled();
  recall?.addEventListener('abort', whenRecalled);
  const limitMs = Math.min(CONNECT_TIMEOUT_MS, timeoutMs);
  const via = connect.proxy === undefined ? '' : ` through the proxy ${connect.proxy}`;
  const timer = setTimeout(() => giveUp.abort(unreachedError(`no connection in ${limitMs} ms${via}`)), limitMs);
  try {
    return await connect(base, giveUp.signal);
  } catch (cause) {
    return cause instanceof SvcdError ? cause : unreachedError(`${causeName(cause)}${adviceOn(cause)}`, cause);
  } finally {
    clearTimeout(timer);
    recall?.removeEventListener('abort', whenRecalled);
  }
}
