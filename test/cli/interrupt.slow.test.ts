// A command without a daemon that is interrupted while its purchase is under way waits for it, as a daemon does: what was
// paid for is kept. A second signal ends it.

import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { hold, startFaultyRemote } from '../faults/faulty-remote.js';
import { beginInTest, homeInTest } from '../support/in-test.js';
import { runSvcd } from '../support/run-svcd.js';

async function interruptGet(signal: NodeJS.Signals) {
  const remote = await startFaultyRemote();
  const home = homeInTest();
  const { until, release } = hold();
  onTestFinished(release);
  remote.trouble = () => ({ inBody: until });
  const env = { SERVICE_API_KEY: remote.key, SVCD_REMOTE: remote.url, SVCD_DEADLINE_MS: '60000' };
  const { child, stderr, ended } = beginInTest(['get', 'food/cake', '-o', `${home}/cake.json`], { home, env });
  await expect.poll(() => remote.account.spent()).toBe(1);
  child.kill(signal);
  await expect.poll(stderr).toContain('Interrupted');
  return { remote, home, env, child, ended, release };
}

describe('svcd get without a daemon', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('keeps what it paid for when it gets %s', async (signal) => {
    const { remote, home, env, ended, release } = await interruptGet(signal);
    release();
    expect(await ended).toBe(130);
    const again = await runSvcd(['get', 'food/cake', '-o', `${home}/again.json`, '--json'], { home, env });
    expect(JSON.parse(again.stdout)).toMatchObject({ source: 'owned', cost: 0 });
    expect(remote.account.spent()).toBe(1);
  });

  it('ends at once at a second signal, and does not buy blindly afterwards', async () => {
    const { remote, home, env, child, ended, release } = await interruptGet('SIGINT');
    // Sooner it would be taken for the same keystroke.
    await sleep(400);
    child.kill('SIGINT');
    expect(await ended).toBe(130);
    release();
    const again = await runSvcd(['get', 'food/cake', '-o', `${home}/again.json`, '--json'], { home, env });
    expect(JSON.parse(again.stdout)).toMatchObject({ source: 'default', reason: 'unsettled' });
    expect(remote.account.spent()).toBe(1);
  });
});
