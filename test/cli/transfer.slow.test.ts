// svcd library export and import, svcd owned export and import, as a person or a script calls them.

import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { tinyLottie } from '../sandbox/tiny-catalogue.js';
import { lottieOf, startFaultyRemote } from '../faults/faulty-remote.js';
import { homeInTest, startInTest } from '../support/in-test.js';
import { runHere } from '../support/run-here.js';
import { makeHome, type Outcome } from '../support/run-svcd.js';
import { startSvcd } from '../support/start-svcd.js';

type Run = (...args: string[]) => Promise<Outcome>;

const HEADER = {
  format: 'svcd-library',
  version: 1,
  scope: 'none',
  exported_at: '',
  stickers: 1,
  complete: false,
};
const SNOWMAN = {
  preset: 'winter/snowman',
  title: '堆雪人',
  keywords: ['冬天'],
  seen: { first: 1, last: 2 },
};

function ndjson(...lines: unknown[]): string {
  return lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n') + '\n';
}

/** A home with a folder to work in, and a way to run commands there. */
async function openRun(running = false) {
  const { home, remove } = makeHome();
  const work = join(home, 'work');
  mkdirSync(work);
  const daemon = running ? await startSvcd([], { home }) : undefined;
  onTestFinished(async () => {
    await daemon?.stop();
    remove();
  });
  const run: Run = (...args) => runHere(args, { home, cwd: work });
  return { run, home, work, at: (name: string) => join(work, name) };
}

async function finds(run: Run, query: string): Promise<string[]> {
  const { stdout } = await run('search', query, '--json');
  return (JSON.parse(stdout) as { results: { preset: string }[] }).results.map(({ preset }) => preset);
}

describe.each([
  ['with a running daemon', true],
  ['in process', false],
])('svcd library, %s', (_where, running) => {
  it.each(['library.ndjson', 'library.ndjson.gz', 'library.ndjson.br'])('goes to %s and back', async (name) => {
    const one = await openRun(running);
    writeFileSync(one.at('in.ndjson'), ndjson(HEADER, SNOWMAN));
    expect(await one.run('library', 'import', 'in.ndjson')).toMatchObject({ code: 0, stderr: '' });
    const exported = await one.run('library', 'export', name);
    expect(exported).toMatchObject({ code: 0, stderr: '' });
    expect(exported.stdout).toMatch(new RegExp(`^${name}: [\\d,]+ lines, [\\d,]+ bytes\\.\n$`));
    expect(statSync(one.at(name)).mode & 0o777).toBe(0o600);

    const other = await openRun(running);
    const imported = await other.run('library', 'import', one.at(name), '--json');
    expect(JSON.parse(imported.stdout)).toMatchObject({ added: 1, bad: 0, whole: true });
    expect((await finds(other.run, '堆雪人'))[0]).toBe('winter/snowman');
    expect(readdirSync(one.work).toSorted()).toEqual(['in.ndjson', name].toSorted());
  });
});

describe('svcd library export', () => {
  it('writes to standard output, and reads from standard input', async () => {
    const { run, home } = await openRun();
    const { stdout } = await run('library', 'export', '-');
    expect(JSON.parse(stdout.split('\n', 1)[0] ?? '')).toMatchObject({
      format: 'svcd-library',
      scope: 'none',
    });
    const told = await runHere(['library', 'import', '-', '--json'], { home, stdin: stdout });
    expect(JSON.parse(told.stdout)).toMatchObject({ added: 0, changed: 0, bad: 0, whole: true });
  });

  it('packs by the ending of the name', async () => {
    const { run, at } = await openRun();
    await run('library', 'export', 'x.gz');
    await run('library', 'export', 'x.br');
    expect(gunzipSync(readFileSync(at('x.gz'))).toString()).toMatch(/^\{"format":"svcd-library"/);
    expect(brotliDecompressSync(readFileSync(at('x.br'))).toString()).toMatch(/^\{"format":"svcd-library"/);
  });

  it('refuses .zst, and says what to use', async () => {
    const { run, at, work } = await openRun();
    const message = (file: string) => `${file}: svcd no longer reads or writes .zst`;
    const refused = await run('library', 'export', 'x.zst');
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain(message('x.zst'));
    expect(refused.stderr).toContain('.gz or .br');
    expect(readdirSync(work)).toEqual([]);
    // By its bytes, whatever it is called.
    writeFileSync(at('x.ndjson'), Buffer.from('28b52ffd0458', 'hex'));
    const unread = await run('library', 'import', 'x.ndjson');
    expect(unread).toMatchObject({ code: 2, stdout: '' });
    expect(unread.stderr).toContain(message('x.ndjson'));
    expect(unread.stderr).toContain('zstd -d');
  });

  it('leaves an older file as it is when it cannot finish, and no parts', async () => {
    const { run, at, work } = await openRun();
    expect(await run('library', 'export', 'missing/x.gz')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('missing/x.gz cannot be written (ENOENT)') as string,
    });
    mkdirSync(at('folder'));
    expect(await run('library', 'export', 'folder')).toMatchObject({ code: 2 });
    // A number that no process has: what is left of one that was killed.
    writeFileSync(at('x.gz.99999999.part'), 'half');
    expect(await run('library', 'export', 'x.gz')).toMatchObject({ code: 0 });
    expect(readdirSync(work).toSorted()).toEqual(['folder', 'x.gz']);
  });
});

describe('svcd library import', () => {
  it.each([
    ['library', 'Read me', 'line 1: it is not a JSON object'],
    ['owned', 'Read me', 'line 1: it is not a JSON object'],
    ['library', ndjson({ format: 'svcd-owned', version: 1 }, { end: true, items: 0 }), 'of another format'],
  ])('of %s refuses a file that is no export, and says what is', async (noun, content, why) => {
    const { run, at } = await openRun();
    writeFileSync(at('other'), content);
    const { code, stdout, stderr } = await run(noun, 'import', 'other');
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('nothing in other could be used');
    expect(stderr).toContain(why);
    expect(stderr).toContain(`Name a file that "svcd ${noun} export" wrote.`);
  });

  it('tells bad lines by their numbers and takes the rest', async () => {
    const { run, at } = await openRun();
    writeFileSync(at('in.ndjson'), ndjson(HEADER, 'oops', SNOWMAN, { title: 'no preset' }));
    const { code, stdout } = await run('library', 'import', 'in.ndjson');
    expect(code).toBe(0);
    expect(stdout).toContain('4 lines read: 1 new');
    expect(stdout).toContain(
      '2 lines could not be used:\n  line 2: it is not a JSON object\n  line 4: it has no preset',
    );
    expect(stdout).toContain('The file ends early');
  });

  it.each([
    ['cut short', 'gz', (packed: Buffer) => packed.subarray(0, -400)],
    ['damaged in the middle', 'gz', (packed: Buffer) => packed.fill(0x55, packed.length - 500, packed.length - 300)],
    ['cut short', 'br', (packed: Buffer) => packed.subarray(0, -400)],
  ])('says plainly that a file is %s (%s), takes what can be read, and loses nothing', async (_how, ending, harm) => {
    const { run, at } = await openRun();
    writeFileSync(at('mine.ndjson'), ndjson(HEADER, SNOWMAN));
    await run('library', 'import', 'mine.ndjson');
    const many = Array.from({ length: 3000 }, (_, i) => ({
      ...SNOWMAN,
      preset: `snow/${i}`,
      title: `雪${i * i}`,
    }));
    writeFileSync(at('many.ndjson'), ndjson(HEADER, ...many));
    const other = await openRun();
    await other.run('library', 'import', at('many.ndjson'));
    await other.run('library', 'export', at(`many.${ending}`));
    writeFileSync(at(`harmed.${ending}`), harm(readFileSync(at(`many.${ending}`))));

    const { code, stdout, stderr } = await run('library', 'import', `harmed.${ending}`);
    expect(code).toBe(2);
    expect(stderr).toContain(`harmed.${ending} is cut short or damaged`);
    expect(stdout).toContain('The file ends early');
    if (ending === 'gz') expect(Number(/: ([\d,]+) new/.exec(stdout)?.[1]?.replace(',', ''))).toBeGreaterThan(1000);
    expect((await finds(run, '堆雪人'))[0]).toBe('winter/snowman');
  });

  it('refuses what is no library, and what is not there', async () => {
    const { run, at } = await openRun();
    writeFileSync(at('text.ndjson'), 'hello\nworld\n');
    writeFileSync(at('empty.ndjson'), '');
    expect(await run('library', 'import', 'text.ndjson')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('nothing in text.ndjson could be used') as string,
    });
    expect(await run('library', 'import', 'empty.ndjson')).toMatchObject({ code: 2 });
    expect(await run('library', 'import', 'missing.ndjson')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('missing.ndjson cannot be read (ENOENT)') as string,
    });
  });

  it('refuses the library of another remote while most of it is still on its way', async () => {
    const home = homeInTest();
    await startInTest(['--remote', 'http://127.0.0.1:9', '--offline'], { home });
    const long = Array.from({ length: 40_000 }, (_, i) => ({ ...SNOWMAN, preset: `snow/${i}` }));
    const file = join(home, 'other.ndjson');
    writeFileSync(file, ndjson({ ...HEADER, scope: 'https://other.example' }, ...long));
    const refused = await runHere(['library', 'import', file], { home });
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.stderr).toContain('the file was exported from "https://other.example"');
    expect(refused.stderr).toContain('--any-remote');
    expect(await runHere(['library', 'import', file, '--any-remote'], { home })).toMatchObject({ code: 0 });
  });
});

describe('svcd owned', () => {
  it('takes what was paid for to another machine, where it costs nothing, and mends what is damaged there', async () => {
    const remote = await startFaultyRemote();
    const one = makeHome();
    const other = makeHome();
    onTestFinished(() => (one.remove(), other.remove()));
    const env = { SERVICE_API_KEY: remote.key };
    const flags = ['--remote', remote.url];
    const file = join(one.home, 'owned.ndjson.br');
    const buyer = await startSvcd(flags, { home: one.home, env });
    for (const preset of ['a/one', 'a/two']) await runHere(['get', preset, '-o', '-'], { home: one.home, env });
    expect(await runHere(['owned', 'export', file], { home: one.home })).toMatchObject({ code: 0 });
    await buyer.stop();
    await remote.refuse();

    await startInTest(flags, { home: other.home });
    const take = async (path: string) => {
      const { stdout } = await runHere(['owned', 'import', path, '--json'], { home: other.home });
      return JSON.parse(stdout) as Record<string, unknown>;
    };
    expect(await take(file)).toMatchObject({ lines: 4, added: 2, bad: 0, whole: true });
    expect(await take(file)).toMatchObject({ added: 0, unchanged: 2, mended: 0 });
    const got = await runHere(['get', 'a/one', '-o', '-'], { home: other.home });
    expect(got.stdout).toBe(lottieOf('a/one'));

    // A line that lies about its bytes is not believed, and what is here stays.
    const lines = (await runHere(['owned', 'export', '-'], { home: other.home })).stdout.trimEnd().split('\n');
    const item = JSON.parse(lines[1] ?? '') as Record<string, unknown>;
    const swapped = gzipSync(tinyLottie('swapped')).toString('base64');
    const lies = join(one.home, 'lies.ndjson');
    writeFileSync(
      lies,
      ndjson(lines[0], { ...item, gzip: swapped }, { ...item, gzip: 'AAAA' }, { ...item, scope: '' }),
    );
    expect(await take(lies)).toMatchObject({ added: 0, mended: 0, bad: 3, whole: false });
    expect((await runHere(['get', 'a/one', '-o', '-'], { home: other.home })).stdout).toBe(lottieOf('a/one'));
  });
});
