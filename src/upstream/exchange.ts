// One exchange with the remote: a request out, a whole answer in, or the truth about how far it got.
// The only importer of undici, loaded when first needed. No retries, no meaning: only the wire.

import type { Client, Dispatcher, buildConnector } from 'undici';
import { SvcdError, systemCode } from '../errors.js';

export interface RemoteRequest {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path and query below the base address, beginning with a slash. */
  readonly path: string;
  readonly key?: string | undefined;
  readonly body?: Uint8Array | undefined;
  readonly contentType?: string | undefined;
  /** How long the whole exchange may take. */
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

export interface RemoteAnswer {
  readonly kind: 'answer';
  readonly status: number;
  /** Lower-case names; of a repeated header the last value. */
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Uint8Array;
}

export type Exchange =
  | RemoteAnswer
  /** Not one byte of the request left. */
  | { readonly kind: 'unreached'; readonly error: SvcdError }
  /** The request left, or may have; no whole answer came. */
  | { readonly kind: 'lost'; readonly error: SvcdError };

export type Exchanger = (request: RemoteRequest) => Promise<Exchange>;

const CONNECT_TIMEOUT_MS = 2000;

/**
 * Exchanges with one base address. Each exchange has a connection of its own: a kept one may have been closed
 * by the other side, and then nobody can say whether a paid request went out on it. The price is a handshake.
 */
export function createExchanger(baseUrl: string): Exchanger {
  const { origin, pathname } = new URL(baseUrl);
  const prefix = pathname.replace(/\/+$/, '');
  return async (request) => {
    const undici = await import('undici');
    let connected = false;
    const connect = noticing(undici.buildConnector({ timeout: CONNECT_TIMEOUT_MS }), () => {
      connected = true;
    });
    const client = new undici.Client(origin, { connect, pipelining: 0, maxResponseSize: request.maxBytes });
    try {
      return await ask(client, request, prefix);
    } catch (cause) {
      return connected
        ? { kind: 'lost', error: lost(cause, request) }
        : { kind: 'unreached', error: unreached(cause) };
    } finally {
      // Not awaited: the answer is whole, and a slow goodbye of the other side is nobody's concern.
      void client.destroy().catch(() => undefined);
    }
  };
}

/** Loads the HTTP client, which takes a tenth of a second that the first paid call need not wait for. */
export async function warmUp(): Promise<void> {
  await import('undici');
}

async function ask(client: Client, request: RemoteRequest, prefix: string): Promise<RemoteAnswer> {
  const response = await client.request({
    method: request.method,
    path: prefix + request.path,
    headers: headersOf(request),
    body: request.body ?? null,
    signal: AbortSignal.timeout(request.timeoutMs),
    headersTimeout: request.timeoutMs,
    bodyTimeout: request.timeoutMs,
  });
  const bytes = await response.body.bytes();
  return { kind: 'answer', status: response.statusCode, headers: flat(response.headers), bytes };
}

/** Only what the contract needs leaves: nothing of the client's own headers. */
function headersOf(request: RemoteRequest): Record<string, string> {
  return {
    accept: 'application/json, */*;q=0.5',
    ...(request.key === undefined ? {} : { authorization: `Bearer ${request.key}` }),
    ...(request.contentType === undefined ? {} : { 'content-type': request.contentType }),
  };
}

function flat(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  const entries = Object.entries(headers).flatMap(([name, value]) => {
    const last = Array.isArray(value) ? value.at(-1) : value;
    return last === undefined ? [] : [[name.toLowerCase(), last] as const];
  });
  return Object.fromEntries(entries);
}

function noticing(connector: buildConnector.connector, onConnected: () => void): buildConnector.connector {
  return (options, callback) =>
    connector(options, (...result) => {
      if (result[0] === null) onConnected();
      callback(...result);
    });
}

function unreached(cause: unknown): SvcdError {
  return new SvcdError('offline', `the remote cannot be reached (${causeName(cause)})`, { cause });
}

function lost(cause: unknown, request: RemoteRequest): SvcdError {
  if (systemCode(cause) === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') {
    return new SvcdError('upstream_failure', `the remote sent more than ${request.maxBytes} bytes`, {
      cause,
    });
  }
  if (isTimeout(cause)) {
    return new SvcdError('timeout', `the remote did not answer within ${request.timeoutMs} ms`, { cause });
  }
  return new SvcdError('upstream_failure', `the connection to the remote broke (${causeName(cause)})`, {
    cause,
  });
}

function isTimeout(cause: unknown): boolean {
  const code = systemCode(cause);
  if (code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT') return true;
  return cause instanceof Error && (cause.name === 'TimeoutError' || cause.name === 'AbortError');
}

function causeName(cause: unknown): string {
  return systemCode(cause) ?? (cause instanceof Error ? cause.name : 'unknown');
}
