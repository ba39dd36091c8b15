// svcd sandbox reset: on a terminal it asks first; a script is not asked.

import { beforeAll, expect, it } from 'vitest';
import { onTerminal } from '../support/on-terminal.js';
import { itIf, TERMINAL } from '../support/requires.js';
import { runHere } from '../support/run-here.js';
import { startSvcd, type StartedSvcd } from '../support/start-svcd.js';

let svcd: StartedSvcd;

beforeAll(async () => {
  svcd = await startSvcd(['--sandbox']);
  return svcd.stop;
});

const run = async (...args: string[]) => runHere(['sandbox', ...args], { home: svcd.home });
const accounts = async () => {
  const { stdout } = await run('accounts', '--json');
  return (JSON.parse(stdout) as { accounts: { name: string }[] }).accounts.map(({ name }) => name);
};

itIf(TERMINAL, 'asks on a terminal, says what goes, and deletes nothing after a no', async () => {
  await run('accounts', 'add', 'ada');
  const { code, said } = await onTerminal({ home: svcd.home }, ['sandbox', 'reset'], 'n\n');
  expect(said).toContain('This deletes all 2 accounts of the sandbox');
  expect(said).toContain('nothing was deleted');
  expect(code).toBe(130);
  expect(await accounts()).toEqual(['main', 'ada']);
});

itIf(TERMINAL, 'resets on a terminal after a yes, and at once with --yes', async () => {
  for (const [args, typed] of [
    [['sandbox', 'reset'], 'y\n'],
    [['sandbox', 'reset', '--yes'], ''],
  ] as const) {
    await run('accounts', 'add', 'ada');
    expect((await onTerminal({ home: svcd.home }, args, typed)).code).toBe(0);
    expect(await accounts()).toEqual(['main']);
  }
});

it('goes on without a terminal, as scripts between two tests expect', async () => {
  await run('accounts', 'add', 'ada');
  const { code, stdout } = await run('reset', '--json');
  expect([code, Object.keys(JSON.parse(stdout) as object)]).toEqual([0, expect.arrayContaining(['seed'])]);
  expect(await accounts()).toEqual(['main']);
});
