// Bounds the connections of a server so that no client can keep others out. A connection makes way when it is its client's
// turn and nothing comes: the first request, the rest of a body, the reading of an answer, or simply the next request.

import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface ConnectionBounds {
  /** Open at once; at most half of them may owe their request or its body. */
  readonly maxConnections: number;
  /** Until the whole body is there, of a caller who showed no token. */
  readonly strangerBodyMs: number;
  /** How often that is looked at. */
  readonly checkEveryMs: number;
}

/** What a connection owes: its first request, or the body of one that has come. */
interface Owed {
  readonly request?: IncomingMessage;
  readonly response?: ServerResponse;
  readonly until: number;
}

const trusted = new WeakSet<IncomingMessage>();

/** Gives the body of a request as long as a request may take: its caller has a token. */
export function trustBody(request: IncomingMessage): void {
  trusted.add(request);
}

/** Bounds a server, whose late requests `refuse` answers; what is returned must be told of every request first. */
export function boundConnections(
  server: Server,
  { maxConnections: max, strangerBodyMs, checkEveryMs }: ConnectionBounds,
  refuse: (error: Error, socket: Socket) => void,
  event: 'connection' | 'secureConnection' = 'connection',
): (request: IncomingMessage, response: ServerResponse) => void {
  const open = new Map<Socket, { underWay: number }>();
  /** The oldest first, as in `idle`. */
  const owing = new Map<Socket, Owed>();
  const idle = new Set<Socket>();

  const forget = (socket: Socket): void => {
    open.delete(socket);
    owing.delete(socket);
    idle.delete(socket);
  };
  const end = (socket: Socket): void => {
    forget(socket);
    socket.destroy();
  };
  /** Strikes a connection off that owes nothing any more. */
  const settle = (socket: Socket): void => {
    owing.delete(socket);
    if (open.get(socket)?.underWay === 0) idle.add(socket);
  };
  /** The connection that has owed longest, of more than `many`; those that no longer owe are struck off on the way. */
  const findOwing = (many: number): Socket | undefined => {
    for (const [socket, { request }] of owing) {
      if (owing.size <= many) return undefined;
      if (request === undefined || !isThere(request)) return socket;
      settle(socket);
    }
    return undefined;
  };
  const findUnread = (): Socket | undefined => [...open.keys()].find(({ writableLength }) => writableLength > 0);

  server.on(event, (socket: Socket) => {
    const full = open.size >= max;
    // The last one that owes may have come a moment ago; one that is idle is worth more than one that is silent.
    const oldest = full
      ? (findOwing(1) ?? firstOf(idle) ?? findOwing(0) ?? findUnread())
      : findOwing(Math.floor(max / 2) - 1);
    // All the others are waiting for us.
    if (full && oldest === undefined) return void socket.destroy();
    if (oldest !== undefined) end(oldest);
    open.set(socket, { underWay: 0 });
    owing.set(socket, { until: Infinity });
    socket.once('close', () => forget(socket));
  });

  const sweep = setInterval(() => {
    const now = performance.now();
    for (const [socket, { request, response, until }] of owing) {
      if (until > now || request === undefined) continue;
      settle(socket);
      if (isThere(request)) continue;
      // It was refused before: one request has one answer.
      if (response?.writableEnded === true) end(socket);
      else refuse(tooSlow(), socket);
    }
  }, checkEveryMs);
  sweep.unref();
  server.once('close', () => clearInterval(sweep));

  return (request, response) => {
    const { socket } = request;
    const state = open.get(socket);
    if (state === undefined) return;
    state.underWay++;
    idle.delete(socket);
    owing.delete(socket);
    if (announcesBody(request)) owing.set(socket, { request, response, until: performance.now() + strangerBodyMs });
    response.once('close', () => {
      state.underWay--;
      const owed = owing.get(socket)?.request;
      if (open.has(socket) && (owed === undefined || isThere(owed))) settle(socket);
    });
  };
}

function announcesBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/** Whether nobody need wait for the rest of a request. */
function isThere(request: IncomingMessage): boolean {
  return request.complete || trusted.has(request);
}

function firstOf<T>(all: Iterable<T>): T | undefined {
  for (const one of all) return one;
  return undefined;
}

/** As Node says it. */
function tooSlow(): Error {
  return Object.assign(new Error('the body came too slowly'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
}
