// Refuses bytes that are not HTTP or arrive too slowly, in the form of every refusal, and ends the connection: where the
// next request would begin is unknown.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { SvcdError, systemCode } from '../model/errors.js';
import { refusalOf } from '../api/refusal.js';
import { JSON_TYPE } from './answer.js';
import { type HeaderPairs, plainPage, SAFE_HEADERS } from './security-headers.js';

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
  const [status, message, hint] = findUnencoded(error) ?? refusalFor(code);
  const isVisit = code === 'HPE_HEADER_OVERFLOW' && VISIT.test(rawOf(error));
  const refusal = new SvcdError('invalid_request', message, { hint });
  endWith(socket, status, refusal, more, isVisit ? TOO_MANY_COOKIES : undefined);
}

/** A browser that opens a page; what it sent too much of are cookies, which all ports of a machine share. */
const VISIT = /\r\naccept:[^\r\n]*text\/html/i;
const TOO_MANY_COOKIES = plainPage(
  'Your browser sends more cookies to this address than svcd reads; programs on other ports of this machine set them. Clear the cookies of 127.0.0.1 and localhost in the settings of the browser, then run <code>svcd open</code>.',
  '浏览器发往此地址的 Cookie 过多，超出 svcd 的读取上限；它们由本机其他端口的程序设置。请在浏览器设置中清除 127.0.0.1 和 localhost 的 Cookie，然后运行 <code>svcd open</code>。',
);

const rawOf = (error: Error & { readonly rawPacket?: Buffer }): string => error.rawPacket?.toString('latin1') ?? '';

const REFUSALS: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'the headers are too large'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['413 Payload Too Large', 'the extensions of a chunk are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'the request did not arrive in time'],
};

type Refusal = readonly [status: string, message: string, hint?: string];

function refusalFor(code: string | undefined): Refusal {
  return REFUSALS[code ?? ''] ?? ['400 Bad Request', 'this is not a valid HTTP request'];
}

/** More is not worth an answer. */
const SHOWN_MAX = 300;
const REQUEST_LINE = /^[A-Z]+ ([^ \r\n]+) HTTP\/1\.[01]\r?\n/;

/**
 * For a path with letters that are no ASCII, such as `?q=生日` from curl: what is wrong with it, and the same path as it has
 * to be. It is not read as if it were right: what a program between us makes of such bytes is not known.
 */
function findUnencoded(error: Error & { readonly rawPacket?: Buffer }): Refusal | undefined {
  if (systemCode(error) !== 'HPE_INVALID_URL') return undefined;
  // Byte by byte, as the parser sees it.
  const [, target] = REQUEST_LINE.exec(rawOf(error)) ?? [];
  if (target === undefined || !/[\u0080-\u00FF]/.test(target)) return undefined;
  const encoded = asEncoded(Buffer.from(target, 'latin1'));
  const what = encoded === undefined ? 'Write q=%E7%94%9F%E6%97%A5 for q=生日.' : `Ask for ${encoded}.`;
  return [
    '400 Bad Request',
    'the path has characters that must be percent-encoded as UTF-8',
    `${what} curl does it with: curl -G --data-urlencode 'q=…' URL`,
  ];
}

/** The same path with its foreign letters percent-encoded; undefined for what is not UTF-8, or too long to show. */
function asEncoded(target: Buffer): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(target);
    const encoded = text.replace(/[^\u0021-\u007E]+/gu, encodeURIComponent);
    return encoded.length <= SHOWN_MAX ? encoded : undefined;
  } catch {
    return undefined;
  }
}

/** Writes a refusal where no answer can be made of a request, and ends the connection. */
export function endWith(socket: Duplex, status: string, error: SvcdError, more: HeaderPairs, page?: string): void {
  const body = page ?? JSON.stringify(refusalOf(error));
  const headers = [
    ['Content-Type', page === undefined ? JSON_TYPE : 'text/html; charset=utf-8'],
    ['Content-Length', String(Buffer.byteLength(body))],
    ['Connection', 'close'],
    ...SAFE_HEADERS,
    ...more,
  ];
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.end(`HTTP/1.1 ${status}\r\n${lines}\r\n${body}`);
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
