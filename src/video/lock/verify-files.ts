// Files compared with their lock: size first, then digest, read piece by piece. Needs no daemon, no network and no home, and
// writes nothing.

import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, realpathSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { filesOf, type Lock, type LockedFile } from '../../api/lock.js';
import { systemCode } from '../../model/errors.js';

export type FileProblemCode = 'missing' | 'outside' | 'not_a_file' | 'unreadable' | 'size' | 'digest';

export interface FileProblem {
  readonly slot: string;
  readonly file: string;
  readonly code: FileProblemCode;
  /** What is wrong, after the name of the file. */
  readonly words: string;
}

const PIECE_BYTES = 1024 * 1024;
const { O_RDONLY, O_NONBLOCK } = constants;
let piece: Buffer | undefined;

/** What is wrong with the files of a lock, by slot; `folder` is where the lock lies. `watch` is told before each slot. */
export function verifyFiles(lock: Lock, folder: string, watch?: (done: number, total: number) => void): FileProblem[] {
  const known = new Map<string, Pick<FileProblem, 'code' | 'words'> | undefined>();
  return Object.entries(lock.assets)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([slot, asset], i, { length }) => {
      watch?.(i, length);
      return filesOf(asset).flatMap((one) => {
        const { file, sha256, bytes } = one;
        // Slots may share a file, and nothing says that a lock by hand means the same bytes by it.
        const mark = `${sha256} ${bytes} ${file}`;
        if (!known.has(mark)) known.set(mark, findProblem(folder, one));
        const problem = known.get(mark);
        return problem === undefined ? [] : [{ slot, file, ...problem }];
      });
    });
}

/** What is wrong with one file; undefined when nothing is. */
export function findProblem(
  folder: string,
  { file, sha256, bytes }: LockedFile,
): Pick<FileProblem, 'code' | 'words'> | undefined {
  const path = join(folder, file);
  let handle: number | undefined;
  try {
    const link = lstatSync(path).isSymbolicLink();
    if (link && dirname(realpathSync(path)) !== realpathSync(folder)) {
      return { code: 'outside', words: `is a link to ${describePath(realpathSync(path))}, outside of the folder` };
    }
    // A pipe must not be waited for.
    handle = openSync(path, O_RDONLY | (O_NONBLOCK ?? 0));
    const stat = fstatSync(handle);
    if (!stat.isFile()) return { code: 'not_a_file', words: 'is no regular file' };
    if (stat.size !== bytes) {
      return { code: 'size', words: `has ${stat.size} bytes, and the lock says ${bytes}` };
    }
    const found = digestOf(handle);
    if (found === sha256) return undefined;
    return { code: 'digest', words: `has other bytes: its SHA-256 is ${found}, and the lock says ${sha256}` };
  } catch (error) {
    const code = systemCode(error) ?? 'unknown';
    if (code === 'ENOENT' || code === 'ENOTDIR') return { code: 'missing', words: 'is missing' };
    return { code: 'unreadable', words: `cannot be read (${code})` };
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

function digestOf(handle: number): string {
  piece ??= Buffer.allocUnsafeSlow(PIECE_BYTES);
  const hash = createHash('sha256');
  for (let read = readSync(handle, piece); read > 0; read = readSync(handle, piece))
    hash.update(piece.subarray(0, read));
  return hash.digest('hex');
}

function describePath(path: string): string {
  return JSON.stringify(sep === '\\' ? path.replaceAll('\\', '/') : path);
}
