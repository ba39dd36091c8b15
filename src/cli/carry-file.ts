// A carried file on this side: written as a whole or not at all, read as a stream, compressed by its name.

import {
  closeSync,
  createReadStream,
  createWriteStream,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isSvcdError, SvcdError, systemCode } from '../errors.js';
import { compressorFor, decompressorFor } from './squeeze-stream.js';

/** Called with the bytes gone through so far. */
export type Watch = (bytes: number) => void;

/** Writes lines to a file, `-` being standard output. Throws `invalid_argument` when it cannot be written. */
export async function writeCarried(
  file: string,
  lines: AsyncIterable<Uint8Array>,
  watch: Watch,
): Promise<void> {
  if (file === '-') return pipeline(lines, counter(watch), process.stdout, { end: false });
  const part = `${file}.${process.pid}.part`;
  const compressor = await compressorFor(file);
  try {
    const target = createWriteStream(part, { flags: 'wx', mode: 0o600 });
    const through = [counter(watch), ...(compressor === undefined ? [] : [compressor])];
    await pipeline([Readable.from(lines, { objectMode: false }), ...through, target]);
    flush(part);
    renameSync(part, file);
  } catch (error) {
    rmSync(part, { force: true });
    throw asFileTrouble(error, file, 'written');
  }
}

/** The lines of a file, `-` being standard input, unpacked if need be. Throws `invalid_argument` when it cannot be read. */
export async function readCarried(file: string, watch: Watch): Promise<Readable> {
  const source: Readable = file === '-' ? process.stdin : createReadStream(file);
  const [start, whole] = await peek(source, file);
  const through = [counter(watch), ...[await decompressorFor(start)].filter((one) => one !== undefined)];
  const last = through.at(-1)!;
  // Its failure destroys the last stream too, which is what the reader sees.
  pipeline([whole, ...through] as [Readable, Transform]).catch((error: unknown) =>
    last.destroy(asFileTrouble(error, file, 'read') as Error),
  );
  return last;
}

/** Bytes of a file; undefined where that is not known before the end. */
export function sizeOf(file: string): number | undefined {
  const found = file === '-' ? undefined : statSync(file, { throwIfNoEntry: false });
  return found?.isFile() === true ? found.size : undefined;
}

async function peek(source: Readable, file: string): Promise<[Uint8Array, Readable]> {
  const iterator = source[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  try {
    const first = await iterator.next();
    const start = first.done === true ? Buffer.alloc(0) : first.value;
    return [start, Readable.from(followedBy(start, iterator), { objectMode: false })];
  } catch (error) {
    throw asFileTrouble(error, file, 'read');
  }
}

async function* followedBy(start: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield start;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
}

function counter(watch: Watch): Transform {
  let bytes = 0;
  return new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      bytes += chunk.byteLength;
      watch(bytes);
      done(null, chunk);
    },
  });
}

function flush(file: string): void {
  const handle = openSync(file, 'r+');
  fsyncSync(handle);
  closeSync(handle);
}

function asFileTrouble(cause: unknown, file: string, what: string): unknown {
  if (isSvcdError(cause)) return cause;
  const code = systemCode(cause) ?? (cause instanceof Error ? cause.message : 'unknown');
  return new SvcdError('invalid_argument', `${file} cannot be ${what} (${code})`, { cause });
}
