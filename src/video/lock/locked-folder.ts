// The folder that a lock and its files lie in, as one command writes it: each file under a temporary name first, the lock last,
// so that a lock never names what is not there. Whenever it ends, the old lock is there, or a new one that verifies.

import {
  closeSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { LOCK_FILE, type Lock } from '../../api/lock.js';
import { isSvcdError, SvcdError, systemCode } from '../../model/errors.js';
import { lockHome, type HomeLock } from '../../platform/files/home-folder.js';
import { createNew, flushFolder, makeFolder, writePart } from '../../platform/files/files.js';
import { sha256Hex } from '../../model/hash.js';
import { foldName, isGivenName } from './name-files.js';
import { findLock, type ReadLock } from './read-lock.js';
import { findProblem } from './verify-files.js';

export interface LockedFile {
  readonly file: string;
  readonly sha256: string;
  readonly bytes: number;
}

export interface LockedFolder {
  /** The lock that was there when it was opened. */
  readonly before: ReadLock | undefined;
  /** Whether a file is there with the right bytes. */
  has(file: LockedFile): boolean;
  read(file: string): Uint8Array;
  /** Throws `invalid_argument` where something lies in the place of a file that no lock of this folder named. */
  requirePlace(file: LockedFile): void;
  /** Writes a file, unless it is there already. Throws like `requirePlace`. */
  put(file: LockedFile, bytes: Uint8Array): void;
  /** Puts a new lock in place, then removes files that only the lock before it named. */
  commit(lock: Lock): void;
  /** Puts the bytes of a lock from elsewhere in place, unless there is one; what was written stays. */
  commitCopy(bytes: Uint8Array): void;
  /** Removes what was written for a lock that never came, and lets other commands have the folder. */
  close(): void;
}

/** Held by the operating system for the one command that writes here, and gone with it. */
const BUSY_FILE = `.${LOCK_FILE}.busy`;
const PART = '.part';

/**
 * Opens a folder for writing, made if need be, and clears away what a killed command left. Throws `busy` while another
 * command writes there, `invalid_argument` when it cannot be written, and what is wrong with a lock that lies there.
 */
export function openLockedFolder(folder: string): LockedFolder {
  const made = guard(folder, () => missingFolders(folder));
  const held = guard(folder, () => {
    makeFolder(folder, 0o777);
    return holdFolder(folder);
  });
  // A command that is refused leaves nothing behind.
  const close = () => {
    held.release();
    made.forEach(removeEmpty);
  };
  try {
    const before = findLock(join(folder, LOCK_FILE));
    const written = openWrittenFiles(folder);
    guard(folder, () => removeParts(folder));
    guard(folder, () => written.settle(before?.lock));
    return createLockedFolder(folder, before, written, close);
  } catch (error) {
    close();
    throw error;
  }
}

/** Folders that are not there yet, the innermost first. */
function missingFolders(folder: string): string[] {
  return existsSync(folder) || dirname(folder) === folder ? [] : [folder, ...missingFolders(dirname(folder))];
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // It holds what was written, or another command writes there.
  }
}

function createLockedFolder(
  folder: string,
  before: ReadLock | undefined,
  written: WrittenFiles,
  letGo: () => void,
): LockedFolder {
  /** Of which files may stay. */
  let lockThere = before?.lock;
  const ours = Object.values(before?.lock.assets ?? {});
  const requirePlace = (file: LockedFile) => {
    const path = join(folder, file.file);
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined || findProblem(folder, file) === undefined) return;
    const isPlain = found.isFile() || found.isSymbolicLink();
    if (isPlain && ours.some(({ file: name }) => foldName(name) === foldName(file.file))) return;
    const what = isPlain ? 'has other bytes, and no lock of this folder names it' : 'is no regular file';
    throw new SvcdError('invalid_argument', `${path} ${what}; it is not overwritten`, {
      hint: 'Move it away, or name another folder with --out DIR.',
    });
  };
  const place = (name: string, bytes: Uint8Array | string) => guard(folder, () => placeFile(folder, name, bytes));
  return {
    before,
    has: (file) => findProblem(folder, file) === undefined,
    read: (file) => guard(folder, () => readFileSync(join(folder, file))),
    requirePlace,
    put: (file, bytes) => {
      if (findProblem(folder, file) === undefined) return;
      requirePlace(file);
      if (sha256Hex(bytes) !== file.sha256) throw new Error(`other bytes than those of ${file.file}`);
      guard(folder, () => written.note(file));
      place(file.file, bytes);
    },
    commit: (lock) => {
      for (const old of Object.values(before?.lock.assets ?? {})) guard(folder, () => written.note(old));
      // Their names first: after a power cut the lock must not be there without them.
      guard(folder, () => flushFolder(folder));
      const text = canonicalLock(lock);
      if (before === undefined || !Buffer.from(text).equals(before.bytes)) place(LOCK_FILE, text);
      lockThere = lock;
      guard(folder, () => flushFolder(folder));
      guard(folder, () => written.settle(lock));
    },
    commitCopy: (bytes) => {
      guard(folder, () => flushFolder(folder));
      if (before === undefined) place(LOCK_FILE, bytes);
      guard(folder, () => flushFolder(folder));
      // They are of this lock, which may lie elsewhere.
      guard(folder, () => written.forget());
    },
    close: () => {
      try {
        written.settle(lockThere);
      } catch {
        // The next command tries again.
      }
      letGo();
    },
  };
}

function placeFile(folder: string, name: string, bytes: Uint8Array | string): void {
  const part = join(folder, name + PART);
  rmSync(part, { force: true });
  writePart(part, bytes);
  try {
    renameSync(part, join(folder, name));
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
}

/** Parts of a command that was killed; nobody else writes here now. */
function removeParts(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (!name.endsWith(PART)) continue;
    const whole = name.slice(0, -PART.length);
    if (whole === LOCK_FILE || isGivenName(whole)) rmSync(join(folder, name), { force: true });
  }
}

/**
 * Takes the folder for this process. The file is removed when it is let go: whoever opened it just before then holds a file
 * that is no longer at its place, sees that, and tries again.
 */
function holdFolder(folder: string): HomeLock {
  const path = join(folder, BUSY_FILE);
  for (;;) {
    makeBusyFile(path);
    const opened = inodeOf(path);
    const lock = lockHome(folder, 0, BUSY_FILE);
    if (opened !== undefined && opened === inodeOf(path)) return { release: () => release(lock, path) };
    lock.release();
  }
}

/** An empty file, which the lock of the operating system is on. What else lies there is no lock of svcd's, and is left alone. */
function makeBusyFile(path: string): void {
  try {
    return closeSync(createNew(path));
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
  }
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined || (found.isFile() && found.size === 0)) return;
  const what = found.isSymbolicLink() ? 'a link' : found.isFile() ? 'a file with content' : 'no regular file';
  throw new SvcdError('invalid_argument', `${path} is ${what}, which svcd did not put there`, {
    hint: 'Remove it, or name another folder with --out DIR: svcd marks a folder as in use with an empty file of that name.',
  });
}

function release(lock: HomeLock, path: string): void {
  // Windows removes no file that is open, nor one that another process has opened meanwhile.
  if (process.platform === 'win32') lock.release();
  try {
    rmSync(path, { force: true });
  } catch {
    // It is no harm: the next command takes it as it is.
  }
  if (process.platform !== 'win32') lock.release();
}

function inodeOf(path: string): bigint | undefined {
  return lstatSync(path, { bigint: true, throwIfNoEntry: false })?.ino;
}

function guard<T>(folder: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    if (isSvcdError(cause, 'already_running')) {
      throw new SvcdError('busy', `another svcd command writes to ${folder}`, {
        cause,
        hint: 'Try again when it has ended.',
      });
    }
    if (isSvcdError(cause) && cause.code !== 'home_not_writable') throw cause;
    const code = systemCode(isSvcdError(cause) ? cause.cause : cause) ?? (cause instanceof Error ? cause.message : '');
    throw new SvcdError('invalid_argument', `${folder} cannot be written (${code})`, {
      cause,
      hint: 'Name another folder with --out DIR.',
    });
  }
}

/**
 * What a command that was killed leaves behind: files that it wrote and that no lock names (any more). Each is noted before it is
 * written, and before a new lock takes the place of the one that named it; the next command removes what is noted, has the bytes
 * that svcd wrote, and is in no lock. What is not noted is never removed.
 */
interface WrittenFiles {
  /** To be removed, unless the lock names it when this is settled. */
  note(file: { readonly file: string; readonly sha256: string }): void;
  /** Removes what was noted, now or by a command that was killed, and `lock` does not name. */
  settle(lock: Lock | undefined): void;
  /** Lets everything stay that was noted. */
  forget(): void;
}

/** Gone whenever a command ends by itself. */
const NOTE_FILE = `.${LOCK_FILE}.written`;
const LINE = /^([0-9a-f]{64}) (.+)$/;

/** Opens the note of a folder; nobody else writes there. */
function openWrittenFiles(folder: string): WrittenFiles {
  const path = join(folder, NOTE_FILE);
  let open: number | undefined;
  const forget = () => {
    if (open !== undefined) closeSync(open);
    open = undefined;
    rmSync(path, { force: true });
  };
  return {
    note: ({ file, sha256 }) => {
      // Never through a link that lies there.
      open ??= createNew(path);
      writeSync(open, `${sha256} ${file}\n`);
    },
    settle: (lock) => {
      const named = new Set(Object.values(lock?.assets ?? {}).map(({ file }) => foldName(file)));
      for (const line of isFile(path) ? readFileSync(path, 'utf8').split('\n') : []) {
        const [, sha256, name = ''] = LINE.exec(line) ?? [];
        if (!isGivenName(name) || named.has(foldName(name))) continue;
        const file = join(folder, name);
        if (isFile(file) && sha256Hex(readFileSync(file)) === sha256) rmSync(file, { force: true });
      }
      forget();
    },
    forget,
  };
}

/** Whether it is one itself: no link, and no pipe that would be waited for. */
function isFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

/**
 * The one way a lock is written: keys sorted by their UTF-16 units, two spaces, a newline at the end. The same choice gives the
 * same bytes, whatever the order in which it was made.
 */
export function canonicalLock(lock: Lock): string {
  return `${write(lock, '')}\n`;
}

// Not JSON.stringify for objects: JavaScript lists keys such as `10` before all others.
function write(value: unknown, indent: string): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = `${indent}  `;
  if (Array.isArray(value))
    return enclose(
      '[',
      ']',
      indent,
      value.map((one) => inner + write(one, inner)),
    );
  const fields = Object.entries(value)
    .filter(([, one]) => one !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, one]) => `${inner}${JSON.stringify(key)}: ${write(one, inner)}`);
  return enclose('{', '}', indent, fields);
}

function enclose(open: string, close: string, indent: string, lines: readonly string[]): string {
  return lines.length === 0 ? open + close : `${open}\n${lines.join(',\n')}\n${indent}${close}`;
}
