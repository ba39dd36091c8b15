// The body of an answer as it comes: unpacked, bounded, and read no faster than there is room for it in memory.

import { pipeline, type Readable, type Transform } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Holding } from './byte-budget.js';
import { TooLargeError } from './exchange-error.js';

/** What bounds the reading of one answer. */
export interface Reading {
  readonly late: AbortSignal;
  readonly holding: Holding;
}

/** What is unpacked in one go. */
const CHUNK = 64 * 1024;
const COPIED_AT_ONCE = 4 * 1024 * 1024;

const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: () => createGunzip({ chunkSize: CHUNK }),
  deflate: () => createInflate({ chunkSize: CHUNK }),
  br: () => createBrotliDecompress({ chunkSize: CHUNK }),
};

/** Some stores send compressed what was stored compressed, whatever was asked for. */
export function decoded(body: Readable, encoding: string | undefined): Readable {
  const decode = encoding === undefined ? undefined : DECODERS[encoding.trim().toLowerCase()];
  // What goes wrong is thrown where the bytes are read.
  return decode === undefined ? body : pipeline(body, decode(), () => undefined);
}

/** All of a stream, never more than allowed in memory, and read no faster than there is room for it. */
export async function collect(plain: Readable, maxBytes: number, { late, holding }: Reading): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of plain as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new TooLargeError();
    await holding.take(chunk.byteLength, late);
    chunks.push(chunk);
  }
  return joined(chunks, size);
}

/** Copied in steps: thirty megabytes in one go would hold up everybody. */
async function joined(chunks: readonly Uint8Array[], size: number): Promise<Uint8Array> {
  const bytes = Buffer.allocUnsafe(size);
  let [at, next] = [0, COPIED_AT_ONCE];
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
    if (at < next) continue;
    next = at + COPIED_AT_ONCE;
    await nextTurn();
  }
  // What is made of it holds the loop for a while, too.
  if (size > COPIED_AT_ONCE) await nextTurn();
  return bytes;
}

/** Lower-case names; of a repeated header the last value. */
export function flat(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): Record<string, string> {
  const entries = Object.entries(headers).flatMap(([name, value]) => {
    const last = typeof value === 'string' ? value : value?.at(-1);
    return last === undefined ? [] : [[name.toLowerCase(), last] as const];
  });
  return Object.fromEntries(entries);
}
