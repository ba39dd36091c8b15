// Compression of carried files: by the name's ending when written, by the first bytes when read. Zstandard comes from
// Node.js where it has it (22.15), else from two small packages that are loaded only then.

import { Transform } from 'node:stream';
import * as zlib from 'node:zlib';

type MakeTransform = () => Transform;

const FRAME_BYTES = 1024 * 1024;
const LEVEL = 10;

/** What a file of this name is written through; undefined for plain text. */
export async function compressorFor(file: string): Promise<Transform | undefined> {
  if (/\.gz$/i.test(file)) return zlib.createGzip();
  if (!/\.zst$/i.test(file)) return undefined;
  const make = Reflect.get(zlib, 'createZstdCompress') as MakeTransform | undefined;
  return make === undefined ? zstdFrames() : make();
}

/** What bytes that begin like these are read through; undefined for plain text. */
export async function decompressorFor(start: Uint8Array): Promise<Transform | undefined> {
  const magic = Buffer.from(start.subarray(0, 4)).toString('hex');
  if (magic.startsWith('1f8b')) return zlib.createGunzip();
  if (magic !== '28b52ffd') return undefined;
  const make = Reflect.get(zlib, 'createZstdDecompress') as MakeTransform | undefined;
  return make === undefined ? zstdReader() : make();
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

async function zstdReader(): Promise<Transform> {
  const { Decompress } = await import('fzstd');
  const reader: Transform = new Transform({
    transform: (chunk: Buffer, _encoding, done) => attempt(() => decoder.push(chunk), done),
    flush: (done) => attempt(() => decoder.push(new Uint8Array(0), true), done),
  });
  const decoder = new Decompress((bytes) => void reader.push(Buffer.from(bytes)));
  return reader;
}

function attempt(work: () => void, done: (error?: Error) => void): void {
  try {
    work();
    done();
  } catch (error) {
    done(error as Error);
  }
}
