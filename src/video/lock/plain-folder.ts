// The user's folder of plain files, beside which their editing program looks: each written whole under a name that was free,
// never over another, never through a link, and nowhere else.

import { accessSync, closeSync, constants, existsSync, linkSync, lstatSync, mkdirSync } from 'node:fs';
import { readdirSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import { isAbsolute, join, relative } from 'node:path';
import { sha256Hex } from '../../model/hash.js';
import { isSvcdError, SvcdError, systemCode } from '../../model/errors.js';
import { createNew, flushFolder, writePart } from '../../platform/files/files.js';
import { isAlive } from '../../platform/files/process-alive.js';
import { isKeptFile } from '../../platform/files/safe-home.js';
import { findProblem } from './verify-files.js';

export interface PlainFile {
  readonly path: string;
  /** Whether it was there already, with the same bytes. */
  readonly there: boolean;
}

/** Files that would have the same name; beyond it something is wrong. */
const SAME_NAME_MAX = 100;
/** Begins with a dot, so that no program takes it for a file to use. */
const PART = /^\.svcd-(\d+)-\d+\.part$/;
/** Of file systems that know no second name for a file (FAT, some networks). */
const NO_LINKS: ReadonlySet<string | undefined> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);
const ANOTHER = 'Make it writable or free some space, or set another one in a terminal: svcd config set folder DIR';
let parts = 0;

/**
 * The real path of a folder that files can be put into. Throws `no_folder` where it is none, cannot be written, or is a home of
 * svcd (`home`, or another).
 */
export function requireFolder(folder: string, home: string): string {
  return guard(folder, () => {
    const path = realpathSync(folder);
    if (!statSync(path).isDirectory()) throw unusable(folder, 'is no folder');
    const inside = relative(realpathSync.native(home), path);
    const isInHome = inside === '' || (!inside.startsWith('..') && !isAbsolute(inside));
    if (isInHome || isKeptFile(join(path, 'owned.db'), home)) throw unusable(folder, 'is a home of svcd, or in one');
    accessSync(path, constants.W_OK | constants.X_OK);
    return path;
  });
}

/**
 * Writes a file under the first of its names (`nameOf`, from 1 on) that is free, unless one of them before has the same bytes.
 * Throws `no_folder` or `disk_full`, and nothing is left of it then.
 */
export function putPlainFile(folder: string, nameOf: (nth: number) => string, bytes: Uint8Array): PlainFile {
  const part = newPart(folder);
  const facts = { sha256: sha256Hex(bytes), bytes: bytes.byteLength };
  return placePart(folder, nameOf, facts, part, () => writePart(part, bytes));
}

/** The same for a part of the folder that is written already, or by `write` where it is wanted; the part is gone then. */
export function placePart(
  folder: string,
  nameOf: (nth: number) => string,
  facts: { readonly sha256: string; readonly bytes: number },
  part: string,
  write: () => void = () => undefined,
): PlainFile {
  return guard(folder, () => {
    try {
      for (let nth = 1; nth <= SAME_NAME_MAX; nth++) {
        const file = nameOf(nth);
        const path = join(folder, file);
        const found = lstatSync(path, { throwIfNoEntry: false });
        if (found === undefined) {
          if (!existsSync(part)) write();
          if (linkNew(part, path)) {
            flushFolder(folder);
            return { path, there: false };
          }
        }
        const isSame = (found ?? lstatSync(path)).isFile();
        if (isSame && findProblem(folder, { file, ...facts }) === undefined) return { path, there: true };
      }
      throw unusable(folder, `holds ${SAME_NAME_MAX} other files called like ${nameOf(1)}`);
    } finally {
      rmSync(part, { force: true });
    }
  });
}

/** A name for a part in this folder. */
export const newPart = (folder: string): string => join(folder, `.svcd-${process.pid}-${(parts += 1)}.part`);

/** A folder in that one, which `isNew` lets be made. Throws `no_folder` where it is none, or a link. */
export function folderWithin(folder: string, name: string, isNew: boolean): string {
  const path = join(folder, name);
  return guard(path, () => {
    if (isNew && !existsSync(path)) mkdirSync(path);
    if (!lstatSync(path).isDirectory()) throw unusable(path, 'is no folder, or a link');
    return path;
  });
}

/** Removes parts of an svcd that was killed. */
export function removePlainParts(folder: string): void {
  guard(folder, () => {
    for (const name of readdirSync(folder)) {
      const [, pid] = PART.exec(name) ?? [];
      if (pid !== undefined && !isAlive(Number(pid))) rmSync(join(folder, name), { force: true });
    }
  });
}

/** A second name never takes the place of a file; where there are none, the name is taken before the file comes to it. */
export function linkNew(part: string, path: string): boolean {
  try {
    linkSync(part, path);
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    if (!NO_LINKS.has(systemCode(error))) throw error;
  }
  try {
    closeSync(createNew(path, 0o666));
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw error;
  }
  try {
    renameSync(part, path);
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  }
  return true;
}

function unusable(folder: string, why: string): SvcdError {
  return new SvcdError('no_folder', `the folder ${folder} ${why}`, { hint: ANOTHER });
}

/** Throws `no_folder`, or `disk_full`, for what the system refused. */
export function guard<T>(folder: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    if (isSvcdError(cause)) throw cause;
    const code = systemCode(cause) ?? (cause instanceof Error ? cause.message : 'unknown');
    const why = code === 'ENOENT' ? 'is not there' : `cannot be written (${code})`;
    const isFull = code === 'ENOSPC' || code === 'EDQUOT';
    throw new SvcdError(isFull ? 'disk_full' : 'no_folder', `the folder ${folder} ${why}`, { cause, hint: ANOTHER });
  }
}
