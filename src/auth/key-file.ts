// Files that hold a Key: the explicit one of --key-file, which must be private, and service.key.json in a package.

import { closeSync, readSync } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { SvcdError, systemCode } from '../model/errors.js';
import { makeFolder, replaceFile } from '../platform/files/files.js';
import { openForeignFile, readForeignFile } from '../platform/files/foreign-file.js';
import { readPackageEntry } from '../platform/read-package.js';
import { isLocalToken, TOKEN_PREFIX } from '../model/spender.js';
import { parseJson } from '../platform/json.js';

/** Name of the file that the service puts into a package. */
const PACKAGE_KEY_FILE = 'service.key.json';

export interface KeyInFile {
  readonly key: string;
  /** The file itself; for a package that is a zip, the zip. */
  readonly path: string;
  /** Whether other users of this machine can read it. */
  readonly exposed: boolean;
  /** Whether it is a plain file, which can be removed; false inside a zip. */
  readonly plain: boolean;
}

const MAX_BYTES = 64 * 1024;

/** The Key in the user's own key file. Throws `invalid_config` when it is missing or not private, `invalid_argument` when it holds no Key. */
export async function readOwnKeyFile(path: string): Promise<KeyInFile> {
  const found = await readKeyAt(path).catch((cause: unknown) => {
    throw systemCode(cause) === undefined ? cause : unreadable(path, cause);
  });
  if (!found.exposed) return found;
  throw new SvcdError('invalid_config', `the key file ${path} can be read by other users, so it is not used`, {
    hint: `Run: chmod 600 ${path}`,
  });
}

/**
 * The Key at a path: a key file, a package's folder, or a package (.motion, a zip). Throws `not_found` when there
 * is none, `invalid_argument` when what is there is none.
 */
export async function readKeyFrom(path: string): Promise<KeyInFile> {
  try {
    if ((await stat(path)).isDirectory()) return await readKeyAt(join(path, PACKAGE_KEY_FILE));
    if (isZip(path)) return await readKeyInZip(path);
    return await readKeyAt(path);
  } catch (cause) {
    const code = systemCode(cause);
    if (code === undefined || cause instanceof SvcdError) throw cause;
    throw unreadable(path, cause);
  }
}

/** Writes a key file that only its owner can read, in one step. Throws `home_not_writable`. */
export function writeKeyFile(path: string, key: string): void {
  try {
    makeFolder(dirname(path));
    replaceFile(path, `${JSON.stringify({ key })}\n`);
  } catch (cause) {
    const code = systemCode(cause) ?? 'unknown';
    throw new SvcdError('home_not_writable', `the key file ${path} cannot be written (${code})`, { cause });
  }
}

/** Removes a file with a Key; false when it is not there. */
export async function removeKeyFile(path: string): Promise<boolean> {
  try {
    await rm(path);
    return true;
  } catch (cause) {
    if (systemCode(cause) === 'ENOENT') return false;
    throw unreadable(path, cause);
  }
}

async function readKeyAt(path: string): Promise<KeyInFile> {
  const { mode, size } = await stat(path);
  if (size > MAX_BYTES) throw new SvcdError('invalid_argument', `${path} is too large to be a key file`);
  const key = parseKeyFile(readForeignFile(path, MAX_BYTES).toString('utf8'), path);
  return { key, path, exposed: isExposed(mode), plain: true };
}

async function readKeyInZip(path: string): Promise<KeyInFile> {
  const { mode } = await stat(path);
  const text = await readPackageEntry(path, PACKAGE_KEY_FILE, MAX_BYTES);
  if (text === undefined) {
    throw new SvcdError('not_found', `the package ${path} holds no ${PACKAGE_KEY_FILE}`);
  }
  return {
    key: parseKeyFile(text, `${PACKAGE_KEY_FILE} in ${path}`),
    path,
    exposed: isExposed(mode),
    plain: false,
  };
}

/** Windows has other rights than these bits. */
function isExposed(mode: number): boolean {
  return process.platform !== 'win32' && (mode & 0o077) !== 0;
}

function isZip(path: string): boolean {
  const { fd } = openForeignFile(path);
  try {
    const start = Buffer.alloc(4);
    readSync(fd, start);
    return start.toString('latin1') === 'PK\u0003\u0004';
  } finally {
    closeSync(fd);
  }
}

function unreadable(path: string, cause: unknown): SvcdError {
  const code = systemCode(cause) ?? 'unknown';
  if (code === 'ENOENT') return new SvcdError('not_found', `there is no file ${path} to read a Key from`, { cause });
  return new SvcdError('invalid_argument', `${path} cannot be read (${code})`, { cause });
}

/** Checks a Key as it was typed or read. Throws `invalid_argument` that does not repeat it. */
export function parseKey(text: string, from: string): string {
  const key = text.replace(/^\uFEFF/, '').trim();
  if (key === '') throw new SvcdError('invalid_argument', `${from} holds no Key`);
  if (!/^[\x21-\x7e]{1,4096}$/.test(key)) {
    throw new SvcdError(
      'invalid_argument',
      `${from} holds something that is not a Key: a Key is one line of up to 4096 letters, digits and signs, without spaces`,
    );
  }
  if (!isLocalToken(key)) return key;
  throw new SvcdError(
    'invalid_argument',
    `${from} holds something that is a token of svcd (${TOKEN_PREFIX}…), not a Key of the service`,
    { hint: "The Key is in the service's account, in its API and credits area." },
  );
}

/** The Key in a file's text: the field `key` of a JSON object, or the text itself. Throws `invalid_argument`. */
function parseKeyFile(text: string, from: string): string {
  const value = parseJson(text.replace(/^\uFEFF/, ''));
  if (typeof value === 'string') return parseKey(value, from);
  if (typeof value !== 'object' || value === null) return parseKey(bareText(text, from), from);
  if ('key' in value && typeof value.key === 'string') return parseKey(value.key, from);
  throw new SvcdError('invalid_argument', `${from} has no field "key" with a text in it`);
}

/** Whether a sandbox made this Key. It opens nothing real, and is of no use anywhere else. */
export function isSandboxKey(key: string): boolean {
  return key.startsWith('sk-sandbox-');
}

/** The last four characters, for a person to tell Keys apart; nothing of a Key that is hardly longer. */
export function lastFourOf(key: string): string {
  return key.length >= 12 ? key.slice(-4) : '****';
}

/** JSON that was cut off must not be taken for a Key. */
function bareText(text: string, from: string): string {
  if (!/^\s*[{["]/.test(text.replace(/^\uFEFF/, ''))) return text;
  throw new SvcdError('invalid_argument', `${from} is neither complete JSON nor a bare Key`);
}
