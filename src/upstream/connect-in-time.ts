// How long one request tries to connect: two seconds, less if it has less, and no longer than until it is recalled.

import type { Socket } from 'node:net';
import { SvcdError } from '../model/errors.js';
import { adviceOn, causeName, unreachedError } from './exchange-error.js';
import type { OpenConnection } from './open-connection.js';

export interface Wait {
  /** Ends it early; its reason is an SvcdError. */
  readonly recall?: AbortSignal | undefined;
  readonly timeoutMs: number;
}

const CONNECT_TIMEOUT_MS = 2000;

/** A connection, or why there is none: `offline`, or the reason of the recall. Never rejects. */
export async function connectInTime(
  connect: OpenConnection,
  base: URL,
  { recall, timeoutMs }: Wait,
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
