// The sandbox's databases as the build prepared them (dist/prepared): the catalogue with its words, and the library with
// its index. They are copied into a home that has none, if they are what this svcd would make; else they are made as ever.

import { createHash } from 'node:crypto';
import { existsSync, lstatSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { endianness } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress, type BrotliOptions } from 'node:zlib';
import { DATA_FOLDER } from '../config/config.js';
import { SNAPSHOT_FORMAT } from '../library/search-index/snapshot.js';
import { LIBRARY_MIGRATIONS } from '../library/storage/sticker-schema.js';
import { replaceFileBeside } from '../platform/files/files.js';
import { INSTALLATION } from '../platform/installation.js';
import type { Log } from '../platform/log.js';
import { SANDBOX_MIGRATIONS } from '../sandbox/state/schema.js';

const NAMES = ['sandbox.db', 'library.db'] as const;
export type PreparedName = (typeof NAMES)[number];

/** What `manifest.json` says of the files beside it. */
export interface PreparedManifest {
  /** The form of the databases and of the index in one of them. */
  readonly form: string;
  /** Digest of each file below data/ that they were made of. */
  readonly madeOf: Readonly<Record<string, string>>;
  /** Size unpacked, and digest packed. */
  readonly files: Readonly<Record<PreparedName, { readonly sizeBytes: number; readonly digest: string }>>;
}

const PREPARED = new URL('dist/prepared/', INSTALLATION);

const decompress = promisify<Uint8Array, BrotliOptions, Buffer>(brotliDecompress);

/** The form that this svcd writes on this machine: another schema, index or order of bytes is another one. */
export function preparedForm(): string {
  return digestOf(JSON.stringify([LIBRARY_MIGRATIONS, SANDBOX_MIGRATIONS, SNAPSHOT_FORMAT, endianness()]));
}

export function digestOf(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

/** Prepared databases on their way into a home. */
export interface PreparedFiles {
  /** Resolves when the home has one of this name, or never will. Throws the system's error when it cannot be written. */
  place(home: string, name: PreparedName): Promise<void>;
}

/**
 * Unpacks, in threads and at once, what a home has none of. `place` is to be called by who holds the home's lock: the file is
 * there entirely or not at all.
 */
export function unpackPrepared(home: string, log: Log, from = PREPARED): PreparedFiles {
  const missing = NAMES.filter((name) => !isThere(join(home, name)));
  const manifest = missing.length === 0 ? Promise.resolve(undefined) : findFitting(from, log);
  const unpacked = new Map(
    missing.map((name) => [name, manifest.then((one) => one && readPrepared(name, one, from, log))]),
  );
  return {
    place: async (folder, name) => {
      const bytes = await unpacked.get(name);
      // By now another process may have made one.
      if (bytes !== undefined && !isThere(join(folder, name))) await replaceFileBeside(join(folder, name), bytes);
    },
  };
}

/** Undefined when there are none, or they are of another svcd or of other data. */
async function findFitting(from: URL, log: Log): Promise<PreparedManifest | undefined> {
  try {
    const manifest = await findManifest(from);
    return manifest?.form === preparedForm() && (await isMadeOf(manifest.madeOf)) ? manifest : undefined;
  } catch (error) {
    return unusable('manifest.json', error, log);
  }
}

async function readPrepared(
  name: PreparedName,
  { files }: PreparedManifest,
  from: URL,
  log: Log,
): Promise<Uint8Array | undefined> {
  try {
    const { sizeBytes, digest } = files[name];
    const packed = await readFile(new URL(`${name}.br`, from));
    if (digestOf(packed) !== digest) throw new Error('it was altered');
    // In one piece: the many small ones of a default take twice as long.
    return await decompress(packed, { maxOutputLength: sizeBytes, chunkSize: sizeBytes });
  } catch (error) {
    return unusable(name, error, log);
  }
}

/** The first start takes longer then, and nothing else. */
function unusable(file: string, error: unknown, log: Log): undefined {
  log.warn('what the build prepared cannot be used', { file, why: String(error) });
  return undefined;
}

/** Undefined before the first build. */
async function findManifest(from: URL): Promise<PreparedManifest | undefined> {
  const file = new URL('manifest.json', from);
  return existsSync(file) ? (JSON.parse(await readFile(file, 'utf8')) as PreparedManifest) : undefined;
}

async function isMadeOf(madeOf: PreparedManifest['madeOf']): Promise<boolean> {
  const same = Object.entries(madeOf).map(
    async ([path, digest]) => digestOf(await readFile(join(DATA_FOLDER, path))) === digest,
  );
  return (await Promise.all(same)).every(Boolean);
}

/** Or anything beside it that SQLite would play into it; a link leads where its owner wants the file. */
function isThere(path: string): boolean {
  return ['', '-wal', '-shm', '-journal'].some((end) => lstatSync(path + end, { throwIfNoEntry: false }) !== undefined);
}
