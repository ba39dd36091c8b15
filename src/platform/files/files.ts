// Small files of the home folder, written in one step, so that a reader sees the old content or the new one; and folders
// with all those above them. Node's own recursive way tries for ever where no folder can be made (/proc).

import { closeSync, constants, existsSync, fchmodSync, fsync, fsyncSync, mkdirSync, openSync } from 'node:fs';
import { renameSync, rmSync, statSync, writeFile, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

// Windows has no O_NOFOLLOW; undefined adds no bit.
const { O_CREAT, O_EXCL, O_RDWR, O_NOFOLLOW } = constants;

const writeAll = promisify<number, Uint8Array>(writeFile);
const sync = promisify<number>(fsync);

/** Writes `content` to a new file of mode 0600 beside `path` and puts it in its place. Throws the system's error. */
export function replaceFile(path: string, content: string): void {
  const unfinished = `${path}.new`;
  // What lies there was left by a process that was killed, or put there by somebody.
  rmSync(unfinished, { force: true });
  const file = createNew(unfinished);
  try {
    writeFileSync(file, content);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(unfinished, path);
}

/** The same for a large file, while the event loop goes on. */
export async function replaceFileBeside(path: string, content: Uint8Array): Promise<void> {
  const unfinished = `${path}.new`;
  rmSync(unfinished, { force: true });
  const file = createNew(unfinished);
  try {
    try {
      await writeAll(file, content);
      await sync(file);
    } finally {
      closeSync(file);
    }
    renameSync(unfinished, path);
  } catch (error) {
    // On a full disk it takes the room that is missing.
    rmSync(unfinished, { force: true });
    throw error;
  }
}

/**
 * Writes a part of a folder's file, to be renamed or linked to its place, and leaves nothing where that fails. Throws the
 * system's error.
 */
export function writePart(part: string, bytes: Uint8Array | string, mode = 0o666): void {
  const file = createNew(part, mode);
  try {
    try {
      writeFileSync(file, bytes);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
}

/** Has what was renamed or linked in a folder written to the disk. */
export function flushFolder(folder: string): void {
  // Windows cannot open a folder; the files themselves are on the disk already.
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** A new file, which only its owner can read unless told, open for reading and writing: never one, or a link, that lies there already. Throws `EEXIST`. */
export function createNew(path: string, mode = 0o600): number {
  const file = openSync(path, O_CREAT | O_EXCL | O_RDWR | O_NOFOLLOW, mode);
  // By what was opened, not by a name that may mean another file by now.
  if (mode === 0o600) fchmodSync(file, mode);
  return file;
}

/** Makes the folder and what is missing above it, private unless told. Throws the system's error, or that a file is in the way. */
export function makeFolder(folder: string, mode = 0o700): void {
  if (existsSync(folder)) {
    if (statSync(folder).isDirectory()) return;
    throw new Error(`${folder} is a file`);
  }
  makeFolder(dirname(folder), mode);
  mkdirSync(folder, { mode });
}
