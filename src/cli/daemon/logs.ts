// svcd logs: what the daemon of a home has written down, whether or not it runs, and however it was started.

import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../platform/clock.js';
import { findHomeCopy } from '../../platform/files/runtime-file.js';
import { ERROR_FILE, LOG_FILE, logFilesOf } from '../../platform/files/log-file.js';
import { isRecord, parseJson } from '../../platform/json.js';
import {
  entryAsJson,
  entryAsWords,
  LOG_LEVELS,
  type LogEntry,
  type LogFields,
  type LogLevel,
} from '../../platform/log.js';
import { sleep } from '../../platform/sleep.js';
import { type Bodies, type CommandBody, switchOption, textOption } from '../command.js';
import { EXIT_CODE_OF, onStopSignal } from '../terminal/exit-codes.js';
import { sanitize } from '../terminal/format.js';
import { type Input, parseSpan, wrongValue } from '../terminal/input.js';
import { print, printNote } from '../terminal/output.js';
import { daemonWords } from './words.js';

const words = daemonWords().logs;

const LINES = 200;
const LINES_MAX = 1_000_000;

const logsCommand: CommandBody = {
  options: {
    follow: { ...switchOption(words.follow), alias: 'f' },
    since: textOption(words.since),
    level: textOption(words.level),
    lines: { ...textOption(words.lines), alias: 'n' },
  },
  examples: [`svcd logs # ${words.examples.last}`, `svcd logs --since 2h --level warn # ${words.examples.night}`],
  run: async (input) => {
    const level = input.choice('level', LOG_LEVELS, words.levelRule) ?? 'info';
    const filter: LogFilter = { since: readSince(input), level };
    const lines = input.whole('lines', 0, LINES_MAX) ?? (filter.since === undefined ? LINES : LINES_MAX);
    const follows = input.flag('follow') === true;
    const home = await input.home();
    // The daemon of a home that cannot be written has its log where it has its copy.
    const reader = openLogReader(findHomeCopy(home) ?? home);
    try {
      const entries = reader.readLast(filter, lines);
      await show(entries, input);
      if (follows) return await follow(reader, filter, input);
      if (entries.length === 0 && lines > 0) printNote(reader.isThere() ? words.noneFits : words.noLog(home));
    } finally {
      reader.close();
    }
  },
};

export const bodies: Bodies = { logs: logsCommand };

async function follow(reader: ReturnType<typeof openLogReader>, filter: LogFilter, input: Input): Promise<void> {
  const over = new AbortController();
  const stopListening = onStopSignal(() => over.abort());
  try {
    for await (const entries of reader.follow(filter, over.signal)) await show(entries, input);
    process.exitCode = EXIT_CODE_OF.interrupted;
  } finally {
    stopListening();
  }
}

function show(entries: readonly LogEntry[], { json }: Input): Promise<void> {
  if (entries.length === 0) return Promise.resolve();
  return print(entries.map((entry) => `${json ? entryAsJson(entry) : inWords(entry)}\n`).join(''));
}

/** In the time of the person who reads. */
function inWords(entry: LogEntry): string {
  const moment = new Date(entry.at);
  const two = (number: number) => String(number).padStart(2, '0');
  const day = [moment.getFullYear(), two(moment.getMonth() + 1), two(moment.getDate())].join('-');
  const time = [moment.getHours(), moment.getMinutes(), moment.getSeconds()].map(two).join(':');
  return sanitize(entryAsWords(entry, `${day} ${time}`));
}

/** Milliseconds since the epoch; undefined when nothing was typed. */
function readSince(input: Input): number | undefined {
  const typed = input.text('since');
  if (typed === undefined) return undefined;
  const span = parseSpan(typed);
  if (span !== undefined) return systemClock.now() - span;
  const moment = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}.*)?$/.test(typed) ? Date.parse(typed) : NaN;
  if (Number.isNaN(moment)) throw wrongValue('--since', words.sinceRule, typed);
  return moment;
}

const CHUNK_BYTES = 256 * 1024;
/** Of what a crash wrote, the end is read. */
const CRASH_BYTES = 64 * 1024;
const POLL_MS = 200;
const LINE_FEED = 10;

export interface LogFilter {
  readonly level: LogLevel;
  /** Milliseconds since the epoch; undefined for all. */
  readonly since: number | undefined;
}

export interface LogReader {
  /** The last entries, the oldest first; those of `since` are all of them. */
  readLast(filter: LogFilter, count: number): LogEntry[];
  /** Whether there was any file to read. */
  isThere(): boolean;
  /** What comes after that, until the signal. */
  follow(filter: LogFilter, signal: AbortSignal): AsyncGenerator<LogEntry[]>;
  close(): void;
}

/** A file that is open, and how far it is read; the rest of a line that has not ended is kept. */
interface Tail {
  readonly fd: number;
  readonly ino: number;
  at: number;
  rest: Buffer;
}

export function openLogReader(home: string): LogReader {
  let current: Tail | undefined;
  let crash: Tail | undefined;

  function readLast(filter: LogFilter, count: number): LogEntry[] {
    // The newest first: a file that is renamed meanwhile is then met twice, and none is missed.
    const tails = logFilesOf(home)
      .toReversed()
      .flatMap((path) => open(path) ?? []);
    const crashes = [`${ERROR_FILE}.1`, ERROR_FILE].flatMap((name) => readCrash(join(home, name)));
    const seen = new Set<number>();
    let entries: LogEntry[] = crashes.filter((entry) => passes(entry, filter));
    for (const tail of tails) {
      const isNew = !seen.has(tail.ino);
      seen.add(tail.ino);
      const isNeeded = tail === tails[0] || entries.length - crashes.length < count || filter.since !== undefined;
      if (isNew && isNeeded) {
        entries = [...entriesIn(readLines(tail)).filter((entry) => passes(entry, filter)), ...entries];
      }
      if (tail === tails[0]) current = tail;
      else closeSync(tail.fd);
    }
    crash = open(join(home, ERROR_FILE));
    if (crash !== undefined) crash.at = fstatSync(crash.fd).size;
    // Those of a crash have the time of their file, and the order of lines of one time stays.
    return entries
      .toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
      .slice(count === 0 ? entries.length : -count);
  }

  /** What was added to a file since the last look, and what is in the one that has its name by now. */
  function readOn(tail: Tail | undefined, path: string): [Tail | undefined, string[]] {
    const lines = tail === undefined ? [] : readLines(tail);
    if (tail !== undefined && statSync(path, { throwIfNoEntry: false })?.ino === tail.ino) return [tail, lines];
    const next = open(path);
    if (next === undefined) return [tail, lines];
    // Between that look and the rename.
    if (tail !== undefined) lines.push(...readLines(tail));
    if (tail !== undefined) closeSync(tail.fd);
    return [next, [...lines, ...readLines(next)]];
  }

  function readNew(): LogEntry[] {
    let lines: string[];
    let crashed: string[];
    [current, lines] = readOn(current, join(home, LOG_FILE));
    [crash, crashed] = readOn(crash, join(home, ERROR_FILE));
    return [...entriesIn(lines), ...(crash === undefined ? [] : asCrash(crashed, fstatSync(crash.fd).mtime))];
  }

  return {
    readLast,
    isThere: () => current !== undefined || crash !== undefined,
    follow: async function* (filter, signal) {
      while (!signal.aborted) {
        const entries = readNew().filter((entry) => passes(entry, filter));
        if (entries.length > 0) yield entries;
        await sleep(POLL_MS, { signal });
      }
    },
    close: () => {
      for (const tail of [current, crash]) if (tail !== undefined) closeSync(tail.fd);
      [current, crash] = [undefined, undefined];
    },
  };
}

/** A file, open at its beginning; undefined for one that is missing or may not be read. */
function open(path: string): Tail | undefined {
  try {
    const fd = openSync(path, 'r');
    return { fd, ino: fstatSync(fd).ino, at: 0, rest: Buffer.alloc(0) };
  } catch {
    return undefined;
  }
}

/** The lines that have ended since the last look. A file that was emptied is read from its beginning. */
function readLines(tail: Tail): string[] {
  const { size } = fstatSync(tail.fd);
  if (size < tail.at) [tail.at, tail.rest] = [0, Buffer.alloc(0)];
  const pieces = [tail.rest];
  while (tail.at < size) {
    const piece = Buffer.alloc(Math.min(CHUNK_BYTES, size - tail.at));
    const read = readSync(tail.fd, piece, 0, piece.length, tail.at);
    if (read === 0) break;
    pieces.push(piece.subarray(0, read));
    tail.at += read;
  }
  const all = Buffer.concat(pieces);
  const end = all.lastIndexOf(LINE_FEED) + 1;
  tail.rest = all.subarray(end);
  return end === 0 ? [] : all.toString('utf8', 0, end - 1).split('\n');
}

function passes({ at, level }: LogEntry, filter: LogFilter): boolean {
  if (LOG_LEVELS.indexOf(level) < LOG_LEVELS.indexOf(filter.level)) return false;
  return filter.since === undefined || Date.parse(at) >= filter.since;
}

/** A line that cannot be read belongs to the time of the line before it. */
function entriesIn(lines: readonly string[]): LogEntry[] {
  let last = new Date(0).toISOString();
  return lines.flatMap((line) => {
    if (line.trim() === '') return [];
    const entry = entryIn(line, last);
    last = entry.at;
    return [entry];
  });
}

function entryIn(line: string, last: string): LogEntry {
  const value = parseJson(line);
  if (!isRecord(value)) return { at: last, level: 'warn', event: 'a line is cut off', fields: { bytes: line.length } };
  const { at, level, event, ...fields } = value;
  const known = LOG_LEVELS.find((one) => one === level);
  const isOurs =
    known !== undefined && typeof event === 'string' && typeof at === 'string' && !Number.isNaN(Date.parse(at));
  // svcd 0.1.0 put the report of a failed start here.
  if (!isOurs) {
    const { message } = value;
    return { at: last, level: 'error', event: typeof message === 'string' ? message : 'unknown line', fields: {} };
  }
  return { at, level: known, event, fields: fields as LogFields };
}

function readCrash(path: string): LogEntry[] {
  const tail = open(path);
  if (tail === undefined) return [];
  try {
    const { size, mtime } = fstatSync(tail.fd);
    tail.at = Math.max(0, size - CRASH_BYTES);
    const lines = readLines(tail);
    return asCrash(tail.rest.length > 0 ? [...lines, tail.rest.toString('utf8')] : lines, mtime);
  } finally {
    closeSync(tail.fd);
  }
}

/** What stands in svcd.err has no time but that of the file. */
function asCrash(lines: readonly string[], written: Date): LogEntry[] {
  const at = written.toISOString();
  return lines
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const value = parseJson(line);
      const { code, message } = isRecord(value) ? value : {};
      const isReport = typeof message === 'string';
      const event = isReport ? message : line;
      return { at, level: 'error', event, fields: { from: ERROR_FILE, ...(isReport && { code: String(code) }) } };
    });
}
