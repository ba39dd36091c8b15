// A daemon that cannot be asked: runtime.json, which says where it is, is gone, or it answers nothing. The lock of the home
// tells its process, where /proc tells who holds it (Linux); no other process is ended.

import { join } from 'node:path';
import { isSvcdError, SvcdError } from '../../model/errors.js';
import { argumentsOf, findLockHolder, isStopped } from '../../platform/files/find-process.js';
import { findRuntime } from '../../platform/files/runtime-file.js';
import { isAlive } from '../../platform/files/process-alive.js';
import { sleep } from '../../platform/sleep.js';
import { printNote } from '../terminal/output.js';
import { progressWords } from '../terminal/progress.js';
import { connectionWords } from './words.js';

const POLL_MS = 50;
/** What a daemon that lives needs for its requests in flight, when a command only stops it. */
const END_MS = 15_000;
/** An end that takes no longer is not worth a line. */
const QUIET_MS = 1000;
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

/** What a home had: a daemon that answers, or one that did not and was ended. */
interface FoundOrEnded<T> {
  readonly running?: T | undefined;
  readonly ended?: number;
}

/** `find`, and if the daemon does not answer it is ended. Throws as `find` where it is not known whose that is. */
export async function findOrEnd<T>(home: string, find: () => Promise<T | undefined>): Promise<FoundOrEnded<T>> {
  wakeDaemon(home);
  try {
    const running = await find();
    const pid = running === undefined ? findLost(home) : undefined;
    if (pid === undefined) return { running };
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
  process.kill(pid, 'SIGTERM');
  if (!isSilent) return untilEnded(pid, timeoutMs);
  if (await hasEnded(pid, timeoutMs)) return;
  process.kill(pid, 'SIGKILL');
  printNote(connectionWords().killed(pid));
  await hasEnded(pid, END_MS);
}

/** Waits for the end of a daemon that was told to stop; `onWait` is called when that takes a while. Throws `timeout`. */
export async function untilEnded(pid: number, timeoutMs: number, onWait: () => void = () => undefined): Promise<void> {
  if (await hasEnded(pid, QUIET_MS)) return;
  onWait();
  if (await hasEnded(pid, timeoutMs - QUIET_MS)) return;
  const words = progressWords();
  throw new SvcdError('timeout', words.stillRuns(pid, timeoutMs / 1000), { hint: words.finishesFirst });
}

async function hasEnded(pid: number, timeoutMs: number): Promise<boolean> {
  for (let waitedMs = 0; waitedMs < timeoutMs; waitedMs += POLL_MS) {
    if (!isAlive(pid)) return true;
    await sleep(POLL_MS);
  }
  return false;
}
