// Locks that cannot be used: one sentence each, which says what is wrong and where.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isSvcdError } from '../../src/model/errors.js';
import { readLock } from '../../src/video/lock/read-lock.js';
import { lockedSticker, lockOf, temporaryFolder } from '../support/locks.js';

function refusalOf(content: string | undefined): [code: string, message: string] {
  const file = join(temporaryFolder(), 'assets.lock.json');
  if (content !== undefined) writeFileSync(file, content);
  try {
    readLock(file);
    return ['', ''];
  } catch (error) {
    if (!isSvcdError(error)) throw error;
    expect(error.message).toContain(file);
    expect(error.message.split('\n')).toHaveLength(1);
    return [error.code, error.message.replace(file, 'LOCK')];
  }
}

const good = lockOf({ opening: lockedSticker('{}') });
const changed = (asset: object, lock: object = {}) =>
  JSON.stringify({ ...good, assets: { opening: { ...good.assets['opening'], ...asset } }, ...lock });

it('reads what svcd writes, and what a person adds the schema to', () => {
  expect(refusalOf(JSON.stringify(good))).toEqual(['', '']);
  expect(refusalOf(changed({}, { $schema: './lock.schema.json' }))).toEqual(['', '']);
});

it('keeps what a later svcd says in a lock of version 2, of what it knows itself', () => {
  expect(refusalOf(changed({ glow: 1 }, { lock: 2, mood: 'calm' }))).toEqual(['', '']);
  const music = { kind: 'music', track: 't1', title: 'Sun', source: 'service', price: 0, duration_s: 30 };
  const { sha256, bytes, file } = good.assets['opening']!;
  const song = { ...music, sha256, bytes, file };
  expect(refusalOf(JSON.stringify({ ...good, lock: 2, assets: { song } }))).toEqual(['', '']);
  expect(refusalOf(JSON.stringify({ ...good, assets: { song } }))[0]).toBe('lock_mismatch');
  const still = { sha256, bytes, file, width: 1, height: 1, frame: 0, glow: 1 };
  const path = join(temporaryFolder(), 'assets.lock.json');
  writeFileSync(path, changed({ still }, { lock: 2 }));
  expect(readLock(path)).toMatchObject({ lock: { assets: { opening: { still: { glow: 1 } } } } });
});

it.each([
  ['no file', undefined, 'not_found', 'there is no lock LOCK'],
  ['no JSON', '{"lock": 1,', 'lock_mismatch', 'LOCK is no lock: it is not valid JSON (line 1, column 12)'],
  ['an empty file', '', 'lock_mismatch', 'LOCK is no lock: it is empty, a JSON object is needed'],
  ['a list', '[]', 'lock_mismatch', 'LOCK is no lock: it must be a JSON object, got an array'],
  [
    'a slot that JavaScript drops',
    JSON.stringify(good).replace('"opening"', '"__proto__"'),
    'lock_mismatch',
    'LOCK cannot be used: no slot can be called "__proto__"',
  ],
  ['another JSON file', '{"name":"x"}', 'lock_mismatch', 'LOCK is no lock: "lock" must be 1 or 2, got undefined'],
  [
    'a newer lock',
    changed({}, { lock: 3, more: 1 }),
    'newer_file',
    'LOCK is a lock of version 3, and this svcd reads 1 to 2',
  ],
  ['an unknown field', changed({}, { time: 1 }), 'lock_mismatch', 'LOCK cannot be used: unknown field "time"'],
  [
    'an unknown field of a slot',
    changed({ url: 'x' }),
    'lock_mismatch',
    'LOCK cannot be used: unknown field "assets.opening.url"',
  ],
  [
    'a basis in a lock of version 1',
    changed({ basis: 'part' }),
    'lock_mismatch',
    'LOCK cannot be used: unknown field "assets.opening.basis"',
  ],
  [
    'no basis that there is',
    changed({ basis: 'hope' }, { lock: 2 }),
    'lock_mismatch',
    'LOCK cannot be used: assets.opening.basis: must be one of named, asked, part, got "hope"',
  ],
  [
    'no digest',
    changed({ sha256: undefined }),
    'lock_mismatch',
    'LOCK cannot be used: assets.opening.sha256: is required',
  ],
  [
    'half a digest',
    changed({ sha256: 'abc' }),
    'lock_mismatch',
    'LOCK cannot be used: assets.opening.sha256: must be a SHA-256 of 64 lower-case hexadecimal digits',
  ],
  ...['../x', 'a/b', 'a\\b', '..', '.', '', '/etc/passwd'].map((file): [string, string, string, string] => [
    `a path ${JSON.stringify(file)}`,
    changed({ file }),
    'lock_mismatch',
    `LOCK cannot be used: assets.opening.file: must be the name of a file beside the lock, got ${JSON.stringify(file)}`,
  ]),
  [
    'a name twice',
    JSON.stringify(good).replace('"assets":', '"assets":{},"assets":'),
    'lock_mismatch',
    'LOCK cannot be used: an object in it has the same name twice',
  ],
  [
    'a slot twice',
    JSON.stringify(lockOf({ opening: lockedSticker('{}'), end: lockedSticker('{}') })).replace('"end"', '"opening"'),
    'lock_mismatch',
    'LOCK cannot be used: an object in it has the same name twice',
  ],
  [
    'the digest of another file',
    changed({ sha256: 'b'.repeat(64) }),
    'lock_mismatch',
    `LOCK cannot be used: opening has the file "${good.assets['opening']?.file}", and svcd names it as in food~cake.bbbbbbbb.json, by its digest`,
  ],
  ['nesting without end', '['.repeat(100_000), 'lock_mismatch', 'LOCK is no lock: it is nested deeper than 64 levels'],
])('refuses %s', (_what, content, code, message) => {
  expect(refusalOf(content)).toEqual([code, message]);
});

it('advises nothing that loses what was paid for', () => {
  const file = join(temporaryFolder(), 'assets.lock.json');
  for (const content of ['', '[]', changed({ file: '../x' })]) {
    writeFileSync(file, content);
    let hint: string | undefined;
    try {
      readLock(file);
    } catch (error) {
      hint = isSvcdError(error) ? error.hint : undefined;
    }
    expect(hint).toMatch(/^Restore the lock from your version control\./);
    expect(hint).not.toContain('remove');
  }
});

it.each(['package.json', '.bashrc', 'assets.lock.json', '.git', '.env.00000000.json', 'food~cake.00000000.json'])(
  'refuses the name %s, which svcd would not have given to the file',
  (file) => {
    const name = good.assets['opening']?.file ?? '';
    const rule = `svcd names it as in food~cake.${name.split('.')[1]}.json, by its digest`;
    const told = `LOCK cannot be used: opening has the file "${file}", and ${rule}`;
    expect(refusalOf(changed({ file }))).toEqual(['lock_mismatch', told]);
  },
);

it('refuses one name for two files', () => {
  const one = lockedSticker('1', { file: 'x~cake.aaaaaaaa.json', sha256: 'a'.repeat(64) });
  const two = { ...one, file: 'X~cake.aaaaaaaa.json', sha256: 'a'.repeat(63) + 'b' };
  expect(refusalOf(JSON.stringify(lockOf({ one, two })))).toEqual([
    'lock_mismatch',
    'LOCK cannot be used: two has the file "X~cake.aaaaaaaa.json", which another slot names with other bytes',
  ]);
});

it('refuses a folder in its place', () => {
  const file = join(temporaryFolder(), 'assets.lock.json');
  mkdirSync(file);
  expect(() => readLock(file)).toThrow('is no regular file');
});
