// svcd open, with an opener of addresses that the test made.

import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { expectRefusal, homeInTest, startInTest } from '../support/in-test.js';
import { itIf, LINUX } from '../support/requires.js';
import { makeHome, runSvcd } from '../support/run-svcd.js';

/** A home and a daemon on it, and `svcd open` where `xdg-open` does this. */
async function setUp(script: string) {
  const home = homeInTest();
  const tools = makeHome();
  onTestFinished(tools.remove);
  writeFileSync(join(tools.home, 'xdg-open'), `#!/bin/sh\n${script}\n`);
  chmodSync(join(tools.home, 'xdg-open'), 0o755);
  await startInTest([], { home });
  const env = { PATH: `${tools.home}:${process.env['PATH']}`, OPENED: join(tools.home, 'opened') };
  return { open: (...args: string[]) => runSvcd(['open', ...args], { home, env }), opened: env.OPENED };
}

const visit = async (url: string) => (await fetch(url, { redirect: 'manual' })).status;

itIf(LINUX, 'opens an address that signs a browser in, once, and does not print it', async () => {
  const { open, opened } = await setUp('printf %s "$1" > "$OPENED"');
  const { code, stdout, stderr } = await open();
  expect([code, stdout.trim(), stderr]).toEqual([0, 'Your browser opens svcd.', '']);
  const url = readFileSync(opened, 'utf8');
  expect([await visit(url), await visit(url)]).toEqual([303, 401]);
});

itIf(LINUX, 'prints the address where nothing can open it', async () => {
  const { open } = await setUp('exit 3');
  const { code, stdout, stderr } = await open();
  expect([code, stderr]).toEqual([0, expect.stringContaining('works once')]);
  expect(await visit(stdout.trim())).toBe(303);
});

itIf(LINUX, 'prints the address when that is wanted, and then opens nothing', async () => {
  const { open, opened } = await setUp('printf %s "$1" > "$OPENED"');
  expect(await visit((await open('--print')).stdout.trim())).toBe(303);
  const { code, stdout, stderr } = await open('--code');
  expect([code, stdout, stderr]).toEqual([
    0,
    expect.stringMatching(/^\d{8}\n$/),
    expect.stringContaining('120 seconds'),
  ]);
  expect(existsSync(opened)).toBe(false);
});

it('says that svcd must run', async () => {
  const home = homeInTest();
  expectRefusal(await runSvcd(['open'], { home }), 'svcd start', 4);
});
