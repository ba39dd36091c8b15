// Files compared with their lock: each thing that can be wrong is named.

import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { readLock } from '../../src/video/lock/read-lock.js';
import { verifyFiles } from '../../src/video/lock/verify-files.js';
import { temporaryFolder, writeLocked } from '../support/locks.js';

const CONTENTS = { cake: '{"a":1}', flower: '{"b":22}' };

function open() {
  const lock = writeLocked(temporaryFolder(), CONTENTS);
  const folder = dirname(lock);
  const fileOf = (slot: string) => join(folder, readLock(lock).lock.assets[slot]?.file ?? '');
  const verify = () => verifyFiles(readLock(lock).lock, folder).map(({ slot, code, words }) => [slot, code, words]);
  return { folder, fileOf, verify };
}

it('finds nothing wrong with what was just written', () => {
  expect(open().verify()).toEqual([]);
});

it.each([0, 3, 6])('names a file with one flipped bit, at byte %i', (at) => {
  const { fileOf, verify } = open();
  const bytes = readFileSync(fileOf('cake'));
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  writeFileSync(fileOf('cake'), bytes);
  expect(verify()).toEqual([['cake', 'digest', expect.stringContaining('has other bytes')]]);
});

it('names a file that is missing, of another size, or no file', () => {
  const { fileOf, verify } = open();
  rmSync(fileOf('cake'));
  writeFileSync(fileOf('flower'), '{}');
  expect(verify()).toEqual([
    ['cake', 'missing', 'is missing'],
    ['flower', 'size', 'has 2 bytes, and the lock says 8'],
  ]);
  mkdirSync(fileOf('cake'));
  expect(verify()[0]).toEqual(['cake', 'not_a_file', 'is no regular file']);
});

it('names a link out of the folder, even to the same bytes, and takes one inside', () => {
  const { folder, fileOf, verify } = open();
  const outside = join(temporaryFolder(), 'x.json');
  writeFileSync(outside, CONTENTS.cake);
  rmSync(fileOf('cake'));
  symlinkSync(outside, fileOf('cake'));
  expect(verify()).toEqual([['cake', 'outside', expect.stringContaining('outside of the folder')]]);
  rmSync(fileOf('cake'));
  writeFileSync(join(folder, 'x.json'), CONTENTS.cake);
  symlinkSync('x.json', fileOf('cake'));
  expect(verify()).toEqual([]);
});
