// The folder of a lock as a command writes it: files first, the lock last, and nobody else at the same time.

import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { canonicalLock, openLockedFolder as openIn } from '../../src/video/lock/locked-folder.js';
import { sha256Hex } from '../../src/model/hash.js';
import { lockedSticker, lockOf, temporaryFolder } from '../support/locks.js';

const CAKE = lockedSticker('{"cake":1}');
const FLOWER = lockedSticker('{"flower":1}');
const text = (content: string) => new TextEncoder().encode(content);
let home: string;
beforeEach(() => {
  home = temporaryFolder();
});
const openLockedFolder = (folder: string) => openIn(folder, home);

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

  /** A command that does all of it. */
  const commit = (folder: string, slot: string, file: typeof CAKE, content: string) => {
    const opened = openLockedFolder(folder);
    opened.put(file, text(content));
    opened.commit(lockOf({ [slot]: file }));
    opened.close();
  };

  it('loses what this home wrote for the lock before, and nothing else', () => {
    const folder = temporaryFolder();
    const mine = ['notes.txt', 'food~other.00000000.json'];
    for (const name of mine) writeFileSync(join(folder, name), 'mine');
    commit(folder, 'cake', CAKE, '{"cake":1}');
    commit(folder, 'flower', FLOWER, '{"flower":1}');
    expect(readdirSync(folder).toSorted()).toEqual(['assets.lock.json', FLOWER.file, ...mine].toSorted());
  });

  it('keeps a file that a lock or a note from elsewhere names, whatever digest they say', () => {
    const folder = temporaryFolder();
    const logo = lockedSticker('my own logo', { file: `logo.${sha256Hex('my own logo').slice(0, 8)}.png` });
    const main = lockedSticker('x', { file: 'main.00000000.json', sha256: '0'.repeat(64) });
    writeFileSync(join(folder, logo.file), 'my own logo');
    writeFileSync(join(folder, main.file), 'my own code');
    writeFileSync(join(folder, 'assets.lock.json'), canonicalLock(lockOf({ logo, main })));
    const note = join(folder, '.assets.lock.json.written');
    writeFileSync(note, `${logo.sha256} ${logo.file}\n${sha256Hex('my own code')} ${main.file}\n`);
    commit(folder, 'cake', CAKE, '{"cake":1}');
    rmSync(note);
    expect(readdirSync(folder).toSorted()).toEqual(['assets.lock.json', CAKE.file, logo.file, main.file].toSorted());
    // What another home wrote is not this one's either.
    home = temporaryFolder();
    commit(folder, 'flower', FLOWER, '{"flower":1}');
    expect(existsSync(join(folder, CAKE.file))).toBe(true);
  });

  it.each(['before the new lock', 'after the new lock'])(
    'is cleared by the next command when one is killed %s',
    (when) => {
      const working = temporaryFolder();
      commit(working, 'cake', CAKE, '{"cake":1}');
      const mine = ['food~other.00000000.json', lockedSticker('{"mine":1}').file];
      for (const name of mine) writeFileSync(join(working, name), '{"mine":1}');
      const opened = openLockedFolder(working);
      opened.put(FLOWER, text('{"flower":1}'));
      const killedHome = temporaryFolder();
      cpSync(home, killedHome, { recursive: true });
      const [note = ''] = readdirSync(join(home, 'written'));
      if (when.startsWith('after')) {
        appendFileSync(join(killedHome, 'written', note), `new ${CAKE.sha256} ${CAKE.file}\n`);
      }
      const files = readdirSync(working).map((name) => [name, readFileSync(join(working, name))] as const);
      opened.close();
      // A command that ends by itself, without a lock, has left nothing either.
      expect(readdirSync(working).toSorted()).toEqual(['assets.lock.json', CAKE.file, ...mine].toSorted());
      for (const [name, bytes] of files) writeFileSync(join(working, name), bytes);
      if (when.startsWith('after')) {
        writeFileSync(join(working, 'assets.lock.json'), canonicalLock(lockOf({ flower: FLOWER })));
      }
      rmSync(join(working, '.assets.lock.json.busy'));
      openIn(working, killedHome).close();
      const named = when.startsWith('after') ? FLOWER.file : CAKE.file;
      expect(readdirSync(working).toSorted()).toEqual(['assets.lock.json', named, ...mine].toSorted());
    },
  );

  it('keeps a file that was changed after it was noted', () => {
    const folder = temporaryFolder();
    const opened = openLockedFolder(folder);
    opened.put(CAKE, text('{"cake":1}'));
    opened.put(FLOWER, text('{"flower":1}'));
    writeFileSync(join(folder, CAKE.file), 'mine');
    opened.close();
    expect(readdirSync(folder)).toEqual([CAKE.file]);
  });

  it('stays of use where the home cannot be written', () => {
    const folder = temporaryFolder();
    home = join(folder, 'home');
    writeFileSync(home, 'a file in its place');
    commit(folder, 'cake', CAKE, '{"cake":1}');
    expect(readdirSync(folder).toSorted()).toEqual(['assets.lock.json', CAKE.file, 'home'].toSorted());
  });

  it('clears away the parts of a killed command, and no other file that ends so', () => {
    const folder = temporaryFolder();
    const part = `.svcd-${'0'.repeat(24)}.part`;
    const others = [`${CAKE.file}.part`, 'assets.lock.json.part', `.svcd-${'1'.repeat(24)}.part`];
    for (const name of [part, ...others]) writeFileSync(join(folder, name), 'half');
    mkdirSync(join(home, 'written'));
    writeFileSync(join(home, 'written', sha256Hex(realpathSync(folder))), `part ${CAKE.sha256} ${part}\n`);
    openLockedFolder(folder).close();
    expect(readdirSync(folder).toSorted()).toEqual(others.toSorted());
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
    writeFileSync(join(folder, 'assets.lock.json'), '{"lock":3}');
    expect(() => openLockedFolder(folder)).toThrow('is a lock of version 3');
    expect(readFileSync(join(folder, 'assets.lock.json'), 'utf8')).toBe('{"lock":3}');
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
    // What lay there is kept: the lock may be anybody's.
    put();
    expect(readFileSync(path, 'utf8')).toBe('{"cake":1}');
    expect(readFileSync(`${path}.old`, 'utf8')).toBe('mine');
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

  it('keeps what was edited of its own files beside the right one, and names it', () => {
    const folder = temporaryFolder();
    const path = join(folder, CAKE.file);
    commit(folder, 'cake', CAKE, '{"cake":1}');
    writeFileSync(path, 'mine');
    const opened = openLockedFolder(folder);
    expect(opened.put(CAKE, text('{"cake":1}'))).toBe(`${path}.old`);
    opened.close();
    expect([path, `${path}.old`].map((file) => readFileSync(file, 'utf8'))).toEqual(['{"cake":1}', 'mine']);
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
