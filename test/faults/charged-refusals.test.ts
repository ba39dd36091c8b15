// A service that charges and refuses: what it took is noticed by the balance of the Key, alone and among many, and counts in budgets.

import { describe, expect, it } from 'vitest';
import { stickerPath } from '../../src/model/sticker.js';
import { startTestDaemon } from '../support/start-daemon.js';
import { createWorkdayClock } from '../support/workday-clock.js';
import { listPurchases } from '../support/purchases.js';
import { hold, startFaultyRemote, type Trouble } from './faulty-remote.js';
import { refusal } from './remote-cases.js';

const UNTOLD = { 'X-Service-Credits-Remaining': '' };
const BUDGET = 5;
const CLIENTS = 4;

async function startCharged(trouble: Trouble, day = BUDGET) {
  const remote = await startFaultyRemote({ credits: 100 });
  remote.trouble = () => trouble;
  const svcd = await startTestDaemon({
    userKey: remote.key,
    clock: createWorkdayClock(),
    settleGraceMs: 50,
    flags: { remote: remote.url, 'deadline-ms': 2500 },
  });
  const set = await svcd.send('PUT', '/svcd/budget', { day });
  expect(set.status).toBe(200);
  return { remote, svcd };
}

/** Credits of the journal that are gone, or may be. */
async function booked({ get }: Awaited<ReturnType<typeof startCharged>>['svcd']): Promise<number> {
  const rows = await listPurchases(get);
  return rows.filter(({ state }) => state !== 'refused').length;
}

describe('a refusal that was charged', () => {
  // The first is forgiven, which may be another program's purchase.
  it.each([
    ['404', refusal(404, 'not_found')],
    ['404 without a balance', refusal(404, 'not_found', UNTOLD)],
    ['422', refusal(422, 'invalid_request')],
    ['429', refusal(429, 'busy', { 'Retry-After': '1' })],
    ['429 without a balance', refusal(429, 'busy', { 'Retry-After': '1', ...UNTOLD })],
  ])('with %s is booked, and a budget holds', async (_what, trouble) => {
    const { remote, svcd } = await startCharged({ ...trouble, charged: true });
    for (let nth = 0; nth < 3 * BUDGET; nth += 1) await svcd.get(stickerPath(`charged/${nth % 8}`));
    await expect
      .poll(async () => (await booked(svcd)) - remote.account.spent(), { timeout: 15_000 })
      .toBeGreaterThanOrEqual(-1);
    expect(remote.account.spent()).toBeLessThanOrEqual(BUDGET + 1);
  });

  it.each([
    ['404', refusal(404, 'not_found'), 0],
    // Beside it those that are under way may explain a fall.
    ['429', refusal(429, 'busy', { 'Retry-After': '1' }), CLIENTS],
  ])('with %s is booked among many at once', async (_what, trouble, forgiven) => {
    const { remote, svcd } = await startCharged({ ...trouble, charged: true });
    const ask = async (client: number) => {
      for (let nth = 0; nth < 6; nth += 1) await svcd.get(stickerPath(`charged/${client}-${nth}`));
    };
    await Promise.all(Array.from({ length: CLIENTS }, (_, client) => ask(client)));
    expect(remote.account.spent()).toBeLessThanOrEqual(BUDGET + CLIENTS);
    await expect
      .poll(async () => (await booked(svcd)) - remote.account.spent(), { timeout: 15_000 })
      .toBeGreaterThanOrEqual(-forgiven);
  });
});

describe('a charged refusal beside a slow purchase', () => {
  it('is found once it has happened before', async () => {
    const { remote, svcd } = await startCharged({}, 1000);
    for (let round = 0; round < 3; round += 1) {
      const slow = hold();
      remote.trouble = ({ path }) =>
        path.includes('slow') ? { inBody: slow.until } : { ...refusal(404, 'not_found'), charged: true };
      const bought = svcd.get(stickerPath(`beside/slow-${round}`));
      await expect.poll(() => remote.account.timesCharged(`sticker:beside/slow-${round}`)).toBe(1);
      await svcd.get(stickerPath(`beside/refused-${round}`));
      slow.release();
      await bought;
    }
    // The first, which may have been another program's purchase, is forgiven.
    await expect
      .poll(async () => (await booked(svcd)) - remote.account.spent(), { timeout: 15_000 })
      .toBeGreaterThanOrEqual(-1);
  });
});

describe('a refusal that was free', () => {
  it('stays free where others buy at once, where the Key is refused, and where the last credit is gone', async () => {
    const { remote, svcd } = await startCharged({}, 1000);
    remote.trouble = ({ path }) => (path.includes('refused') ? refusal(404, 'not_found') : undefined);
    const ask = async (client: number) => {
      for (let nth = 0; nth < 6; nth += 1) {
        await svcd.get(stickerPath(`free/${nth % 2 === 0 ? 'refused' : 'sold'}-${client}-${nth}`));
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, (_, client) => ask(client)));
    remote.trouble = () => refusal(403, 'key_disabled', { 'X-Service-Credits-Remaining': '0' });
    await svcd.get(stickerPath('free/disabled'));
    remote.trouble = () => undefined;
    remote.account.credits = 0;
    await svcd.get(stickerPath('free/last'));
    const states = (await listPurchases(svcd.get)).map(({ state }) => state);
    expect(states.filter((state) => state === 'paid')).toHaveLength(3 * CLIENTS);
    expect(states.filter((state) => state === 'refused')).toHaveLength(3 * CLIENTS + 2);
  });

  it('stays free, and says what it is, beside another program that buys with the same Key', async () => {
    const { remote, svcd } = await startCharged({}, 1000);
    remote.trouble = () => refusal(404, 'not_found');
    for (let nth = 0; nth < 6; nth += 1) {
      remote.account.charge('sticker:of/another', 1);
      const answer = await svcd.get(stickerPath(`neighbour/${nth}`));
      expect(answer.headers.get('x-svcd-reason')).not.toBe('unsettled');
    }
    expect(new Set((await listPurchases(svcd.get)).map(({ state }) => state))).toEqual(new Set(['refused']));
  });

  it('is left to a person where it cannot be told, and is never called paid', async () => {
    const { remote, svcd } = await startCharged({ ...refusal(404, 'not_found'), charged: true }, 1000);
    for (let nth = 0; nth < 4; nth += 1) await svcd.get(stickerPath(`never/${nth}`));
    await expect.poll(() => remote.seen.filter((line) => line.endsWith('/usage')).length).toBeGreaterThan(3);
    expect((await listPurchases(svcd.get)).map(({ state }) => state)).not.toContain('paid');
  });
});
