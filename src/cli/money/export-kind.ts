// Whether a file that was named is an export of svcd, by how it begins: for who confuses exports with backups.

import { closeSync, openSync, readSync } from 'node:fs';
import { brotliDecompressSync, constants, gunzipSync } from 'node:zlib';

const HEAD_BYTES = 4096;

/** What of svcd a file is an export of, packed or plain; undefined for every other file. Throws the system's error. */
export function findExportKind(file: string): 'owned' | 'library' | undefined {
  const head = readHead(file);
  for (const unpack of UNPACKERS) {
    const [, kind] = /^\s*\{\s*"format"\s*:\s*"svcd-(owned|library)"/.exec(textOf(head, unpack)) ?? [];
    if (kind === 'owned' || kind === 'library') return kind;
  }
  return undefined;
}

type Unpack = (bytes: Buffer) => Buffer;

/** The head is cut off somewhere: what can be unpacked of it is enough. */
const UNPACKERS: readonly Unpack[] = [
  (bytes) => bytes,
  (bytes) => gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH }),
  (bytes) => brotliDecompressSync(bytes, { finishFlush: constants.BROTLI_OPERATION_FLUSH }),
];

function textOf(head: Buffer, unpack: Unpack): string {
  try {
    return unpack(head).toString('latin1');
  } catch {
    return '';
  }
}

function readHead(file: string): Buffer {
  const fd = openSync(file, 'r');
  try {
    const bytes = Buffer.alloc(HEAD_BYTES);
    return bytes.subarray(0, readSync(fd, bytes));
  } finally {
    closeSync(fd);
  }
}
