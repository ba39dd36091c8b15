// The copy of a home that cannot be written: private, whole, and never where somebody else's link leads.

import { existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { SvcdError } from '../../src/model/errors.js';
import { copyHome, forgetHomeCopy, isWorthServing } from '../../src/platform/files/home-copy.js';
import { hasRoom } from '../../src/platform/files/home-folder.js';
import { findHomeCopy } from '../../src/platform/files/runtime-file.js';

let home: string;
const free = () => undefined;

function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), 'svcd-copy-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function copy(): string {
  const made = copyHome(home, free);
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

beforeEach(() => {
  home = temporary();
  for (const name of ['owned.db', 'owned.db-wal', 'runtime.json', 'daemon.lock', 'owned.db-shm', 'svcd.log']) {
    writeFileSync(join(home, name), name, { mode: 0o400 });
  }
  mkdirSync(join(home, 'reports'));
  writeFileSync(join(home, 'reports', 'one.ndjson'), '{}');
});

it('has the databases with their logs, can be written, and is for nobody else', () => {
  const made = copy();
  expect(readdirSync(made).toSorted()).toEqual(['owned.db', 'owned.db-wal', 'reports', 'runtime.json']);
  expect(readdirSync(join(made, 'reports'))).toEqual(['one.ndjson']);
  expect([made, join(made, 'owned.db')].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o600]);
  expect(findHomeCopy(home)).toBe(made);
  expect(findHomeCopy(made)).toBeUndefined();
});

it('replaces what a killed daemon left, and goes when the home can be written again', () => {
  const made = copy();
  writeFileSync(join(made, 'old'), '');
  expect(readdirSync(copy())).not.toContain('old');
  forgetHomeCopy(home, free);
  expect([existsSync(made), findHomeCopy(home)]).toEqual([false, undefined]);
});

it('is left alone while another daemon uses it', () => {
  const made = copy();
  const hold = () => {
    throw new SvcdError('already_running', 'another one');
  };
  expect(() => copyHome(home, hold)).toThrow('another one');
  expect(() => forgetHomeCopy(home, hold)).toThrow('another one');
  expect(readdirSync(made)).toContain('owned.db');
});

it('does not follow a link that lies in its place', () => {
  const [place, victim] = [copy(), temporary()];
  rmSync(place, { recursive: true });
  writeFileSync(join(victim, 'theirs'), 'kept');
  symlinkSync(victim, place);
  const made = copy();
  expect(lstatSync(made).isSymbolicLink()).toBe(false);
  expect(readdirSync(victim)).toEqual(['theirs']);
  expect(readFileSync(join(victim, 'theirs'), 'utf8')).toBe('kept');
});

it('is made of a home that holds something only', () => {
  expect([isWorthServing(home), isWorthServing(temporary()), isWorthServing('/nowhere')]).toEqual([true, false, false]);
});

it('is told that there is no room, and no more, where the probe cannot even be removed', () => {
  mkdirSync(join(home, 'room.part'));
  expect(hasRoom(home)).toBe(false);
});
