// The daemons that a command started for itself alone. Each reads its standard input from this process, so that it stops when
// this process ends, by kill -9 too.

import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { TokenView } from '../../api/answers.js';
import type { KeepDaemon } from '../connection/detach.js';
import { printNote } from '../terminal/output.js';
import { askDaemon, findRunningDaemon } from '../connection/running-daemon.js';
import { runWords } from './words.js';

export interface OwnDaemons {
  readonly keep: KeepDaemon;
  /** Stops those that run, and waits until they have ended or `hurry` aborts; not for one that other commands still use. */
  stop(home: string, hurry: AbortSignal): Promise<void>;
}

/** A stop that takes no longer is not worth a line. */
const QUIET_MS = 2000;

export function createOwnDaemons(): OwnDaemons {
  const kept: ChildProcess[] = [];
  return {
    keep: (daemon) => {
      kept.push(daemon);
      // It may be gone before us.
      daemon.stdin?.on('error', () => undefined);
    },
    stop: async (home, hurry) => {
      const running = kept.filter(isRunning);
      const others = running.length === 0 ? 0 : await countCommands(home).catch(() => 0);
      for (const daemon of running) daemon.stdin?.end();
      if (others > 0) return printNote(runWords().stillUsed(others));
      const timer = setTimeout(() => printNote(runWords().finishing), QUIET_MS);
      await Promise.all(running.map((daemon) => untilEnded(daemon, hurry)));
      clearTimeout(timer);
    },
  };
}

function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}

async function untilEnded(daemon: ChildProcess, hurry: AbortSignal): Promise<void> {
  if (!isRunning(daemon)) return;
  daemon.ref();
  await once(daemon, 'exit', { signal: hurry }).catch(() => undefined);
  daemon.unref();
}

/** How many commands have a token of the daemon; this one's has ended. */
async function countCommands(home: string): Promise<number> {
  const daemon = await findRunningDaemon(home);
  if (daemon === undefined) return 0;
  const { tokens } = await askDaemon<{ tokens: TokenView[] }>(daemon, 'GET', '/svcd/tokens');
  return tokens.filter(({ temporary }) => temporary).length;
}
