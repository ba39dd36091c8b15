// The copy of a library that svcd keeps beside it by itself: an export like any other, written whole or not at all.

import { createReadStream, createWriteStream, existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { sha256Hex } from '../../model/hash.js';
import { createNew } from '../../platform/files/files.js';
import { readLines } from '../../platform/read-lines.js';
import { readExportRecord } from './export-record.js';

export interface LibraryCopy {
  readonly file: string;
  /** Replaces the copy in one step. */
  keep(lines: AsyncIterable<Uint8Array>): Promise<void>;
  /** How many stickers it holds; 0 when there is none that can be read. */
  countStickers(): Promise<number>;
  /** Its lines; they end with an error where it is damaged. */
  read(): AsyncIterable<Uint8Array>;
}

const MAX_HEADER = 4096;

/** The copy of one remote's library in a folder. */
export function openLibraryCopy(folder: string, scope: string): LibraryCopy {
  const name = sha256Hex(scope).slice(0, 12);
  const file = join(folder, `library-${name}.ndjson.gz`);
  return {
    file,
    keep: (lines) => replace(file, lines),
    countStickers: () => countIn(file),
    read: () => unpack(file),
  };
}

async function replace(file: string, lines: AsyncIterable<Uint8Array>): Promise<void> {
  // One process holds a home, so that what lies there was left by one that was killed.
  const part = `${file}.part`;
  rmSync(part, { force: true });
  try {
    const target = createWriteStream('', { fd: createNew(part), flush: true });
    await pipeline(Readable.from(lines, { objectMode: false }), createGzip(), target);
    renameSync(part, file);
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
}

async function* unpack(file: string): AsyncGenerator<Uint8Array> {
  const unpacked = createGunzip();
  pipeline(createReadStream(file), unpacked).catch(() => undefined);
  yield* unpacked as AsyncIterable<Uint8Array>;
}

async function countIn(file: string): Promise<number> {
  // Most have none, and to find that out by reading takes a start some milliseconds.
  if (!existsSync(file)) return 0;
  try {
    for await (const [first] of readLines(unpack(file), { maxBytes: MAX_HEADER, batch: 1 })) {
      const line = readExportRecord(first?.text, false);
      return line.kind === 'header' ? line.header.stickers : 0;
    }
  } catch {
    // Missing or damaged: then it is of no use.
  }
  return 0;
}
