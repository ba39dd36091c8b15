// A sticker whose earlier purchase broke off: the plan does not promise it, and apply says which command mends it.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Plan } from '../../src/api/plan.js';
import { startFaultyRemote } from '../faults/faulty-remote.js';
import { runHere } from '../support/run-here.js';
import { startTestDaemon } from '../support/start-daemon.js';

const PRESET = 'many/1';
const SLOTS = [
  { id: 'opening', preset: PRESET },
  { id: 'end', preset: 'many/2' },
];

/** A home with a purchase that was cut off at that moment. */
async function startBroken(after: 'request' | 'charge') {
  const remote = await startFaultyRemote();
  const svcd = await startTestDaemon({ userKey: remote.key, flags: { remote: remote.url } });
  remote.trouble = () => ({ cut: { how: 'reset', after } });
  await svcd.get(`/api/v1/stickers/${encodeURIComponent(PRESET)}`);
  remote.trouble = () => undefined;
  const cwd = join(svcd.home, 'work');
  mkdirSync(cwd);
  writeFileSync(join(cwd, 'copy.json'), JSON.stringify({ slots: SLOTS }));
  const run = (...args: string[]) => runHere(args, { home: svcd.home, cwd });
  return { remote, svcd, run };
}

it.each([
  ['may have been charged', 'request', ['"svcd purchases settle 1"', '"svcd purchases retry 1"']],
  ['was charged, but its file is missing', 'charge', ['"svcd purchases retry 1"']],
] as const)('a purchase that %s is warned of, not counted, and mended by a command that is named', async (...row) => {
  const [words, after, commands] = row;
  const { remote, run } = await startBroken(after);
  const before = remote.account.spent();
  const planned = await run('plan', '--copy', 'copy.json', '--json');
  const plan = JSON.parse(planned.stdout) as Plan;
  expect(plan).toMatchObject({ cost: 1, slots: [{ id: 'opening', purchase: 1, price: 1, cost: 0, have: 'no' }, {}] });
  const shown = await run('plan', '--copy', 'copy.json');
  expect(shown.stdout).toMatch(/^opening .+in doubt$/m);

  const applied = await run('apply', '--copy', 'copy.json', '--yes');
  expect(applied.code, applied.stderr).toBe(0);
  const warned = (await run('plan', '--copy', 'copy.json')).stdout.replaceAll('\n  ', ' ');
  expect(warned).toContain(words);
  expect(applied.stderr).toContain('It costs 1 credit.');
  expect(applied.stdout).toMatch(/^opening: a default replaces many\/1 \(a purchase of it brought no file, .*\)\.$/m);
  for (const command of commands) expect(applied.stdout).toContain(command);
  expect(applied.stdout).not.toContain('tries again');
  expect(remote.account.spent() - before).toBe(1);

  const retried = await run('purchases', 'retry', '1', '--yes');
  expect(retried.code, retried.stderr).toBe(0);
  const mended = await run('apply', '--copy', 'copy.json', '--yes', '--replace-defaults', '--json');
  expect(JSON.parse(mended.stdout)).toMatchObject({ cost: 0, defaults: [] });
});

it('strictly nothing is bought beside what is in doubt', async () => {
  const { remote, run } = await startBroken('request');
  const before = remote.account.spent();
  const applied = await run('apply', '--copy', 'copy.json', '--yes', '--strict');
  expect([applied.code, applied.stderr]).toEqual([20, expect.stringContaining('an earlier purchase for opening may')]);
  expect(remote.account.spent()).toBe(before);
});

it('says that the service was not heard where that is why nothing was found', async () => {
  const svcd = await startTestDaemon({ userKey: 'sk-one', flags: { remote: 'http://127.0.0.1:1' } });
  const file = join(svcd.home, 'copy.json');
  writeFileSync(file, JSON.stringify({ slots: [{ id: 'opening', text: '祝你生日快乐' }] }));
  const args = ['apply', '--copy', file, '--out', join(svcd.home, 'out'), '--strict', '--yes'];
  const applied = await runHere(args, { home: svcd.home });
  expect(applied.stderr).toMatch(/^svcd: opening: the service did not answer \(offline\).*; nothing was bought$/m);
  expect(applied.code).toBe(12);
});
