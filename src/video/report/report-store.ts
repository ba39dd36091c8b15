// The reports of a home: in memory for all, and for runs in a file each, so that a daemon that is killed in the middle
// loses nothing. A line is a plain write without fsync: the system keeps what a dead process wrote.

import { closeSync, openSync, readdirSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Report } from '../../api/report.js';
import { SvcdError, systemCode } from '../../model/errors.js';
import type { Clock } from '../../platform/clock.js';
import { makeFolder, replaceFile } from '../../platform/files/files.js';
import type { Log } from '../../platform/log.js';
import {
  addLine,
  addUnheard,
  findLine,
  linesOf,
  parseLines,
  reportOf,
  type ReportLine,
  type RunRecord,
  type TitleOf,
  type UnheardLine,
} from './fold-report.js';

export interface ReportStore {
  /** Begins the report of a run; an earlier one of the same name is gone. */
  begin(run: string): void;
  /** Notes requests of a run, or of none. Never throws. */
  note(run: string | undefined, line: ReportLine): void;
  /** Notes a list of a run, or of none, in which svcd's own stickers stood in because the remote was not heard. Never throws. */
  noteUnheard(run: string | undefined): void;
  /** The report of a run, or of all requests that belonged to none since the daemon started. Throws `not_found`. */
  show(run: string | undefined): Report;
  close(): void;
}

export interface ReportOptions {
  readonly home: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly titleOf: TitleOf;
}

interface OpenRun {
  readonly record: RunRecord;
  /** Undefined when the file cannot be written: the report is in memory alone then. */
  fd: number | undefined;
  /** In the file. */
  lines: number;
}

/** Runs whose file is kept open, and reports that are kept at all. */
const MOST_OPEN = 32;
const MOST_KEPT = 50;
/** A file that has this many lines more than assets is written anew. */
const SURPLUS = 2000;

const UNWRITTEN = 'the report of a run cannot be written; it is lost when svcd stops';

/** Opens the reports of a home; files are read when they are asked for. */
export function openReports({ home, clock, log, titleOf }: ReportOptions): ReportStore {
  const folder = join(home, 'reports');
  const now = () => new Date(clock.now()).toISOString();
  const overall: RunRecord = { run: null, startedAt: now(), lines: new Map(), omitted: 0 };
  const runs = new Map<string, OpenRun>();

  const forget = (run: string): void => {
    const { fd } = runs.get(run) ?? {};
    runs.delete(run);
    if (fd !== undefined) closeSync(fd);
  };
  /** Appends to the file; one that has become too long is written anew first. */
  const write = (open: OpenRun, run: string, line: ReportLine | UnheardLine): void => {
    if (open.fd === undefined) return;
    try {
      if (open.lines > open.record.lines.size + SURPLUS) {
        replaceFile(fileOf(home, run), linesOf(open.record));
        closeSync(open.fd);
        open.fd = openSync(fileOf(home, run), 'a', 0o600);
        open.lines = open.record.lines.size;
        return;
      }
      writeSync(open.fd, `${JSON.stringify(line)}\n`);
      open.lines += 1;
    } catch (error) {
      open.fd = undefined;
      log.warn(UNWRITTEN, { run, why: String(error) });
    }
  };
  const openFile = (run: string, open: OpenRun, prepare: () => void): void => {
    try {
      prepare();
      open.fd = openSync(fileOf(home, run), 'a', 0o600);
      // After a line that was cut.
      if (open.lines > 0) writeSync(open.fd, '\n');
    } catch (error) {
      log.warn(UNWRITTEN, { run, why: String(error) });
    }
  };
  const keep = (run: string, open: OpenRun): OpenRun => {
    runs.set(run, open);
    const oldest = runs.keys().next().value;
    if (runs.size > MOST_OPEN && oldest !== undefined) forget(oldest);
    return open;
  };
  const create = (run: string): OpenRun => {
    forget(run);
    const record: RunRecord = { run, startedAt: now(), lines: new Map(), omitted: 0 };
    const open: OpenRun = { record, fd: undefined, lines: 0 };
    openFile(run, open, () => {
      makeFolder(folder);
      removeOldest(folder, new Set([...runs.keys()].map(nameOf)));
      replaceFile(fileOf(home, run), linesOf(record));
    });
    return keep(run, open);
  };
  /** Goes on with what an earlier daemon wrote. */
  const reopen = (run: string): OpenRun | undefined => {
    const found = readRecord(home, run);
    if (found === undefined) return undefined;
    const open: OpenRun = { ...found, fd: undefined };
    openFile(run, open, () => undefined);
    return keep(run, open);
  };
  const titled = (line: ReportLine): ReportLine => {
    const title = line.kind === 'sticker' ? titleOf(line.id) : undefined;
    return title === undefined ? line : { ...line, title };
  };

  const find = (run: string): OpenRun => runs.get(run) ?? reopen(run) ?? create(run);

  return {
    begin: (run) => void create(run),
    note: (run, line) => {
      try {
        const open = run === undefined ? undefined : find(run);
        const record = open?.record ?? overall;
        const told = findLine(record, line) === undefined ? titled(line) : line;
        const isListed = addLine(record, told);
        if (open !== undefined && run !== undefined && isListed) write(open, run, told);
      } catch (error) {
        log.warn('a request is missing in the report', { run, why: String(error) });
      }
    },
    noteUnheard: (run) => {
      try {
        const line = { unheard: 1 };
        const open = run === undefined ? undefined : find(run);
        addUnheard(open?.record ?? overall, line);
        if (open !== undefined && run !== undefined) write(open, run, line);
      } catch (error) {
        log.warn('a list is missing in the report', { run, why: String(error) });
      }
    },
    show: (run) => {
      const record = run === undefined ? overall : (runs.get(run)?.record ?? readRecord(home, run)?.record);
      if (record !== undefined) return reportOf(record, titleOf);
      throw new SvcdError('not_found', `there is no report of a run ${JSON.stringify(run)}`, {
        hint: `The last ${MOST_KEPT} runs are kept. "svcd token env --run NAME" begins one, and so does "svcd run".`,
      });
    },
    close: () => {
      for (const run of Array.from(runs.keys())) forget(run);
    },
  };
}

/** The report of a run from its file, without a daemon; undefined when there is none. */
export function readReport(home: string, run: string): Report | undefined {
  const found = readRecord(home, run);
  return found === undefined ? undefined : reportOf(found.record);
}

function readRecord(home: string, run: string): { record: RunRecord; lines: number } | undefined {
  try {
    return parseLines(readFileSync(fileOf(home, run), 'utf8'));
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'].includes(systemCode(error) ?? '')) return undefined;
    throw error;
  }
}

function fileOf(home: string, run: string): string {
  return join(home, 'reports', nameOf(run));
}

/** A file name on every system: no device of Windows, and no two names that differ in case alone. */
function nameOf(run: string): string {
  if (!/^[\w.-]{1,40}$/.test(run)) return 'none';
  return `report-${run.replace(/[A-Z]/g, (letter) => `^${letter.toLowerCase()}`)}.jsonl`;
}

/** Makes room for one more; what is being written stays. */
function removeOldest(folder: string, open: ReadonlySet<string>): void {
  const files = readdirSync(folder).filter((name) => name.endsWith('.jsonl') && !open.has(name));
  const surplus = files.length + open.size + 1 - MOST_KEPT;
  if (surplus <= 0) return;
  const age = (name: string) => statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const oldest = files.map((name) => ({ name, at: age(name) })).toSorted((a, b) => a.at - b.at);
  for (const { name } of oldest.slice(0, surplus)) rmSync(join(folder, name), { force: true });
}
