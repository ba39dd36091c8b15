// The folder of a lock as a command writes it: files first, the lock last, and nobody else at the same time.

import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { canonicalLock, openLockedFolder } from '../../src/video/lock/locked-folder.js';
import { sha256Hex } from '../../src/model/hash.js';
import { lockedSticker, lockOf, temporaryFolder, writeLocked } from '../support/locks.js';

const CAKE = lockedSticker('{"cake":1}');
const FLOWER = lockedSticker('{"flower":1}');
const text = (content: string) => new TextEncoder().encode(content);

describe('a locked folder', () => {
  it('is made, and holds files and lock, which others may read', () => {
    const folder = join(temporaryFolder(), 'a', 'b');
    const opened = openLockedFolder(folder);
    opened.put(CAKE, text('{"cake":1}'));
    expect(existsSync(join(folder, 'assets.lock.json'))).toBe(false);
    opened.commit(lockOf({ cake: CAKE }));
    opened.close();
    expect(readdirSync(folder).toSorted()).toEqual(['assets.lock.json', CAKE.file].toSorted());
    expect(readFileSync(join(folder, 'assets.lock.json'), 'utf8')).toBe(canonicalLock(lockOf({ cake: CAKE })));
    expect(statSync(join(folder, CAKE.file)).mode & 0o044).toBe(0o044 & ~process.umask());
  });

  it('is for one command at a time', () => {
    const folder = temporaryFolder();
    const first = openLockedFolder(folder);
    expect(() => openLockedFolder(folder)).toThrow('another svcd command writes to');
    first.close();
    openLockedFolder(folder).close();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('loses what only the lock before named, and nothing else', () => {
    const folder = temporaryFolder();
    writeLocked(folder, { cake: 'old' });
    const mine = ['notes.txt', 'food~other.00000000.json'];
    for (const name of mine) writeFileSync(join(folder, name), 'mine');
    const opened = openLockedFolder(folder);
    opened.put(FLOWER, text('{"flower":1}'));
    opened.commit(lockOf({ flower: FLOWER }));
    opened.close();
    expect(readdirSync(folder).toSorted()).toEqual(['assets.lock.json', FLOWER.file, ...mine].toSorted());
  });

  it.each(['before the new lock', 'after the new lock'])(
    'is cleared by the next command when one is killed %s',
    (when) => {
      const working = temporaryFolder();
      const [before, after] = [lockOf({ cake: CAKE }), lockOf({ flower: FLOWER })];
      writeFileSync(join(working, CAKE.file), '{"cake":1}');
      writeFileSync(join(working, 'assets.lock.json'), canonicalLock(before));
      const mine = ['food~other.00000000.json', lockedSticker('{"mine":1}').file];
      for (const name of mine) writeFileSync(join(working, name), '{"mine":1}');
      const opened = openLockedFolder(working);
      opened.put(FLOWER, text('{"flower":1}'));
      const folder = temporaryFolder();
      cpSync(working, folder, { recursive: true });
      opened.close();
      if (when.startsWith('after')) {
        appendFileSync(join(folder, '.assets.lock.json.written'), `${CAKE.sha256} ${CAKE.file}\n`);
        writeFileSync(join(folder, 'assets.lock.json'), canonicalLock(after));
      }
      openLockedFolder(folder).close();
      const named = when.startsWith('after') ? FLOWER.file : CAKE.file;
      expect(readdirSync(folder).toSorted()).toEqual(['assets.lock.json', named, ...mine].toSorted());
      // A command that ends by itself, without a lock, has left nothing either.
      expect(readdirSync(working).toSorted()).toEqual(['assets.lock.json', CAKE.file, ...mine].toSorted());
    },
  );

  it('keeps a file that was changed after it was noted, and follows no link in place of the note', () => {
    const folder = temporaryFolder();
    const target = join(temporaryFolder(), 'theirs');
    writeFileSync(target, 'theirs');
    const note = join(folder, '.assets.lock.json.written');
    symlinkSync(target, note);
    const opened = openLockedFolder(folder);
    opened.put(CAKE, text('{"cake":1}'));
    opened.put(FLOWER, text('{"flower":1}'));
    writeFileSync(join(folder, CAKE.file), 'mine');
    opened.close();
    expect(readdirSync(folder)).toEqual([CAKE.file]);
    writeFileSync(note, `${sha256Hex('theirs')} ../theirs\nno line\n${sha256Hex('mine')} notes.txt\n`);
    writeFileSync(join(folder, 'notes.txt'), 'mine');
    openLockedFolder(folder).close();
    expect([readdirSync(folder).toSorted(), readFileSync(target, 'utf8')]).toEqual([
      [CAKE.file, 'notes.txt'].toSorted(),
      'theirs',
    ]);
  });

  it('clears away the parts of a killed command, and no other file that ends so', () => {
    const folder = temporaryFolder();
    for (const name of [`${CAKE.file}.part`, 'assets.lock.json.part', 'film.mp4.part']) {
      writeFileSync(join(folder, name), '');
    }
    openLockedFolder(folder).close();
    expect(readdirSync(folder)).toEqual(['film.mp4.part']);
  });

  it('does not write a file or a lock again that is there', () => {
    const folder = temporaryFolder();
    const write = () => {
      const opened = openLockedFolder(folder);
      opened.put(CAKE, text('{"cake":1}'));
      opened.commit(lockOf({ cake: CAKE }));
      opened.close();
      return ['assets.lock.json', CAKE.file].map((name) => statSync(join(folder, name), { bigint: true }).ino);
    };
    expect(write()).toEqual(write());
  });

  it('refuses to write beside a lock that it cannot read', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'assets.lock.json'), '{"lock":2}');
    expect(() => openLockedFolder(folder)).toThrow('is a lock of version 2');
    expect(readFileSync(join(folder, 'assets.lock.json'), 'utf8')).toBe('{"lock":2}');
  });

  it('overwrites no file that is not its own, no folder and no pipe, and leaves no part', () => {
    const folder = temporaryFolder();
    const path = join(folder, CAKE.file);
    const put = () => {
      const opened = openLockedFolder(folder);
      try {
        opened.put(CAKE, text('{"cake":1}'));
      } finally {
        opened.close();
      }
    };
    writeFileSync(path, 'mine');
    expect(put).toThrow('has other bytes, and no lock of this folder names it; it is not overwritten');
    expect([readFileSync(path, 'utf8'), readdirSync(folder)]).toEqual(['mine', [CAKE.file]]);
    // A file that the lock of this folder names is put right where it was damaged.
    writeFileSync(join(folder, 'assets.lock.json'), canonicalLock(lockOf({ cake: CAKE })));
    put();
    expect(readFileSync(path, 'utf8')).toBe('{"cake":1}');
    rmSync(path);
    mkdirSync(path);
    expect(put).toThrow('is no regular file; it is not overwritten');
    rmdirSync(path);
    if (process.platform !== 'win32') {
      execFileSync('mkfifo', [path]);
      expect(put).toThrow('is no regular file; it is not overwritten');
    }
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it('makes no file by a link in place of the one that holds it, and says what lies there instead', () => {
    const [folder, elsewhere] = [temporaryFolder(), temporaryFolder()];
    const busy = join(folder, '.assets.lock.json.busy');
    symlinkSync(join(elsewhere, 'made'), busy);
    expect(() => openLockedFolder(folder)).toThrow(`${busy} is a link, which svcd did not put there`);
    expect(readdirSync(elsewhere)).toEqual([]);
    rmSync(busy);
    for (const content of ['garbage', 'SQLite format 3\0']) {
      writeFileSync(busy, content);
      expect(() => openLockedFolder(folder)).toThrow(`${busy} is a file with content, which svcd did not put there`);
      expect(readFileSync(busy, 'utf8')).toBe(content);
    }
    // That of a command that was killed is taken.
    writeFileSync(busy, '');
    openLockedFolder(folder).close();
    expect(readdirSync(folder)).toEqual([]);
  });
});
