// The remote as svcd sees it: free calls, paid calls, and what every answer tells of the balance.

import { SvcdError } from '../errors.js';
import { keyIdOf } from '../spender.js';
import type { Exchange, Exchanger, RemoteAnswer, RemoteRequest } from './exchange.js';
import { remoteError } from './remote-error.js';

export interface Remote {
  /** Base address, without a slash at its end. */
  readonly baseUrl: string;
  /** Whether it may be asked now; a reason for people when not. */
  readonly offline: () => boolean;
  /** One exchange; what it tells of the balance is passed to `onBalance`. */
  readonly exchange: (request: RemoteRequest) => Promise<Exchange>;
}

export interface RemoteOptions {
  readonly baseUrl: string;
  readonly exchanger: Exchanger;
  /** Forced offline: nothing leaves. */
  readonly offline: () => boolean;
  readonly onBalance: (keyId: string, credits: number) => void;
}

const CREDITS_HEADER = 'x-service-credits-remaining';

/** Wraps an exchanger with the forced-offline switch and the reading of balances. */
export function createRemote(options: RemoteOptions): Remote {
  const exchange = async (request: RemoteRequest): Promise<Exchange> => {
    if (options.offline()) return { kind: 'unreached', error: forcedOffline() };
    const result = await options.exchanger(request);
    if (result.kind === 'answer') noteBalance(result, request, options.onBalance);
    return result;
  };
  return { baseUrl: options.baseUrl, offline: options.offline, exchange };
}

/** The answer of a free call. Throws `offline`, `timeout`, `upstream_failure`, or what the remote refused with. */
export async function askFree(remote: Remote, request: RemoteRequest): Promise<RemoteAnswer> {
  const result = await remote.exchange(request);
  if (result.kind !== 'answer') throw result.error;
  if (result.status >= 400) throw remoteError(result);
  return result;
}

/** The header of a 401 or 403 speaks of nobody's account. */
function noteBalance(answer: RemoteAnswer, request: RemoteRequest, note: RemoteOptions['onBalance']): void {
  const header = answer.headers[CREDITS_HEADER];
  if (answer.status === 401 || answer.status === 403) return;
  if (header === undefined || request.key === undefined || !/^\d{1,15}$/.test(header)) return;
  note(keyIdOf(request.key), Number(header));
}

function forcedOffline(): SvcdError {
  return new SvcdError('offline', 'svcd is set to offline');
}
