// A carried file on this side: written as a whole or not at all, read as a stream as far as it is sound.

import {
  closeSync,
  createReadStream,
  createWriteStream,
  fsyncSync,
  openSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isSvcdError, SvcdError, systemCode } from '../model/errors.js';
import { isAlive } from '../platform/process-alive.js';
import { compressorFor, unpack } from './compression.js';

/** Called with the bytes gone through so far. */
export type Watch = (bytes: number) => void;

/** Writes lines to a file, `-` being standard output. Throws `invalid_argument` when it cannot be written. */
export async function writeExport(
  file: string,
  lines: AsyncIterable<Uint8Array>,
  watch: Watch,
): Promise<void> {
  if (file === '-') return pipeline(lines, counter(watch), process.stdout, { end: false });
  const compressor = await compressorFor(file);
  const through = [counter(watch), ...(compressor === undefined ? [] : [compressor])];
  const source = Readable.from(lines, { objectMode: false });
  await placeWhole(file, async (target) => pipeline([source, ...through, createWriteStream('', target)]));
}

/** The lines of a file, `-` being standard input. Throws `invalid_argument` when it cannot be read at all. */
export async function readExport(file: string, watch: Watch): Promise<ExportFile> {
  const source: Readable = file === '-' ? process.stdin : createReadStream(file);
  const [start, whole] = await peek(source, file);
  const counted = counter(watch);
  pipeline(whole, counted).catch(() => undefined);
  let trouble: SvcdError | undefined;
  async function* soundPart() {
    try {
      yield* unpack(start, counted);
    } catch (error) {
      trouble = cutShort(file, error);
    }
  }
  return { lines: Readable.from(soundPart(), { objectMode: false }), findTrouble: () => trouble };
}

export interface ExportFile {
  /** Unpacked; they end where the file is damaged. */
  readonly lines: Readable;
  /** What was wrong with the file, once the lines have ended. */
  findTrouble(): SvcdError | undefined;
}

/** Bytes of a file; undefined where that is not known before the end. */
export function sizeOf(file: string): number | undefined {
  const found = file === '-' ? undefined : statSync(file, { throwIfNoEntry: false });
  return found?.isFile() === true ? found.size : undefined;
}

type Target = { readonly fd: number; readonly flush: boolean };

/** Writes beside the file and puts it in its place when all of it is on the disk. */
async function placeWhole(file: string, write: (target: Target) => Promise<void>): Promise<void> {
  const there = statSync(file, { throwIfNoEntry: false });
  try {
    // A device or a pipe cannot be replaced, and holds nothing that could be lost.
    if (there !== undefined && !there.isFile()) return await write({ fd: openSync(file, 'w'), flush: false });
    await replace(there === undefined ? file : realpathSync(file), write);
  } catch (error) {
    throw asFileTrouble(error, file, 'written');
  }
}

async function replace(file: string, write: (target: Target) => Promise<void>): Promise<void> {
  removeLeftovers(file);
  const part = `${file}.${process.pid}.part`;
  try {
    await write({ fd: openSync(part, 'wx', 0o600), flush: true });
    renameSync(part, file);
    flushFolder(dirname(file));
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
}

/** Parts of processes that were killed. */
function removeLeftovers(file: string): void {
  const folder = dirname(file);
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(`${basename(file)}.`)) continue;
    const [, pid] = /^\.(\d+)\.part$/.exec(name.slice(basename(file).length)) ?? [];
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(join(folder, name), { force: true });
  }
}

function flushFolder(folder: string): void {
  // Not every system lets a folder be opened; the file itself is on the disk already.
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  fsyncSync(handle);
  closeSync(handle);
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

function cutShort(file: string, cause: unknown): SvcdError {
  const what = systemCode(cause) ?? (cause instanceof Error ? cause.message : 'unknown');
  return new SvcdError('invalid_argument', `${file} is cut short or damaged (${what})`, {
    cause,
    hint: 'What could be read of it was taken in, and nothing was lost. Get the file again, and import it once more.',
  });
}

function asFileTrouble(cause: unknown, file: string, what: string): unknown {
  if (isSvcdError(cause)) return cause;
  const code = systemCode(cause) ?? (cause instanceof Error ? cause.message : 'unknown');
  return new SvcdError('invalid_argument', `${file} cannot be ${what} (${code})`, { cause });
}
