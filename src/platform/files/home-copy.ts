// A home that cannot be written (a read-only mount, a disk without room) is served from a copy: SQLite needs to write where a
// database lies, be it only to read what its log holds. The copy is private, ends with its daemon, and is never written back.

import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isSvcdError } from '../../model/errors.js';
import { COPY_MARK, copyPlaces, findHomeCopy, isOwnFolder } from './runtime-file.js';

/** Locks and memory maps belong to the processes of the home; logs and unfinished files are of no use. */
const NOT_COPIED = /(?:\.lock|-shm|-journal|\.part|\.new|\.log(?:\.\d)?|\.err(?:\..+)?|\.before-migration)$/;

/** Whether a home holds what could be served. */
export function isWorthServing(home: string): boolean {
  return ['owned.db', 'library.db'].some((name) => (statOf(join(home, name))?.size ?? 0) > 0);
}

/**
 * Copies a home to a private folder, in place of the copy that an earlier daemon left; `hold` throws `already_running`
 * while one uses it. Throws the system's error when there is room nowhere.
 */
export function copyHome(home: string, hold: (copy: string) => void): string {
  let failure: unknown;
  for (const place of copyPlaces(home)) {
    try {
      if (isOwnFolder(place)) hold(place);
      rmSync(place, { recursive: true, force: true });
      // Fails where another user has put something of this name, a link too.
      mkdirSync(place, { mode: 0o700 });
      copyInto(place, home);
      return place;
    } catch (error) {
      if (isSvcdError(error, 'already_running')) throw error;
      failure = error;
      if (isOwnFolder(place)) rmSync(place, { recursive: true, force: true });
    }
  }
  throw failure;
}

/** Removes what a killed daemon left of a home that can be written again; `hold` throws `already_running` if one uses it. */
export function forgetHomeCopy(home: string, hold: (copy: string) => void): void {
  const left = findHomeCopy(home);
  if (left === undefined) return;
  hold(left);
  rmSync(left, { recursive: true, force: true });
}

/** A folder in which the databases of a home can be read: itself, or a passing copy when it cannot be written. */
export function withReadableHome<T>(home: string, isWritable: boolean, read: (folder: string) => T): T {
  if (isWritable || !existsSync(home)) return read(home);
  const copy = mkdtempSync(join(tmpdir(), `${COPY_MARK}-`));
  try {
    copyInto(copy, home);
    return read(copy);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

function copyInto(copy: string, home: string): void {
  // The database before its log: what is committed in between is in the log.
  for (const name of readdirSync(home).toSorted()) {
    if (NOT_COPIED.test(name)) continue;
    cpSync(join(home, name), join(copy, name), { recursive: true });
  }
  makeWritable(copy);
}

function makeWritable(path: string): void {
  const isFolder = statSync(path).isDirectory();
  chmodSync(path, isFolder ? 0o700 : 0o600);
  if (isFolder) for (const name of readdirSync(path)) makeWritable(join(path, name));
}

function statOf(path: string) {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}
