// The files of a template package, in a zip or an unpacked folder, under the names that its integrity.json gives them.
// Nothing is unpacked or written; what could lead out of the package is refused before anything is read.

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { SvcdError, systemCode } from '../../model/errors.js';
import { readZip } from '../../platform/files/read-zip.js';
import { foldName } from '../lock/name-files.js';

export interface PackageFiles {
  /** With slashes, composed (NFC), sorted. */
  readonly names: readonly string[];
  /** Of a file that is there, in hexadecimal. */
  sha256(name: string): Promise<string>;
  /** Undefined when it is not there. Throws `invalid_argument` when it is larger. */
  read(name: string, maxBytes: number): Promise<Uint8Array | undefined>;
}

/** Of a zip more does not fit, of a folder it is no template. */
const FILES_MAX = 65_535;
/** Of all files of a zip when unpacked. */
const UNPACKED_MAX_BYTES = 1024 ** 3;

interface File {
  readonly size: number;
  read(): Promise<Uint8Array>;
  sha256(): Promise<string>;
}

/**
 * The files at a path. Throws `not_found`; `invalid_argument` for what is neither folder nor zip, damaged or too large,
 * and for links, names that are there twice, and names that lead elsewhere.
 */
export async function listFiles(path: string): Promise<PackageFiles> {
  const files = await findFiles(path).then(withoutFolder, (cause: unknown) => {
    throw systemCode(cause) === undefined || cause instanceof SvcdError ? cause : unreadable(path, cause);
  });
  return {
    names: [...files.keys()].toSorted(),
    sha256: async (name) => getFile(files, name).sha256(),
    read: async (name, maxBytes) => {
      const file = files.get(name);
      if (file === undefined) return undefined;
      if (file.size <= maxBytes) return file.read();
      throw new SvcdError(
        'invalid_argument',
        `${name} of ${path} has ${file.size} bytes, at most ${maxBytes} are read`,
      );
    },
  };
}

/**
 * Throws for names that a file system may take for one, by their case, and for a file in the place of a folder: unpacked
 * elsewhere it would be another package.
 */
function requireDistinct(path: string, names: readonly string[]): void {
  const known = new Map<string, string>();
  for (const name of names) {
    // Each folder above it, with its slash, and the file.
    for (let end = 0; end < name.length;) {
      end = name.indexOf('/', end) + 1 || name.length;
      const part = name.slice(0, end);
      // Without the slash that tells a folder.
      const folded = foldName(part.replace(/\/$/, ''));
      const other = known.get(folded) ?? part;
      if (other !== part) {
        throw refusal(
          path,
          `it has ${JSON.stringify(other)} and ${JSON.stringify(part)}, which some systems take for one`,
        );
      }
      known.set(folded, part);
    }
  }
}

/** Why a name in a package is refused; undefined for one that is only a file below it, on every system. */
export function nameProblem(name: string): string | undefined {
  if (name === '') return 'is empty';
  if (/\p{Cc}/u.test(name)) return 'has control characters';
  if (name.includes('\uFFFD')) return 'is not UTF-8';
  if (name.includes('\\')) return 'has a backslash';
  if (name.startsWith('/') || /^[a-z]:/i.test(name)) return 'is absolute';
  if (name.split('/').some((part) => part === '' || part === '.' || part === '..')) return 'leads out of the package';
  return undefined;
}

async function findFiles(path: string): Promise<ReadonlyMap<string, File>> {
  const found = await stat(path);
  if (found.isDirectory()) return filesOfFolder(path);
  if (!found.isFile() || !(await isZip(path))) throw refusal(path, 'it is neither a folder nor a zip file');
  return filesOfZip(path);
}

async function filesOfZip(path: string): Promise<ReadonlyMap<string, File>> {
  const files = new Map<string, File>();
  const names: string[] = [];
  let unpacked = 0;
  for (const entry of await readZip(path)) {
    const { name, kind, size } = entry;
    requireName(path, name.replace(/\/$/, ''));
    names.push(composed(kind === 'folder' ? name.replace(/\/?$/, '/') : name));
    if (kind === 'folder') continue;
    if (kind !== 'file' || name.endsWith('/')) throw notPlain(path, name, kind);
    if (files.has(composed(name))) throw refusal(path, `it has ${JSON.stringify(name)} twice`);
    unpacked += size;
    if (unpacked > UNPACKED_MAX_BYTES) throw refusal(path, `it unpacks to more than ${UNPACKED_MAX_BYTES} bytes`);
    files.set(composed(name), {
      size,
      read: async () => entry.read(),
      sha256: async () => createHash('sha256').update(entry.read()).digest('hex'),
    });
  }
  requireDistinct(path, names);
  return files;
}

async function filesOfFolder(path: string): Promise<ReadonlyMap<string, File>> {
  const files = new Map<string, File>();
  const names: string[] = [];
  const walk = async (below: string): Promise<void> => {
    for (const entry of await readdir(join(path, below), { withFileTypes: true })) {
      const name = `${below}${entry.name}`;
      requireName(path, name);
      names.push(composed(entry.isDirectory() ? `${name}/` : name));
      if (entry.isDirectory()) await walk(`${name}/`);
      // A pipe would be waited for, a link leads elsewhere.
      else if (!entry.isFile()) throw notPlain(path, name, entry.isSymbolicLink() ? 'link' : 'other');
      else files.set(composed(name), await fileAt(join(path, name)));
      if (files.size > FILES_MAX) throw refusal(path, `it has more than ${FILES_MAX} files`);
    }
  };
  await walk('');
  requireDistinct(path, names);
  return files;
}

async function fileAt(path: string): Promise<File> {
  const { size } = await stat(path);
  return {
    size,
    read: () => readFile(path),
    sha256: async () => {
      const hash = createHash('sha256');
      for await (const part of createReadStream(path) as AsyncIterable<Buffer>) hash.update(part);
      return hash.digest('hex');
    },
  };
}

/** One file system of macOS takes é apart; it is the same name all the same. */
export function composed(name: string): string {
  return name.normalize('NFC');
}

/** The same without the one folder that all files lie in, as where a package was zipped or unpacked by hand. */
function withoutFolder(files: ReadonlyMap<string, File>): ReadonlyMap<string, File> {
  const [first = ''] = files.keys();
  const folder = first.slice(0, first.indexOf('/') + 1);
  if (folder === '' || ![...files.keys()].every((name) => name.startsWith(folder))) return files;
  return new Map([...files].map(([name, file]) => [name.slice(folder.length), file]));
}

function getFile(files: ReadonlyMap<string, File>, name: string): File {
  const file = files.get(name);
  if (file === undefined) throw new SvcdError('internal', `${JSON.stringify(name)} is not in the package`);
  return file;
}

async function isZip(path: string): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    const { buffer } = await file.read(Buffer.alloc(4), 0, 4, 0);
    return ['PK\u0003\u0004', 'PK\u0005\u0006'].includes(buffer.toString('latin1'));
  } finally {
    await file.close();
  }
}

function requireName(path: string, name: string): void {
  const problem = nameProblem(name);
  if (problem !== undefined) throw refusal(path, `the name ${JSON.stringify(name)} in it ${problem}`);
}

function notPlain(path: string, name: string, kind: string): SvcdError {
  return refusal(path, `${JSON.stringify(name)} in it is ${kind === 'link' ? 'a link' : 'no plain file'}`);
}

function refusal(path: string, why: string): SvcdError {
  return new SvcdError('invalid_argument', `${path} cannot be read as a package: ${why}`);
}

function unreadable(path: string, cause: unknown): SvcdError {
  const code = systemCode(cause) ?? 'unknown';
  if (code === 'ENOENT' || code === 'ENOTDIR')
    return new SvcdError('not_found', `there is no package at ${path}`, { cause });
  return new SvcdError('invalid_argument', `${path} cannot be read (${code})`, { cause });
}
