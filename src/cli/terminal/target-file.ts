// The file an answer is written to: replaced as a whole or not at all, and opened before anything is paid.

import {
  closeSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { type SvcdError, isSvcdError, systemCode } from '../../model/errors.js';
import { flushFolder } from '../../platform/files/files.js';
import { readForeignFile } from '../../platform/files/foreign-file.js';
import { isAlive } from '../../platform/files/process-alive.js';
import { isKeptFile } from '../../platform/files/safe-home.js';
import { sanitize } from './format.js';
import { invalidArgument } from './input.js';
import { printNote } from './output.js';
import { terminalWords } from './words.js';

/** Bytes of a file that show what it is. */
const BEGINNING = 64;

export interface TargetFile {
  /** Descriptor to write to. */
  readonly fd: number;
  /** The file of that descriptor, until the commit. */
  readonly part: string;
  /** Writes `bytes` and puts what was written in place. Throws `invalid_argument`. */
  commit(bytes?: Uint8Array): void;
  /** Closes the file; without a commit everything stays as it was. */
  abandon(): void;
}

type Overwrite = boolean | 'unchanged' | RegExp;

export interface TargetOptions {
  /** Of a new file. */
  readonly mode?: number;
  /** A home whose own files are refused, besides those of folders that look like one. */
  readonly home?: string;
  /** Refuses devices and pipes: for what is more than a stream of bytes. */
  readonly regular?: boolean;
  /** Whether a file that holds something may be replaced: any, one that is `unchanged` since, or one that begins so. Without it none may. */
  readonly overwrite?: Overwrite | undefined;
}

/** Opens a way to replace a file. Throws `invalid_argument` when it cannot be written, and for what svcd itself keeps. */
export function openTargetFile(
  file: string,
  { mode = 0o666, home, regular = false, overwrite }: TargetOptions = {},
): TargetFile {
  // A device or a pipe holds nothing to lose and cannot be replaced: "-o /dev/null" must leave it one.
  const found = lookAt(file);
  const replaceable = found === undefined || found.isFile();
  if (regular && !replaceable) throw invalidArgument(terminalWords().notRegular(file), terminalWords().nameAnother);
  const path = found === undefined ? file : guard(file, () => realpathSync(file));
  if (isKeptFile(resolve(path), home)) {
    throw invalidArgument(terminalWords().ownFile(file), terminalWords().nameAnother);
  }
  const isKind = () => overwrite instanceof RegExp && overwrite.test(guard(file, () => beginningOf(path)));
  if (
    overwrite !== true &&
    overwrite !== 'unchanged' &&
    found !== undefined &&
    replaceable &&
    found.size > 0 &&
    !isKind()
  ) {
    const { exists, nameAnother, overwriteIt } = terminalWords();
    throw invalidArgument(exists(file), overwrite instanceof RegExp ? nameAnother : overwriteIt);
  }
  const part = replaceable ? `${path}.${process.pid}.part` : path;
  if (replaceable) guard(file, () => removeLeftovers(path));
  const fd = guard(file, () => openSync(part, replaceable ? 'wx' : 'w', mode));
  let committed = false;
  const commit = (bytes: Uint8Array = new Uint8Array()) => {
    for (let at = 0; at < bytes.byteLength;) at += writeSync(fd, bytes, at);
    if (!replaceable) return;
    fsyncSync(fd);
    // Of two that come at once to a name that nobody had, one is refused by the system.
    const isPlaced = overwrite !== true && found === undefined && putNew(part, path);
    if (!isPlaced && overwrite !== true) refuseChanged(file, path, found, part);
    if (!isPlaced) renameSync(part, path);
    else rmSync(part, { force: true });
    committed = true;
    flushFolder(dirname(path));
  };
  return {
    fd,
    part,
    commit: (bytes) => guard(file, () => commit(bytes)),
    abandon: () => {
      closeSync(fd);
      if (!committed && replaceable) rmSync(part, { force: true });
    },
  };
}

/** Gives a file a name that nobody has; false where somebody has it, or the file system knows no second names. */
function putNew(part: string, path: string): boolean {
  try {
    linkSync(part, path);
    return true;
  } catch {
    return false;
  }
}

/** Keeps what came to a path since it was looked at: an answer may take minutes. Throws `invalid_argument`. */
function refuseChanged(file: string, path: string, before: Stats | undefined, part: string): void {
  const now = statSync(path, { throwIfNoEntry: false });
  if (now === undefined || (before === undefined && now.size === 0)) return;
  if (before?.ino === now.ino && before.size === now.size && before.mtimeMs === now.mtimeMs) return;
  if (now.isFile() && now.size === statSync(part).size && readFileSync(path).equals(readFileSync(part))) return;
  throw invalidArgument(terminalWords().changed(file), terminalWords().overwriteIt);
}

/** Replaces a file by these bytes, or leaves it as it was. Throws `invalid_argument`. */
export function writeTargetFile(file: string, bytes: Uint8Array, overwrite: Overwrite = true): void {
  const target = openTargetFile(file, { overwrite });
  try {
    target.commit(bytes);
  } finally {
    target.abandon();
  }
}

/** Throws `invalid_argument` for a folder that is a home of svcd: files and locks of a video do not belong among its own. */
export function refuseHome(folder: string, home: string): void {
  const path = resolve(folder);
  if (path !== resolve(home) && !isKeptFile(join(path, 'owned.db'), home)) return;
  throw invalidArgument(terminalWords().isHome(folder), terminalWords().nameAnotherFolder);
}

/** An error of the file system as `invalid_argument`: `FILE cannot be read (ENOENT)`. Errors of our own stay. */
export function asFileError(cause: unknown, file: string, what: 'read' | 'written'): SvcdError {
  if (isSvcdError(cause)) return cause;
  const code = systemCode(cause) ?? (cause instanceof Error ? cause.message : 'unknown');
  const { cannotRead, cannotWrite } = terminalWords();
  return invalidArgument((what === 'read' ? cannotRead : cannotWrite)(file, code), undefined, cause);
}

/** The bytes of a file that was typed. Throws `invalid_argument` for one that cannot be read, `body_too_large`. */
export function readSource(file: string, maxBytes: number): Buffer<ArrayBuffer> {
  try {
    return readForeignFile(file, maxBytes);
  } catch (cause) {
    throw asFileError(cause, file, 'read');
  }
}

/** Removes the parts of this file that killed processes left, and says so; those of others may be somebody else's. */
function removeLeftovers(file: string): void {
  const folder = dirname(file);
  for (const name of readdirSync(folder)) {
    const own = name.startsWith(`${basename(file)}.`) ? name.slice(basename(file).length) : '';
    const [, pid] = /^\.(\d+)\.part$/.exec(own) ?? [];
    if (pid === undefined || isAlive(Number(pid))) continue;
    rmSync(join(folder, name), { force: true });
    printNote(terminalWords().leftover(sanitize(name)));
  }
}

/** What a file begins with; it may be larger than memory. */
function beginningOf(file: string): string {
  const fd = openSync(file, 'r');
  const bytes = Buffer.alloc(BEGINNING);
  const length = readSync(fd, bytes);
  closeSync(fd);
  return bytes.toString('utf8', 0, length).replace(/^\uFEFF/, '');
}

/** What a file holds that something is to be written to; undefined where nothing would be lost. Throws `invalid_argument`. */
export function contentOf(file: string): Buffer | undefined {
  const found = lookAt(file);
  if (found?.isFile() !== true || found.size === 0) return undefined;
  try {
    return readFileSync(file);
  } catch (cause) {
    throw asFileError(cause, file, 'read');
  }
}

/** What lies at a path that something is to be written to; undefined for nothing. Throws `invalid_argument`. */
export function lookAt(file: string): Stats | undefined {
  return guard(file, () => statSync(file, { throwIfNoEntry: false }));
}

function guard<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw asFileError(cause, file, 'written');
  }
}
