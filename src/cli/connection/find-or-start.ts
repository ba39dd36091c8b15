// The daemon on a home for a command that needs one: the one that runs, else one that is started in the background.
// However many commands do so at once, one daemon is started and all of them use it.

import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Flags } from '../../config/config.js';
import { chooseRemote, describeChange } from '../../config/remote-choice.js';
import { isSvcdError } from '../../model/errors.js';
import { type HomeLock, isWritable, lockHome, prepareHome } from '../../platform/files/home-folder.js';
import { launchDaemon, type LaunchTerms } from './detach.js';
import { noteOtherVersion } from './other-version.js';
import { printNote } from '../terminal/output.js';
import { findRunningDaemon, type RunningDaemon } from './running-daemon.js';
import { errorWords } from '../terminal/error-words.js';

export interface FoundDaemon {
  readonly daemon: RunningDaemon;
  /** Whether this call started it. */
  readonly started: boolean;
}

const POLL_MS = 50;
/** How long another process may hold the home without being a daemon that answers. */
const HELD_MS = 30_000;

/** The daemon on this home; the terms are of one that is started. Throws what the daemon's own start throws. */
export async function findOrStart(home: string, flags: Flags = {}, terms: LaunchTerms = {}): Promise<FoundDaemon> {
  const begunAt = performance.now();
  for (;;) {
    const running = await findRunningDaemon(home);
    if (running !== undefined) {
      noteOtherVersion(running.status);
      return { daemon: running, started: false };
    }
    const lock = lockStart(home);
    try {
      if (lock !== undefined) {
        const started = await start(home, flags, terms);
        if (started !== undefined) return started;
      }
    } catch (error) {
      // A daemon that was just starting, or a command that answers in its own process and ends soon.
      if (!isSvcdError(error, 'already_running') || performance.now() - begunAt > HELD_MS) throw error;
    } finally {
      lock?.release();
    }
    await sleep(POLL_MS);
  }
}

/** Starts a daemon, unless one has been started since; undefined when it is gone already. */
async function start(home: string, flags: Flags, terms: LaunchTerms): Promise<FoundDaemon | undefined> {
  const other = await findRunningDaemon(home);
  if (other !== undefined) return { daemon: other, started: false };
  describeChange(await chooseRemote({ ...flags, home }, terms.env))
    .map(errorWords().translated)
    .forEach(printNote);
  await launchDaemon({ ...flags, home }, terms);
  const daemon = await findRunningDaemon(home);
  return daemon && { daemon, started: true };
}

/** The right to start a daemon on this home, while no other process has it; it goes with the process. */
function lockStart(home: string): HomeLock | undefined {
  try {
    // What cannot be written is copied, and the daemon that comes second ends by its port.
    if (existsSync(home) && !isWritable(home)) return { release: () => undefined };
    prepareHome(home);
    return lockHome(home, 0, 'start.lock');
  } catch (error) {
    if (isSvcdError(error, 'already_running')) return undefined;
    throw error;
  }
}
