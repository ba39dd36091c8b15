// Reading a log that is written meanwhile, with the writer of the daemon on real files.

import { appendFileSync, rmSync, statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type LogFilter, openLogReader } from '../../src/cli/daemon/logs.js';
import { entryAsJson, type LogEntry, type LogLevel } from '../../src/platform/log.js';
import { logFilesOf, openLogFile } from '../../src/platform/files/log-file.js';
import { temporaryHome } from '../support/start-daemon.js';

const ALL: LogFilter = { level: 'info', since: undefined };

const at = (second: number) => new Date(Date.UTC(2026, 10, 22, 2, 0, second)).toISOString();
const entry = (event: string, level: LogLevel = 'info', second = 0) =>
  entryAsJson({ at: at(second), level, event, fields: {} });

function startWriter(home: string, fullBytes?: number) {
  const tell = (event: string) => entry(event, 'warn');
  const file = openLogFile(home, { tell, ...(fullBytes !== undefined && { fullBytes }) });
  onTestFinished(() => file.close());
  return file;
}

function startReader(home: string) {
  const reader = openLogReader(home);
  onTestFinished(() => reader.close());
  return reader;
}

const eventsOf = (entries: readonly LogEntry[]) => entries.map(({ event }) => event);

/** Follows until `last` has come. */
async function followTo(home: string, last: string, whileReading: () => void): Promise<string[]> {
  const reader = startReader(home);
  reader.readLast(ALL, 0);
  const over = new AbortController();
  const events: string[] = [];
  setImmediate(whileReading);
  for await (const entries of reader.follow(ALL, over.signal)) {
    events.push(...eventsOf(entries));
    if (events.includes(last)) over.abort();
  }
  return events;
}

describe('the last lines of a log', () => {
  it('are read over all its files, the oldest first', () => {
    const home = temporaryHome();
    const file = startWriter(home, 600);
    for (let i = 0; i < 30; i++) file.write(entry(`e${i}`));
    const events = eventsOf(startReader(home).readLast(ALL, 12)).filter((event) => event !== 'log rotated');
    expect(events.at(-1)).toBe('e29');
    expect(events).toEqual(Array.from(events, (_, i) => `e${30 - events.length + i}`));
    expect(statSync(logFilesOf(home).at(-2) ?? '').size).toBeGreaterThan(0);
  });

  it('are those of a level and since a time', () => {
    const home = temporaryHome();
    const file = startWriter(home);
    file.write(entry('a', 'warn', 1));
    file.write(entry('b', 'info', 2));
    file.write(entry('c', 'error', 3));
    const read = (filter: LogFilter) => eventsOf(startReader(home).readLast(filter, 10));
    expect(read({ level: 'warn', since: undefined })).toEqual(['a', 'c']);
    expect(read({ level: 'error', since: undefined })).toEqual(['c']);
    expect(read({ level: 'info', since: Date.parse(at(2)) })).toEqual(['b', 'c']);
  });

  it('leave out a line that is being written, and tell of one that was cut off', () => {
    const home = temporaryHome();
    const [log = ''] = logFilesOf(home).slice(-1);
    writeFileSync(log, `${entry('a')}\n{"at":"202\n${entry('b')}\n{"at":"2026-11-22T02:00:09.000Z","lev`);
    expect(eventsOf(startReader(home).readLast(ALL, 10))).toEqual(['a', 'a line is cut off', 'b']);
  });

  it('hold what a crash wrote, at its time', () => {
    const home = temporaryHome();
    const file = startWriter(home);
    file.write(entry('before', 'info', 1));
    file.write(entry('after', 'info', 9));
    writeFileSync(join(home, 'svcd.err.1'), 'FATAL ERROR: out of memory\n at somewhere\n');
    const crash = new Date(at(5));
    utimesSync(join(home, 'svcd.err.1'), crash, crash);
    const entries = startReader(home).readLast(ALL, 10);
    expect(eventsOf(entries)).toEqual(['before', 'FATAL ERROR: out of memory', ' at somewhere', 'after']);
    expect(entries[1]).toMatchObject({ level: 'error', fields: { from: 'svcd.err' } });
  });

  it('are none where there is no log', () => {
    const home = temporaryHome();
    const reader = startReader(home);
    expect(reader.readLast(ALL, 10)).toEqual([]);
    expect(reader.isThere()).toBe(false);
  });
});

describe('following a log', () => {
  it('misses no line over a rotation between two looks', async () => {
    const home = temporaryHome();
    const file = startWriter(home, 3000);
    file.write(entry('before'));
    const expected = Array.from({ length: 60 }, (_, i) => `e${i}`);
    const events = await followTo(home, 'e59', () => expected.forEach((event) => file.write(entry(event))));
    expect(events.filter((event) => event !== 'log rotated')).toEqual(expected);
    expect(statSync(`${join(home, 'svcd.log')}.1`).size).toBeGreaterThan(0);
  });

  it('waits for the end of a half-written line', async () => {
    const home = temporaryHome();
    startWriter(home).write(entry('before'));
    const whole = `${entry('halves 一半')}\n`;
    const bytes = Buffer.from(whole);
    const middle = bytes.indexOf(Buffer.from('半')) + 1;
    const events = await followTo(home, 'halves 一半', () => {
      appendFileSync(join(home, 'svcd.log'), bytes.subarray(0, middle));
      setTimeout(() => appendFileSync(join(home, 'svcd.log'), bytes.subarray(middle)), 500);
    });
    expect(events).toEqual(['halves 一半']);
  });

  it('begins where there is no log yet, and goes on when it is emptied or removed', async () => {
    const home = temporaryHome();
    const log = join(home, 'svcd.log');
    const steps = [
      () => writeFileSync(log, `${entry('first')}\n`),
      () => (truncateSync(log), appendFileSync(log, `${entry('2')}\n`)),
      () => (rmSync(log), writeFileSync(log, `${entry('third')}\n`)),
      () => writeFileSync(join(home, 'svcd.err'), 'a crash\n'),
    ];
    const events = await followTo(home, 'a crash', () => steps.forEach((step, i) => setTimeout(step, i * 700)));
    expect(events).toEqual(['first', '2', 'third', 'a crash']);
  });
});
