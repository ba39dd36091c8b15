// The log of a home: svcd.log, written line by line, renamed when it is full and opened anew at a line's end. Only who
// holds the home writes it, and nobody else may reach into the home, so that nothing odd lies in its place. A log that cannot be written never stops anybody: what is lost is counted and told later.

import {
  chmodSync,
  closeSync,
  existsSync,
  fchmodSync,
  fstatSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readSync,
  renameSync,
  type Stats,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { systemCode } from '../../model/errors.js';

export const LOG_FILE = 'svcd.log';
/** What earlier daemons, or this one, filled before: svcd.log.1 is the newest of them. */
const KEPT = 3;
const FULL_BYTES = 5_000_000;

export interface LogFileOptions {
  readonly fullBytes?: number;
  /** Writes bytes to a file: a disk without room, in tests. */
  readonly append?: (fd: number, bytes: Uint8Array) => number;
  /** The line that tells of a moment in the life of the file itself. */
  readonly tell: (event: string, fields: Record<string, string | number>) => string;
}

/** The files of a home's log, the oldest first, whether or not they are there. */
export function logFilesOf(home: string): string[] {
  const old = Array.from({ length: KEPT }, (_, i) => join(home, `${LOG_FILE}.${KEPT - i}`));
  return [...old, join(home, LOG_FILE)];
}

/** Opens the log of a home that is held by this process, and private; a file that is there is gone on with. */
export function openLogFile(home: string, { fullBytes = FULL_BYTES, append = writeSync, tell }: LogFileOptions) {
  const path = join(home, LOG_FILE);
  let file: { readonly fd: number; readonly ino: number } | undefined;
  let size = 0;
  /** Whether the last line in the file lacks its end: of a process that was killed, or on a disk that was full. */
  let isCut = false;
  let lost = 0;
  let why = '';
  let isClosed = false;

  function open(): void {
    const fd = openSync(path, 'a+', 0o600);
    const stat = fstatSync(fd);
    if ((stat.mode & 0o077) !== 0 && process.platform !== 'win32') fchmodSync(fd, 0o600);
    file = { fd, ino: stat.ino };
    size = stat.size;
    isCut = size > 0 && lastByte(fd, size) !== 0x0a;
  }

  function shut(): void {
    if (file !== undefined) closeSync(file.fd);
    file = undefined;
  }

  function put(line: string): void {
    if (file === undefined) return;
    const bytes = Buffer.from(`${isCut ? '\n' : ''}${line}\n`);
    let written = 0;
    try {
      while (written < bytes.length) written += append(file.fd, bytes.subarray(written));
      isCut = false;
    } catch (error) {
      // A part of it may stand there now.
      isCut = (isCut && written === 0) || written > 0;
      throw error;
    } finally {
      size += written;
    }
  }

  function turn(): void {
    shut();
    const files = logFilesOf(home);
    try {
      files.slice(1).forEach((from, i) => {
        if (existsSync(from)) renameSync(from, files[i] ?? '');
      });
      open();
      put(tell('log rotated', { to: `${LOG_FILE}.1` }));
    } catch (error) {
      // Better without its past than without end.
      open();
      if (file === undefined || size < fullBytes) return;
      ftruncateSync(file.fd);
      size = 0;
      put(tell('log could not be rotated and was emptied', { why: systemCode(error) ?? 'unknown' }));
    }
  }

  return {
    /** Appends a line. Never throws. */
    write: (line: string): void => {
      if (isClosed) return;
      try {
        // A user may have moved it away, or its folder.
        if (statSync(path, { throwIfNoEntry: false })?.ino !== file?.ino) shut();
        if (file === undefined) open();
        if (lost > 0) {
          put(tell('log lines could not be written', { lines: lost, why }));
          lost = 0;
        }
        put(line);
        if (size >= fullBytes) turn();
      } catch (error) {
        lost++;
        why = systemCode(error) ?? 'unknown';
      }
    },
    close: (): void => {
      isClosed = true;
      shut();
    },
  };
}

function lastByte(fd: number, size: number): number | undefined {
  const byte = Buffer.alloc(1);
  return readSync(fd, byte, 0, 1, size - 1) === 1 ? byte[0] : undefined;
}

export const ERROR_FILE = 'svcd.err';

/** Where a daemon in the background writes what it says before it holds the home, named by the process that starts it. */
export function startingErrorFile(home: string, starter: number): string {
  return join(home, `${ERROR_FILE}.new-${starter}`);
}

/**
 * Makes that file the home's svcd.err, if it is this process's stderr; one that holds words of the daemon before is kept as
 * svcd.err.1. Whether stderr goes to such a file. Never throws.
 */
export function claimErrorFile(home: string, starter: number): boolean {
  const said = stderrStat();
  const [own, path] = [startingErrorFile(home, starter), join(home, ERROR_FILE)];
  if (isSame(path, said)) return true;
  if (!isSame(own, said)) return false;
  keepErrorFile(home);
  try {
    renameSync(own, path);
    chmodSync(path, 0o600);
  } catch {
    // It keeps its first name; what it holds is found by neither, and nothing else is lost.
  }
  return true;
}

/** The home's svcd.err, if it holds anything, becomes svcd.err.1. Never throws. */
export function keepErrorFile(home: string): void {
  const path = join(home, ERROR_FILE);
  try {
    if ((lstatSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0) renameSync(path, `${path}.1`);
  } catch {
    // It is cut instead.
  }
}

function stderrStat(): Stats | undefined {
  try {
    return fstatSync(2);
  } catch {
    return undefined;
  }
}

function isSame(path: string, stat: Stats | undefined): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found !== undefined && stat !== undefined && found.ino === stat.ino && found.dev === stat.dev;
}
