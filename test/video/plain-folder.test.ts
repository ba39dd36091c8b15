// The folder of plain files: names that every file system can hold, nothing overwritten, nothing outside, nothing half.

import { linkSync, mkdirSync, readdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldName, plainName } from '../../src/video/lock/name-files.js';
import { putPlainFile, removePlainParts, requireFolder } from '../../src/video/lock/plain-folder.js';
import { fillUp, mountSmallDisk } from '../faults/disk-trouble.js';
import { SMALL_DISKS, describeIf } from '../support/requires.js';
import { temporaryHome } from '../support/start-daemon.js';

const bytesOf = (text: string) => new TextEncoder().encode(text);

describe('a name for people', () => {
  it.each([
    ['生日蛋糕', 'fluent-emoji-flat/birthday-cake', '生日蛋糕-birthday-cake.json'],
    ['Cake', 'cake', 'Cake-cake.json'],
    ['cake', 'food/cake', 'cake.json'],
    ['../../etc/passwd', 'a/x', 'etc-passwd-x.json'],
    ['..\\..\\Windows', 'a/x', 'Windows-x.json'],
    ['.bashrc', 'a/x', 'bashrc-x.json'],
    ['', 'a/con', '_con.json'],
    ['', 'a/COM¹', '_COM1.json'],
    ['a\u0000b\nc\u202Egpj', 'a/x', 'a-b-cgpj-x.json'],
    ['／fullwidth', 'a/x', 'fullwidth-x.json'],
    ['~/x:y|z*?"<>', 'a/w', 'x-y-z-w.json'],
    ['-rf', 'a/x', 'rf-x.json'],
    ['🎂🎂', 'a/🎂', 'sticker.json'],
    ['\uD800', 'a/\u3164', 'sticker.json'],
  ])('of %j and %j is %j', (title, preset, name) => {
    expect(plainName(title, preset)).toBe(name);
  });

  const PARTS = [
    '生日',
    '.',
    '..',
    '/',
    '\\',
    '\u0000',
    '\u202E',
    'con',
    'NUL',
    ':',
    ' ',
    '-',
    'e\u0301',
    '👩‍👩‍👧',
    '𠮷',
    'ß',
    '\uDC00',
  ];
  const hostile = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.array(fc.constantFrom(...PARTS), { maxLength: 200 }).map((all) => all.join('')),
  );

  it('is one that every file system can hold, whatever title and preset are', () => {
    fc.assert(
      fc.property(hostile, hostile, fc.integer({ min: 1, max: 100 }), (title, preset, nth) => {
        const name = plainName(title, preset, nth);
        expect(name.length).toBeLessThanOrEqual(80);
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
        expect(name).toMatch(/^[\p{L}\p{N}\p{M}_][\p{L}\p{N}\p{M}_-]*\.json$/u);
        expect(name).not.toMatch(/^(con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)\./i);
        expect(basename(name)).toBe(name);
        expect(name).not.toMatch(/\p{C}/u);
      }),
      { numRuns: 500 },
    );
  });

  it('tells apart what would be the same, also where a title is long', () => {
    const names = [1, 2, 12].map((nth) => plainName('长'.repeat(300), 'a/cake', nth));
    expect(new Set(names.map(foldName)).size).toBe(3);
    for (const name of names) expect(name).toContain('-cake');
  });
});

describe('a file', () => {
  const put = (folder: string, name: string, text: string) =>
    putPlainFile(folder, (nth) => (nth === 1 ? `${name}.json` : `${name}-${nth}.json`), bytesOf(text));

  it('is there once with the same bytes, and beside others of its name', () => {
    const folder = temporaryHome();
    expect(put(folder, 'cake', 'one')).toEqual({ path: join(folder, 'cake.json'), there: false });
    expect(put(folder, 'cake', 'one')).toEqual({ path: join(folder, 'cake.json'), there: true });
    expect(put(folder, 'cake', 'two')).toEqual({ path: join(folder, 'cake-2.json'), there: false });
    expect(put(folder, 'cake', 'two')).toEqual({ path: join(folder, 'cake-2.json'), there: true });
    expect(readFileSync(join(folder, 'cake.json'), 'utf8')).toBe('one');
    expect(readdirSync(folder).toSorted()).toEqual(['cake-2.json', 'cake.json']);
  });

  it('is never written through a link, over a folder, or into a file that has another name too', () => {
    const [folder, outside] = [temporaryHome(), temporaryHome()];
    writeFileSync(join(outside, 'theirs'), 'theirs');
    symlinkSync(join(outside, 'theirs'), join(folder, 'a.json'));
    symlinkSync(join(outside, 'not there'), join(folder, 'a-2.json'));
    mkdirSync(join(folder, 'a-3.json'));
    linkSync(join(outside, 'theirs'), join(folder, 'a-4.json'));
    expect(put(folder, 'a', 'mine').path).toBe(join(folder, 'a-5.json'));
    expect(readdirSync(outside)).toEqual(['theirs']);
    expect(readFileSync(join(outside, 'theirs'), 'utf8')).toBe('theirs');
  });

  it('is not taken for there where a link leads to the same bytes', () => {
    const folder = temporaryHome();
    put(folder, 'real', 'same');
    symlinkSync('real.json', join(folder, 'a.json'));
    expect(put(folder, 'a', 'same')).toEqual({ path: join(folder, 'a-2.json'), there: false });
  });

  it('finds an end where a hundred others have its name', () => {
    const folder = temporaryHome();
    for (let nth = 0; nth < 100; nth++) put(folder, 'a', `${nth}`);
    expect(() => put(folder, 'a', 'one more')).toThrow(expect.objectContaining({ code: 'no_folder' }));
    expect(readdirSync(folder)).toHaveLength(100);
  });

  it('leaves parts of an svcd that runs, and removes those of one that was killed', () => {
    const folder = temporaryHome();
    const [dead, live, other] = ['.svcd-999999999-1.part', `.svcd-${process.pid}-7.part`, '.svcd-notes'];
    for (const name of [dead, live, other]) writeFileSync(join(folder, name), '');
    removePlainParts(folder);
    expect(readdirSync(folder).toSorted()).toEqual([live, other].toSorted());
  });

  describeIf(SMALL_DISKS, 'on a full disk', () => {
    it('is not there at all, and is there when there is room', () => {
      const disk = mountSmallDisk(2, 1);
      const { folder } = disk;
      fillUp(folder, 1000);
      const before = readdirSync(folder);
      const large = 'x'.repeat(100_000);
      expect(() => put(folder, 'cake', large)).toThrow(/cannot be written \(ENOSPC\)/);
      expect(readdirSync(folder)).toEqual(before);
      disk.free();
      expect(put(folder, 'cake', large).there).toBe(false);
    });
  });
});

describe('a folder', () => {
  it('is told by its real path', () => {
    const [home, folder] = [temporaryHome(), temporaryHome()];
    const link = join(temporaryHome(), 'link');
    symlinkSync(folder, link);
    expect(requireFolder(link, home)).toBe(realpathSync(folder));
  });

  it.each([
    ['is not there', (folder: string) => join(folder, 'nowhere'), /is not there/],
    ['is a file', (folder: string) => (writeFileSync(join(folder, 'f'), ''), join(folder, 'f')), /is no folder/],
    ['is in the home', (_: string, home: string) => (mkdirSync(join(home, 'in')), join(home, 'in')), /home of svcd/],
    ['is the home', (_: string, home: string) => home, /home of svcd/],
    ['is another home', (folder: string) => (writeFileSync(join(folder, 'owned.mark'), ''), folder), /home of svcd/],
    ['is above the home, which is none of its', (_: string, home: string) => dirname(home), undefined],
  ])('that %s is judged by that', (_what, make, why) => {
    const [folder, home] = [temporaryHome(), temporaryHome()];
    const path = make(folder, home);
    const judge = () => requireFolder(path, home);
    if (why === undefined) expect(judge()).toBe(realpathSync(path));
    else expect(judge).toThrow(why);
  });
});
