// Listening on loopback, 127.0.0.1 and ::1 with one port, and closing without cutting anybody off.

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { getRequestListener } from '@hono/node-server';
import { SvcdError, systemCode } from '../errors.js';
import { refusalOf, STATUS_OF } from '../wire/refusal.js';

export type Fetch = (request: Request) => Response | Promise<Response>;

export interface Listener {
  readonly port: number;
  /** Lets requests in flight finish for at most `graceMs`, then closes what is left. */
  close(graceMs: number): Promise<void>;
}

const TRIES = 5;
const ASK_MS = 500;
const SWEEP_MS = 20;

/** Listens on loopback; port 0 lets the system choose. Throws `port_in_use`. */
export async function listen(fetch: Fetch, port: number): Promise<Listener> {
  const handler = getRequestListener(fetch, { errorHandler: unreadable });
  for (let tries = port === 0 ? TRIES : 1; ; tries--) {
    const four = await open(handler, '127.0.0.1', port);
    const chosen = (four.address() as AddressInfo).port;
    try {
      const six = await openIfThere(handler, '::1', chosen);
      return listener(six === undefined ? [four] : [four, six], chosen);
    } catch (error) {
      await closeAll([four], 0);
      if (tries <= 1) throw error;
    }
  }
}

/** Sees that a port is free before anything is made ready for it; port 0 always is. Throws `port_in_use`. */
export async function requireFreePort(port: number): Promise<void> {
  if (port === 0) return;
  const probe = await open(() => Promise.resolve(), '127.0.0.1', port);
  await closeAll([probe], 0);
}

type Handler = ReturnType<typeof getRequestListener>;

/** Bytes that are not HTTP get the same form of refusal, and the connection ends: where the next request would begin nobody knows. */
function refuseGarbage(error: Error, socket: Duplex): void {
  if (!socket.writable || systemCode(error) === 'ECONNRESET') return void socket.destroy();
  const tooLarge = systemCode(error) === 'HPE_HEADER_OVERFLOW';
  const status = tooLarge ? '431 Request Header Fields Too Large' : '400 Bad Request';
  const message = tooLarge ? 'the headers are too large' : 'this is not a valid HTTP request';
  const body = JSON.stringify(refusalOf(new SvcdError('invalid_request', message)));
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
  );
}

/** What cannot even be made a request of (a Host or path no URL can hold) is refused like everything else. */
function unreadable(): Response {
  const error = new SvcdError('invalid_request', 'the request line or the Host header is not valid');
  return Response.json(refusalOf(error), { status: STATUS_OF[error.code] });
}

async function open(handler: Handler, host: string, port: number): Promise<Server> {
  // A missing Host is for the gate to refuse, in words.
  const server = createServer(
    { requireHostHeader: false },
    (request, response) => void handler(request, response),
  );
  server.on('clientError', refuseGarbage);
  server.on('connect', (_request, socket: Duplex) => refuseGarbage(new Error('CONNECT'), socket));
  // Node would answer 417 without a body; the expectation changes nothing for us, so the request is answered.
  server.on('checkExpectation', (request, response) => void handler(request, response));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port, ipv6Only: true }, resolve);
  }).catch(async (cause: Error) => {
    throw await listenError(cause, host, port);
  });
  return server;
}

/** A machine without IPv6 is still a machine. */
async function openIfThere(handler: Handler, host: string, port: number): Promise<Server | undefined> {
  try {
    return await open(handler, host, port);
  } catch (error) {
    const cause = error instanceof SvcdError ? error.cause : error;
    if (['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EINVAL'].includes(systemCode(cause) ?? '')) return undefined;
    throw error;
  }
}

function listener(servers: Server[], port: number): Listener {
  return { port, close: (graceMs) => closeAll(servers, graceMs) };
}

async function closeAll(servers: Server[], graceMs: number): Promise<void> {
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
      hint: 'Give another one with --port N, or --port 0 for any that is free.',
    });
  }
  return new SvcdError('port_in_use', `cannot listen on ${host}, port ${port} (${code ?? 'unknown'})`, {
    cause,
  });
}

/** Whether it is svcd that answers at a port. */
async function isSvcd(port: number): Promise<boolean> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(ASK_MS) });
    return ((await answer.json()) as { name?: unknown } | null)?.name === 'svcd';
  } catch {
    return false;
  }
}
