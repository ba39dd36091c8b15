// Images through a remote that goes wrong: ten credits each, so all the more never twice.

import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { listPurchases } from '../support/purchases.js';
import { startTestDaemon } from '../support/start-daemon.js';
import { createWorkdayClock } from '../support/workday-clock.js';
import { hold, startFaultyRemote, type Trouble } from './faulty-remote.js';

const IMAGES = '/api/v1/images';
const CAT = { prompt: 'a cat', size: '1536x1024' };
const SUBJECT = 'image:a cat';
const GRACE_MS = 50;

const refusal = (status: number, code?: string): Trouble => ({
  answer: { status, body: code === undefined ? 'sorry' : JSON.stringify({ code }) },
});

// Within it the call has to leave and its answer to come, also on a machine that is busy.
const LONG_ENOUGH_MS = '4000';

describe('an image that many want at once', () => {
  it('is one call, one charge and one answer for all who want the same', async () => {
    const { post, remote } = await startPair();
    remote.trouble = () => ({ until: () => sleep(100) });
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(IMAGES, CAT)));
    const bodies = await Promise.all(answers.map((answer) => answer.text()));
    expect([...new Set(bodies)]).toHaveLength(1);
    expect(answers.map(({ headers }) => Number(headers.get('x-svcd-cost'))).toSorted((a, b) => b - a)).toEqual([
      10,
      ...Array.from({ length: 19 }, () => 0),
    ]);
    expect(remote.seen.filter((line) => line === `POST ${IMAGES}`)).toHaveLength(1);
    expect(remote.account.spent()).toBe(10);
  });

  it('is a charge for each who wants another one', async () => {
    const { post, remote } = await startPair();
    await Promise.all([post(IMAGES, CAT), post(IMAGES, { ...CAT, prompt: 'a dog' })]);
    expect(remote.account.spent()).toBe(20);
  });
});

describe.each([
  ['does not offer images', refusal(503, 'not_enabled'), 'not_enabled'],
  ['says itself that it took too long (504)', refusal(504, 'generation_timeout'), 'upstream_failure'],
  ['says itself that it failed (502)', refusal(502, 'upstream_failure'), 'upstream_failure'],
  ['says itself that it failed (500)', refusal(500, 'broken'), 'upstream_failure'],
  ['says that credits are short', refusal(402, 'insufficient_credits'), 'insufficient_credits'],
])('a remote that %s', (_what, trouble, reason) => {
  it('charges nothing: a default picture is given, and the next request buys', async () => {
    const { svcd, post, remote } = await startPair();
    remote.trouble = () => trouble;
    const { notices } = await expectDefault(await post(IMAGES, CAT), reason);
    expect(notices[0]?.message).toContain('Nothing was charged.');
    const strict = await post(IMAGES, CAT, { 'X-Svcd-Fallback': 'off' });
    expect(await strict.json()).toMatchObject({ hint: 'Nothing was charged.' });
    expect(await statesIn(svcd.get)).toEqual(['refused', 'refused']);
    remote.trouble = () => undefined;
    await expectBought(await post(IMAGES, CAT));
    expect(remote.account.spent()).toBe(10);
  });
});

describe.each([
  ['is behind something that times out (504)', refusal(504), 0],
  ['is behind something that fails (500)', refusal(500), 0],
  ['cuts the connection before it charges', { cut: { how: 'reset', after: 'request' } } as const, 0],
  ['charges and cuts the connection', { cut: { how: 'reset', after: 'charge' } } as const, 10],
  ['charges and cuts its answer', { cut: { how: 'reset', after: 'body' } } as const, 10],
])('a remote that %s', (_what, trouble, charged) => {
  it('is found out by the balance, and the image is not paid for twice', async () => {
    const { svcd, post, remote } = await startPair();
    // Something bought before, so that a balance is known to compare with.
    await expectBought(await post(IMAGES, { ...CAT, prompt: 'earlier' }));
    remote.trouble = () => trouble;
    await expectDefault(await post(IMAGES, CAT), 'unsettled', 'unknown');
    remote.trouble = () => undefined;
    const settled = charged === 0 ? 'refused' : 'paid';
    await expect.poll(() => statesIn(svcd.get)).toEqual(['paid', settled]);
    if (charged > 0) {
      await expectDefault(await post(IMAGES, CAT), 'unsettled');
      expect(remote.account.timesCharged(SUBJECT)).toBe(1);
      await expectBought(await post(IMAGES, CAT, { 'X-Svcd-Allow-Repay': '1' }));
      expect(remote.account.timesCharged(SUBJECT)).toBe(2);
    } else {
      await expectBought(await post(IMAGES, CAT));
      expect(remote.account.timesCharged(SUBJECT)).toBe(1);
    }
  });
});

describe('an image that the remote is making already', () => {
  const inFlight = (times: number) => {
    let asked = 0;
    return (): Trouble | undefined => (asked++ < times ? refusal(409, 'duplicate_request') : undefined);
  };

  it('is waited for, and had with one charge', async () => {
    const { svcd, post, remote } = await startPair();
    remote.trouble = inFlight(2);
    await expectBought(await post(IMAGES, CAT));
    expect(remote.seen.filter((line) => line === `POST ${IMAGES}`)).toHaveLength(3);
    expect(await statesIn(svcd.get)).toEqual(['paid']);
    expect(remote.account.spent()).toBe(10);
  });

  it('is reserved in the budget while it waits, and counts as never sent if svcd dies meanwhile', async () => {
    const { svcd, post, remote } = await startPair();
    const headers = { Authorization: `Bearer ${svcd.token}`, 'Content-Type': 'application/json' };
    const budget = await svcd.call('/svcd/budget', { method: 'PUT', body: '{"day":15}', headers });
    expect(budget.status).toBe(200);
    remote.trouble = inFlight(1);
    const waiting = post(IMAGES, CAT);
    await expect.poll(() => remote.seen).toContain(`POST ${IMAGES}`);
    await expect.poll(() => statesIn(svcd.get)).toEqual(['intent']);
    await expectDefault(await post(IMAGES, { ...CAT, prompt: 'a dog' }), 'budget');
    await expectBought(await waiting);
  });

  it.each([
    ['duplicate_request', 409],
    ['busy', 429],
  ])(
    '(%s) is waited for to the deadline: then a default, or the refusal itself for a strict client',
    async (code, status) => {
      const { svcd, post, remote } = await startPair();
      remote.trouble = () => refusal(status, code);
      const hasty = { 'X-Svcd-Deadline-Ms': LONG_ENOUGH_MS };
      await expectDefault(await post(IMAGES, CAT, hasty), 'rate_limited');
      const strict = await post(IMAGES, CAT, { ...hasty, 'X-Svcd-Fallback': 'off' });
      expect([strict.status, await strict.json()]).toMatchObject([status, { code }]);
      await expect.poll(() => statesIn(svcd.get)).toEqual(['intent']);
      expect(remote.account.spent()).toBe(0);
      remote.trouble = () => undefined;
      await expect.poll(() => statesIn(svcd.get)).toEqual(['paid']);
      expect((await post(IMAGES, CAT)).headers.get('x-svcd-source')).toBe('owned');
      expect(remote.account.spent()).toBe(10);
    },
  );

  it('is asked for no sooner than the remote wants', async () => {
    const { post, remote } = await startPair();
    remote.trouble = () => ({ answer: { ...refusal(409).answer, headers: { 'Retry-After': '30' } } });
    await expectDefault(await post(IMAGES, CAT, { 'X-Svcd-Deadline-Ms': LONG_ENOUGH_MS }), 'rate_limited');
    expect(remote.seen.filter((line) => line === `POST ${IMAGES}`)).toHaveLength(1);
  });

  it('holds up no stop', async () => {
    const { svcd, post, remote } = await startPair();
    remote.trouble = () => ({ answer: { ...refusal(409).answer, headers: { 'Retry-After': '60' } } });
    const waiting = post(IMAGES, CAT);
    await expect.poll(() => remote.seen).toContain(`POST ${IMAGES}`);
    await expect.poll(() => statesIn(svcd.get)).toEqual(['intent']);
    const closed = svcd.daemon.close();
    // Not a default: asked again after a restart, it is the image.
    expect((await waiting).status).toBe(503);
    await closed;
  });
});

describe('a fresh image', () => {
  const fresh = { 'X-Svcd-Fresh': '1' };

  it('whose client left is what the next plain request gets', async () => {
    const { svcd, post, remote } = await startPair();
    const call = hold();
    remote.trouble = () => ({ until: call.until });
    await expectDefault(await post(IMAGES, CAT, { ...fresh, 'X-Svcd-Deadline-Ms': LONG_ENOUGH_MS }), 'late', 'unknown');
    call.release();
    await expect.poll(() => statesIn(svcd.get)).toEqual(['paid']);
    expect((await post(IMAGES, CAT)).headers.get('x-svcd-source')).toBe('owned');
    expect(remote.account.spent()).toBe(10);
  });

  it('that is being made is joined by a plain request that owns none', async () => {
    const { post, remote } = await startPair();
    const call = hold();
    remote.trouble = () => ({ until: call.until });
    const first = post(IMAGES, CAT, fresh);
    await expect.poll(() => remote.seen).toContain(`POST ${IMAGES}`);
    const second = post(IMAGES, CAT);
    // Time to join the call; on a machine where it is too short, the second one finds the image owned.
    await sleep(100);
    call.release();
    expect(await (await second).text()).toBe(await (await first).text());
    expect(remote.account.spent()).toBe(10);
  });

  it('takes the place of the older one; a variant is another thing', async () => {
    const { post, remote } = await startPair();
    const bodies = [];
    for (const headers of [{}, fresh, { 'X-Svcd-Variant': '2' }]) {
      remote.trouble = () => ({
        answer: { body: JSON.stringify({ size: CAT.size, width: 1536, height: 1024, mark: bodies.length }) },
      });
      bodies.push(await (await post(IMAGES, CAT, headers)).text());
    }
    expect(await (await post(IMAGES, CAT)).text()).toBe(bodies[1]);
    expect(await (await post(IMAGES, CAT, { 'X-Svcd-Variant': '2' })).text()).toBe(bodies[2]);
    expect(remote.account.spent()).toBe(30);
  });
});

describe('a request that may pay again', () => {
  it('does not take the refusal of one that may not', async () => {
    const { svcd, post, remote } = await startPair();
    remote.trouble = () => ({ cut: { how: 'reset', after: 'charge' } });
    await post(IMAGES, CAT);
    remote.trouble = () => ({ until: () => sleep(100) });
    const [careful, willing] = await Promise.all([post(IMAGES, CAT), post(IMAGES, CAT, { 'X-Svcd-Allow-Repay': '1' })]);
    await expectDefault(careful, 'unsettled');
    await expectBought(willing);
    // The first is settled as soon as no other moves the balance.
    expect(await statesIn(svcd.get)).toEqual([expect.stringMatching(/^(unknown|paid)$/), 'paid']);
  });

  it('says so with 1 and nothing else', async () => {
    const { post } = await startPair();
    const answer = await post(IMAGES, CAT, { 'X-Svcd-Allow-Repay': 'yes' });
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain('yes');
  });
});

describe('an image answer', () => {
  it('that cannot be used is never served, and not bought again when the balance says that it was charged', async () => {
    const { svcd, post, remote } = await startPair();
    remote.trouble = () => ({ answer: { body: '<html>' } });
    await expectDefault(await post(IMAGES, CAT), 'unsettled', 'unknown');
    remote.trouble = () => undefined;
    await expect.poll(() => statesIn(svcd.get)).toEqual(['paid']);
    await expectDefault(await post(IMAGES, CAT), 'unsettled');
    expect(remote.account.spent()).toBe(10);
  });

  it('whose picture cannot be fetched is owned all the same, and its address works when the picture is there', async () => {
    const { svcd, post, remote } = await startPair();
    remote.hasPictures = false;
    const { url } = await expectBought(await post(IMAGES, CAT));
    remote.hasPictures = true;
    const headers = { Authorization: `Bearer ${svcd.token}` };
    expect(await (await fetch(url, { headers })).text()).toBe('not really a picture');
    expect((await post(IMAGES, CAT)).headers.get('x-svcd-source')).toBe('owned');
    expect(remote.account.spent()).toBe(10);
  });

  it('that nobody waits for any more is owned when it comes', async () => {
    const { svcd, post, remote } = await startPair();
    const call = hold();
    remote.trouble = () => ({ until: call.until });
    const headers = { Authorization: `Bearer ${svcd.token}`, 'Content-Type': 'application/json' };
    const signal = AbortSignal.timeout(100);
    const hungUp = svcd.call(IMAGES, { method: 'POST', headers, body: JSON.stringify(CAT), signal });
    await expect(hungUp).rejects.toThrow('aborted');
    await expectDefault(await post(IMAGES, CAT, { 'X-Svcd-Deadline-Ms': '50' }), 'late');
    call.release();
    const source = async () => (await post(IMAGES, CAT)).headers.get('x-svcd-source');
    await expect.poll(source).toBe('owned');
    expect(remote.account.spent()).toBe(10);
  });
});

async function startPair() {
  const remote = await startFaultyRemote();
  const flags = { remote: remote.url };
  const svcd = await startTestDaemon({
    userKey: remote.key,
    clock: createWorkdayClock(),
    settleGraceMs: GRACE_MS,
    flags,
  });
  return { svcd, remote, post: svcd.post };
}

async function statesIn(get: (path: string) => Promise<Response>): Promise<string[]> {
  return (await listPurchases(get)).map(({ state }) => state);
}

async function expectDefault(
  answer: Response,
  reason: string,
  cost = '0',
): Promise<{ notices: { message: string }[] }> {
  const facts = ['x-svcd-source', 'x-svcd-reason', 'x-svcd-cost'].map((name) => answer.headers.get(name));
  expect([answer.status, ...facts]).toEqual([200, 'default', reason, cost]);
  const body = (await answer.json()) as { notices: { message: string }[] };
  expect(body).toMatchObject({ width: 1536, height: 1024, requested_size: CAT.size });
  return body;
}

async function expectBought(answer: Response): Promise<{ url: string }> {
  const facts = ['x-svcd-source', 'x-svcd-cost'].map((name) => answer.headers.get(name));
  expect([answer.status, ...facts]).toEqual([200, 'remote', '10']);
  return (await answer.json()) as { url: string };
}
