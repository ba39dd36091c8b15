// svcd library add, list and remove as a person or a script calls them.

import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startFaultyRemote } from '../faults/faulty-remote.js';
import { tinyLottie } from '../sandbox/tiny-catalogue.js';
import { homeInTest } from '../support/in-test.js';
import { runHere } from '../support/run-here.js';
import { startSvcd } from '../support/start-svcd.js';

const MINE = tinyLottie('mine');

async function openRun(running: boolean) {
  const home = homeInTest();
  const work = join(home, 'work');
  mkdirSync(work);
  const remote = await startFaultyRemote();
  const env = { SERVICE_API_KEY: remote.key };
  const flags = ['--remote', remote.url];
  writeFileSync(join(home, 'config.json'), JSON.stringify({ remote: remote.url }));
  if (running) onTestFinished((await startSvcd(flags, { home, env })).stop);
  const run = (...args: string[]) => runHere(args, { home, cwd: work, env });
  const write = (name: string, text: string) => writeFileSync(join(work, name), text);
  const makePipe = (name: string) => execFileSync('mkfifo', [join(work, name)]);
  const find = async (query: string) => {
    const { stdout } = await run('search', query, '--json');
    return (JSON.parse(stdout) as { results: { preset: string; title: string }[] }).results;
  };
  return { run, write, makePipe, find, remote };
}

describe.each([
  ['with a running daemon', true],
  ['in process', false],
])('svcd library add, %s', (_where, running) => {
  it('makes a file found by its words, free, and never asks the remote for it', async () => {
    const { run, write, find, remote } = await openRun(running);
    write('our-cake.json', MINE);
    const added = await run('library', 'add', 'our-cake.json', '--title', '我们的蛋糕', '--keywords', '周年，庆典');
    expect(added).toMatchObject({ code: 0, stderr: '' });
    expect(added.stdout).toBe('own/our-cake was added: 我们的蛋糕 (周年, 庆典).\n');
    expect((await find('周年庆典'))[0]).toMatchObject({ preset: 'own/our-cake', title: '我们的蛋糕' });

    const got = await run('get', 'own/our-cake', '-o', '-');
    expect(got.stdout).toBe(MINE);
    const renamed = await run('library', 'add', 'our-cake.json', '--title', '塔楼');
    expect(renamed.stdout).toBe('own/our-cake was replaced: 塔楼 (no keywords).\n');
    expect((await find('塔楼'))[0]?.preset).toBe('own/our-cake');
    expect((await find('周年庆典')).map(({ preset }) => preset)).not.toContain('own/our-cake');
    expect((await run('library', 'list')).stdout).toMatch(/own\/our-cake +塔楼/);

    expect((await run('library', 'remove', 'our-cake')).stdout).toBe('own/our-cake was removed.\n');
    expect((await find('塔楼')).map(({ preset }) => preset)).not.toContain('own/our-cake');
    expect(await run('get', 'own/our-cake', '-o', '-')).toMatchObject({ code: 3 });
    expect(await run('library', 'remove', 'our-cake')).toMatchObject({ code: 3 });
    // The searches did reach it: it is a remote that could be asked. A command that only searches looks for no Key.
    expect(remote.seen.length > 0).toBe(running);
    expect(JSON.stringify(remote.seen)).not.toContain('our-cake');
    expect(JSON.stringify(remote.account.charges)).not.toContain('our-cake');
  });
});

describe('the details of a file', () => {
  it('comes from the file beside it, and flags count more', async () => {
    const { run, write } = await openRun(false);
    for (const name of ['one.json', 'two.json']) write(name, MINE);
    write('one.meta.json', '{"title":"第一","keywords":"甲、乙","color":"#FF0000","preset":"series/one"}');
    write('two.meta.json', '{"title":"第二","keywords":["丙"]}');
    const { stdout } = await run(
      'library',
      'add',
      'one.json',
      'one.meta.json',
      'two.json',
      'two.meta.json',
      '--keywords',
      '丁',
    );
    expect(stdout).toBe('own/series/one was added: 第一 (丁).\nown/two was added: 第二 (丁).\n');
    const { stickers } = JSON.parse((await run('library', 'list', '--json')).stdout) as {
      stickers: object[];
    };
    expect(stickers).toMatchObject([{ preset: 'own/series/one', size_bytes: MINE.length }, { preset: 'own/two' }]);
  });

  it('are its name where there is no terminal to ask on', async () => {
    const { run, write, find } = await openRun(false);
    write('blue_whale-2.json', MINE);
    expect((await run('library', 'add', 'blue_whale-2.json')).stdout).toContain('blue whale 2 (no keywords)');
    expect((await find('blue whale'))[0]?.preset).toBe('own/blue_whale-2');
  });
});

describe('svcd library add refuses', () => {
  it.each([
    ['what is no Lottie', ['text.json'], 'text.json: the file is not a playable Lottie file: it is not JSON'],
    ['what cannot be played', ['empty.json'], '"w" must be a number over 0'],
    ['what is not there', ['missing.json'], 'missing.json cannot be read (ENOENT)'],
    ['a file beside it that is no use', ['odd.json'], 'odd.meta.json has a field "tags"'],
    ['one title for two', ['mine.json', 'text.json', '--title', 'x'], '--title is for one file, got 2'],
    ['two of one name', ['mine.json', 'sub/mine.json'], 'two of the files would be called own/mine'],
    ['only what belongs to files', ['odd.meta.json'], 'give at least one Lottie file'],
    ['a number beyond all numbers', ['huge.json'], 'a number in it is infinite'],
    ['a pipe, which could take for ever', ['pipe.json'], 'pipe.json is a pipe or a device; save it to a file first'],
    ['a pipe beside it', ['piped.json'], 'piped.meta.json is not a plain file'],
    ['a preset that none can be', ['mine.json', '--preset', 'a/../b'], 'got "own/a/../b"'],
    ['a color that is none', ['mine.json', '--color', 'red'], 'color: must be like #ff8800'],
  ])('%s', async (_what, args, message) => {
    const { run, write, makePipe } = await openRun(false);
    write('mine.json', MINE);
    write('odd.json', MINE);
    write('odd.meta.json', '{"title":"x","tags":[]}');
    write('text.json', 'hello');
    write('empty.json', '{}');
    write('huge.json', MINE.replace('{', '{"deep":[{"x":1e999}],'));
    write('piped.json', MINE);
    for (const name of ['pipe.json', 'piped.meta.json']) makePipe(name);
    const outcome = await run(
      'library',
      'add',
      ...args.filter((arg) => !arg.startsWith('sub/')),
      ...args.filter((arg) => arg.startsWith('sub/')).map(() => './mine.json'),
    );
    expect(outcome.stderr).toContain(message);
    expect(outcome.code).toBe(2);
    expect((await run('library', 'list')).stdout).toContain('no stickers of your own');
  });
});
