// svcd get with several presets: the price first, each to a file of its own, nothing overwritten, nothing paid twice.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { nameFiles } from '../../src/cli/get/get-stickers.js';
import { readPresets } from '../../src/cli/get/read-presets.js';
import { expectRefusal } from '../support/in-test.js';
import { onTerminal } from '../support/on-terminal.js';
import { itIf, TERMINAL } from '../support/requires.js';
import { makeHome, runSvcd, type Outcome } from '../support/run-svcd.js';
import { openCli } from '../support/open-cli.js';

const cli = openCli();
const { run } = cli;

interface GotAll {
  folder: string;
  cost: number;
  results: { preset: string; file: string; status: string; cost?: number; code?: string; hint?: string }[];
}
const answerOf = ({ stdout }: Outcome) => JSON.parse(stdout) as GotAll;

async function credits(): Promise<number> {
  const { stdout } = await run(['usage', '--json']);
  return (JSON.parse(stdout) as { remote: { effective_credits_remaining: number } }).remote.effective_credits_remaining;
}

const BALLOONS = ['fluent-emoji-flat/balloon', 'twemoji/balloon'] as const;

describe('a file that is there', () => {
  const mine = (name: string) => readFileSync(join(cli.folder, name), 'utf8');

  it('is written again when it is the same, and else stays, with nothing bought for it', async () => {
    const [file, cake] = ['one.json', 'iconpark-filled/cake-one'];
    writeFileSync(join(cli.folder, file), '');
    expect(await run(['get', cake, '-o', file])).toMatchObject({ code: 0, stderr: '' });
    expect(await run(['get', cake, '-o', file])).toMatchObject({ code: 0, stderr: '' });
    writeFileSync(join(cli.folder, file), 'mine');
    const before = await credits();
    for (const preset of [cake, 'iconpark-filled/cake-two']) {
      const { code, stderr } = await run(['get', preset, '-o', file]);
      expect([code, mine(file)]).toEqual([2, 'mine']);
      expect(stderr).toContain('--overwrite replaces the file');
    }
    expect(await credits()).toBe(before);
    expect(await run(['get', cake, '-o', file, '--overwrite'])).toMatchObject({ code: 0 });
    expect(mine(file)).toContain('layers');
  });

  it.each([
    ['library', 'export', 'there'],
    ['owned', 'export', 'there'],
    ['owned', 'backup', 'there'],
    ['plan', '--copy', 'copy.json', '--out', 'there'],
    ['run', '--report', 'there', '--', 'true'],
  ])('is replaced by svcd %s %s only by its own kind, or by --overwrite', async (...args) => {
    cli.write('copy.json', { slots: [{ id: 'a', want: 'sticker', text: 'cake' }] });
    cli.write('there', 'mine');
    const { code, stderr } = await run(args);
    expect([code, stderr.split('\n')[0], mine('there')]).toEqual([
      2,
      expect.stringMatching(/there exists already$/),
      'mine',
    ]);
    rmSync(join(cli.folder, 'there'));
    expect((await run(args)).code).toBe(0);
    expect((await run(args[1] === 'export' ? [...args, '--overwrite'] : args)).code).toBe(0);
  });
});

describe('svcd get A B C', () => {
  it('buys nothing without a yes where it cannot ask, and says what it would cost', async () => {
    const before = await credits();
    expectRefusal(await run(['get', ...BALLOONS, '-o', 'asked']), 'it would cost 2 credits', 11);
    expect(existsSync(join(cli.folder, 'asked'))).toBe(false);
    const over = await run(['get', ...BALLOONS, '-o', 'asked', '--yes', '--max-credits', '1']);
    expect([over.code, over.stderr]).toEqual([11, expect.stringContaining('--max-credits allows 1')]);
    expectRefusal(await run(['get', BALLOONS[0], '-o', 'one', '--max-credits', '0']), '--max-credits allows 0', 11);
    expect(await credits()).toBe(before);
  });

  it('writes each to a file of its own, pays once, and says the second time that all is there', async () => {
    const before = await credits();
    const first = await run(['get', ...BALLOONS, BALLOONS[0], '-o', 'balloons', '--yes', '--json']);
    expect(first.code).toBe(0);
    expect(answerOf(first)).toMatchObject({ cost: 2, results: [{ status: 'written' }, { status: 'written' }] });
    const files = readdirSync(join(cli.folder, 'balloons')).toSorted();
    expect(files).toEqual(['fluent-emoji-flat-balloon.json', 'twemoji-balloon.json']);
    expect(await credits()).toBe(before - 2);
    // Now it costs nothing, and nobody is asked.
    const second = await run(['get', ...BALLOONS, '-o', 'balloons']);
    expect(second.code).toBe(0);
    expect(second.stdout).toContain('twemoji-balloon.json is already there');
    expect(second.stdout).toContain('0 files written, 2 already there; 0 credits.');
  });

  it('keeps a file that holds something else, buys nothing for it, and writes the others', async () => {
    mkdirSync(join(cli.folder, 'mine'));
    for (const name of ['cake.json', 'twemoji-balloon.json']) writeFileSync(join(cli.folder, 'mine', name), 'mine');
    const before = await credits();
    const args = ['get', 'iconpark-filled/cake', ...BALLOONS, '-o', 'mine', '--yes'];
    const kept = await run([...args, '--json']);
    expect(kept.code).toBe(2);
    expect(answerOf(kept).results.map(({ status }) => status)).toEqual(['failed', 'written', 'failed']);
    expect(await credits()).toBe(before);
    expect(readFileSync(join(cli.folder, 'mine', 'cake.json'), 'utf8')).toBe('mine');
    expect(kept.stderr).toContain('2 of 3 could not be had');
    expect(answerOf(await run([...args, '--overwrite', '--json']))).toMatchObject({ cost: 1 });
    expect(readFileSync(join(cli.folder, 'mine', 'cake.json'), 'utf8')).toContain('layers');
  });

  it('loses nothing to one that there is not, and tells what may have been meant', async () => {
    const got = await run(['get', BALLOONS[0], 'birthday-cake', '-o', 'one-wrong', '--yes', '--json']);
    expect(got.code).toBe(3);
    const { results } = answerOf(got);
    expect(results).toMatchObject([{ status: 'written' }, { status: 'failed', code: 'unknown_preset', cost: 0 }]);
    expect(results[1]?.hint).toContain('fluent-emoji-flat/birthday-cake');
    expect(JSON.parse(got.stderr.trim().split('\n').at(-1) ?? '')).toMatchObject({ code: 'unknown_preset' });
  });

  it.each([
    [['get', 'a/b', 'c/d', '-o', '-'], 'need a folder'],
    [['get', 'a/b', 'c/d', '-o', 'file'], 'need a folder'],
    [['get', 'a/b', 'c/d', '-o', 'new.json'], 'need a folder'],
    [['get', 'a/b', 'c//d', '-o', 'x'], 'empty part'],
    [['get'], 'PRESET is missing'],
    [['get', '--from', 'no-such-file'], 'cannot be read'],
    [['get', 'a/b', 'c/d', '-o', 'x', '--max-credits', 'many'], '"many"'],
    [['get', 'a/b', '-o', 'x', '--max-credits', 'many'], '"many"'],
  ])('refuses %j before anything is bought', async (args, named) => {
    writeFileSync(join(cli.folder, 'file'), '');
    expectRefusal(await run(args), named);
  });

  itIf(TERMINAL, 'asks once on a terminal; no is no', async () => {
    const before = await credits();
    const args = ['get', 'twemoji/crown', 'twemoji/bell', '-o', 'asked-for'];
    const no = await onTerminal({ home: cli.svcd.home, work: cli.folder }, args, 'n\r');
    expect(no.said).toContain('2 stickers, 0 already here: 2 credits.');
    expect(no.said).toContain('Buy for 2 credits?');
    expect([no.code, await credits()]).toEqual([130, before]);
    const yes = await onTerminal({ home: cli.svcd.home, work: cli.folder }, args, 'y\r');
    expect([yes.code, await credits()]).toEqual([0, before - 2]);
  });

  itIf(TERMINAL, 'writes one again where the same bytes lie, and over no others', async () => {
    const get = () => onTerminal({ home: cli.svcd.home, work: cli.folder }, ['get', 'default/alien']);
    expect([(await get()).code, (await get()).code]).toEqual([0, 0]);
    cli.write('alien.json', 'mine');
    const other = await get();
    expect([other.code, other.said]).toEqual([2, expect.stringContaining('--overwrite replaces the file')]);
  });

  it('serves labelled defaults where nothing can be bought, or fails with --strict', async () => {
    const { home, remove } = makeHome();
    try {
      const args = ['get', 'somebody/elses', 'nobody/elses', '-o', join(home, 'out'), '--yes'];
      const lenient = await runSvcd(args, { home });
      expect(lenient.code).toBe(0);
      expect(lenient.stdout).toContain('This is NOT nobody/elses but a default');
      const strict = await runSvcd([...args, '--strict', '--overwrite'], { home });
      expect(strict.code).not.toBe(0);
    } finally {
      remove();
    }
  });
});

describe('svcd get --from', () => {
  it('takes what search printed for a program', async () => {
    const found = await run(['search', '皇冠', '--limit', '2', '--json']);
    const got = await run(['get', '--from', '-', '-o', 'found', '--yes', '--json'], found.stdout);
    const presets = (JSON.parse(found.stdout) as GotAll).results.map(({ preset }) => preset);
    expect(got.code).toBe(0);
    expect(answerOf(got).results.map(({ preset }) => preset)).toEqual(presets);
  });

  it.each([
    [
      'lines with remarks, blank ones, a byte order mark and CRLF',
      '\uFEFF# mine\r\na/b\r\n\r\n  c/d  # why\r\n生日\r\n',
    ],
    [
      'an answer over many lines',
      JSON.stringify({ preset: 'x', results: [{ preset: 'a/b' }, { preset: 'c/d' }, { preset: '生日' }] }, null, 2),
    ],
    ['results, one a line', '{"preset":"a/b"}\n{"preset":"c/d"}\n"生日"'.replace('"生日"', '["生日"]')],
  ])('reads %s', async (_, text) => {
    const file = join(cli.folder, 'list.txt');
    writeFileSync(file, text);
    expect(await readPresets(file)).toEqual(['a/b', 'c/d', '生日']);
    writeFileSync(file, Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text.replace('\uFEFF', ''), 'utf16le')]));
    expect(await readPresets(file)).toEqual(['a/b', 'c/d', '生日']);
  });

  it('names the line that holds no preset', async () => {
    const file = join(cli.folder, 'wrong.txt');
    writeFileSync(file, 'a/b\n\nc//d\n');
    await expect(readPresets(file)).rejects.toThrow('line 3');
    writeFileSync(file, '# nothing\n');
    await expect(readPresets(file)).rejects.toThrow('names no preset');
    writeFileSync(file, Buffer.from([0xc9, 0xfa]));
    await expect(readPresets(file)).rejects.toThrow('not valid UTF-8');
  });
});

it.each([
  ['a/cake b/tea', /^cake\.json tea\.json$/],
  ['a/cake b/cake c/tea', /^a-cake\.json b-cake\.json tea\.json$/],
  ['a/cake b/CAKE b-cake', /^a-cake\.json b-CAKE\.[\da-f]{8}\.json b-cake\S+$/],
  ['x/con 生日 ...', /^_con\.json 生日\.json sticker\.json$/],
])('files of %s are called %s', (typed, names) => {
  const presets = typed.split(' ');
  expect(nameFiles(presets).join(' ')).toMatch(names);
  expect(new Set(nameFiles(presets).map((name) => name.toLowerCase())).size).toBe(presets.length);
});
