// The home folder: private, held by one process at a time.

import { accessSync, chmodSync, constants, existsSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SvcdError, systemCode } from '../../model/errors.js';
import { makeFolder } from './files.js';
import { findRuntime } from './runtime-file.js';
import { isOurs, requireSafeHome } from './safe-home.js';
import { openDatabase } from '../open-database.js';

/** Digests of the pages that are signed in; a restart keeps them, `svcd stop` does not. */
export const SESSIONS_FILE = 'sessions.json';

export interface HomeLock {
  release(): void;
}

/**
 * Makes the folder, private (mode 0700) unless it holds other things than svcd's, and sees that it can be written. Throws
 * `home_not_writable`, `disk_full`, and `invalid_config` for one that is not safe.
 */
export function prepareHome(home: string): void {
  try {
    makeFolder(home);
    // It may have been made by somebody else in the meantime.
    requireSafeHome(home);
    // What the user took away is not given back: a folder made read-only stays so.
    if (isOurs(home)) chmodSync(home, statSync(home).mode & 0o700);
    accessSync(home, constants.W_OK | constants.X_OK);
  } catch (cause) {
    if (cause instanceof SvcdError) throw cause;
    if (isDiskFull(cause)) throw asHomeTrouble(home, cause);
    throw unwritable(home, systemCode(cause) ?? (cause instanceof Error ? cause.message : 'unknown'), cause);
  }
}

/**
 * Holds the home for this process until released. The lock is the system's own (through SQLite), so it goes
 * with the process however that ends. Waits up to `waitMs`, then throws `already_running`. Another `name` is
 * another lock.
 */
export function lockHome(home: string, waitMs: number, name = 'daemon.lock'): HomeLock {
  const db = openLock(home, waitMs, name);
  try {
    db.exec('BEGIN EXCLUSIVE');
  } catch (cause) {
    db.close();
    if (systemCode(cause) !== 'SQLITE_BUSY') throw cause;
    throw alreadyRunning(home, cause);
  }
  return { release: () => db.close() };
}

const NO_ROOM = new Set(['ENOSPC', 'EDQUOT', 'SQLITE_FULL', 'SQLITE_IOERR_WRITE', 'SQLITE_IOERR_SHMSIZE']);
const NO_WRITING = new Set(['EROFS', 'EACCES', 'EPERM', 'EIO', 'SQLITE_READONLY', 'SQLITE_CANTOPEN']);

/** Translates an error of opening a home: `disk_full`, `home_not_writable` for a disk that takes nothing, others unchanged. */
export function asHomeTrouble(home: string, error: unknown): unknown {
  const code = error instanceof SvcdError ? '' : (systemCode(error) ?? '');
  // SQLite names a folder that it cannot write by a longer code: SQLITE_READONLY_DIRECTORY.
  if (code === 'ENOENT' && isInside(home, error)) return unwritable(home, code, error);
  const isIn = (codes: ReadonlySet<string>) => [...codes].some((one) => code.startsWith(one));
  if (!isIn(NO_ROOM) && !isIn(NO_WRITING)) return error;
  if (!isIn(NO_ROOM)) return unwritable(home, code, error);
  const hint = 'Free some space, or use another home with --home DIR or SVCD_HOME.';
  return new SvcdError('disk_full', `the disk of the home folder ${home} is full (${code})`, {
    cause: error,
    hint,
  });
}

/** Whether a file could not be written because its disk is full, and not for any other reason. */
export function isDiskFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT', 'SQLITE_FULL'].includes(systemCode(error) ?? '');
}

const ROOM = Buffer.alloc(4 * 1024 * 1024);

/** Whether the disk of a home takes a few megabytes again; asked by writing them, since a quota shows in no other way. */
export function hasRoom(home: string): boolean {
  const file = join(home, 'room.part');
  try {
    writeFileSync(file, ROOM);
    return true;
  } catch {
    return false;
  } finally {
    try {
      rmSync(file, { force: true });
    } catch {
      // It is asked in a timer, which must not end the daemon; the next one writes over it.
    }
  }
}

function unwritable(home: string, code: string, cause: unknown): SvcdError {
  const hint = 'Give another one with --home DIR or SVCD_HOME.';
  return new SvcdError('home_not_writable', `the home folder ${home} cannot be written (${code})`, { cause, hint });
}

/** A file system such as /proc says of each new file that it is not there. */
function isInside(home: string, error: unknown): boolean {
  const path = (error as NodeJS.ErrnoException).path;
  return path !== undefined && dirname(path) === home && existsSync(home);
}

/** Whether svcd can write in a home; so it can where there is none yet. */
export function isWritable(home: string): boolean {
  try {
    accessSync(home, constants.W_OK | constants.X_OK);
    return true;
  } catch (error) {
    return systemCode(error) === 'ENOENT';
  }
}

function openLock(home: string, busyTimeoutMs: number, name: string) {
  try {
    return openDatabase(join(home, name), {
      migrations: [],
      durability: 'normal',
      journal: 'delete',
      busyTimeoutMs,
    });
  } catch (cause) {
    if (systemCode(cause) === 'SQLITE_BUSY') throw alreadyRunning(home, cause);
    throw asHomeTrouble(home, cause);
  }
}

/** Another process has this home, or the copy of it that stands in for one that cannot be written. */
export function alreadyRunning(home: string, cause: unknown): SvcdError {
  const running = findRuntime(home);
  const hint = 'Use the running one, stop it with "svcd stop", or use another home with --home DIR.';
  const message =
    running === undefined || running.pid === null
      ? `svcd already runs on ${home}`
      : `svcd already runs on ${home} at ${running.url} (process ${running.pid})`;
  return new SvcdError('already_running', message, { cause, hint });
}
