// The home folder: private, held by one process at a time; runtime.json says which daemon runs on it.

import { accessSync, chmodSync, constants, existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { SvcdError, systemCode } from '../../model/errors.js';
import { makeFolder, replaceFile } from './files.js';
import { findHomeCopy } from './home-copy.js';
import { isOurs, requireSafeHome } from './safe-home.js';
import { TOKEN_PREFIX } from '../../model/spender.js';
import { openDatabase } from '../open-database.js';

/** What runtime.json says of the daemon on a home. */
export interface Runtime {
  /** Null after a clean stop. */
  readonly pid: number | null;
  readonly url: string;
  /** The local token; it outlives a restart, so that clients keep working. */
  readonly token: string;
  /** The sandbox it runs inside, and the token of its control surface. */
  readonly sandbox?: { readonly url: string; readonly token: string };
  /** Where machines come in, of a hub; it outlives a restart too. */
  readonly hub?: { readonly url: string };
  /** How it was started; undefined after a clean stop, and of a version that did not say. */
  readonly launch?: Launch;
}

/** How a daemon was started, as far as another start in its place needs to know. */
export interface Launch {
  readonly by: 'terminal' | 'background' | 'service';
  /** The service manager and its name for the service; set for a service. */
  readonly manager?: string;
  readonly unit?: string;
  /** Settings that no file of the home tells, by flag. */
  readonly flags: Readonly<Record<string, string | boolean>>;
  /** Variables of the environment with further ones, whose values hold a password and are not written down. */
  readonly inherits?: readonly string[];
}

export interface HomeLock {
  release(): void;
}

const RUNTIME = 'runtime.json';

/**
 * Makes the folder, private (mode 0700) unless it holds other things than svcd's, and sees that it can be written. Throws
 * `home_not_writable`, and `invalid_config` for one that is not safe.
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
    throw new SvcdError(
      'home_not_writable',
      `the home folder ${home} cannot be written (${systemCode(cause) ?? messageOf(cause)})`,
      {
        cause,
        hint: 'Give another one with --home DIR or SVCD_HOME.',
      },
    );
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

/** Translates an error of opening a home: `home_not_writable` for a full or read-only disk, others unchanged. */
export function asHomeTrouble(home: string, error: unknown): unknown {
  const code = error instanceof SvcdError ? '' : (systemCode(error) ?? '');
  // SQLite names a folder that it cannot write by a longer code: SQLITE_READONLY_DIRECTORY.
  if (code === 'ENOENT' && isInside(home, error)) return unwritable(home, code, error);
  const isIn = (codes: ReadonlySet<string>) => [...codes].some((one) => code.startsWith(one));
  if (!isIn(NO_ROOM) && !isIn(NO_WRITING)) return error;
  if (!isIn(NO_ROOM)) return unwritable(home, code, error);
  return new SvcdError('home_not_writable', `the disk of the home folder ${home} is full (${code})`, {
    cause: error,
    hint: 'Free some space, or use another home with --home DIR or SVCD_HOME.',
  });
}

function unwritable(home: string, code: string, cause: unknown): SvcdError {
  return new SvcdError('home_not_writable', `svcd cannot write in the home folder ${home} (${code})`, {
    cause,
    hint: 'Give another one with --home DIR or SVCD_HOME.',
  });
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

/**
 * The daemon of this home (by another `name`: the sandbox alone) as its file tells; undefined without a readable one. While
 * a daemon serves the home from a copy, that is the one.
 */
export function findRuntime(home: string, name = RUNTIME): Runtime | undefined {
  try {
    const folder = name === RUNTIME ? (findHomeCopy(home) ?? home) : home;
    const value = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Partial<Runtime>;
    const { pid = null, url, token, sandbox, hub, launch } = value;
    if (typeof url !== 'string' || typeof token !== 'string') return undefined;
    return {
      pid: typeof pid === 'number' ? pid : null,
      url,
      token,
      ...(sandbox !== undefined && { sandbox }),
      ...(typeof hub?.url === 'string' && { hub }),
      ...(typeof launch?.flags === 'object' && launch.flags !== null && { launch }),
    };
  } catch {
    // Missing, or damaged by another program: as if no daemon had run.
    return undefined;
  }
}

/** A new local token with 192 random bits. */
export function newToken(): string {
  return TOKEN_PREFIX + randomBytes(24).toString('base64url');
}

/** Writes the file that findRuntime reads. */
export function writeRuntime(home: string, runtime: Runtime, name = RUNTIME): void {
  const file = join(home, name);
  replaceFile(file, `${JSON.stringify(runtime, null, 2)}\n`);
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

function alreadyRunning(home: string, cause: unknown): SvcdError {
  const running = findRuntime(home);
  const where = running === undefined || running.pid === null ? '' : ` at ${running.url} (process ${running.pid})`;
  return new SvcdError('already_running', `svcd already runs on ${home}${where}`, {
    cause,
    hint: 'Use the running one, stop it with "svcd stop", or use another home with --home DIR.',
  });
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : 'unknown';
}
