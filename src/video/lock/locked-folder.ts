// The folder that a lock and its files lie in, as one command writes it: each file under a temporary name first, the lock last,
// so that a lock never names what is not there. Whenever it ends, the old lock is there, or a new one that verifies.

import { closeSync, existsSync, lstatSync, readFileSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { filesOf, LOCK_FILE, type Lock, type LockedFile } from '../../api/lock.js';
import { isSvcdError, SvcdError, systemCode } from '../../model/errors.js';
import { lockHome, type HomeLock } from '../../platform/files/home-folder.js';
import { createNew, flushFolder, makeFolder, writePart } from '../../platform/files/files.js';
import { sha256Hex } from '../../model/hash.js';
import { foldName } from './name-files.js';
import { linkNew } from './plain-folder.js';
import { findLock, type ReadLock } from './read-lock.js';
import { findProblem } from './verify-files.js';
import { openWrittenFiles, type WrittenFiles } from './written-files.js';

export interface LockedFolder {
  /** The lock that was there when it was opened. */
  readonly before: ReadLock | undefined;
  /** Whether a file is there with the right bytes. */
  has(file: LockedFile): boolean;
  read(file: string): Uint8Array;
  /** Throws `invalid_argument` where something lies in the place of a file that no lock of this folder named. */
  requirePlace(file: LockedFile): void;
  /** Writes a file, unless it is there already. Gives where another one in its place was kept. Throws like `requirePlace`. */
  put(file: LockedFile, bytes: Uint8Array): string | undefined;
  /** Puts a new lock in place, then removes files of this home that only the lock before it named. */
  commit(lock: Lock): void;
  /** Puts the bytes of a lock from elsewhere in place, unless there is one; what was written stays. */
  commitCopy(copy: ReadLock): void;
  /** Removes what was written for a lock that never came, and lets other commands have the folder. */
  close(): void;
}

/** Held by the operating system for the one command that writes here, and gone with it. */
const BUSY_FILE = `.${LOCK_FILE}.busy`;

/**
 * Opens a folder for writing, made if need be, and clears away what a killed command of this home left. Throws `busy` while another
 * command writes there, `invalid_argument` when it cannot be written, and what is wrong with a lock that lies there.
 */
export function openLockedFolder(folder: string, home: string): LockedFolder {
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
    const written = guard(folder, () => openWrittenFiles(folder, home));
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
  const ours = Object.values(before?.lock.assets ?? {}).flatMap(filesOf);
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
  const place = (file: string, bytes: Uint8Array | string, isOurs: boolean) => {
    const part = written.note({ file, sha256: sha256Hex(bytes) });
    return guard(folder, () => placeFile(folder, file, bytes, part, isOurs));
  };
  return {
    before,
    has: (file) => findProblem(folder, file) === undefined,
    read: (file) => guard(folder, () => readFileSync(join(folder, file))),
    requirePlace,
    put: (file, bytes) => {
      if (findProblem(folder, file) === undefined) return undefined;
      requirePlace(file);
      if (sha256Hex(bytes) !== file.sha256) throw new Error(`other bytes than those of ${file.file}`);
      // What was edited since is no longer what the note says.
      return place(file.file, bytes, written.has({ file: file.file, sha256: digestOf(join(folder, file.file)) }));
    },
    commit: (lock) => {
      // Their names first: after a power cut the lock must not be there without them.
      guard(folder, () => flushFolder(folder));
      const text = canonicalLock(lock);
      for (const old of ours) written.drop(old);
      if (before === undefined || !Buffer.from(text).equals(before.bytes)) place(LOCK_FILE, text, before !== undefined);
      lockThere = lock;
      guard(folder, () => flushFolder(folder));
      guard(folder, () => written.settle(lock));
    },
    commitCopy: ({ lock, bytes }) => {
      guard(folder, () => flushFolder(folder));
      if (before === undefined) place(LOCK_FILE, bytes, false);
      lockThere ??= lock;
      guard(folder, () => flushFolder(folder));
      // The files are of this lock, which may lie elsewhere.
      guard(folder, () => written.settle(lockThere, lock));
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

/** Writes a file under a name of its own first. What lies in its place by then and is not svcd's is kept beside it. */
function placeFile(
  folder: string,
  name: string,
  bytes: Uint8Array | string,
  part: string,
  isOurs: boolean,
): string | undefined {
  const [from, to] = [join(folder, part), join(folder, name)];
  writePart(from, bytes);
  try {
    if (isOurs) renameSync(from, to);
    else if (!linkNew(from, to)) {
      const aside = keepAside(to);
      renameSync(from, to);
      return aside;
    }
    return undefined;
  } finally {
    rmSync(from, { force: true });
  }
}

/** Of a file, and of no link; empty where there is none. */
function digestOf(path: string): string {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true ? sha256Hex(readFileSync(path)) : '';
}

/** Gives a file a second name, by which it stays when another one takes its place. */
function keepAside(path: string): string {
  for (let nth = 1; ; nth += 1) {
    const aside = `${path}.old${nth > 1 ? `-${nth}` : ''}`;
    if (linkNew(path, aside)) return aside;
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
