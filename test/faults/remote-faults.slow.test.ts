// Every way a remote can go wrong: what the client gets and when, what the journal says, who paid what, and how
// the sticker is had afterwards without paying twice.

import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { stickerPath } from '../../src/model/sticker.js';
import { statesOf } from '../support/purchases.js';
import { openBlackHole } from './black-hole.js';
import { hold, lottieOf, startFaultyRemote, type FaultyRemote } from './faulty-remote.js';
import {
  CASES,
  ONE_OF_EACH,
  proveCases,
  WANTED,
  ANOTHER,
  STRICT,
  refusal,
  startWithAnchor,
  expectDefault,
  expectRefusal,
  expectBought,
  expectOwnedSoon,
  expectAccountsAgree,
  expectUnreachable,
} from './remote-cases.js';

proveCases(CASES.filter((one) => !ONE_OF_EACH.includes(one)));

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
    // On a busy machine the call leaves after its client's time, and goes on.
    await get(stickerPath(WANTED), hasty);
    await expect.poll(() => statesOf(svcd.get, WANTED)).toEqual(['sent']);
    for (let i = 0; i < 2; i++) {
      await expectDefault(await get(stickerPath(WANTED), hasty), 'late', '0');
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
