// The compressed forms of an owned file: made once when it is kept, verified when they are read.

import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants, gunzip, gzip, type ZlibOptions } from 'node:zlib';

export interface Forms {
  readonly gzip: Buffer;
  /** Undefined for content that is not text. */
  readonly brotli: Buffer | undefined;
}

const gzipAsync = promisify(gzip);
const gunzipAsync = promisify<Uint8Array, ZlibOptions, Buffer>(gunzip);
const brotliAsync = promisify(brotliCompress);
const unbrotliAsync = promisify<Uint8Array, ZlibOptions, Buffer>(brotliDecompress);

// The highest quality takes 60 times as long for another tenth, and the buyer waits for it.
const BROTLI_QUALITY = 6;

/** Compresses bytes; brotli only for text such as JSON. */
export async function compress(bytes: Uint8Array, contentType: string): Promise<Forms> {
  const [gzipped, brotli] = await Promise.all([
    gzipAsync(bytes),
    isText(contentType) ? brotliAsync(bytes, { params: paramsFor(bytes) }) : undefined,
  ]);
  return { gzip: gzipped, brotli };
}

/** Whether what begins so becomes shorter by a third at least. A picture in base64 does not: it becomes so by a quarter. */
export async function isWorthCompressing(sample: Uint8Array): Promise<boolean> {
  return (await gzipAsync(sample)).byteLength * 3 <= sample.byteLength * 2;
}

/** Bytes in the form of compressed ones, and no shorter: there at once. */
export async function asItCame(bytes: Uint8Array): Promise<Forms> {
  return { gzip: await pack(bytes, 0), brotli: undefined };
}

/** Bytes with gzip; `level` 0 makes nothing shorter, and is there at once. */
export async function pack(bytes: Uint8Array, level?: number): Promise<Buffer> {
  return gzipAsync(bytes, level === undefined ? {} : { level });
}

/** The decompressed bytes; undefined when they are damaged, or more than `maxBytes`. */
export async function gunzipOrNothing(bytes: Uint8Array, maxBytes: number): Promise<Buffer | undefined> {
  return gunzipAsync(bytes, { maxOutputLength: Math.max(1, maxBytes) }).catch(() => undefined);
}

/** The forms worth sending in place of `bytes`: of text, shorter than it, and sound. */
export async function usableForms(
  bytes: Uint8Array,
  contentType: string,
  { gzip: gzipped, brotli }: Forms,
): Promise<{ gzip?: Uint8Array; brotli?: Uint8Array }> {
  if (!isText(contentType)) return {};
  const isShorter = (form: Uint8Array) => form.byteLength < bytes.byteLength;
  return {
    ...(isShorter(gzipped) ? { gzip: gzipped } : {}),
    ...(brotli !== undefined && isShorter(brotli) && (await holds(brotli, bytes)) ? { brotli } : {}),
  };
}

async function holds(brotli: Uint8Array, bytes: Uint8Array): Promise<boolean> {
  const held = await unbrotliAsync(brotli, { maxOutputLength: Math.max(1, bytes.byteLength) }).catch(() => undefined);
  return held?.equals(bytes) ?? false;
}

function isText(contentType: string): boolean {
  return /^(application\/json|text\/)/i.test(contentType);
}

function paramsFor(bytes: Uint8Array): Record<number, number> {
  return {
    [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.byteLength,
  };
}
