// A remote that takes requests and answers none, or late: who waits how long, and who is told at once.

import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { stickerPath } from '../../src/model/sticker.js';
import { startTestDaemon, type StartedDaemon, type StartOptions } from '../support/start-daemon.js';
import { statesOf } from '../support/purchases.js';
import { openSilentRemote } from './black-hole.js';
import { hold, startFaultyRemote, type Trouble } from './faulty-remote.js';

const DEADLINE_MS = 1000;
const EIGHT = Array.from({ length: 8 }, (_, i) => `food/${i}`);
const IMAGES = '/api/v1/images';
const CAT = { prompt: 'a cat', size: '1536x1024' };

function startBefore(url: string, deadlineMs = DEADLINE_MS, more: StartOptions = {}): Promise<StartedDaemon> {
  return startTestDaemon({ ...more, flags: { remote: url, 'deadline-ms': deadlineMs } });
}

const reasonOf = (answer: Response) => answer.headers.get('x-svcd-reason');
const sourceOf = (answer: Response) => answer.headers.get('x-svcd-source');

describe('a black hole', () => {
  it.each([
    ['of the setting', DEADLINE_MS, {}, 'offline', [503, 'offline']],
    // Who has less patience than the setting cannot tell a slow remote from one that is away.
    ['of the request', 600_000, { 'X-Svcd-Deadline-Ms': `${DEADLINE_MS}` }, 'late', [504, 'timeout']],
  ])('costs a render of eight stickers one deadline %s', async (_whose, deadlineMs, headers, reason, refusal) => {
    const hole = await openSilentRemote();
    const svcd = await startBefore(hole.url, deadlineMs, { userKey: 'sk-hole' });
    const reasons = [reasonOf(await svcd.get(stickerPath(EIGHT[0]!), headers))];
    const isAway = async () =>
      ((await (await svcd.get('/svcd/status')).json()) as { remote: { offline: boolean } }).remote.offline;
    await expect.poll(isAway).toBe(reason === 'offline');
    for (const preset of EIGHT.slice(1)) reasons.push(reasonOf(await svcd.get(stickerPath(preset), headers)));
    expect(reasons).toEqual(['late', ...EIGHT.slice(1).map(() => reason)]);
    expect(hole.seen.filter((line) => line.includes('/stickers/'))).toEqual([`GET ${stickerPath('food/0')}`]);
    // What left may be charged: it stays under way, and is not sent again.
    expect(await statesOf(svcd.get, 'food/0')).toEqual(['sent']);
    expect(reasonOf(await svcd.get(stickerPath('food/0'), headers))).toBe(reason);
    const strict = await svcd.get(stickerPath('food/1'), { ...headers, 'X-Svcd-Fallback': 'off' });
    expect([strict.status, ((await strict.json()) as { code: string }).code]).toEqual(refusal);
    hole.close();
    await expect.poll(() => statesOf(svcd.get, 'food/0')).toEqual(['unknown']);
  });

  it('answers those who came at once at the deadline, and those who come later at once', async () => {
    const hole = await openSilentRemote();
    // Long enough for eight to come before the first is over, on a machine that is busy too.
    const svcd = await startBefore(hole.url, 5 * DEADLINE_MS, { userKey: 'sk-hole' });
    const first = await Promise.all(EIGHT.map((preset) => svcd.get(stickerPath(preset))));
    expect(first.map(reasonOf)).toEqual(EIGHT.map(() => 'late'));
    const asked = hole.seen.filter((line) => line.includes('/stickers/')).length;
    expect(reasonOf(await svcd.get(stickerPath('food/later')))).toBe('offline');
    expect(hole.seen.filter((line) => line.includes('/stickers/'))).toHaveLength(asked);
    const status = (await (await svcd.get('/svcd/status')).json()) as { remote: { offline: boolean; why: string } };
    expect(status.remote).toMatchObject({
      offline: true,
      why: expect.stringContaining('has not answered any') as unknown,
    });
    hole.close();
  });
});

describe('a remote that answers after the deadline', () => {
  it('sells what it answers, and does not count as away from then on', async () => {
    const { svcd, remote } = await startSlow({ until: () => sleep(DEADLINE_MS * 1.5) });
    expect(reasonOf(await svcd.get(stickerPath('food/0')))).toBe('late');
    await expect.poll(async () => sourceOf(await svcd.call(stickerPath('food/0')))).toBe('owned');
    // Known to be slow, not away: each of these is tried, and none in vain.
    for (const preset of ['food/1', 'food/2']) {
      expect(reasonOf(await svcd.get(stickerPath(preset)))).toBe('late');
      await expect.poll(async () => sourceOf(await svcd.call(stickerPath(preset)))).toBe('owned');
    }
    expect(remote.account.spent()).toBe(3);
  });
});

describe('an image that takes long', () => {
  it('has a default at its deadline and is owned when it comes, and meanwhile stickers are bought', async () => {
    const drawn = hold();
    const { svcd, remote } = await startSlow({}, { 'image-deadline-ms': 1500 });
    remote.trouble = ({ path }) => (path === IMAGES ? { until: drawn.until } : {});
    const answer = await svcd.post(IMAGES, CAT);
    expect([sourceOf(answer), reasonOf(answer)]).toEqual(['default', 'late']);
    expect(sourceOf(await svcd.get(stickerPath('food/0')))).toBe('remote');
    const strict = await svcd.post(IMAGES, CAT, { 'X-Svcd-Deadline-Ms': '100', 'X-Svcd-Fallback': 'off' });
    expect([strict.status, ((await strict.json()) as { code: string }).code]).toEqual([504, 'timeout']);
    drawn.release();
    await expect.poll(async () => sourceOf(await svcd.post(IMAGES, CAT))).toBe('owned');
    expect(remote.account.spent()).toBe(11);
  });
});

async function startSlow(trouble: Trouble, flags: Record<string, number> = {}) {
  const remote = await startFaultyRemote({ credits: 100 });
  remote.trouble = () => trouble;
  const all = { remote: remote.url, 'deadline-ms': DEADLINE_MS, ...flags };
  return { remote, svcd: await startTestDaemon({ userKey: remote.key, flags: all }) };
}
