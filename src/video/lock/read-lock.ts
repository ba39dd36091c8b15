// Reading `assets.lock.json`. What cannot be trusted is refused in one sentence; nothing is ever mended or rewritten.

import { closeSync, fstatSync, openSync, readFileSync, constants } from 'node:fs';
import { filesOf, LOCK_FILE, LOCK_VERSION, lockSchema, type Lock } from '../../api/lock.js';
import { describe, parseJsonObject, parseWith } from '../../contract/json-body.js';
import { isSvcdError, SvcdError, systemCode } from '../../model/errors.js';
import { hasDoubledNames } from '../../platform/json.js';
import { foldName, isGivenName } from './name-files.js';

export interface ReadLock {
  readonly lock: Lock;
  /** As it lies there. */
  readonly bytes: Uint8Array;
}

/** A lock of 50 slots has 30 KB. */
const MAX_BYTES = 4 * 1024 * 1024;
// A pipe would be waited for. Windows has no such bit, and no pipes among its files.
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** Reads a lock. Throws `not_found`, `newer_file`, and `lock_mismatch` for everything else that is wrong. */
export function readLock(file: string): ReadLock {
  const found = findLock(file);
  if (found !== undefined) return found;
  throw new SvcdError('not_found', `there is no lock ${file}`, {
    hint: `"svcd apply" writes one; name another with --lock FILE, where FILE is mostly called ${LOCK_FILE}.`,
  });
}

/** The same; undefined when there is no such file. */
export function findLock(file: string): ReadLock | undefined {
  const bytes = readBytes(file);
  return bytes === undefined ? undefined : { lock: parseLock(file, bytes), bytes };
}

function readBytes(file: string): Uint8Array | undefined {
  let handle: number | undefined;
  try {
    handle = openSync(file, READ);
    const stat = fstatSync(handle);
    if (!stat.isFile()) throw unusable(file, 'is no regular file');
    if (stat.size > MAX_BYTES) throw unusable(file, `has ${stat.size} bytes, and a lock at most ${MAX_BYTES}`);
    return readFileSync(handle);
  } catch (cause) {
    if (isSvcdError(cause)) throw cause;
    const code = systemCode(cause) ?? 'unknown';
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw unusable(file, `cannot be read (${code})`, cause);
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

function parseLock(file: string, bytes: Uint8Array): Lock {
  const value = parseJson(file, bytes);
  const version = value['lock'];
  if (typeof version === 'number' && version > LOCK_VERSION) {
    throw new SvcdError(
      'newer_file',
      `${file} is a lock of version ${version}, and this svcd reads 1 to ${LOCK_VERSION}`,
      {
        hint: 'Use a newer svcd: npm install -g svcd.',
      },
    );
  }
  if (version !== 1 && version !== LOCK_VERSION) {
    throw unusable(file, `is no lock: "lock" must be 1 or ${LOCK_VERSION}, got ${describe(version)}`);
  }
  const lock = parseFields(file, value);
  // A slot of such a name would be dropped unseen.
  const lost = Object.keys(value['assets'] ?? {}).find((id) => !Object.hasOwn(lock.assets, id));
  if (lost !== undefined) throw unusable(file, `cannot be used: no slot can be called ${describe(lost)}`);
  requireNames(file, lock);
  return lock;
}

function parseFields(file: string, value: unknown): Lock {
  try {
    return parseWith(lockSchema, value);
  } catch (error) {
    if (!isSvcdError(error, 'invalid_request')) throw error;
    throw unusable(file, `cannot be used: ${error.message}`, error);
  }
}

/** A lock may come from anywhere: it names no file that svcd would not have named, so that none of the user's is overwritten. */
function requireNames(file: string, { assets }: Lock): void {
  const digests = new Map<string, string>();
  const files = Object.entries(assets).flatMap(([slot, asset]) => filesOf(asset).map((one) => ({ slot, ...one })));
  for (const { slot, file: name, sha256 } of files) {
    const told = `${slot} has the file ${describe(name)}`;
    if (!isGivenName(name, sha256)) {
      const rule = `svcd names it as in food~cake.${sha256.slice(0, 8)}.json, by its digest`;
      throw unusable(file, `cannot be used: ${told}, and ${rule}`);
    }
    const folded = foldName(name);
    if ((digests.get(folded) ?? sha256) !== sha256) {
      throw unusable(file, `cannot be used: ${told}, which another slot names with other bytes`);
    }
    digests.set(folded, sha256);
  }
}

function parseJson(file: string, bytes: Uint8Array): Record<string, unknown> {
  try {
    const value = parseJsonObject(bytes, MAX_BYTES);
    if (!hasDoubledNames(bytes, value)) return value;
  } catch (error) {
    if (!isSvcdError(error, 'invalid_request')) throw error;
    throw unusable(file, `is no lock: ${error.message.replace(/^body: (?:it )?/, 'it ')}`, error);
  }
  throw unusable(file, 'cannot be used: an object in it has the same name twice');
}

function unusable(file: string, how: string, cause?: unknown): SvcdError {
  return new SvcdError('lock_mismatch', `${file} ${how}`, {
    cause,
    hint: 'Restore the lock from your version control. Without one, run "svcd apply --out DIR" with another folder: owned files cost nothing again.',
  });
}
