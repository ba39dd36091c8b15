// The home's own token for a person or script: the one that is there, else a new one that the next start will use.

import { join } from 'node:path';
import { loadConfig } from '../config/config.js';
import { SvcdError } from '../model/errors.js';
import { findRuntime, lockHome, newToken, prepareHome, writeRuntime } from '../platform/home-folder.js';
import { findRunningDaemon } from './running-daemon.js';

export interface HomeToken {
  readonly token: string;
  /** Where the daemon is, or will be. */
  readonly url: string;
  readonly running: boolean;
}

const LOCK_WAIT_MS = 3000;

/** The token and address of this home. Throws `invalid_config` when the address is known only once svcd runs. */
export async function getHomeToken(home: string): Promise<HomeToken> {
  const running = await findRunningDaemon(home);
  if (running !== undefined) return { token: running.token, url: running.url, running: true };
  const { port } = await loadConfig({ home });
  return { token: findRuntime(home)?.token ?? writeNew(home, port), url: urlOf(port), running: false };
}

/** Replaces the token of a home that no daemon holds; the new one. Throws `already_running`. */
export function replaceToken(home: string, port: number): string {
  prepareHome(home);
  const lock = lockHome(home, LOCK_WAIT_MS);
  try {
    const token = newToken();
    writeRuntime(home, { ...findRuntime(home), pid: null, url: urlOf(port), token });
    return token;
  } finally {
    lock.release();
  }
}

/** Where the token stands. */
export function tokenFile(home: string): string {
  return join(home, 'runtime.json');
}

/** Throws unless the address is one that a client can use. */
export function assertReachable({ url }: HomeToken): void {
  if (!url.endsWith(':0')) return;
  throw new SvcdError('not_running', 'the port is 0, so the address is known only once svcd runs', {
    hint: 'Start it with "svcd start", and ask again.',
  });
}

function writeNew(home: string, port: number): string {
  prepareHome(home);
  const lock = lockHome(home, LOCK_WAIT_MS);
  try {
    const known = findRuntime(home)?.token;
    if (known !== undefined) return known;
    const token = newToken();
    writeRuntime(home, { pid: null, url: urlOf(port), token });
    return token;
  } finally {
    lock.release();
  }
}

function urlOf(port: number): string {
  return `http://127.0.0.1:${port}`;
}
