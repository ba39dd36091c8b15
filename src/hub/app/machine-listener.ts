// The listener for machines that joined the hub: TLS 1.3 on a port of its own, with the limits and turns of every other one.
// What a browser sends is refused in words before anything else of it is read, also where it speaks no TLS.

import type { IncomingHttpHeaders, IncomingMessage, Server } from 'node:http';
import { createServer, type Server as TlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { comesFromBrowser } from '../../auth/authorization.js';
import { isSvcdError, SvcdError } from '../../model/errors.js';
import { endWith } from '../../http/client-error-handler.js';
import type { Gate } from '../../http/gate.js';
import {
  closeAll,
  type ConnectionLimits,
  type Fetch,
  LIMITS,
  type Listener,
  open,
  serverMaker,
} from '../../http/listen.js';
import type { HeaderPairs } from '../../http/security-headers.js';

export interface MachineListenerOptions {
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
  /** PEM. */
  readonly certificate: string;
  readonly privateKey: string;
  readonly limits?: Partial<ConnectionLimits> | undefined;
  readonly headers?: HeaderPairs | undefined;
}

/** Each machine keeps some open. */
const MAX_CONNECTIONS = 5000;
/** The first byte of a handshake (RFC 8446, section 5.1). */
const HANDSHAKE = 22;
/** Of all interfaces both families are served. */
const ANY_ADDRESS = '::';

export interface MachineListener extends Listener {
  /** From the next connection on another certificate is shown. */
  renew(identity: Pick<MachineListenerOptions, 'certificate' | 'privateKey'>): void;
}

/** Listens for machines. Throws `port_in_use`. */
export async function listenForMachines(fetch: Fetch, options: MachineListenerOptions): Promise<MachineListener> {
  const { host, port, certificate: cert, privateKey: key, headers = [] } = options;
  const limits = { ...LIMITS, maxConnections: MAX_CONNECTIONS, ...options.limits };
  const { headersTimeoutMs } = limits;
  const create = serverMaker(fetch, {
    gate: MACHINE_GATE,
    limits,
    headers,
    create: (more) => createServer({ ...more, cert, key, minVersion: 'TLSv1.3', handshakeTimeout: headersTimeoutMs }),
  });
  const server = create();
  refusePlainHttp(server, headersTimeoutMs, headers, boundHandshakes(server, limits.maxConnections));
  try {
    const listening = await open(server, host, port, host !== ANY_ADDRESS);
    return {
      port: (listening.address() as AddressInfo).port,
      renew: (now) =>
        (server as TlsServer).setSecureContext({ cert: now.certificate, key: now.privateKey, minVersion: 'TLSv1.3' }),
      close: (graceMs) => closeAll([server], graceMs),
    };
  } catch (error) {
    if (!isSvcdError(error, 'port_in_use')) throw error;
    throw new SvcdError('port_in_use', error.message, {
      cause: error.cause,
      hint: 'Let machines come in elsewhere with "svcd hub start --listen HOST:PORT".',
    });
  }
}

const MACHINE_GATE: Gate = {
  admits: () => false,
  findRefusal: ({ headers }: IncomingMessage) =>
    comesFromBrowser((name) => textOf(headers, name)) ? forMachines() : undefined,
};

function textOf(headers: IncomingHttpHeaders, name: string): string | null {
  const value = headers[name];
  return value === undefined ? null : String(value);
}

/** What is said to a browser, and to whoever speaks no TLS. */
function forMachines(): SvcdError {
  return new SvcdError('for_machines', 'this port is for machines that have joined the hub, not for browsers', {
    hint: 'The page of svcd is on the machine of the hub itself: run "svcd open" there.',
  });
}

/** Bounds the connections whose handshake is not done, of all and of one address: of too many the oldest makes way. To be told of each. */
function boundHandshakes(server: Server, max: number): (socket: Socket) => void {
  const maxOfAddress = Math.ceil(max / 5);
  /** By address and port, the oldest first. */
  const pending = new Map<string, Map<number, Socket>>();
  let count = 0;
  const forget = (address: string, port: number): void => {
    const own = pending.get(address);
    if (own?.delete(port) !== true) return;
    count -= 1;
    if (own.size === 0) pending.delete(address);
  };
  server.on('secureConnection', ({ remoteAddress = '', remotePort = 0 }: Socket) => forget(remoteAddress, remotePort));
  return (socket) => {
    const { remoteAddress: address, remotePort: port } = socket;
    // It is gone already.
    if (address === undefined || port === undefined) return;
    const ofAddress = pending.get(address)?.size ?? 0;
    const [crowded] = ofAddress >= maxOfAddress ? [address] : count >= max ? pending.keys() : [];
    const [oldest] = pending.get(crowded ?? '') ?? [];
    if (crowded !== undefined && oldest !== undefined) {
      forget(crowded, oldest[0]);
      oldest[1].destroy();
    }
    pending.set(address, (pending.get(address) ?? new Map<number, Socket>()).set(port, socket));
    count += 1;
    socket.once('close', () => forget(address, port));
  };
}

/** Looks at the first byte of a connection: what begins no handshake gets its sentence in plain HTTP. */
function refusePlainHttp(server: Server, waitMs: number, headers: HeaderPairs, note: (socket: Socket) => void): void {
  const begin = server.listeners('connection');
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    note(socket);
    const end = () => void socket.destroy();
    socket.setTimeout(waitMs, end).on('error', end);
    socket.once('readable', () => {
      const first = socket.read(1) as Buffer | null;
      if (first === null) return end();
      if (first[0] !== HANDSHAKE) return endWith(socket, '403 Forbidden', forMachines(), headers);
      socket.setTimeout(0).off('timeout', end).off('error', end);
      socket.unshift(first);
      for (const listener of begin) (listener as (this: Server, socket: Socket) => void).call(server, socket);
    });
  });
}
