// Starts the real daemon for a test: any free port, a home of its own, ready when this returns.

import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { DaemonInfo } from '../../src/daemon/daemon.js';
import { checkAnswersOf } from './check-answers.js';
import { collect, makeHome, spawnSvcd, type RunOptions } from './run-svcd.js';

export interface StartedSvcd {
  /** Its first line. */
  readonly info: DaemonInfo;
  readonly home: string;
  readonly child: ChildProcess;
  /** All it has said so far. */
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Sends it a signal (SIGTERM) and waits for its end; its exit code. */
  readonly end: (signal?: NodeJS.Signals) => Promise<number | null>;
  /** Ends it if need be, and removes a home made for it. */
  readonly stop: () => Promise<void>;
}

export interface StartOptions extends Partial<RunOptions> {
  /** Made, and removed by `stop`, when not given. */
  readonly home?: string;
}

/** Starts `svcd start --json --port 0` with these flags. Rejects with what it said when it does not come up. */
export async function startSvcd(flags: readonly string[] = [], options: StartOptions = {}): Promise<StartedSvcd> {
  const made = options.home === undefined ? makeHome() : undefined;
  const home = options.home ?? made?.home ?? '';
  const args = ['start', '--json', '--port', '0', ...flags];
  const child = spawnSvcd(args, { ...options, home }, ['ignore', 'pipe', 'pipe']);
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
  const end = async (signal: NodeJS.Signals = 'SIGTERM') => {
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
    child.kill(signal);
    await once(child, 'close');
    return child.exitCode;
  };
  const stop = async () => {
    await end();
    made?.remove();
  };
  try {
    const info = await firstLine(child, stdout, stderr);
    child.once('exit', checkAnswersOf(info.url));
    return { info, home, child, stdout, stderr, end, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function firstLine(child: ChildProcess, stdout: () => string, stderr: () => string): Promise<DaemonInfo> {
  while (!stdout().includes('\n')) {
    const closed = once(child, 'close').then(() => 'closed');
    const said = child.stdout === null ? closed : once(child.stdout, 'data').then(() => 'said');
    if ((await Promise.race([said, closed])) === 'closed') {
      throw new Error(`svcd ended with ${child.exitCode} and said: ${stderr()}`);
    }
  }
  return JSON.parse(stdout().split('\n', 1)[0] ?? '') as DaemonInfo;
}
