// Where a daemon's log goes: always into svcd.log of its home, from the moment it holds the home; also to stderr where a
// person or a service manager listens, which is anywhere but in the background.

import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { HomeWatcher } from '../../daemon/daemon-options.js';
import { isSvcdError, systemCode } from '../../model/errors.js';
import { systemClock } from '../../platform/clock.js';
import { findRuntime } from '../../platform/files/runtime-file.js';
import { limitFlood } from '../../platform/limit-flood.js';
import { createLog, entryAsJson, entryAsWords, type Log, type LogEntry, type LogFields } from '../../platform/log.js';
import { claimErrorFile, ERROR_FILE, openLogFile } from '../../platform/files/log-file.js';
import { EXIT_CODE_OF } from '../terminal/exit-codes.js';
import { holdLine, printNote, printProgramNote } from '../terminal/output.js';

export interface DaemonLog extends HomeWatcher {
  readonly log: Log;
  /** Whether nobody reads stderr; known once the home is held. */
  isBackground(): boolean;
  /** Lets lines out to stderr, which waits for the address to be the first that a person reads. */
  show(): void;
}

export function openDaemonLog(json: boolean): DaemonLog {
  let early: LogEntry[] | undefined = [];
  let unshown: LogEntry[] | undefined = json ? undefined : [];
  let toFile: ((entry: LogEntry) => void) | undefined;
  let isBackground = false;
  let hasFailed = false;

  const print = (entry: LogEntry) => (json ? printProgramNote(entryAsJson(entry)) : printNote(entryAsWords(entry)));
  const toStderr = (entry: LogEntry) => {
    if (isBackground) return;
    if (unshown === undefined) print(entry);
    else unshown.push(entry);
  };
  const flood = limitFlood((entry) => {
    if (early !== undefined) return void early.push(entry);
    toFile?.(entry);
    toStderr(entry);
  }, systemClock);
  const letEarlyOut = () => {
    const entries = early ?? [];
    early = undefined;
    for (const entry of entries) {
      toFile?.(entry);
      toStderr(entry);
    }
  };
  const log = createLog((entry) => flood.write(entry));

  return {
    log,
    isBackground: () => isBackground,
    // The report of it on stderr is that of every command.
    failed: (error) => {
      hasFailed = true;
      const why = isSvcdError(error) ? error.message : (systemCode(error) ?? (error as Error).name);
      const code = isSvcdError(error) ? error.code : 'internal';
      createLog((entry) => toFile?.(entry)).error('svcd could not start', { code, why });
    },
    hold: (home) => {
      hasFailed = false;
      isBackground = claimErrorFile(home, process.ppid);
      const file = openLogFile(home, { tell });
      toFile = (entry) => file.write(entryAsJson(entry));
      tellOfCrash(home, log);
      letEarlyOut();
      const forget = logCrash(log, () => isBackground);
      return () => {
        forget();
        if (!hasFailed) log.info('svcd stopped');
        flood.flush();
        file.close();
        toFile = undefined;
      };
    },
    show: () => {
      letEarlyOut();
      const entries = unshown ?? [];
      unshown = undefined;
      if (!isBackground) entries.forEach(print);
    },
  };
}

/**
 * The log of a command that answers in its own process and ends: problems, on stderr below the answer and in the home's log, and in that
 * also what became of money.
 */
export function openCommandLog(json: boolean): HomeWatcher & { readonly log: Log } {
  let toFile: ((entry: LogEntry) => void) | undefined;
  const log = createLog((entry) => {
    const isProblem = entry.level !== 'info';
    if (isProblem) holdLine(json ? entryAsJson(entry) : entryAsWords(entry));
    if (isProblem || entry.fields['purchase'] !== undefined) {
      toFile?.({ ...entry, fields: { ...entry.fields, without: 'daemon' } });
    }
  });
  return {
    log,
    failed: () => undefined,
    hold: (home) => {
      const file = openLogFile(home, { tell });
      toFile = (entry) => file.write(entryAsJson(entry));
      return () => {
        toFile = undefined;
        file.close();
      };
    },
  };
}

/** Of a moment in the life of the file itself. */
function tell(event: string, fields: LogFields): string {
  return entryAsJson({ at: new Date(systemClock.now()).toISOString(), level: 'warn', event, fields });
}

/** The home says whether the daemon before this one came to its end. */
function tellOfCrash(home: string, log: Log): void {
  const pid = findRuntime(home)?.pid ?? undefined;
  if (pid === undefined) return;
  const last = join(home, `${ERROR_FILE}.1`);
  const hasWords = (statSync(last, { throwIfNoEntry: false })?.size ?? 0) > 0;
  log.warn('the svcd before this one ended without a stop', { pid, output: hasWords ? `${ERROR_FILE}.1` : undefined });
}

/**
 * Writes down what nobody caught: its kind and place, not its words, which may hold what a request held. In the background
 * nothing else is said; elsewhere the usual report follows.
 */
function logCrash(log: Log, isBackground: () => boolean): () => void {
  const crash = (error: unknown) => {
    const kind = error instanceof Error ? (systemCode(error) ?? error.name) : typeof error;
    const stack = error instanceof Error ? (error.stack ?? '') : '';
    const frames = stack.split('\n').filter((line) => /^ +at /.test(line));
    log.error('svcd crashed', { why: kind, at_line: frames[0]?.trim() });
    if (!isBackground()) return;
    printProgramNote([JSON.stringify({ code: 'internal', message: `svcd crashed: ${kind}` }), ...frames].join('\n'));
    process.exit(EXIT_CODE_OF.internal);
  };
  process.prependListener('uncaughtException', crash);
  return () => process.off('uncaughtException', crash);
}
