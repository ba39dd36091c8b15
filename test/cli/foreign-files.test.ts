// Files that a user names and that are no files, never end, or hold far more than they seem to: each is a sentence.

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { mkdirSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readLines } from '../../src/platform/read-lines.js';
import { expectRefusal } from '../support/in-test.js';
import { openCli } from '../support/open-cli.js';
import { runSvcd } from '../support/run-svcd.js';

const cli = openCli();

const COMMANDS: readonly (readonly string[])[] = [
  ['library', 'defaults', 'add', '*'],
  ['library', 'import'],
  ['library', 'synonyms', 'check'],
  ['owned', 'import'],
  ['plan', '--copy'],
  ['get', '-o', '.', '--from'],
  ['attribution'],
  ['key', 'import'],
];

describe.skipIf(process.platform === 'win32')('a file that is none is refused', () => {
  it.each(COMMANDS.map((args) => [args.join(' '), args] as const))('svcd %s', async (_name, args) => {
    execFileSync('rm', ['-f', join(cli.folder, 'pipe')]);
    execFileSync('mkfifo', [join(cli.folder, 'pipe')]);
    for (const file of ['pipe', '/dev/zero']) {
      const { code, stderr } = await cli.run([...args, file]);
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(/pipe|device|regular/) as string });
    }
  });
});

it('a file of copy is no export, though a line of it names a preset', async () => {
  const copy =
    '{"slots": [\n{"id": "one", "text": "cake"},\n{"id": "two", "preset": "fluent-emoji-flat/birthday-cake"}\n]}\n';
  writeFileSync(join(cli.folder, 'copy.json'), copy);
  expectRefusal(await cli.run(['library', 'import', 'copy.json']), 'nothing in copy.json could be used');
});

describe.skipIf(process.platform === 'win32')('a config.json that is a pipe', () => {
  it('is told in a sentence', async () => {
    const home = join(cli.folder, 'home');
    mkdirSync(home, { mode: 0o700 });
    execFileSync('mkfifo', ['-m', '600', join(home, 'config.json')]);
    const words = expect.stringContaining('config.json: it is a pipe or a device') as string;
    expect(await runSvcd(['doctor'], { home })).toMatchObject({ code: 1, stdout: words });
    expect(await runSvcd(['status'], { home })).toMatchObject({ code: 4 });
  });
});

describe('a file that holds more than it seems to', () => {
  it('takes a line of 2 MB of synonyms for one that cannot be used', async () => {
    cli.write('long.txt', `${'一'.repeat(80_000)}\n好 棒\n`);
    const { stdout } = await cli.run(['library', 'synonyms', 'check', 'long.txt']);
    expect(stdout).toBe(
      'long.txt:1: has 80000 characters; at most 4096 are read\nlong.txt: 1 valid line, 1 skipped.\n',
    );
    cli.write('longer.txt', 'a '.repeat(1_000_000));
    const { stderr } = await cli.run(['library', 'synonyms', 'check', 'longer.txt']);
    expect(stderr).toContain('longer.txt has 2000000 bytes; at most 262144 bytes are accepted');
  });

  it('gives packed empty lines up after a megabyte, and says that it holds nothing', async () => {
    // What follows, behind 60 MB of them, would be taken in.
    const sticker = Buffer.from('{"preset":"behind/all","title":"behind","keywords":["behind"]}\n');
    writeFileSync(join(cli.folder, 'empty.gz'), gzipSync(Buffer.concat([Buffer.alloc(60_000_000, '\n'), sticker])));
    const { code, stdout, stderr } = await cli.run(['library', 'import', 'empty.gz']);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('empty.gz') as string });
    expect(stdout).not.toContain('1 new');
  });

  it.each(['library', 'owned'])('gives millions of lines up that cannot be used: %s import', async (noun) => {
    writeFileSync(join(cli.folder, 'many.gz'), gzipSync(Buffer.alloc(8_000_000, '{}\n')));
    const { code, stderr } = await cli.run([noun, 'import', 'many.gz']);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(/lines cannot be used, so the rest was not read/) as string,
    });
  });

  it.each(['library', 'owned'])(
    'gives a packed line up that does not end, before it is unpacked: %s import',
    async (noun) => {
      const [head, spaces] = [gzipSync(''), gzipSync(Buffer.alloc(16 * 1024 * 1024, ' '))];
      // What follows a member is unpacked as its continuation: 640 MB in 640 KB.
      writeFileSync(join(cli.folder, 'long.gz'), Buffer.concat([head, ...Array.from({ length: 40 }, () => spaces)]));
      const { code, stderr } = await cli.run([noun, 'import', 'long.gz']);
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('134217728 bytes') as string });
    },
  );

  it('counts empty lines', async () => {
    const found = [];
    const chunks = ['a\n\n', '\n', '\nb\n\n'].map((text) => Buffer.from(text));
    for await (const lines of readLines(ReadableStream.from(chunks), { maxBytes: 9, batch: 1 })) found.push(...lines);
    expect(found).toEqual([
      { number: 1, text: 'a' },
      { number: 5, text: 'b' },
    ]);
  });
});
