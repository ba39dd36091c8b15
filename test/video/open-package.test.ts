// Template packages as they come and as they should not: what is told of a good one, and one sentence for each other.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isSvcdError } from '../../src/model/errors.js';
import { sha256Hex } from '../../src/model/hash.js';
import { zipMotionFiles } from '../../src/sandbox/templates/motion-package.js';
import { openPackage } from '../../src/video/template/open-package.js';
import { integrityOf, packageOf, writeFolder, zipOf, type OddEntry } from '../support/template-package.js';
import { LINUX, itIf } from '../support/requires.js';

const CARD = packageOf('birthday-card@1.1.0', {}, { 'scenes/café.json': '{}' });

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svcd-package-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The refusal of a package: its code and its sentence. Nothing may be written beside it. */
async function refusalOf(path: string, changedOnPurpose = false): Promise<string> {
  const before = readdirSync(folder, { recursive: true });
  const error: unknown = await openPackage(path, { changedOnPurpose }).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(readdirSync(folder, { recursive: true })).toEqual(before);
  if (!isSvcdError(error)) throw error ?? new Error('it was opened');
  expect(error.message).not.toContain('\n');
  return `${error.code}: ${error.message}`;
}

function write(bytes: Uint8Array): string {
  const path = join(folder, 'card.motion');
  writeFileSync(path, bytes);
  return path;
}

/** A whole package with these entries besides. */
function withEntries(...entries: OddEntry[]): Buffer {
  return zipOf([...Object.entries(CARD).map(([name, text]) => ({ name, text })), ...entries]);
}

describe('a package as it was published', () => {
  it.each([
    ['a zip', () => write(zipMotionFiles(CARD))],
    ['a zip with all in one folder', () => write(zipOf(inFolder(CARD)))],
    ['a folder', () => writeFolder(join(folder, 'card'), CARD)],
    ['a folder in a folder', () => writeFolder(join(folder, 'card'), inFolder(CARD))],
    ['a folder whose names were taken apart', () => writeFolder(join(folder, 'card'), inFolder(decomposed()))],
    ['a zip without the Key', () => write(zipOf(without('service.key.json')))],
  ])('tells what it is and what it declares, as %s', async (_form, make) => {
    expect(await openPackage(make())).toMatchObject({
      template: 'birthday-card@1.1.0',
      packageSha256: sha256Hex(CARD['integrity.json'] ?? ''),
      capabilities: ['stickers.file', 'images.generate'],
      unknown: [],
      permissions: ['stickers', 'images'],
      layout: 'portrait',
      durationS: 12,
    });
  });

  it.each([
    [{ service: { capabilities: [] } }, [], []],
    [{ service: {} }, [], []],
    [{ service: undefined }, [], []],
    [{ service: { capabilities: ['images.generate', 'images.generate'] } }, ['images'], []],
    [
      { service: { capabilities: ['music.search', 'stickers.file', '__proto__'] } },
      ['stickers'],
      ['music.search', '__proto__'],
    ],
  ])('that declares %j grants that and no more', async (motion, permissions, unknown) => {
    const { permissions: granted, unknown: told } = await openPackage(write(zipOf(packageOf('card@1.0.0', motion))));
    expect([granted, told]).toEqual([permissions, unknown]);
  });

  it.each([
    [{ name: '../card' }, 'must name the template'],
    [{ version: 1 }, 'must name the template'],
    [{ service: [] }, '"service" that is no object'],
    [{ service: { capabilities: 'stickers.file' } }, 'no list of words'],
    [{ service: { capabilities: [1] } }, 'no list of words'],
  ])('with %j in its motion.json is refused', async (motion, words) => {
    const refusal = await refusalOf(write(zipOf(packageOf('card@1.0.0', motion))));
    expect(refusal).toContain('invalid_argument: motion.json of card.motion ');
    expect(refusal).toContain(words);
  });
});

describe('a package that was changed', () => {
  it.each([
    ['README.md has another digest', { ...CARD, 'README.md': 'other' }],
    ['motion.json has another digest', { ...CARD, 'motion.json': '{}' }],
    ['scenes/scenes.json is missing', without('scenes/scenes.json')],
    ['evil.js is not in integrity.json', { ...CARD, 'evil.js': '1' }],
    ['scenes/service.key.json is not in integrity.json', { ...CARD, 'scenes/service.key.json': '{}' }],
    ['integrity.json is missing', without('integrity.json')],
    ['integrity.json is no list of SHA-256 digests', { ...CARD, 'integrity.json': '{"files":{"motion.json":"1"}}' }],
    ['integrity.json is no list of SHA-256 digests', { ...CARD, 'integrity.json': 'not JSON' }],
    ['integrity.json is no list of SHA-256 digests', { ...CARD, 'integrity.json': '{"algorithm":"md5","files":{}}' }],
  ])('is refused because %s, in a zip and in a folder', async (words, files) => {
    for (const path of [write(zipOf(files)), writeFolder(join(folder, 'card'), files)]) {
      expect(await refusalOf(path)).toBe(`package_changed: ${path} is not as it was published: ${words}`);
    }
  });

  it('can be taken on purpose by the command that was typed, if by any', async () => {
    const path = write(zipOf({ ...CARD, 'evil.js': '1' }));
    await expect(openPackage(path, { command: 'svcd plan' })).rejects.toMatchObject({
      hint: 'Download it again. If the changes are yours: "svcd plan --changed-on-purpose".',
    });
    await expect(openPackage(path)).rejects.toMatchObject({ hint: 'Download it again.' });
  });

  it('names five of many', async () => {
    const files = { ...CARD, ...Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`more/${n}`, ''])) };
    expect(await refusalOf(write(zipOf(files)))).toMatch(/more\/4 is not in integrity\.json, and 4 more$/);
  });

  it('is opened on purpose, and has no digest then', async () => {
    const path = write(zipOf({ ...CARD, 'evil.js': '1' }));
    const { template, packageSha256 } = await openPackage(path, { changedOnPurpose: true });
    expect([template, packageSha256]).toEqual(['birthday-card@1.1.0', undefined]);
  });
});

describe('what is no package', () => {
  it.each([
    ['motion.json', 'MOTION.JSON'],
    ['motion.json', 'motion.json/x'],
    ['motion.json', 'Motion.json/'],
    ['scenes/', 'Scenes/other.json'],
  ])('a zip with %j and %j, which some systems take for one', async (one, other) => {
    const entry = other.endsWith('/') ? { name: other, text: '', mode: 0o040755 } : { name: other, text: '{}' };
    const path = write(withEntries(entry));
    const told = `${JSON.stringify(one)} and ${JSON.stringify(other.replace(/(?<=\/).+$/, ''))}`;
    const why = `it has ${told}, which some systems take for one`;
    expect(await refusalOf(path, true)).toBe(`invalid_argument: ${path} cannot be read as a package: ${why}`);
  });

  itIf(LINUX, 'a folder with such names, and one whose motion.json is a folder', async () => {
    const both = writeFolder(join(folder, 'both'), { ...CARD, 'MOTION.JSON': '{}' });
    expect(await refusalOf(both, true)).toContain('which some systems take for one');
    const { 'motion.json': _, ...others } = CARD;
    const nested = writeFolder(join(folder, 'nested'), { ...others, 'motion.json/x': '' });
    expect(await refusalOf(nested)).toBe(
      `invalid_argument: ${nested} is no template package: its motion.json is a folder`,
    );
  });

  it.each(['motion.json', 'integrity.json'] as const)('one whose %s says a name twice', async (name) => {
    const doubled = (CARD[name] ?? '').replace('{', '{"name":"x","files":{},"files":{},"name":"y",');
    const files = { ...CARD, [name]: doubled };
    const published =
      name === 'motion.json'
        ? { ...files, 'integrity.json': integrityOf({ ...without('integrity.json'), [name]: doubled }) }
        : files;
    expect(await refusalOf(write(zipOf(published)), true)).toContain('says a name twice in one object');
  });

  it.each([
    ['../x', 'leads out of the package'],
    ['a/../../x', 'leads out of the package'],
    ['./x', 'leads out of the package'],
    ['a//x', 'leads out of the package'],
    ['..', 'leads out of the package'],
    ['/etc/passwd', 'is absolute'],
    ['C:/x', 'is absolute'],
    ['..\\x', 'has a backslash'],
    ['a\nb', 'has control characters'],
    ['', 'is empty'],
  ])('a zip that names %j, and an integrity.json that does, also on purpose', async (name, words) => {
    const named = `the name ${JSON.stringify(name)} in`;
    for (const onPurpose of [false, true]) {
      const inZip = await refusalOf(write(withEntries({ name, text: 'x' })), onPurpose);
      expect(inZip).toContain(
        `invalid_argument: ${join(folder, 'card.motion')} cannot be read as a package: ${named} it ${words}`,
      );
      const integrity = integrityOf({ ...without('integrity.json', 'service.key.json'), [name]: 'x' });
      const inList = await refusalOf(write(zipOf({ ...CARD, 'integrity.json': integrity })), onPurpose);
      expect(inList).toContain(`${named} integrity.json ${words}`);
    }
  });

  it.each<[string, OddEntry, string]>([
    ['a link', { name: 'x', text: '/etc/passwd', mode: 0o120777 }, '"x" in it is a link'],
    ['a device', { name: 'x', text: '', mode: 0o060644 }, '"x" in it is no plain file'],
    ['a folder that is none', { name: 'x/', text: 'x', mode: 0o100644 }, '"x/" in it is no plain file'],
    ['a name twice', { name: 'README.md', text: 'x' }, 'it has "README.md" twice'],
  ])('a zip with %s, also on purpose', async (_what, entry, words) => {
    expect(await refusalOf(write(withEntries(entry)), true)).toContain(`cannot be read as a package: ${words}`);
  });

  const listed = { name: 'a.bin', text: 'twelve bytes' };
  it.each<[string, Partial<OddEntry>, string]>([
    ['encrypted', { flags: 1 }, '"a.bin" in it is encrypted'],
    ['packed in an unknown way', { method: 99 }, '"a.bin" in it is compressed by method 99'],
    ['said to be packed and is not', { method: 8 }, '"a.bin" in it is damaged'],
    ['of another size than stated', { size: 3 }, '"a.bin" in it is damaged'],
    ['of another name before its bytes', { localName: 'b.bin' }, '"a.bin" in it is damaged'],
    ['said to unpack to four gigabytes', { size: 0xfffffffe }, 'unpacks to more than'],
    ['of a zip64 size', { size: 0xffffffff }, 'a zip64 file'],
  ])('a zip with a file that is %s', async (_how, odd, words) => {
    const files = packageOf('card@1.0.0', {}, { [listed.name]: listed.text });
    const entries = Object.entries(files).map(([name, text]) => ({ name, text, ...(name === listed.name && odd) }));
    expect(await refusalOf(write(zipOf(entries)))).toContain(words);
  });

  it('a zip that unpacks to more than it states', async () => {
    const bytes = zipSync({ 'motion.json': new Uint8Array(5_000_000), 'integrity.json': new Uint8Array(8) });
    const zip = Buffer.from(bytes);
    const size = Buffer.from(Uint32Array.of(5_000_000).buffer);
    for (let at = zip.indexOf(size); at !== -1; at = zip.indexOf(size, at)) zip.writeUInt32LE(8, at);
    expect(await refusalOf(write(zip))).toContain('"motion.json" in it is damaged');
  });

  it('a zip that is cut off anywhere, or has a byte changed anywhere', async () => {
    const whole = zipOf(CARD);
    for (let length = 0; length < whole.length; length += 7) {
      expect(await refusalOf(write(whole.subarray(0, length)))).toMatch(
        /^invalid_argument: .* cannot be read as a package: /,
      );
    }
    // A changed byte may leave the name of a file, a Key or a time another one; never a package that passes for published
    // with other content.
    const { packageSha256 } = await openPackage(write(whole));
    for (let at = 0; at < whole.length; at += 5) {
      const bytes = Buffer.from(whole);
      bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
      const opened = await openPackage(write(bytes)).catch((error: unknown) => error);
      const isRefused = isSvcdError(opened, 'invalid_argument') || isSvcdError(opened, 'package_changed');
      expect(isRefused || (opened as { packageSha256: string }).packageSha256 === packageSha256, `byte ${at}`).toBe(
        true,
      );
    }
  });

  it.each([
    ['a text', 'hello', 'neither a folder nor a zip file'],
    ['an empty file', '', 'neither a folder nor a zip file'],
    ['a zip without motion.json', zipOf({ 'README.md': 'x' }), 'holds no motion.json'],
    ['an empty zip', zipOf({}), 'holds no motion.json'],
  ])('%s', async (_what, bytes, words) => {
    expect(await refusalOf(write(Buffer.from(bytes)))).toContain(words);
  });

  it('nothing at all', async () => {
    expect(await refusalOf(join(folder, 'nowhere'))).toBe(
      `not_found: there is no package at ${join(folder, 'nowhere')}`,
    );
  });

  it('a folder with a link, even one that leads inside', async () => {
    const path = writeFolder(join(folder, 'card'), CARD);
    symlinkSync('README.md', join(path, 'link'));
    expect(await refusalOf(path, true)).toContain('"link" in it is a link');
  });

  itIf(LINUX, 'a folder with a pipe, which is not waited for', async () => {
    const path = writeFolder(join(folder, 'card'), CARD);
    execFileSync('mkfifo', [join(path, 'pipe')]);
    expect(await refusalOf(path, true)).toContain('"pipe" in it is no plain file');
  });
});

function without(...names: string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(CARD).filter(([name]) => !names.includes(name)));
}

function decomposed(): Record<string, string> {
  return Object.fromEntries(Object.entries(CARD).map(([name, text]) => [name.normalize('NFD'), text]));
}

function inFolder(files: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [`birthday/${name}`, text]));
}
