// Ways in which a remote can go wrong, a row each: what the client gets, what the journal says, and who paid what.

import { describe, expect, it } from 'vitest';
import type { DaemonOptions } from '../../src/daemon/daemon-options.js';
import { stickerPath } from '../../src/model/sticker.js';
import { startTestDaemon, type StartedDaemon } from '../support/start-daemon.js';
import { createWorkdayClock } from '../support/workday-clock.js';
import { listPurchases, statesOf } from '../support/purchases.js';
import { lottieOf, startFaultyRemote, type Answer, type FaultyRemote, type Trouble } from './faulty-remote.js';

export const WANTED = 'food/cake';
export const ANOTHER = 'food/another';
const EARLIER = 'food/earlier';
// Far away: what a remote does is answered for when it does it, on a machine that is busy too.
const DEADLINE_MS = 600_000;
const GRACE_MS = 50;
export const STRICT = { 'X-Svcd-Fallback': 'off' };

interface Case {
  readonly when: string;
  readonly trouble: Trouble;
  /** Why a default is served; undefined when the error is passed on in any case. */
  readonly reason: string | undefined;
  /** Status and code for a strict client. */
  readonly strict: readonly [number, string];
  readonly state: 'refused' | 'unknown' | 'paid';
  readonly charged: boolean;
}

export const refusal = (status: number, code?: string, headers: Answer['headers'] = {}): Trouble => ({
  answer: { status, headers, body: code === undefined ? '<h1>Sorry</h1>' : JSON.stringify({ code }) },
});
const FREE = { charged: false } as const;
const REFUSED = { state: 'refused', charged: false } as const;
const LOST = { reason: 'unsettled', strict: [502, 'upstream_failure'], state: 'unknown' } as const;
const EVIDENCE = { ...LOST, state: 'paid', charged: true } as const;

export const CASES: readonly Case[] = [
  {
    when: 'resets the connection before it charges',
    trouble: { cut: { how: 'reset', after: 'request' } },
    ...LOST,
    ...FREE,
  },
  {
    when: 'closes the connection before it charges',
    trouble: { cut: { how: 'close', after: 'request' } },
    ...LOST,
    ...FREE,
  },
  {
    when: 'charges and resets before the headers',
    trouble: { cut: { how: 'reset', after: 'charge' } },
    ...LOST,
    charged: true,
  },
  {
    when: 'charges and resets in the middle of the headers',
    trouble: { cut: { how: 'reset', after: 'headers' } },
    ...LOST,
    charged: true,
  },
  {
    when: 'charges and resets in the middle of the body',
    trouble: { cut: { how: 'reset', after: 'body' } },
    ...LOST,
    charged: true,
  },
  {
    when: 'charges and closes in the middle of the body',
    trouble: { cut: { how: 'close', after: 'body' } },
    ...LOST,
    charged: true,
  },
  {
    when: 'charges and resets in the middle of a body of no announced length',
    trouble: { unmeasured: true, cut: { how: 'reset', after: 'body' } },
    ...LOST,
    charged: true,
  },
  {
    when: 'charges and closes in the middle of a body of no announced length',
    trouble: { unmeasured: true, cut: { how: 'close', after: 'body' } },
    ...EVIDENCE,
  },
  { when: 'sends less than it announced', trouble: { lengthOff: 7 }, ...LOST, charged: true },
  {
    when: 'sends far too much',
    trouble: { answer: { body: Buffer.alloc(33 * 1024 * 1024, ' ') } },
    ...LOST,
    charged: true,
  },
  {
    when: 'answers 500',
    trouble: refusal(500),
    ...LOST,
    ...FREE,
  },
  { when: 'charges and answers 500', trouble: { ...refusal(500), charged: true }, ...LOST, charged: true },
  { when: 'answers a plain 503', trouble: refusal(503), ...LOST, ...FREE },
  { when: 'answers 504', trouble: refusal(504), ...LOST, strict: [504, 'timeout'], ...FREE },
  {
    when: 'announces less than it sends',
    trouble: { lengthOff: -7 },
    ...EVIDENCE,
  },
  {
    when: 'sends HTML with status 200',
    trouble: { answer: { contentType: 'text/html', body: '<html>Welcome to the hotel</html>' } },
    ...EVIDENCE,
  },
  { when: 'sends JSON that is no Lottie file', trouble: { answer: { body: '{"hello":1}' } }, ...EVIDENCE },
  { when: 'answers 408', trouble: refusal(408), ...LOST, strict: [504, 'timeout'], ...FREE },
  { when: 'answers 499', trouble: refusal(499), ...LOST, strict: [504, 'timeout'], ...FREE },
  {
    when: 'charges and answers 408',
    trouble: { ...refusal(408), charged: true },
    ...LOST,
    strict: [504, 'timeout'],
    charged: true,
  },
  {
    when: 'answers 402',
    trouble: refusal(402, 'insufficient_credits'),
    reason: 'insufficient_credits',
    strict: [402, 'insufficient_credits'],
    ...REFUSED,
  },
  {
    when: 'answers 403',
    trouble: refusal(403, 'key_disabled'),
    reason: undefined,
    strict: [403, 'key_disabled'],
    ...REFUSED,
  },
  {
    when: 'answers 404',
    trouble: refusal(404),
    reason: undefined,
    strict: [404, 'unknown_preset'],
    ...REFUSED,
  },
  {
    when: 'answers 503 not_enabled',
    trouble: refusal(503, 'not_enabled'),
    reason: 'not_enabled',
    strict: [503, 'not_enabled'],
    ...REFUSED,
  },
];

/** The first of each end: unknown and free, unknown and charged, paid, refused. */
export const ONE_OF_EACH = CASES.filter(
  ({ state, charged }, nth) => nth === CASES.findIndex((one) => one.state === state && one.charged === charged),
);

/** What each of these remotes leads to, and what the sticker costs in the end. */
export function proveCases(cases: readonly Case[]): void {
  describe.each(cases)('a remote that $when', ({ trouble, reason, strict, state, charged }) => {
    const times = charged ? 1 : 0;

    it('leads to the documented answer, and the journal and the credits agree', async () => {
      const { svcd, remote, get } = await startWithAnchor({ settleGraceMs: 60_000 });
      remote.trouble = () => trouble;
      const answer = await get(stickerPath(WANTED));
      if (reason === undefined) await expectRefusal(answer, strict);
      else await expectDefault(answer, reason, reason === 'unsettled' ? 'unknown' : '0');
      await expectRefusal(await get(stickerPath(ANOTHER), STRICT), strict);
      for (const preset of [WANTED, ANOTHER]) {
        // The balance is looked at within a second, and shows what was charged.
        const states = charged && state === 'unknown' ? [['unknown'], ['paid']] : [[state]];
        expect(states).toContainEqual(await statesOf(svcd.get, preset));
        expect(remote.account.timesCharged(`sticker:${preset}`)).toBe(times);
        expect(remote.seen.filter((line) => line.endsWith(stickerPath(preset)))).toHaveLength(1);
      }
    });

    it('costs one credit in all when it is well again', async () => {
      const { svcd, remote, get } = await startWithAnchor();
      remote.trouble = () => trouble;
      await get(stickerPath(WANTED));
      remote.trouble = () => undefined;
      const settled = state === 'unknown' ? (charged ? 'paid' : 'refused') : state;
      await expect.poll(() => statesOf(svcd.get, WANTED)).toEqual([settled]);
      if (charged) {
        await expectDefault(await get(stickerPath(WANTED)), 'unsettled');
        await expectRefusal(await get(stickerPath(WANTED), STRICT), [409, 'unsettled']);
        expect(remote.account.timesCharged(`sticker:${WANTED}`)).toBe(1);
        const [purchase] = await listPurchases(svcd.get, WANTED);
        await expectBought(await svcd.post(`/svcd/purchases/${purchase?.id}/retry`, {}));
        expect(remote.account.timesCharged(`sticker:${WANTED}`)).toBe(2);
      } else {
        await expectBought(await get(stickerPath(WANTED)));
        expect(remote.account.timesCharged(`sticker:${WANTED}`)).toBe(1);
      }
      await expectAccountsAgree(svcd, remote);
      expect((await svcd.call(stickerPath(WANTED))).headers.get('x-svcd-source')).toBe('owned');
    });
  });
}

/** A daemon before a faulty remote, with one purchase made, so that a balance is known to compare with. */
export async function startWithAnchor(options: Partial<DaemonOptions> = {}) {
  const remote = await startFaultyRemote({ credits: 100 });
  const svcd = await startTestDaemon({
    userKey: remote.key,
    clock: createWorkdayClock(),
    settleGraceMs: GRACE_MS,
    ...options,
    flags: { remote: remote.url, 'deadline-ms': DEADLINE_MS },
  });
  await expectBought(await svcd.get(stickerPath(EARLIER)), EARLIER);
  return { svcd, remote, get: svcd.get };
}

export async function expectDefault(answer: Response, reason: string, cost = '0'): Promise<void> {
  const { status, headers } = answer;
  const facts = ['x-svcd-source', 'x-svcd-reason', 'x-svcd-cost', 'cache-control'].map((n) => headers.get(n));
  expect([status, ...facts]).toEqual([200, 'default', reason, cost, 'no-store']);
  expect(await answer.json()).toMatchObject({ layers: expect.any(Array) as unknown });
}

export async function expectRefusal(answer: Response, [status, code]: readonly [number, string]): Promise<void> {
  expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([status, code]);
}

export async function expectBought(answer: Response, preset = WANTED): Promise<void> {
  expect([answer.status, answer.headers.get('x-svcd-source')]).toEqual([200, 'remote']);
  expect(await answer.text()).toBe(lottieOf(preset));
}

export async function expectOwnedSoon(svcd: StartedDaemon): Promise<void> {
  const source = async () => (await svcd.call(stickerPath(WANTED))).headers.get('x-svcd-source');
  await expect.poll(source).toBe('owned');
}

/** What the remote took is what the journal says was paid. */
export async function expectAccountsAgree(svcd: StartedDaemon, remote: FaultyRemote): Promise<void> {
  const paid = (await listPurchases(svcd.get)).filter(({ state }) => state === 'paid');
  expect(paid.reduce((sum, { cost }) => sum + (cost ?? 0), 0)).toBe(remote.account.spent());
}

export async function expectUnreachable(address: string): Promise<void> {
  const svcd = await startTestDaemon({
    userKey: 'sk',
    flags: { remote: address, 'deadline-ms': DEADLINE_MS },
  });
  await expectDefault(await svcd.get(stickerPath(WANTED)), 'offline');
  await expectRefusal(await svcd.get(stickerPath(WANTED), STRICT), [503, 'offline']);
  expect(new Set(await statesOf(svcd.get, WANTED))).toEqual(new Set(['refused']));
}
