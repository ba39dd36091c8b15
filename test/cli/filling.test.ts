// A library that is being filled says how far it is: in status, in the banner, and beside answers that it may lack something for.

import { expect, it, onTestFinished } from 'vitest';
import { describeFilling } from '../../src/cli/terminal/progress.js';
import { startSandbox } from '../sandbox/start-sandbox.js';
import { homeInTest, startInTest } from '../support/in-test.js';
import { runHere } from '../support/run-here.js';
import { collect, spawnSvcd } from '../support/run-svcd.js';

it.each([
  [null, undefined],
  [{}, '9,227 of about 12,000 stickers known, about 6 minutes'],
  [{ seconds_left: null }, '9,227 of about 12,000 stickers known'],
  [{ total: null, seconds_left: null }, '9,227 stickers known so far; svcd asks the service for more'],
  [{ waiting: true }, '9,227 of about 12,000 stickers known; the service is not asked now ("svcd library" says why)'],
  [{ from_hub: true }, "copying the hub's list, 9,227 stickers so far"],
])('%j is said as %j', (facts, said) => {
  const whole = { known: 9227, total: 12_000, seconds_left: 370, from_hub: false };
  const filling = facts === null ? null : { ...whole, ...facts };
  expect(describeFilling({ stickers: 9359, building: null, filling })).toBe(said);
});

it('is told beside status, search, match and plan, to people alone', async () => {
  const remote = await startSandbox();
  const env = { SERVICE_API_KEY: remote.sandbox.key, SVCD_BACKGROUND_SYNC: 'true' };
  const svcd = await startInTest(['--remote', remote.url], { env });
  const run = (args: string[], stdin = '') => runHere(args, { home: svcd.home, cwd: svcd.home, stdin });
  await expect
    .poll(async () => (await run(['status'])).stdout)
    .toMatch(/library +[\d,]+ stickers, and 132 of svcd's own; .* known/);
  // An answer that is late on a busy machine comes from the list here; the next word is asked about anew.
  const asked = ['猫', '狗', '雨', '花', '鱼', '车', '书', '火', '船', '树'].values();
  await expect
    .poll(async () => (await run(['search', asked.next().value ?? '山'])).stderr)
    .toMatch(/^The service was asked too[^]*The list here is not complete: .* known/);
  expect((await run(['match', '生日快乐'])).stderr).toContain('The list here is not complete');
  expect((await run(['search', '猫', '--json'])).stderr).toBe('');
  const planned = await run(['plan', '--copy', '-'], '一个独角兽');
  expect(planned.stderr).toContain('The list here is not complete');
  expect(planned.stdout).not.toContain('is not complete');
});

it('a sync of a service that nobody can reach says at once why it waits, and for how long', async () => {
  const env = { SVCD_REMOTE: 'http://127.0.0.1:1', SERVICE_API_KEY: 'sk-one-0123456789' };
  const sync = spawnSvcd(['library', 'sync'], { home: homeInTest(), env }, ['ignore', 'pipe', 'pipe']);
  onTestFinished(() => void sync.kill('SIGKILL'));
  const said = collect(sync.stderr);
  const waits = 'svcd waits: the remote cannot be reached (ECONNREFUSED). It gives up after 30 s without an answer.';
  await expect.poll(said).toContain(waits);
});
