// svcd image: asks before ten credits, free once owned, labelled when it is a default; the prompt is written nowhere.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { expectRefusal } from '../support/in-test.js';
import { onTerminal } from '../support/on-terminal.js';
import { itIf, TERMINAL } from '../support/requires.js';
import { makeHome, runSvcd } from '../support/run-svcd.js';
import { openCli } from '../support/open-cli.js';

const cli = openCli();
const { run } = cli;
const PROMPT = 'a canary named Zebulon';

it('buys after a yes alone, once; then it is owned', async () => {
  const asked = await run(['image', PROMPT, '-o', 'bird.png']);
  expect([asked.code, asked.stdout]).toEqual([11, '']);
  expect(asked.stderr).toContain('it would cost 10 credits');
  const bought = await run(['image', '-', '-o', 'bird.png', '--yes', '--max-credits', '10', '--json'], `${PROMPT}\n`);
  expect(JSON.parse(bought.stdout)).toMatchObject({
    file: 'bird.png',
    source: 'bought',
    cost: 10,
    width: 1024,
    height: 1024,
  });
  expect(readFileSync(join(cli.folder, 'bird.png')).subarray(1, 4).toString()).toBe('PNG');
  // The same again is no loss; another picture would be.
  expect((await run(['image', PROMPT, '-o', 'bird.png'])).code).toBe(0);
  const refused = await run(['image', 'another bird', '-o', 'bird.png', '--yes']);
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('Nothing was bought for it')]);
  const again = await run(['image', PROMPT, '--json']);
  expect(JSON.parse(again.stdout)).toMatchObject({
    file: expect.stringMatching(/^image-[\da-f]{8}\.png$/),
    source: 'owned',
    cost: 0,
  });
  expect((await run(['image', PROMPT])).stderr).toContain('owned already');
});

it('is not offered where a budget does not allow it', async () => {
  await run(['budget', 'set', '--day', '15']);
  const { code, stdout, stderr } = await run(['image', 'one more bird', '-o', 'more.png']);
  await run(['budget', 'set', '--day', 'none']);
  expect([code, stdout]).toEqual([11, '']);
  expect(stderr).toContain('the image costs 10 credits, more than is left (5 today)\nNothing was bought.');
});

itIf(TERMINAL, 'asks on a terminal; no buys nothing', async () => {
  const no = await onTerminal({ home: cli.svcd.home, work: cli.folder }, ['image', 'another one'], 'n\r');
  expect(no.said).toContain('Buy for 10 credits?');
  expect([no.code, readdirSync(cli.folder).filter((name) => name.includes('part'))]).toEqual([130, []]);
});

it.each([
  [['image'], 'PROMPT is missing'],
  [['image', '-'], 'PROMPT is missing'],
  [['image', 'x', '--size', '640x480'], '"640x480"'],
  [['image', 'x', '-o', 'no/such/folder.png', '--yes'], 'cannot be written'],
  [['image', 'x', '-o', '-', '--json'], '-o FILE'],
  [['image', `${PROMPT} `.repeat(100), '--yes', '-o', 'x.png'], '2000 are allowed'],
])('refuses %j before anything is bought, and never repeats the prompt', async (args, named) => {
  const outcome = await run(args);
  expectRefusal(outcome, named);
  expect(outcome.stderr).not.toContain('Zebulon');
});

it('labels a default, and fails in its place with --strict', async () => {
  const { home, remove } = makeHome();
  try {
    // Nothing can be bought there, so that nobody is asked.
    const args = ['image', PROMPT, '-o', join(home, 'x.png')];
    const lenient = await runSvcd(args, { home });
    expect(lenient.code).toBe(0);
    expect(lenient.stdout).toContain('This is NOT the image you described but a default');
    expect((await runSvcd([...args, '--strict'], { home })).code).not.toBe(0);
  } finally {
    remove();
  }
});

it('writes the prompt into no file of the home and no log', async () => {
  await cli.svcd.end();
  const files = readdirSync(cli.svcd.home, { withFileTypes: true }).filter((one) => one.isFile());
  expect(files.length).toBeGreaterThan(2);
  for (const { name } of files) expect(readFileSync(join(cli.svcd.home, name)).includes('Zebulon'), name).toBe(false);
  expect(cli.svcd.stderr() + cli.svcd.stdout()).not.toContain('Zebulon');
});
