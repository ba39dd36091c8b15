// The first purchase of a home: its end is not seen, and the balance asked before it tells what became of it.

import { describe, expect, it } from 'vitest';
import { stickerPath } from '../../src/model/sticker.js';
import { startTestDaemon, temporaryHome } from '../support/start-daemon.js';
import { createWorkdayClock } from '../support/workday-clock.js';
import { listPurchases, statesOf } from '../support/purchases.js';
import { startFaultyRemote, type FaultyRemoteOptions } from './faulty-remote.js';

const FIRST = 'food/first';
const USAGE = 'GET /api/v1/usage';

async function startFresh({ settleGraceMs = 50, ...options }: FaultyRemoteOptions & { settleGraceMs?: number } = {}) {
  const remote = await startFaultyRemote({ credits: 100, ...options });
  const home = temporaryHome();
  const clock = createWorkdayClock();
  const start = () =>
    startTestDaemon({
      home,
      userKey: remote.key,
      clock,
      settleGraceMs,
      flags: { remote: remote.url, 'deadline-ms': 600_000 },
    });
  return { remote, svcd: await start(), start };
}

describe('the first purchase of a home', () => {
  it.each([
    ['charged', 'charge', 'paid', 1],
    ['not charged', 'request', 'refused', 0],
  ] as const)('that is lost and %s is settled by itself', async (_what, after, state, credits) => {
    const { remote, svcd } = await startFresh();
    remote.trouble = () => ({ cut: { how: 'reset', after } });
    const answer = await svcd.get(stickerPath(FIRST));
    expect(answer.headers.get('x-svcd-reason')).toBe('unsettled');
    await expect.poll(() => statesOf(svcd.get, FIRST)).toEqual([state]);
    expect(remote.account.timesCharged(`sticker:${FIRST}`)).toBe(credits);
    const [purchase] = await listPurchases(svcd.get, FIRST);
    expect(purchase?.cost).toBe(credits);
  });

  it('that is lost is settled by itself after a restart too, and nobody has to ask for anything', async () => {
    const { remote, svcd, start } = await startFresh({ settleGraceMs: 1500 });
    remote.trouble = () => ({ cut: { how: 'reset', after: 'request' } });
    expect((await svcd.get(stickerPath(FIRST))).headers.get('retry-after')).toBe('1');
    await svcd.daemon.close();
    const again = await start();
    const [purchase] = await listPurchases(again.get, FIRST);
    expect(purchase?.state).toBe('unknown');
    await expect.poll(() => statesOf(again.get, FIRST)).toEqual(['refused']);
  });

  it('asks for the balance once, before anything is bought, however many come together', async () => {
    const { remote, svcd } = await startFresh();
    const wanted = Array.from({ length: 8 }, (_, i) => stickerPath(`food/${i}`));
    await Promise.all(wanted.map((path) => svcd.get(path)));
    await svcd.get(stickerPath(FIRST));
    expect(remote.seen[0]).toBe(USAGE);
    expect(remote.seen.filter((line) => line === USAGE)).toHaveLength(1);
    expect(remote.account.spent()).toBe(9);
  });
});
