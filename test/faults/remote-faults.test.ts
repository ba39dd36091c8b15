// Every way a remote can go wrong: what the client gets and when, what the journal says, who paid what, and how
// the sticker is had afterwards without paying twice.

import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { DaemonOptions } from '../../src/daemon/daemon-options.js';
import { stickerPath } from '../../src/model/sticker.js';
import { startTestDaemon, type StartedDaemon } from '../support/start-daemon.js';
import { createWorkdayClock } from '../support/workday-clock.js';
import { listPurchases, statesOf } from '../support/purchases.js';
import { openBlackHole } from './black-hole.js';
import { hold, lottieOf, startFaultyRemote, type Answer, type FaultyRemote, type Trouble } from './faulty-remote.js';

const WANTED = 'food/cake';
const ANOTHER = 'food/another';
const EARLIER = 'food/earlier';
// Far away: what a remote does is answered for when it does it, on a machine that is busy too.
const DEADLINE_MS = 600_000;
const GRACE_MS = 50;
const STRICT = { 'X-Svcd-Fallback': 'off' };

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

const refusal = (status: number, code?: string, headers: Answer['headers'] = {}): Trouble => ({
  answer: { status, headers, body: code === undefined ? '<h1>Sorry</h1>' : JSON.stringify({ code }) },
});
const FREE = { charged: false } as const;
const REFUSED = { state: 'refused', charged: false } as const;
const LOST = { reason: 'unsettled', strict: [502, 'upstream_failure'], state: 'unknown' } as const;
const EVIDENCE = { ...LOST, state: 'paid', charged: true } as const;

const CASES: Case[] = [
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

describe.each(CASES)('a remote that $when', ({ trouble, reason, strict, state, charged }) => {
  const times = charged ? 1 : 0;

  it('leads to the documented answer, and the journal and the credits agree', async () => {
    const { svcd, remote, get } = await startWithAnchor({ settleGraceMs: 60_000 });
    remote.trouble = () => trouble;
    const answer = await get(stickerPath(WANTED));
    if (reason === undefined) await expectRefusal(answer, strict);
    else await expectDefault(answer, reason, reason === 'unsettled' ? 'unknown' : '0');
    await expectRefusal(await get(stickerPath(ANOTHER), STRICT), strict);
    for (const preset of [WANTED, ANOTHER]) {
      expect(await statesOf(svcd.get, preset)).toEqual([state]);
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

describe('a remote that refuses a sticker for now', () => {
  const HASTY = { 'X-Svcd-Deadline-Ms': '400' };
  const SOON = { 'Retry-After': '1' };
  const requestsIn = ({ seen }: FaultyRemote) => seen.filter((line) => line.endsWith(stickerPath(WANTED)));

  it.each([
    ['because of the rate, and says until when', refusal(429, 'rate_limited', SOON)],
    ['because of the rate, and does not say until when', refusal(429, 'rate_limited')],
    ['without a word', refusal(429)],
    ['because it is busy', refusal(429, 'busy', SOON)],
    ['because the same call is under way', refusal(409, 'duplicate_request', SOON)],
  ])('%s is asked again within the deadline, and it costs one credit', async (_why, trouble) => {
    const { svcd, remote, get } = await startWithAnchor();
    const troubles = [trouble];
    remote.trouble = () => troubles.pop();
    await expectBought(await get(stickerPath(WANTED)));
    expect(requestsIn(remote)).toHaveLength(2);
    expect(await statesOf(svcd.get, WANTED)).toEqual(['paid']);
    await expectAccountsAgree(svcd, remote);
  });

  it.each([
    ['rate_limited', 429],
    ['busy', 429],
    ['duplicate_request', 409],
  ] as const)('with %s for longer than the deadline says so, and sells it later', async (code, status) => {
    const { svcd, remote, get } = await startWithAnchor();
    remote.trouble = () => refusal(status, code, { 'Retry-After': '5' });
    await expectDefault(await get(stickerPath(WANTED), HASTY), 'rate_limited');
    expect(await statesOf(svcd.get, WANTED)).toEqual(['intent']);
    const strict = await get(stickerPath(WANTED), { ...HASTY, ...STRICT });
    expect([strict.headers.get('retry-after'), strict.headers.get('x-svcd-source')]).toEqual(['5', 'remote']);
    await expectRefusal(strict, [status, code]);
    expect(remote.account.timesCharged(`sticker:${WANTED}`)).toBe(0);
    remote.trouble = () => undefined;
    await expectOwnedSoon(svcd);
    expect(remote.account.timesCharged(`sticker:${WANTED}`)).toBe(1);
    await expectAccountsAgree(svcd, remote);
  });

  it('for an hour is not waited for', async () => {
    const { svcd, remote, get } = await startWithAnchor();
    remote.trouble = () => refusal(429, 'rate_limited', { 'Retry-After': '3600' });
    await expectDefault(await get(stickerPath(WANTED)), 'rate_limited');
    await expectDefault(await get(stickerPath(ANOTHER)), 'rate_limited');
    const strict = await get(stickerPath(WANTED), STRICT);
    expect(Number(strict.headers.get('retry-after'))).toBeGreaterThan(3000);
    await expectRefusal(strict, [429, 'rate_limited']);
    expect(requestsIn(remote)).toHaveLength(1);
    expect(await statesOf(svcd.get, WANTED)).toEqual(['refused', 'refused']);
  });
});

describe('a remote that cannot be reached', () => {
  it('is noticed at once when it refuses, nothing is spent, and the sticker is bought when it is back', async () => {
    const { svcd, remote, get } = await startWithAnchor();
    await remote.refuse();
    await expectDefault(await get(stickerPath(WANTED)), 'offline');
    await expectRefusal(await get(stickerPath(WANTED), STRICT), [503, 'offline']);
    expect(new Set(await statesOf(svcd.get, WANTED))).toEqual(new Set(['refused']));
    await remote.listen();
    const source = async () => (await get(stickerPath(WANTED))).headers.get('x-svcd-source');
    await expect.poll(source, { interval: 200 }).not.toBe('default');
    expect(remote.account.timesCharged(`sticker:${WANTED}`)).toBe(1);
    await expectAccountsAgree(svcd, remote);
  });

  it('is noticed when it never completes a connection', async (context) => {
    const port = await openBlackHole();
    if (port === undefined) return context.skip('this system completes every connection');
    await expectUnreachable(`http://127.0.0.1:${port}`);
  });

  it('is noticed when its name resolves to nothing', async () => {
    await expectUnreachable('https://svcd-test.invalid');
  });

  it('is noticed when it does not speak TLS', async () => {
    const remote = await startFaultyRemote();
    await expectUnreachable(remote.url.replace('http://127.0.0.1', 'https://localhost'));
    expect(remote.seen).toEqual([]);
  });
});

describe('a remote that takes its time', () => {
  it('is answered for by a default at the deadline, is read to its end, and the sticker is owned', async () => {
    const { svcd, remote, get } = await startWithAnchor();
    const body = hold();
    remote.trouble = () => ({ inBody: body.until });
    const answer = await get(stickerPath(WANTED), { 'X-Svcd-Deadline-Ms': '200' });
    await expectDefault(answer, 'late', 'unknown');
    const strict = await get(stickerPath(WANTED), { 'X-Svcd-Deadline-Ms': '50', ...STRICT });
    await expectRefusal(strict, [504, 'timeout']);
    body.release();
    await expectOwnedSoon(svcd);
    expect(remote.account.timesCharged(`sticker:${WANTED}`)).toBe(1);
    await expectAccountsAgree(svcd, remote);
  });

  it('is waited for while the deadline allows', async () => {
    const { get, remote } = await startWithAnchor();
    remote.trouble = () => ({ inBody: () => sleep(300) });
    await expectBought(await get(stickerPath(WANTED)));
  });

  it('and then never answers keeps the purchase open, is not asked twice, and is settled when it hangs up', async () => {
    const { svcd, remote, get } = await startWithAnchor();
    const call = hold();
    remote.trouble = () => ({ until: call.until, cut: { how: 'reset', after: 'request' } });
    const hasty = { 'X-Svcd-Deadline-Ms': '100' };
    for (let i = 0; i < 3; i++) {
      await expectDefault(await get(stickerPath(WANTED), hasty), 'late', i === 0 ? 'unknown' : '0');
      expect(await statesOf(svcd.get, WANTED)).toEqual(['sent']);
    }
    remote.trouble = () => undefined;
    call.release();
    await expect.poll(() => statesOf(svcd.get, WANTED)).toEqual(['refused']);
    await expectBought(await get(stickerPath(WANTED)));
    expect(remote.account.timesCharged(`sticker:${WANTED}`)).toBe(1);
    await expectAccountsAgree(svcd, remote);
  });
});

describe('clients in a hurry', () => {
  it('who all hang up but one cost one call and one credit, and the one gets the sticker', async () => {
    const { svcd, remote } = await startWithAnchor();
    const call = hold();
    remote.trouble = () => ({ until: call.until });
    const headers = { Authorization: `Bearer ${svcd.token}` };
    const patient = svcd.call(stickerPath(WANTED), { headers });
    const gone = Array.from({ length: 99 }, async (_, i) => {
      const signal = AbortSignal.timeout(50 + i);
      return svcd.call(stickerPath(WANTED), { headers, signal }).then(
        () => 'answered',
        () => 'hung up',
      );
    });
    expect(new Set(await Promise.all(gone))).toEqual(new Set(['hung up']));
    call.release();
    expect(await (await patient).text()).toBe(lottieOf(WANTED));
    expect(remote.seen.filter((line) => line.endsWith(stickerPath(WANTED)))).toHaveLength(1);
    expect(remote.account.timesCharged(`sticker:${WANTED}`)).toBe(1);
    expect(await statesOf(svcd.get, WANTED)).toEqual(['paid']);
  });

  it('who hang up alone do not end what is paid: it is owned', async () => {
    const { svcd, remote } = await startWithAnchor();
    const body = hold();
    remote.trouble = () => ({ inBody: body.until });
    const signal = AbortSignal.timeout(100);
    const headers = { Authorization: `Bearer ${svcd.token}` };
    await expect(svcd.call(stickerPath(WANTED), { headers, signal })).rejects.toThrow('aborted');
    body.release();
    await expectOwnedSoon(svcd);
    expect(remote.account.timesCharged(`sticker:${WANTED}`)).toBe(1);
  });
});

/** A daemon before a faulty remote, with one purchase made, so that a balance is known to compare with. */
async function startWithAnchor(options: Partial<DaemonOptions> = {}) {
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

async function expectDefault(answer: Response, reason: string, cost = '0'): Promise<void> {
  const { status, headers } = answer;
  const facts = ['x-svcd-source', 'x-svcd-reason', 'x-svcd-cost', 'cache-control'].map((n) => headers.get(n));
  expect([status, ...facts]).toEqual([200, 'default', reason, cost, 'no-store']);
  expect(await answer.json()).toMatchObject({ layers: expect.any(Array) as unknown });
}

async function expectRefusal(answer: Response, [status, code]: readonly [number, string]): Promise<void> {
  expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([status, code]);
}

async function expectBought(answer: Response, preset = WANTED): Promise<void> {
  expect([answer.status, answer.headers.get('x-svcd-source')]).toEqual([200, 'remote']);
  expect(await answer.text()).toBe(lottieOf(preset));
}

async function expectOwnedSoon(svcd: StartedDaemon): Promise<void> {
  const source = async () => (await svcd.call(stickerPath(WANTED))).headers.get('x-svcd-source');
  await expect.poll(source, { timeout: 10_000 }).toBe('owned');
}

/** What the remote took is what the journal says was paid. */
async function expectAccountsAgree(svcd: StartedDaemon, remote: FaultyRemote): Promise<void> {
  const paid = (await listPurchases(svcd.get)).filter(({ state }) => state === 'paid');
  expect(paid.reduce((sum, { cost }) => sum + (cost ?? 0), 0)).toBe(remote.account.spent());
}

async function expectUnreachable(address: string): Promise<void> {
  const svcd = await startTestDaemon({
    userKey: 'sk',
    flags: { remote: address, 'deadline-ms': DEADLINE_MS },
  });
  await expectDefault(await svcd.get(stickerPath(WANTED)), 'offline');
  await expectRefusal(await svcd.get(stickerPath(WANTED), STRICT), [503, 'offline']);
  expect(new Set(await statesOf(svcd.get, WANTED))).toEqual(new Set(['refused']));
}
