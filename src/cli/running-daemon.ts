// The daemon that runs on a home, if one does.

import type { KeychainReport, KeySource } from '../auth/user-key.js';
import { SvcdError, isSvcdError } from '../model/errors.js';
import { findRuntime } from '../platform/home-folder.js';
import { exchangeOverHttp } from './http-exchange.js';
import { isAlive } from '../platform/process-alive.js';

/** What GET /svcd/status tells. */
export interface Status {
  readonly name: string;
  readonly version: string;
  readonly url: string;
  readonly pid: number;
  readonly started_at: string;
  readonly library: { readonly stickers: number };
  readonly owned: { readonly items: number };
  readonly remote: RemoteStatus;
  readonly key: boolean;
  readonly key_source: KeySource;
  readonly keychain: KeychainReport['state'];
}

export interface RemoteStatus {
  readonly address: string | null;
  readonly sandbox: boolean;
  readonly offline: boolean;
  /** Whether offline is what the user wants, rather than what svcd noticed. */
  readonly forced: boolean;
  /** Since when it is offline, ISO 8601; null when it is not. */
  readonly since: string | null;
  /** Why, in words. */
  readonly why: string | null;
}

export interface RunningDaemon {
  readonly url: string;
  readonly pid: number;
  readonly token: string;
  readonly status: Status;
}

const PING_TIMEOUT_MS = 10_000;

/**
 * The daemon on this home; undefined when none runs, whatever runtime.json still says. Throws `timeout` when
 * one runs and does not answer.
 */
export async function findRunningDaemon(home: string): Promise<RunningDaemon | undefined> {
  const runtime = findRuntime(home);
  const pid = runtime?.pid ?? undefined;
  if (runtime === undefined || pid === undefined || !isAlive(pid)) return undefined;
  const { url, token } = runtime;
  // Asked without the token: should the port have gone to somebody else, they must not learn it.
  const status = await findStatus(url);
  return status?.pid === pid ? { url, pid, token, status } : undefined;
}

/** The same. Throws `not_running` when there is none. */
export async function getRunningDaemon(home: string): Promise<RunningDaemon> {
  const running = await findRunningDaemon(home);
  if (running !== undefined) return running;
  throw new SvcdError('not_running', `svcd does not run on ${home}`, { hint: 'Start it with "svcd start".' });
}

async function findStatus(url: string): Promise<Status | undefined> {
  try {
    const answer = await exchangeOverHttp(url, {
      method: 'GET',
      path: '/svcd/status',
      timeoutMs: PING_TIMEOUT_MS,
    });
    const status = answer.json() as Partial<Status> | null;
    return status?.name === 'svcd' ? (status as Status) : undefined;
  } catch (error) {
    if (isSvcdError(error, 'timeout')) throw error;
    // Refused, or a stranger that does not speak our language.
    return undefined;
  }
}
