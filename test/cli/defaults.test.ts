// svcd defaults as a person or a script calls it, with a running daemon and without.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { tinyLottie } from '../sandbox/tiny-catalogue.js';
import { runHere } from '../support/run-here.js';
import { makeHome } from '../support/run-svcd.js';
import { startSvcd } from '../support/start-svcd.js';

const MINE = tinyLottie('mine');

describe.each([
  ['with a running daemon', true],
  ['in process', false],
])('svcd defaults, %s', (_where, running) => {
  it('registers a file, lists it, and removes it', async () => {
    const run = await openRun(running);
    expect(await run('defaults')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^No default is registered/) as string,
    });
    const added = await run('defaults', 'add', 'food/cake', 'mine.json');
    expect(added).toMatchObject({ code: 0, stderr: '' });
    expect(added.stdout).toBe('mine.json (wide 120×100) is now the default for food/cake.\n');
    const every = await run('defaults', 'add', '*', 'mine.json', '--json');
    expect(JSON.parse(every.stdout)).toMatchObject({ preset: '*', size_bytes: MINE.length });

    const { stdout } = await run('defaults', 'list');
    expect(stdout).toMatch(/^preset +shape +bytes +added\nevery preset +wide 120×100 .*\nfood\/cake +wide/);
    const got = await run('get', 'food/cake', '-o', '-');
    expect(got.stdout).toBe(MINE);
    expect(got.stderr).toContain('a default (food/cake: registered for this preset)');

    expect((await run('defaults', 'remove', 'food/cake')).stdout).toMatch(/^Default removed for food\/cake/);
    expect(await run('defaults', 'remove', 'food/cake')).toMatchObject({ code: 3 });
    const left = JSON.parse((await run('defaults', '--json')).stdout) as { defaults: { preset: string }[] };
    expect(left.defaults.map(({ preset }) => preset)).toEqual(['*']);
  });
});

describe('svcd defaults add', () => {
  it.each([
    ['a file that is not there', 'missing.json', 2, 'missing.json cannot be read (ENOENT)'],
    ['a folder', 'folder', 2, 'folder cannot be read (EISDIR)'],
    ['no Lottie', 'text.json', 2, 'it is not JSON'],
    ['a file that is too large', 'large.json', 2, 'at most 8388608 bytes are accepted'],
  ])('says what is wrong with %s', async (_what, file, code, message) => {
    const run = await openRun(false);
    const outcome = await run('defaults', 'add', '*', file);
    expect(outcome.code).toBe(code);
    expect(outcome.stderr).toContain(message);
  });
});

async function openRun(running: boolean) {
  const { home, remove } = makeHome();
  const work = join(home, 'work');
  mkdirSync(join(work, 'folder'), { recursive: true });
  writeFileSync(join(work, 'mine.json'), MINE);
  writeFileSync(join(work, 'text.json'), 'hello');
  writeFileSync(join(work, 'large.json'), MINE.padEnd(9_000_000));
  const svcd = running ? await startSvcd([], { home }) : undefined;
  onTestFinished(async () => {
    await svcd?.stop();
    remove();
  });
  return (...args: string[]) => runHere(args, { home, cwd: work });
}
