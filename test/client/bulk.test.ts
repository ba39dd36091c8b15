// What plans, prices and buys many things, as the client does it with the real daemon before the sandbox or a service whose
// connections break.

import { describe, expect, it } from 'vitest';
import type { ConnectOptions, PrefetchEvent } from '../../src/client/client-types.js';
import { openClient } from '../../src/client/open-client.js';
import { startFaultyRemote } from '../faults/faulty-remote.js';
import { BIRTHDAY_CAKE, CAKE, RAIN, SIGN } from '../sandbox/tiny-catalogue.js';
import { startTestDaemon } from '../support/start-daemon.js';
import { startPair } from '../support/start-pair.js';
import { readAll } from './scripted-server.js';

const LAMP = { prompt: 'a lamp', size: '1024x1024' } as const;
const ALL = [CAKE, BIRTHDAY_CAKE, RAIN, SIGN];

async function openShop(given: ConnectOptions = {}) {
  const { svcd, remote } = await startPair();
  const client = await openClient({ home: svcd.home, ...given }, {});
  return { client, spent: () => remote.sandbox.charges().length };
}

const assets = (events: readonly PrefetchEvent[]) =>
  events
    .flatMap((one) => (one.event === 'asset' ? [[one.place, one.source, one.cost] as const] : []))
    .toSorted(([a], [b]) => a - b);

/** Breaks the answer of the first prefetch once it has told of a thing. */
function breakingOnce(): NonNullable<ConnectOptions['fetch']> {
  let hasBroken = false;
  return async (url, init) => {
    const response = await fetch(url, init);
    if (hasBroken || !url.endsWith('/svcd/prefetch') || response.body === null) return response;
    hasBroken = true;
    const reader = response.body.getReader();
    let text = '';
    const body = new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          const { value } = await reader.read();
          if (value !== undefined) controller.enqueue(value);
          text += new TextDecoder().decode(value);
          if (!/"(?:asset|failed)"/.test(text) && value !== undefined) return;
          await reader.cancel();
          controller.error(new TypeError('terminated'));
        },
      },
      { highWaterMark: 0 },
    );
    return new Response(body, { status: response.status, headers: response.headers });
  };
}

describe('with the real daemon', () => {
  it('a plan prices what it names, and spends nothing', async () => {
    const { client, spent } = await openShop();
    for (const preset of ALL) await client.search({ q: preset });
    const slots = [
      { id: 'cake', preset: CAKE },
      { id: 'lamp', ...LAMP },
    ] as const;
    const plan = await client.plan({ slots, maxCredits: 3 });
    expect(plan).toMatchObject({ plan: 1, cost: 11, fits: false, short_of: 'max_credits', would_fit: ['cake'] });
    expect(plan.slots.map(({ id, cost, have }) => [id, cost, have])).toEqual([
      ['cake', 1, 'no'],
      ['lamp', 10, 'no'],
    ]);
    expect(spent()).toBe(0);
    await client.sticker(CAKE);
    expect(await client.plan({ slots })).toMatchObject({ cost: 10, left: { day: null } });
    expect((await client.plan({ slots, refresh: true })).left?.account).toBeTypeOf('number');
    await expect(client.plan({ slots: [] })).rejects.toMatchObject({ code: 'invalid_request', status: 400 });
  });

  it('a prefetch buys, is told as it happens, costs nothing again, and shows in what was spent', async () => {
    const { client, spent } = await openShop();
    const request = { presets: [CAKE, RAIN, CAKE], images: [LAMP], maxCredits: 12 };
    const events = await readAll(client.prefetch(request));
    expect(events[0]).toEqual({ event: 'begun', of: 4, have: 1, buy: 3, cost: 12 });
    expect(assets(events)).toEqual([
      [0, 'bought', 1],
      [1, 'bought', 1],
      [2, 'owned', 0],
      [3, 'bought', 10],
    ]);
    expect(events.at(-1)).toEqual({ event: 'ended', cost: 12, uncertain: [], defaults: 0, failed: [] });
    const again = await readAll(client.prefetch({ ...request, maxCredits: 0 }));
    expect(assets(again).every(([, source, cost]) => source === 'owned' && cost === 0)).toBe(true);
    expect(await client.spending()).toMatchObject({ spent: 12, unsettled: 0, saved: 12, purchases: { paid: 3 } });
    expect(spent()).toBe(3);
    const one = events.find((event) => event.event === 'asset' && event.preset === CAKE);
    const cake = await client.sticker(CAKE);
    expect(one).toMatchObject({ sha256: cake.sha256, bytes: cake.bytes.byteLength });
  });

  it('a prefetch that would cost more than it may buys nothing', async () => {
    const { client, spent } = await openShop();
    const over = readAll(client.prefetch({ presets: ALL, maxCredits: 3 }));
    await expect(over).rejects.toMatchObject({ code: 'budget', status: 402 });
    expect(spent()).toBe(0);
    expect(await client.spending()).toMatchObject({ spent: 0, unsettled: 0 });
  });

  it('facts are those of the bytes that are owned, and of nothing else', async () => {
    const { client, spent } = await openShop();
    await expect(client.facts(CAKE)).rejects.toMatchObject({ code: 'not_owned', status: 404 });
    expect(spent()).toBe(0);
    const { sha256, bytes, facts } = await client.sticker(CAKE);
    const told = await client.facts(CAKE);
    expect(told).toMatchObject({ preset: CAKE, sha256, bytes: bytes.byteLength, verdict: 'clean' });
    expect(facts).toMatchObject({ frames: told.frames, width: told.width, verdict: told.verdict });
  });

  it('a prefetch that breaks goes on: each thing is paid once, and what was paid and not told is uncertain', async () => {
    const { client, spent } = await openShop({ fetch: breakingOnce() });
    await client.sticker(SIGN);
    const events = await readAll(client.prefetch({ presets: ALL, maxCredits: 3 }));
    expect(assets(events).map(([place]) => place)).toEqual([0, 1, 2, 3]);
    expect(events.filter(({ event }) => event === 'begun')).toHaveLength(1);
    expect(spent()).toBe(4);
    const end = events.at(-1);
    if (end?.event !== 'ended') throw new Error('it did not end');
    const told = assets(events).reduce((sum, [, , cost]) => sum + Number(cost), 0);
    expect(end.cost).toBe(told);
    // Nothing that was spent (3) is neither told nor uncertain; what was owned before may be among the uncertain.
    expect(end.cost + end.uncertain.length).toBeGreaterThanOrEqual(3);
    for (const [place, , cost] of assets(events)) if (cost === 1) expect(end.uncertain).not.toContain(place);
  });

  it.each([
    ['told in one answer', {}],
    ['of an answer that breaks', { fetch: breakingOnce() }],
  ])('a cost that nobody knows is uncertain: %s', async (_how, given) => {
    const remote = await startFaultyRemote();
    const svcd = await startTestDaemon({ userKey: remote.key, flags: { remote: remote.url } });
    const client = await openClient({ home: svcd.home, ...given }, {});
    for (const preset of ['many/0', 'many/1']) await client.sticker(preset);
    remote.trouble = ({ path }) => (path.endsWith('2') ? { cut: { how: 'reset', after: 'charge' } } : undefined);
    const presets = ['many/0', 'many/1', 'many/2'];
    const events = await readAll(client.prefetch({ presets, maxCredits: 1, fallback: 'error' }));
    const end = events.at(-1);
    expect(end).toMatchObject({ event: 'ended', cost: 0, failed: [2] });
    expect(end?.event === 'ended' && end.uncertain).toContain(2);
    // The daemon may have learned from the balance meanwhile that it was charged.
    const { spent, unsettled } = await client.spending();
    expect(spent + unsettled).toBe(3);
    expect(remote.account.timesCharged('sticker:many/2')).toBe(1);
  });
});
