// Exporting and importing files of lines, for the library and for what is owned: file, progress, report.

import { createReadStream, createWriteStream, statSync } from 'node:fs';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { DaemonStatus, OwnedReport } from '../../api/answers.js';
import type { ImportReport as LibraryReport } from '../../library/storage/import-library.js';
import { SvcdError, systemCode } from '../../model/errors.js';
import { openForeignFile } from '../../platform/files/foreign-file.js';
import { type Client, withClient } from '../connection/client.js';
import { errorWords } from '../terminal/error-words.js';
import { formatCount, formatNumber, sanitize } from '../terminal/format.js';
import { gather } from '../connection/http-exchange.js';
import { type Input, invalidArgument } from '../terminal/input.js';
import { printAnswer } from '../terminal/output.js';
import { expectOk } from '../connection/running-daemon.js';
import { openProgress, progressWords } from '../terminal/progress.js';
import { asFileError, openTargetFile } from '../terminal/target-file.js';
import { libraryWords } from './words.js';
import * as zlib from 'node:zlib';

/** Counts of an import of either kind, with the lines that could not be used. */
type ImportReport = Omit<LibraryReport, keyof ExtraCounts> & Partial<ExtraCounts>;
type ExtraCounts = Pick<LibraryReport, 'changed' | 'dropped_keywords'> & Pick<OwnedReport, 'mended'>;

/** Called with the number of bytes so far, and of lines in them. */
type Watch = (bytes: number, lines: number) => void;

const LINES_TYPE = { 'content-type': 'application/x-ndjson' };
// An export holds what was paid for, or what was searched for.
const EXPORT_MODE = 0o600;
const ASKED_EVERY_MS = 500;
const LINE_FEED = 10;
/** Of empty lines in a row: 200 MB of them pack into 200 KB, and would be read for a minute. */
const EMPTY_MAX = 1024 * 1024;
/** Of a line: the largest file that svcd keeps fits in it. */
export const LINE_MAX_BYTES = 128 * 1024 * 1024;

/** Writes the lines of GET `path` to the FILE that was typed, whole or not at all; `-` is stdout. */
export async function exportTo(path: string, input: Input): Promise<void> {
  const file = input.word('file');
  const progress = openBytes(undefined, input.json);
  let lines = 0;
  await withClient(input, async (client) => {
    const answer = await client.stream('GET', path);
    if (answer.status !== 200) expectOk(await gather(answer));
    try {
      await writeExport(
        file,
        answer.body,
        (bytes, counted) => {
          lines = counted;
          progress.watch(bytes);
        },
        input.flag('overwrite'),
      );
    } finally {
      // The daemon must not go on writing lines after a failure here.
      answer.body.destroy();
    }
  }).finally(progress.end);
  if (file === '-') return;
  // The header and the end are lines too.
  const report = { file, lines, size_bytes: sizeOf(file) ?? 0 };
  return printAnswer(input, report, () =>
    libraryWords().export.written(sanitize(file), formatNumber(lines), formatNumber(report.size_bytes)),
  );
}

/** Sends the FILE that was typed to POST `path` and prints the report. Throws `invalid_argument` when none of it could be used. */
export async function importFrom(path: string, input: Input): Promise<void> {
  const file = input.word('file');
  const progress = openBytes(sizeOf(file), input.json);
  const opened = await openExport(file, progress.watch);
  const answer = await withClient(input, async (client) => {
    const asking = followIndex(client, progress);
    try {
      return expectOk(await gather(await client.stream('POST', path, { body: opened.lines, headers: LINES_TYPE })));
    } finally {
      clearInterval(asking);
    }
  }).finally(progress.end);
  const report = answer.json() as ImportReport;
  const { lines, added, changed = 0, mended = 0, unchanged, bad, bad_lines: told } = report;
  // An end may stand in any file.
  const isNothing = added + changed + mended === 0 && (unchanged === 0 ? bad >= lines - 1 : bad > unchanged);
  if (input.json || !isNothing) await printAnswer(input, report, describe);
  const damage = opened.findDamage();
  if (damage !== undefined) throw damage;
  if (!isNothing) return;
  const words = libraryWords().import;
  const first = told.slice(0, 1).map(({ line, why }) => words.badLine(line, errorWords().translated(why)));
  throw invalidArgument(words.nothing(file), [...first, words.expected(path.split('/')[2] ?? '')].join('\n'));
}

function describe(report: ImportReport): string[] {
  const { lines, added, changed, mended, unchanged, dropped_keywords: dropped = 0, bad, whole } = report;
  const words = libraryWords().import;
  const counts = [
    words.added(formatNumber(added)),
    ...(changed === undefined ? [] : [words.completed(formatNumber(changed))]),
    ...(mended === undefined ? [] : [words.repaired(formatNumber(mended))]),
    words.known(formatNumber(unchanged)),
  ];
  return [
    words.read(formatCount(lines, 'line'), counts),
    ...(dropped > 0 ? [words.dropped(formatCount(dropped, 'keyword'))] : []),
    ...(whole === false ? [words.cutShort] : []),
    ...(bad > 0 ? [words.bad(formatCount(bad, 'line'))] : []),
    ...report.bad_lines.map(({ line, why }) => `  ${words.badLine(line, sanitize(errorWords().translated(why)))}`),
    ...(bad > report.bad_lines.length ? ['  …'] : []),
  ];
}

/** Writes lines to a file by its name's ending, whole or not at all; `-` is stdout. */
export async function writeExport(
  file: string,
  lines: AsyncIterable<Uint8Array>,
  watch: Watch,
  overwrite: boolean | undefined,
): Promise<void> {
  if (file === '-') return pipeline(lines, counter(watch), process.stdout, { end: false });
  const compressor = compressorFor(file);
  const through = [counter(watch), ...(compressor === undefined ? [] : [compressor])];
  const target = openTargetFile(file, { mode: EXPORT_MODE, overwrite });
  try {
    const sink = createWriteStream('', { fd: target.fd, autoClose: false });
    await pipeline([Readable.from(lines, { objectMode: false }), ...through, sink]);
    target.commit();
  } catch (error) {
    throw asFileError(error, file, 'written');
  } finally {
    target.abandon();
  }
}

interface OpenedExport {
  /** Unpacked; they end where the file is damaged. */
  readonly lines: Readable;
  /** What was wrong with the file, once the lines have ended. */
  findDamage(): SvcdError | undefined;
}

/** Opens a file of lines, `-` being stdin. Throws `invalid_argument` when nothing of it can be read, or it is .zst. */
export async function openExport(file: string, watch: Watch): Promise<OpenedExport> {
  const source: Readable = file === '-' ? process.stdin : openSource(file);
  const [start, whole] = await peek(source, file);
  const counted = counter(watch);
  const unpacked = unpack(file, start, counted);
  pipeline(whole, counted).catch(() => undefined);
  let damage: SvcdError | undefined;
  async function* soundPart() {
    let [empty, line] = [0, 0];
    try {
      for await (const chunk of unpacked as AsyncIterable<Uint8Array>) {
        empty = chunk.every((byte) => byte === LINE_FEED) ? empty + chunk.length : 0;
        const lastEnd = chunk.lastIndexOf(LINE_FEED);
        line = lastEnd === -1 ? line + chunk.length : chunk.length - lastEnd - 1;
        if (empty > EMPTY_MAX || line > LINE_MAX_BYTES) {
          const words = libraryWords().import;
          damage = invalidArgument(empty > EMPTY_MAX ? words.nothing(file) : words.longLine(file, LINE_MAX_BYTES));
          return;
        }
        yield chunk;
      }
    } catch (error) {
      damage = damaged(file, error);
    }
  }
  return { lines: Readable.from(soundPart(), { objectMode: false }), findDamage: () => damage };
}

function openSource(file: string): Readable {
  try {
    return createReadStream('', { fd: openForeignFile(file).fd });
  } catch (error) {
    throw asFileError(error, file, 'read');
  }
}

/** The first bytes of a stream, and a stream of all of it. */
async function peek(source: Readable, file: string): Promise<[Uint8Array, Readable]> {
  const rest = source[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const next = async () => {
    const { done, value } = await rest.next();
    return done === true ? undefined : value;
  };
  const first = await next().catch((error: unknown) => {
    throw asFileError(error, file, 'read');
  });
  async function* all() {
    for (let chunk = first; chunk !== undefined; chunk = await next()) yield chunk;
  }
  return [first ?? Buffer.alloc(0), Readable.from(all(), { objectMode: false })];
}

/** Bytes of a file; undefined where that is not known before the end. */
function sizeOf(file: string): number | undefined {
  try {
    const found = file === '-' ? undefined : statSync(file, { throwIfNoEntry: false });
    return found?.isFile() === true ? found.size : undefined;
  } catch (error) {
    throw asFileError(error, file, 'read');
  }
}

function counter(watch: Watch): Transform {
  let [bytes, lines] = [0, 0];
  return new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      bytes += chunk.byteLength;
      for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, at + 1)) lines += 1;
      watch(bytes, lines);
      done(null, chunk);
    },
  });
}

interface Bytes {
  readonly watch: (bytes: number) => void;
  /** What was read whole is still made searchable. */
  index(part: number): void;
  readonly end: () => void;
}

function openBytes(total: number | undefined, json: boolean): Bytes {
  const progress = openProgress(json);
  const words = progressWords();
  const end = total === undefined ? undefined : formatNumber(total);
  let read = 0;
  return {
    watch: (bytes) => {
      read = bytes;
      progress.show(words.bytes(formatNumber(bytes), end, bytes / (total || 1)));
    },
    index: (part) => {
      if (total === undefined || read >= total) progress.show(words.part(words.steps.indexing, part));
    },
    end: () => progress.end(),
  };
}

/** Asks now and then how much of the index is built, where somebody sees it. */
function followIndex(client: Client, progress: Bytes): NodeJS.Timeout | undefined {
  if (!process.stderr.isTTY) return undefined;
  const ask = async (): Promise<void> => {
    const { library } = await client.ask<DaemonStatus>('GET', '/svcd/status');
    if (library.building !== null) progress.index(library.building);
  };
  // The import itself says what is wrong.
  return setInterval(() => void ask().catch(() => undefined), ASKED_EVERY_MS).unref();
}

function damaged(file: string, cause: unknown): SvcdError {
  const what = systemCode(cause) ?? (cause instanceof Error ? cause.message : 'unknown');
  const words = libraryWords().import;
  return invalidArgument(words.damaged(file, what), words.damagedHint, cause);
}

// Compression: by the name's ending when written, by the first bytes when read. Brotli has no first bytes of its own and goes
// by the name both ways. Zstandard is refused: Node.js has it from 22.15 on only.
const GZIP = '1f8b';
const ZSTANDARD = '28b52ffd';
// What was unpacked and not yet taken is lost when the rest turns out damaged, so that there is never much of it.
const NO_BUFFER = { readableHighWaterMark: 1 };
// Brotli's own default, 11, takes a minute for a library that gzip packs in a second.
const BROTLI_QUALITY = 5;

/** What a file of this name is written through; undefined for plain text. Throws `invalid_argument` for .zst. */
function compressorFor(file: string): Transform | undefined {
  if (/\.zst$/i.test(file)) throw refuseZstandard(file);
  if (/\.gz$/i.test(file)) return zlib.createGzip();
  if (!isBrotli(file)) return undefined;
  return zlib.createBrotliCompress({ params: { [zlib.constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } });
}

/**
 * Plain bytes of a stream that begins with `start` and is called `file`. Throws where it is damaged, after all that came
 * before, and `invalid_argument` at once for Zstandard.
 */
function unpack(file: string, start: Uint8Array, packed: Readable): Readable {
  const magic = Buffer.from(start.subarray(0, 4)).toString('hex');
  if (magic === ZSTANDARD) throw refuseZstandard(file);
  if (magic.startsWith(GZIP)) return unpackThrough(packed, zlib.createGunzip(NO_BUFFER as zlib.ZlibOptions));
  if (!isBrotli(file)) return packed;
  return unpackThrough(packed, zlib.createBrotliDecompress(NO_BUFFER as zlib.BrotliOptions));
}

function unpackThrough(packed: Readable, through: Transform): Transform {
  // Its failure ends the stream that is read here, with the same error.
  pipeline(packed, through).catch(() => undefined);
  return through;
}

function isBrotli(file: string): boolean {
  return /\.br$/i.test(file);
}

function refuseZstandard(file: string): SvcdError {
  const words = libraryWords().import;
  return new SvcdError('invalid_argument', words.zstandard(file), { hint: words.zstandardHint });
}
