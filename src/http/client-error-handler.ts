// Refuses bytes that are not HTTP or arrive too slowly, in the form of every refusal, and ends the connection: where the
// next request would begin is unknown.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { SvcdError, systemCode } from '../model/errors.js';
import { refusalOf } from '../api/refusal.js';
import { JSON_TYPE } from './answer.js';
import { type HeaderPairs, SAFE_HEADERS } from './security-headers.js';

/** Time to read the refusal before the connection is cut, for a client that goes on sending. */
const LINGER_MS = 500;

const doomed = new WeakSet<Duplex>();
const patient = new WeakSet<IncomingMessage>();

/**
 * Lets a request take longer than others to arrive, as long as it is not silent: an import by a caller who was let in.
 * Until this is called the usual limits hold.
 */
export function allowSlowBody(request: IncomingMessage): void {
  patient.add(request);
}

/** Node keeps here the answer under way on a connection, and looks at it for the same reason. */
interface Connection extends Duplex {
  _httpMessage?: ServerResponse | null;
}

/** Ends a connection: at once, or after the answer that is under way, so that two answers never mix. */
export function handleClientError(error: Error, socket: Connection, more: HeaderPairs): void {
  if (doomed.has(socket)) return;
  doomed.add(socket);
  const code = systemCode(error);
  if (!socket.writable || code === 'ECONNRESET') return void socket.destroy();
  // oxlint-disable-next-line no-underscore-dangle -- Node's own name
  const underWay = socket._httpMessage;
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT' && underWay && patient.has(underWay.req)) return void doomed.delete(socket);
  if (underWay?.req.complete === true) return void underWay.once('close', () => socket.destroy());
  if (underWay?.headersSent === true) return void socket.destroy();
  socket.end(refusal(code, more));
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

const REFUSALS: Readonly<Record<string, readonly [status: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'the headers are too large'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['413 Payload Too Large', 'the extensions of a chunk are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'the request did not arrive in time'],
};

function refusal(code: string | undefined, more: HeaderPairs): string {
  const [status, message] = REFUSALS[code ?? ''] ?? ['400 Bad Request', 'this is not a valid HTTP request'];
  const body = JSON.stringify(refusalOf(new SvcdError('invalid_request', message)));
  const headers = [
    ['Content-Type', JSON_TYPE],
    ['Content-Length', String(Buffer.byteLength(body))],
    ['Connection', 'close'],
    ...SAFE_HEADERS,
    ...more,
  ];
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return `HTTP/1.1 ${status}\r\n${lines}\r\n${body}`;
}
