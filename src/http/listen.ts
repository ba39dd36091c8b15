// Listens on loopback, 127.0.0.1 and ::1 with one port, within limits that no client can stretch, and closes without
// cutting a request off. The gate decides which requests reach the app.

import {
  createServer,
  get,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Server as NetServer } from 'node:net';
import type { Duplex } from 'node:stream';
import { json } from 'node:stream/consumers';
import { getRequestListener } from '@hono/node-server';
import { SvcdError, systemCode } from '../model/errors.js';
import { refusalOf, STATUS_OF } from '../api/refusal.js';
import { refusalParts } from './answer.js';
import { boundConnections, type ConnectionBounds } from './bound-connections.js';
import { isPreflight, preflightHeaders } from './cors.js';
import type { Gate } from './gate.js';
import { guardedResponse, type HeaderPairs } from './security-headers.js';
import { takeTurns, type Handler } from './take-turns.js';
import { handleClientError } from './client-error-handler.js';

export type Fetch = (request: Request, bindings?: object) => Response | Promise<Response>;

export interface Listener {
  readonly port: number;
  /** Lets requests in flight finish for at most `graceMs`, then closes what is left. */
  close(graceMs: number): Promise<void>;
}

export interface ListenOptions {
  /** Without one, every request reaches the app. */
  readonly gate?: Gate;
  readonly limits?: Partial<ConnectionLimits>;
  /** Names and values that every answer carries, refusals included. */
  readonly headers?: HeaderPairs;
  /** What makes the server; one of plain HTTP if not given. Of one of TLS a connection counts once its handshake is done. */
  readonly create?: (options: ServerOptions) => Server;
}

/** What one client may take of a server's time and memory. */
export interface ConnectionLimits extends ConnectionBounds {
  /** Until the headers of a request are there, from the first byte or the opening of the connection. */
  readonly headersTimeoutMs: number;
  /** Until the whole request is there. */
  readonly requestTimeoutMs: number;
  /** Silence in both directions; longer than the longest answer takes. */
  readonly silenceMs: number;
  /** Request line and headers together, and trailers, and extensions of one chunk. */
  readonly maxHeaderBytes: number;
}

export const LIMITS: ConnectionLimits = {
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 60_000,
  strangerBodyMs: 5000,
  checkEveryMs: 2000,
  silenceMs: 20 * 60_000,
  maxConnections: 500,
  maxHeaderBytes: 16 * 1024,
};

const TRIES = 5;
const ASK_MS = 500;
const SWEEP_MS = 20;

/** Listens on loopback; port 0 lets the system choose. Throws `port_in_use`. */
export async function listen(fetch: Fetch, port: number, options: ListenOptions = {}): Promise<Listener> {
  const create = serverMaker(fetch, options);
  for (let tries = port === 0 ? TRIES : 1; ; tries--) {
    const four = await open(create(), '127.0.0.1', port);
    const chosen = (four.address() as AddressInfo).port;
    try {
      const six = await openIfThere(create(), '::1', chosen);
      const servers = six === undefined ? [four] : [four, six];
      return { port: chosen, close: (graceMs) => closeAll(servers, graceMs) };
    } catch (error) {
      await closeAll([four], 0);
      if (tries <= 1) throw error;
    }
  }
}

/** Sees that a port is free before anything is made ready for it; port 0 always is. Throws `port_in_use`. */
export async function requireFreePort(port: number): Promise<void> {
  if (port === 0) return;
  const probe = await open(createServer(), '127.0.0.1', port);
  await closeAll([probe], 0);
}

/** A server that answers by these rules, and listens nowhere yet. */
export function serverMaker(fetch: Fetch, { gate, limits, headers = [], create }: ListenOptions): () => Server {
  const settled = { ...LIMITS, ...limits };
  const answer = getRequestListener(fetch, { errorHandler: unreadable });
  const handler: Handler = (request, response) => {
    if (gate === undefined || comesIn(gate, request, response)) void answer(request, response);
  };
  return () => createBounded(handler, settled, gate, headers, create);
}

/** Whether a request goes on to the app; otherwise it is answered here. */
function comesIn(gate: Gate, request: IncomingMessage, response: ServerResponse): boolean {
  const refusal = gate.findRefusal(request);
  if (refusal !== undefined) refuse(response, refusal);
  else if (isPreflight(request)) response.writeHead(204, preflightHeaders(request.headers)).end();
  else return true;
  return false;
}

/** Answers with the refusal; Node discards the body that may still come, within the time a request may take. */
function refuse(response: ServerResponse, error: SvcdError): void {
  const { status, headers, body } = refusalParts(error);
  response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) }).end(body);
}

function createBounded(
  handler: Handler,
  limits: ConnectionLimits,
  gate: Gate | undefined,
  headers: HeaderPairs,
  create: (options: ServerOptions) => Server = createServer,
): Server {
  const server = create({
    // A missing Host is for the gate to refuse, in words.
    requireHostHeader: false,
    // Joined, two values are none that we know; Node would take the first and drop the other.
    joinDuplicateHeaders: true,
    maxHeaderSize: limits.maxHeaderBytes,
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    connectionsCheckingInterval: limits.checkEveryMs,
    ServerResponse: guardedResponse((origin) => gate?.admits(origin) === true, headers),
  });
  const refuseBytes = (error: Error, socket: Duplex) => handleClientError(error, socket, headers);
  const note = boundConnections(
    server,
    limits,
    refuseBytes,
    create === createServer ? 'connection' : 'secureConnection',
  );
  const inTurn = takeTurns(handler);
  const answer: Handler = (request, response) => {
    note(request, response);
    inTurn(request, response);
  };
  server.on('request', answer);
  // The gate counts; Node would drop what is beyond its number without a word.
  server.maxHeadersCount = 0;
  server.setTimeout(limits.silenceMs);
  server.on('clientError', refuseBytes);
  server.on('connect', (_request, socket) => refuseBytes(new Error('CONNECT'), socket));
  // Node would answer 417 without a body; the expectation changes nothing for us, so the request is answered.
  server.on('checkExpectation', answer);
  return server;
}

/** What cannot even be made a request of (a path no URL can hold) is refused like everything else. */
function unreadable(): Response {
  const error = new SvcdError('invalid_request', 'the request line is not valid');
  return Response.json(refusalOf(error), { status: STATUS_OF[error.code] });
}

/** Throws `port_in_use`. */
export async function open<S extends NetServer>(server: S, host: string, port: number, ipv6Only = true): Promise<S> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port, ipv6Only }, resolve);
  }).catch(async (cause: Error) => {
    throw await listenError(cause, host, port);
  });
  return server;
}

/** A machine without IPv6 is still a machine. */
async function openIfThere(server: Server, host: string, port: number): Promise<Server | undefined> {
  try {
    return await open(server, host, port);
  } catch (error) {
    const cause = error instanceof SvcdError ? error.cause : error;
    if (['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EINVAL'].includes(systemCode(cause) ?? '')) return undefined;
    throw error;
  }
}

/** Lets requests in flight finish for at most `graceMs`, then closes what is left. */
export async function closeAll(servers: Server[], graceMs: number): Promise<void> {
  const closed = servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve())));
  // A connection falls idle when its last answer has left, which may be after the first look.
  const sweep = setInterval(() => servers.forEach((server) => server.closeIdleConnections()), SWEEP_MS);
  const force = setTimeout(() => servers.forEach((server) => server.closeAllConnections()), graceMs);
  await Promise.all(closed);
  clearInterval(sweep);
  clearTimeout(force);
}

async function listenError(cause: Error, host: string, port: number): Promise<SvcdError> {
  const code = systemCode(cause);
  if (code === 'EADDRINUSE') {
    const who = (await isSvcd(port)) ? 'another svcd, with another home' : 'another program';
    return new SvcdError('port_in_use', `port ${port} on ${host} is used by ${who}`, {
      cause,
      hint: 'Use another port with --port N, or any free one with --port 0.',
    });
  }
  if (code === 'EACCES' && port < 1024) {
    const hint = 'Ports below 1024 need special rights. Use another port with --port N, or any free one with --port 0.';
    return new SvcdError('port_in_use', `this user may not listen on ${host}, port ${port}`, { cause, hint });
  }
  return new SvcdError('port_in_use', `cannot listen on ${host}, port ${port} (${code ?? 'unknown'})`, {
    cause,
  });
}

/** Whether it is svcd that answers at a port. Not by fetch, which a connection that is cut at once leaves without an end. */
function isSvcd(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const asked = get({ host: '127.0.0.1', port, agent: false }, (answer) => {
      json(answer).then(
        (said) => resolve((said as { name?: unknown } | null)?.name === 'svcd'),
        () => resolve(false),
      );
    });
    const over = setTimeout(() => asked.destroy(new Error('no answer')), ASK_MS);
    asked
      .once('close', () => clearTimeout(over))
      .on('error', () => resolve(false))
      .end();
  });
}
