// Who waits at a hub, and who goes first.

import { describe, expect, it } from 'vitest';
import { createAdmission } from '../../src/hub/app/admission.js';
import { SvcdError } from '../../src/model/errors.js';
import { RateLimiter } from '../../src/upstream/rate-limiter.js';
import type { RemoteRequest } from '../../src/upstream/exchange.js';
import { BIRTHDAY_CAKE, CAKE, RAIN } from '../sandbox/tiny-catalogue.js';
import { type MachineAnswer, refusalIn, startHub, type StartedHub } from '../support/machine.js';
import { createFakeTime } from '../upstream/fake-time.js';

const RULES = { limit: 1, windowMs: 1000, burst: 1, backgroundShare: 0.5, maxWaiting: 500, maxBlockMs: 60_000 };
const REQUEST: RemoteRequest = { method: 'GET', path: '/', cost: 'paid', timeoutMs: 1000, maxBytes: 1000 };

function movingClock() {
  let at = 0;
  return { clock: { now: () => at, monotonic: () => at }, move: (ms: number) => (at += ms) };
}

describe('admission', () => {
  it('lets 50 of one machine wait, and the next when one is through', () => {
    const { clock } = movingClock();
    const admission = createAdmission(clock);
    const leave = Array.from({ length: 50 }, (_, i) => admission.enter(1, { item: `sticker:${i}`, project: 'big' }));
    expect(() => admission.enter(1, { item: 'sticker:x', project: 'big' })).toThrow('50 requests of this machine wait');
    admission.enter(2, { item: 'sticker:x', project: 'big' });
    leave[0]?.();
    leave[0]?.();
    admission.enter(1, { item: 'sticker:x', project: 'big' });
    expect(() => admission.enter(1, { item: 'sticker:y', project: 'big' })).toThrow('wait');
    expect(admission.waiting()).toBe(51);
  });

  it('lets so many wait in all, and says when to come back', () => {
    const { clock } = movingClock();
    const admission = createAdmission(clock, { perMachine: 2, inAll: 3, perProjectAlways: 1 });
    for (const machine of [1, 1, 2]) admission.enter(machine, { item: 'a', project: 'big' });
    try {
      admission.enter(3, { item: 'a', project: 'big' });
      expect.unreachable();
    } catch (error) {
      expect(error).toMatchObject({ code: 'busy', retryAfterS: 2 });
    }
  });

  it('keeps no project out, however much another has waiting', () => {
    const { clock } = movingClock();
    const admission = createAdmission(clock);
    for (let nth = 0; nth < 2000; nth++) admission.enter(nth % 40, { item: `sticker:${nth}`, project: 'big' });
    expect(() => admission.enter(40, { item: 'a', project: 'big' })).toThrow('2000 requests wait');
    const leave = Array.from({ length: 50 }, (_, nth) => admission.enter(41, { item: `b${nth}`, project: 'small' }));
    expect(() => admission.enter(42, { item: 'c', project: 'small' })).toThrow('wait for the hub already');
    leave[0]?.();
    admission.enter(42, { item: 'c', project: 'small' });
  });

  it('puts the project with fewest turns of late first, then what most machines want', () => {
    const { clock, move } = movingClock();
    const admission = createAdmission(clock);
    const [big, small] = [
      { item: 'a', project: 'big' },
      { item: 'b', project: 'small' },
    ];
    expect(admission.compare(big, small)).toBe(0);
    admission.enter(1, { item: 'a', project: 'big' });
    admission.enter(1, { item: 'a', project: 'big' });
    for (const machine of [1, 2]) admission.enter(machine, { item: 'b', project: 'big' });
    // Twice by one machine is one that wants it.
    expect(admission.compare(big, small)).toBeGreaterThan(0);
    admission.noteTurn(small);
    expect(admission.compare(big, small)).toBeLessThan(0);
    move(60_000);
    expect(admission.compare(big, small)).toBeGreaterThan(0);
  });
});

describe('the turns of a hub', () => {
  it('go to the project with fewest, though another has asked much before', async () => {
    const time = createFakeTime();
    const limiter = new RateLimiter({
      ...RULES,
      clock: time.clock,
      sleep: time.sleep,
      order: createAdmission(time.clock),
    });
    const order: string[] = [];
    const ask = async (project: string, item: string): Promise<void> => {
      const turn = await limiter.enter({ ...REQUEST, hubItem: { project, item } });
      if (turn instanceof SvcdError) throw turn;
      order.push(project);
      turn.leave();
    };
    const asked = [...Array.from({ length: 5 }, (_, i) => ask('big', `${i}`)), ask('small', 'x'), ask('small', 'y')];
    for (let turn = 0; turn < asked.length; turn++) await time.advance(RULES.windowMs + 1);
    await Promise.all(asked);
    expect(order).toEqual(['big', 'small', 'big', 'small', 'big', 'big', 'big']);
  });
});

describe('a machine that asks for too much at once', () => {
  it('is told to come back, and what is owned never waits', async () => {
    // The balance, and one sticker.
    const hub = await startHub({ pace: { limit: 2, burst: 2, windowMs: 600_000 } });
    const { get } = await hub.machine();
    expect(await get(CAKE)).toMatchObject({ status: 200 });
    const busy: MachineAnswer[] = [];
    const enough = new Promise<void>((resolve) => {
      for (let i = 0; i < 60; i++) {
        const note = (answer: MachineAnswer) => busy.push(answer) === 10 && resolve();
        // The others wait until the hub closes.
        void get(i % 2 === 0 ? RAIN : BIRTHDAY_CAKE).then(note, () => undefined);
      }
    });
    await enough;
    for (const { status, headers, text } of busy) {
      expect(refusalIn({ status, text })).toMatchObject({ status: 429, code: 'busy' });
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    }
    expect(await get(CAKE)).toMatchObject({ status: 200, headers: { 'x-svcd-source': 'owned' } });
    expect(await (await hub.get('/svcd/hub/status')).json()).toMatchObject({ waiting: 50 });
    expect(hub.remote.sandbox.charges()).toHaveLength(1);
  });
});

describe('a machine that is revoked', () => {
  it('buys nothing more, also what waited for its turn', async () => {
    const time = createFakeTime();
    const { clock, sleep } = time;
    const hub = await startHub({ sleep, pace: { limit: 2, burst: 2, windowMs: 60_000, clock, sleep } });
    const { get } = await hub.machine();
    expect(await get(CAKE)).toMatchObject({ status: 200 });
    const waiting = get(RAIN);
    while (hub.remote.sandbox.charges().length === 1 && !(await isWaiting(hub))) continue;
    await hub.send('DELETE', '/svcd/hub/machines/1');
    await time.advance(60_001);
    expect(refusalIn(await waiting)).toMatchObject({ status: 401, code: 'machine_revoked' });
    expect(hub.remote.sandbox.charges()).toHaveLength(1);
    expect(await (await hub.get('/svcd/hub/audit')).json()).toMatchObject({ right: true, purchases: { refused: 1 } });
  });
});

/** Whether the intent of a purchase is written, and its turn awaited. */
async function isWaiting(hub: StartedHub): Promise<boolean> {
  const { purchases } = (await (await hub.get('/svcd/hub/purchases?state=intent')).json()) as { purchases: unknown[] };
  return purchases.length === 1;
}
