// A daemon that cannot be asked: runtime.json, which says where it is, is gone, or it answers nothing. The lock of the home
// tells its process, where /proc tells who holds it (Linux); no other process is ended.

import { join } from 'node:path';
import { isSvcdError, SvcdError } from '../../model/errors.js';
import { argumentsOf, findLockHolder, isStopped } from '../../platform/files/find-process.js';
import { findRuntime } from '../../platform/files/home-folder.js';
import { isAlive } from '../../platform/files/process-alive.js';
import { sleep } from '../../platform/sleep.js';
import { printNote } from '../terminal/output.js';
import { progressWords } from '../terminal/progress-words.js';
import { connectionWords } from './words.js';

const POLL_MS = 50;
/** What a daemon that lives needs for its requests in flight, when a command only stops it. */
const END_MS = 15_000;
/** One that did not answer for ten seconds gets these for an end in order. */
const SILENT_END_MS = 5000;

/** The daemon that holds this home; undefined when none does, and where the system does not tell. */
function findHolder(home: string): number | undefined {
  const pid = findLockHolder(join(home, 'daemon.lock'))?.pid;
  // Commands hold the home as well, for a moment, and a program that looks into the file may.
  return pid !== undefined && argumentsOf(pid).includes('start') ? pid : undefined;
}

/** The daemon that holds this home while nothing says where it answers. */
export function findLost(home: string): number | undefined {
  return findRuntime(home) === undefined ? findHolder(home) : undefined;
}

/** Lets a paused daemon of this home go on. */
function wakeDaemon(home: string): void {
  const pid = findHolder(home);
  if (pid === undefined || !isStopped(pid)) return;
  process.kill(pid, 'SIGCONT');
  printNote(connectionWords().goesOn(pid));
}

/** `find`, and if the daemon does not answer it is ended; the process that was. Throws as `find` where it is not known whose that is. */
export async function findOrEnd<T>(home: string, find: () => Promise<T>): Promise<T | { readonly ended: number }> {
  wakeDaemon(home);
  try {
    const found = await find();
    const pid = found === undefined ? findLost(home) : undefined;
    if (pid === undefined) return found;
    await endProcess(pid, END_MS, false);
    return { ended: pid };
  } catch (error) {
    const pid = isSvcdError(error, 'timeout') || isSvcdError(error, 'busy') ? findHolder(home) : undefined;
    if (pid === undefined || pid !== findRuntime(home)?.pid) throw error;
    await endProcess(pid, SILENT_END_MS, true);
    return { ended: pid };
  }
}

/** By SIGTERM, which is an end in order; one that does not answer anyway, then for good. */
async function endProcess(pid: number, timeoutMs: number, isSilent: boolean): Promise<void> {
  const words = connectionWords();
  process.kill(pid, 'SIGTERM');
  if (await hasEnded(pid, timeoutMs)) return;
  if (!isSilent) {
    throw new SvcdError('timeout', progressWords().stillRuns(pid, timeoutMs / 1000), {
      hint: progressWords().finishesFirst,
    });
  }
  process.kill(pid, 'SIGKILL');
  printNote(words.killed(pid));
  await hasEnded(pid, END_MS);
}

async function hasEnded(pid: number, timeoutMs: number): Promise<boolean> {
  for (let waitedMs = 0; waitedMs < timeoutMs; waitedMs += POLL_MS) {
    if (!isAlive(pid)) return true;
    await sleep(POLL_MS);
  }
  return false;
}
