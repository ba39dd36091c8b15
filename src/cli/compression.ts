// Compression of carried files: by the name's ending when written, by the first bytes when read. Zstandard comes from
// Node.js where it has it (22.15), else from two small packages that are loaded only then.

import { Transform, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import * as zlib from 'node:zlib';

type MakeTransform = (options?: zlib.ZlibOptions) => Transform;

const FRAME_BYTES = 1024 * 1024;
const LEVEL = 10;
const GZIP = '1f8b';
const ZSTANDARD = '28b52ffd';
// What was unpacked and not yet taken is lost when the rest turns out damaged, so that there is never much of it.
const NO_BUFFER = { readableHighWaterMark: 1 };

/** What a file of this name is written through; undefined for plain text. */
export async function compressorFor(file: string): Promise<Transform | undefined> {
  if (/\.gz$/i.test(file)) return zlib.createGzip();
  if (!/\.zst$/i.test(file)) return undefined;
  const make = Reflect.get(zlib, 'createZstdCompress') as MakeTransform | undefined;
  return make === undefined ? zstdFrames() : make();
}

/** Plain bytes of a stream that begins with `start`. Throws where it is damaged, after all that came before. */
export async function* unpack(start: Uint8Array, packed: Readable): AsyncGenerator<Uint8Array> {
  const magic = Buffer.from(start.subarray(0, 4)).toString('hex');
  const makeZstd = Reflect.get(zlib, 'createZstdDecompress') as MakeTransform | undefined;
  if (magic.startsWith(GZIP)) yield* unpackThrough(packed, zlib.createGunzip(NO_BUFFER as zlib.ZlibOptions));
  else if (magic !== ZSTANDARD) yield* packed as AsyncIterable<Uint8Array>;
  else if (makeZstd !== undefined) yield* unpackThrough(packed, makeZstd(NO_BUFFER as zlib.ZlibOptions));
  else yield* unpackZstd(packed);
}

async function* unpackThrough(packed: Readable, through: Transform): AsyncGenerator<Uint8Array> {
  // Its failure ends the stream that is read here, with the same error.
  pipeline(packed, through).catch(() => undefined);
  yield* through as AsyncIterable<Uint8Array>;
}

async function* unpackZstd(packed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const { Decompress } = await import('fzstd');
  const unpacked: Uint8Array[] = [];
  const decoder = new Decompress((bytes) => void unpacked.push(bytes.slice()));
  for await (const chunk of packed) {
    const failure = failureOf(() => decoder.push(chunk));
    yield* unpacked.splice(0);
    if (failure !== undefined) throw failure;
  }
  decoder.push(new Uint8Array(0), true);
  yield* unpacked;
}

function failureOf(work: () => void): Error | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    return error as Error;
  }
}

/** A frame for each megabyte: frames can stand one after another, and no more than one is in memory. */
async function zstdFrames(): Promise<Transform> {
  const { init, compress } = await import('@bokuweb/zstd-wasm');
  await init();
  let chunks: Buffer[] = [];
  let size = 0;
  const frame = (): Uint8Array => {
    const bytes = compress(Buffer.concat(chunks), LEVEL);
    [chunks, size] = [[], 0];
    return bytes;
  };
  return new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      chunks.push(chunk);
      size += chunk.byteLength;
      done(null, size >= FRAME_BYTES ? frame() : undefined);
    },
    flush: (done) => done(null, size > 0 ? frame() : undefined),
  });
}
