// What a hub tells of purchases whose outcome nobody knows, and of limits: who looks after it, and its machines.

import { describe, expect, it } from 'vitest';
import type { Health, HealthRow } from '../../src/api/health.js';
import type { Audit, HubStatus, MachineLimits } from '../../src/api/hub.js';
import { createAwaitOther, unsettled } from '../../src/purchases/await-other.js';
import type { Attempt } from '../../src/purchases/join-purchase.js';
import { SvcdError } from '../../src/model/errors.js';
import { CAKE, RAIN } from '../sandbox/tiny-catalogue.js';
import { refusalIn, startHub } from '../support/machine.js';
import { createMovingClock } from '../support/moving-clock.js';
import type { Purchase } from '../../src/purchases/journal.js';

const AT_THE_HUB = 'At the hub: "svcd hub purchases --state unknown"';

/** A hub whose service fails while it sells, so that nobody knows whether that was charged. */
async function startDoubtful() {
  const clock = createMovingClock(Date.UTC(2026, 10, 22, 12));
  const hub = await startHub({
    clock,
    remote: {
      clock,
      faults: ({ path }) => (path.includes('/stickers/') ? { refuse: new SvcdError('internal', 'broken') } : undefined),
    },
  });
  return { clock, hub, json: async <T>(path: string) => (await (await hub.get(path)).json()) as T };
}

describe('purchases of unknown outcome', () => {
  it('are counted by the project that pays, and by the doctor with the age of the oldest', async () => {
    const { clock, hub, json } = await startDoubtful();
    const findUnsettled = async (): Promise<HealthRow | undefined> =>
      (await json<HubStatus>('/svcd/hub/status')).checks.find(({ name }) => name === 'unsettled');
    expect(await findUnsettled()).toMatchObject({ status: 'ok' });
    await (await hub.machine()).get(CAKE);
    await (await hub.machine({ projects: ['card'] }, 'render-2')).get(RAIN);
    const { right, purchases, unknown, unknown_of: of } = await json<Audit>('/svcd/hub/audit');
    expect({ right, unknown, count: purchases.unknown }).toEqual({ right: true, unknown: 2, count: 2 });
    expect(of.toSorted((a, b) => a.payer.localeCompare(b.payer))).toEqual([
      { payer: 'project:card', purchases: 1, credits: 1 },
      { payer: 'project:promo', purchases: 1, credits: 1 },
    ]);
    // From now on the balance may show that they were free.
    clock.pass(3 * 60_000);
    expect(await findUnsettled()).toMatchObject({
      status: 'warn',
      words: 'purchases of unknown end: 2, the oldest for 3 minutes',
    });
  });

  it('are not bought again for a machine, which is told where they are settled', async () => {
    const { hub } = await startDoubtful();
    const machine = await hub.machine();
    await machine.get(CAKE);
    const refused = refusalIn(await machine.get(CAKE));
    expect(refused).toMatchObject({ status: 409, code: 'unsettled' });
    expect(refused.hint).toContain(AT_THE_HUB);
  });

  it('are not settled while the service may still charge them', async () => {
    const { hub } = await startDoubtful();
    await (await hub.machine()).get(CAKE);
    const early = await hub.post('/svcd/purchases/1/settle', {});
    expect(early.status).toBe(409);
    expect(Number(early.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await early.json()).toMatchObject({
      code: 'unsettled',
      message: 'it is too early to tell whether purchase 1 was charged',
      hint: expect.stringContaining('svcd purchases settle 1 --as charged') as unknown,
    });
    expect(await (await hub.post('/svcd/purchases/1/settle', { as: 'free' })).json()).toMatchObject({
      state: 'refused',
    });
  });

  it('are all looked at by one request, which buys nothing and says when each is looked at again', async () => {
    const { clock, hub } = await startDoubtful();
    await (await hub.machine()).get(CAKE);
    await (await hub.machine({}, 'render-2')).get(RAIN);
    const settleAll = async () => (await (await hub.post('/svcd/purchases/settle', {})).json()) as object;
    const early = (id: number) => ({
      id,
      state: 'unknown',
      why: `it is too early to tell whether purchase ${id} was charged`,
      looks_again_at: expect.any(String) as string,
    });
    expect(await settleAll()).toMatchObject({ settled: [], left: [early(2), early(1)] });
    clock.pass(11 * 60_000);
    const free = { state: 'refused', cost: 0, reason: 'not_charged' };
    expect(await settleAll()).toMatchObject({ settled: [free, free], left: [] });
    expect(await settleAll()).toEqual({ settled: [], left: [] });
    // A charge that nothing explains: the requests may have arrived after all.
    const headers = { authorization: `Bearer ${hub.remote.sandbox.key}`, 'content-type': 'application/json' };
    const image = { method: 'POST', headers, body: JSON.stringify({ prompt: 'a cat', size: '1024x1024' }) };
    expect((await fetch(`${hub.remote.url}/api/v1/images`, image)).status).toBe(200);
    clock.pass(3000);
    // The doctor looks too.
    const { checks } = (await (await hub.get('/svcd/health')).json()) as Health;
    expect(checks.find(({ name }) => name === 'unsettled')).toMatchObject({ status: 'warn' });
    const late = { state: 'unknown', reason: 'late' };
    expect(await settleAll()).toMatchObject({ settled: [], left: [late, late] });
  });

  it.each([
    [true, AT_THE_HUB],
    [false, '"svcd purchases retry 7" buys it again'],
  ])('that another request began say who can settle them (at a machine of a hub: %s)', async (isOfHub, hint) => {
    const other = { id: 7, item: `sticker:${CAKE}`, state: 'sent' } as Purchase;
    const awaitOther = createAwaitOther({
      journal: { getPurchase: async () => ({ ...other, state: 'unknown' }) },
      owned: { find: async () => undefined },
      sleep: async () => undefined,
      explain: (purchase) => unsettled(purchase, isOfHub, {}),
      bringAgain: async () => undefined,
    });
    const receipt = await awaitOther(other, {} as Attempt, () => false);
    expect(receipt).toMatchObject({ kind: 'unsettled', error: { hint: expect.stringContaining(hint) as unknown } });
  });
});

describe('the limits of a machine', () => {
  it('are those of its project, its user and itself, and of no other', async () => {
    const { hub } = await startDoubtful();
    const machine = await hub.machine({ projects: ['promo', 'card'], user: 'ann', budget: 500 });
    for (const payer of ['all', 'user:ann', 'user:bob', 'machine:1', 'machine:2', 'project:secret']) {
      const set = await hub.send('PUT', '/svcd/hub/budgets', { payer, period: 'day', credits: 9 });
      expect(set.status).toBe(200);
    }
    await machine.get(CAKE);
    const limits = async (query: string) => {
      const answer = await machine.ask(`/svcd/hub/limits${query}`);
      return (JSON.parse(answer.text) as MachineLimits).limits;
    };
    expect(await limits('')).toEqual([
      { payer: 'machine:1', period: 'day', credits: 9, spent: 0, reserved: 1 },
      { payer: 'project:promo', period: 'total', credits: 500, spent: 0, reserved: 1 },
      { payer: 'user:ann', period: 'day', credits: 9, spent: 0, reserved: 1 },
    ]);
    expect(await limits('?project=card')).toContainEqual({
      payer: 'project:card',
      period: 'total',
      credits: 500,
      spent: 0,
      reserved: 0,
    });
    expect(refusalIn(await machine.ask('/svcd/hub/limits?project=secret'))).toMatchObject({ code: 'not_permitted' });
  });
});
