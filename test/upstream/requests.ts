// Requests and results for tests of the layers, which look at little of either.

import { SvcdError, type ErrorCode } from '../../src/model/errors.js';
import type { Exchange, RemoteRequest } from '../../src/upstream/exchange.js';

/** A free GET, unless said otherwise. */
export function requestOf(more: Partial<RemoteRequest> = {}): RemoteRequest {
  return { method: 'GET', path: '/api/v1/me', key: 'sk-one', cost: 'free', timeoutMs: 8000, maxBytes: 1000, ...more };
}

export function answer(status = 200, headers: Record<string, string> = {}, body = ''): Exchange {
  return { kind: 'answer', status, headers, bytes: new TextEncoder().encode(body) };
}

export function unreached(code: ErrorCode = 'offline', message = 'refused'): Exchange {
  return { kind: 'unreached', error: new SvcdError(code, message) };
}

export function lost(code: ErrorCode = 'upstream_failure'): Exchange {
  return { kind: 'lost', error: new SvcdError(code, 'broke') };
}

/** Kind, and status or code. */
export function outcome(result: Exchange): [string, string | number] {
  return [result.kind, result.kind === 'answer' ? result.status : result.error.code];
}
