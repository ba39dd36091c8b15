// The home's own token: the one that exists, else a new one that the next start will use.

import { join } from 'node:path';
import { loadConfig } from '../../config/config.js';
import { SvcdError } from '../../model/errors.js';
import { lockHome, prepareHome } from '../../platform/files/home-folder.js';
import { findRuntime, newToken, writeRuntime } from '../../platform/files/runtime-file.js';
import { findRunningDaemon } from './running-daemon.js';
import { terminalWords } from '../terminal/words.js';

export interface HomeToken {
  readonly token: string;
  /** Where the daemon is, or will be. */
  readonly url: string;
  readonly running: boolean;
  /** Whether the daemon's remote is, or will be, the sandbox. */
  readonly sandbox: boolean;
}

const LOCK_WAIT_MS = 3000;

/** The token of this home and the daemon's address. */
export async function getHomeToken(home: string): Promise<HomeToken> {
  const running = await findRunningDaemon(home);
  if (running !== undefined) {
    const { token, url, status } = running;
    return { token, url, running: true, sandbox: status.remote.sandbox };
  }
  const { port, sandbox } = await loadConfig({ home });
  const token = findRuntime(home)?.token ?? writeToken(home, port, (known) => known ?? newToken());
  return { token, url: urlOf(port), running: false, sandbox };
}

/** Replaces the token of a home that no daemon holds; returns the new one. Throws `already_running`. */
export function replaceToken(home: string, port: number): string {
  return writeToken(home, port, newToken);
}

/** The file that holds the token. */
export function tokenFile(home: string): string {
  return join(home, 'runtime.json');
}

/** Throws `not_running` unless clients can use the address. */
export function assertReachable({ url }: HomeToken): void {
  if (!url.endsWith(':0')) return;
  throw new SvcdError('not_running', terminalWords().portUnknown, { hint: terminalWords().startFirst });
}

function writeToken(home: string, port: number, choose: (known: string | undefined) => string): string {
  prepareHome(home);
  const lock = lockHome(home, LOCK_WAIT_MS);
  try {
    const runtime = findRuntime(home);
    const token = choose(runtime?.token);
    writeRuntime(home, { ...runtime, pid: null, url: urlOf(port), token });
    return token;
  } finally {
    lock.release();
  }
}

function urlOf(port: number): string {
  return `http://127.0.0.1:${port}`;
}
