// The user's folder of plain files, beside which their editing program looks: each written whole under a name that was free,
// never over another, never through a link, and nowhere else.

import { accessSync, constants, linkSync, lstatSync, readdirSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { closeSync, statSync } from 'node:fs';
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
 * Throws `no_folder`, and nothing is left of it then.
 */
export function putPlainFile(folder: string, nameOf: (nth: number) => string, bytes: Uint8Array): PlainFile {
  return guard(folder, () => {
    const sha256 = sha256Hex(bytes);
    for (let nth = 1; nth <= SAME_NAME_MAX; nth++) {
      const file = nameOf(nth);
      const path = join(folder, file);
      const found = lstatSync(path, { throwIfNoEntry: false });
      if (found === undefined && placeNew(folder, path, bytes)) return { path, there: false };
      const isSame = (found ?? lstatSync(path)).isFile();
      if (isSame && findProblem(folder, { file, sha256, bytes: bytes.byteLength }) === undefined) {
        return { path, there: true };
      }
    }
    throw unusable(folder, `holds ${SAME_NAME_MAX} other files called like ${nameOf(1)}`);
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

/** False where something lies at that place by now. */
function placeNew(folder: string, path: string, bytes: Uint8Array): boolean {
  const part = join(folder, `.svcd-${process.pid}-${(parts += 1)}.part`);
  writePart(part, bytes);
  try {
    if (!linkNew(part, path)) return false;
  } finally {
    rmSync(part, { force: true });
  }
  flushFolder(folder);
  return true;
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

function guard<T>(folder: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    if (isSvcdError(cause)) throw cause;
    const code = systemCode(cause) ?? (cause instanceof Error ? cause.message : 'unknown');
    const why = code === 'ENOENT' ? 'is not there' : `cannot be written (${code})`;
    throw new SvcdError('no_folder', `the folder ${folder} ${why}`, { cause, hint: ANOTHER });
  }
}
