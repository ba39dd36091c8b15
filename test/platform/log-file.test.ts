// svcd.log on a real file system: rotation, what a kill left behind, full disks.

import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type LogFileOptions, logFilesOf, openLogFile } from '../../src/platform/files/log-file.js';
import { temporaryHome } from '../support/start-daemon.js';

const tell = (event: string, fields: object) => JSON.stringify({ event, ...fields });

function start(home: string, options: Partial<LogFileOptions> = {}) {
  const file = openLogFile(home, { tell, ...options });
  onTestFinished(() => file.close());
  return file;
}

const logOf = (home: string) => join(home, 'svcd.log');
const textOf = (home: string) => readFileSync(logOf(home), 'utf8');

describe('the log of a home', () => {
  it('is private and goes on where an earlier daemon stopped', () => {
    const home = temporaryHome();
    writeFileSync(logOf(home), 'before\n', { mode: 0o644 });
    start(home).write('after');
    expect(textOf(home)).toBe('before\nafter\n');
    expect(statSync(logOf(home)).mode & 0o777).toBe(0o600);
  });

  it('begins a new line after one that a kill cut off', () => {
    const home = temporaryHome();
    writeFileSync(logOf(home), '{"at":"20');
    start(home).write('after');
    expect(textOf(home)).toBe('{"at":"20\nafter\n');
  });

  it('is renamed at a line’s end when it is full; three old ones are kept', () => {
    const home = temporaryHome();
    const file = start(home, { fullBytes: 200 });
    const lines = Array.from({ length: 100 }, (_, i) => `line ${i} ${'x'.repeat(20)}`);
    for (const line of lines) file.write(line);
    expect(readdirSync(home).toSorted()).toEqual(['svcd.log', 'svcd.log.1', 'svcd.log.2', 'svcd.log.3']);
    const kept = logFilesOf(home).flatMap((path) => readFileSync(path, 'utf8').trimEnd().split('\n'));
    const ours = kept.filter((line) => !line.startsWith('{'));
    // Without a gap, up to the last one.
    expect(ours).toEqual(lines.slice(-ours.length));
    expect(kept.some((line) => line.includes('log rotated'))).toBe(true);
    for (const path of logFilesOf(home)) {
      expect(statSync(path).size).toBeLessThan(400);
      expect(statSync(path).mode & 0o777).toBe(0o600);
    }
  });

  it('is emptied rather than let grow where it cannot be renamed', () => {
    const home = temporaryHome();
    mkdirSync(join(home, 'svcd.log.3', 'of a user'), { recursive: true });
    const file = start(home, { fullBytes: 200 });
    for (let i = 0; i < 100; i++) file.write(`line ${i} ${'x'.repeat(20)}`);
    expect(statSync(logOf(home)).size).toBeLessThan(400);
    expect(textOf(home)).toContain('could not be rotated');
    expect(existsSync(join(home, 'svcd.log.3', 'of a user'))).toBe(true);
  });

  it('is made anew when somebody moves it away', () => {
    const home = temporaryHome();
    const file = start(home);
    file.write('one');
    renameSync(logOf(home), join(home, 'moved'));
    file.write('two');
    expect(textOf(home)).toBe('two\n');
    expect(readFileSync(join(home, 'moved'), 'utf8')).toBe('one\n');
  });

  it('says later how many lines were lost while its folder was gone, and makes no folder', () => {
    const home = temporaryHome();
    const file = start(home);
    file.write('one');
    rmSync(home, { recursive: true });
    file.write('two');
    file.write('three');
    expect(existsSync(home)).toBe(false);
    mkdirSync(home);
    file.write('four');
    expect(textOf(home)).toBe('{"event":"log lines could not be written","lines":2,"why":"ENOENT"}\nfour\n');
  });

  it('begins a new line after half a line that was the last on a full disk', () => {
    const home = temporaryHome();
    let room = 8;
    const append = (fd: number, bytes: Uint8Array) => {
      if (room === 0) throw Object.assign(new Error('full'), { code: 'ENOSPC' });
      const written = writeSync(fd, bytes.subarray(0, room));
      room -= written;
      return written;
    };
    const file = start(home, { append });
    file.write('first');
    file.write('second');
    file.write('third');
    expect(textOf(home)).toBe('first\nse');
    room = Infinity;
    file.write('fourth');
    expect(textOf(home)).toBe(
      'first\nse\n{"event":"log lines could not be written","lines":2,"why":"ENOSPC"}\nfourth\n',
    );
  });

  it('keeps what others append', () => {
    const home = temporaryHome();
    const file = start(home);
    file.write('one');
    appendFileSync(logOf(home), 'theirs\n');
    file.write('two');
    expect(textOf(home)).toBe('one\ntheirs\ntwo\n');
  });
});
