// Events of a prefetch as the client tells them, by a server that plays them, breaks, and is asked again.

import { describe, expect, it } from 'vitest';
import { openClient } from '../../src/client/open-client.js';
import { readAll, startScript, type Act } from './scripted-server.js';

const begun = (buy: number) => ({ event: 'begun', of: 2, have: 2 - buy, buy, cost: buy });
const asset = (place: number, source: string, done: number) => ({
  event: 'asset',
  place,
  preset: `x/${place}`,
  source,
  cost: source === 'bought' ? 1 : 0,
  sha256: 'a'.repeat(64),
  bytes: 2,
  done,
  of: 2,
});
const ended = (cost: number, uncertain: number[] = []) => ({
  event: 'ended',
  cost,
  uncertain,
  defaults: 0,
  failed: [],
});
const lines = (...events: object[]): Act => ({ body: events.map((one) => `${JSON.stringify(one)}\n`).join('') });
const REQUEST = { presets: ['x/0', 'x/1'], maxCredits: 2 } as const;

async function open(...acts: [Act, ...Act[]]) {
  const server = await startScript(acts);
  return { server, client: await openClient({ baseUrl: server.url }, {}) };
}

describe('a prefetch', () => {
  it('tells its events as they are, and asks as the wire wants it', async () => {
    const events = [begun(2), asset(0, 'bought', 1), { event: 'waiting', why: 'pace', seconds: 1 }];
    const { client, server } = await open(lines(...events, asset(1, 'bought', 2), ended(2)));
    const images = [{ prompt: 'a lamp', size: '1024x1024' }] as const;
    const told = await readAll(client.prefetch({ ...REQUEST, images, fallback: 'error' }));
    expect(told).toEqual([...events, asset(1, 'bought', 2), ended(2)]);
    expect(JSON.parse(server.seen[0]?.body ?? '')).toEqual({
      presets: REQUEST.presets,
      images,
      max_credits: 2,
      fallback: false,
    });
  });

  it('goes on after a break with what is left of the credits, tells nothing twice, and says what is uncertain', async () => {
    // Without an end: the connection was lost.
    const { client, server } = await open(
      lines(begun(2), asset(0, 'bought', 1)),
      lines(begun(0), asset(1, 'owned', 1), asset(0, 'owned', 2), ended(0)),
    );
    expect(await readAll(client.prefetch(REQUEST))).toEqual([
      begun(2),
      asset(0, 'bought', 1),
      asset(1, 'owned', 2),
      ended(1, [1]),
    ]);
    expect(server.seen.map(({ body }) => (JSON.parse(body) as { max_credits: number }).max_credits)).toEqual([2, 1]);
  });

  it('that breaks keeps in mind what nobody knew the cost of, then and now', async () => {
    const failed = (place: number, cost: number | 'unknown', code: string, done: number) => {
      return { event: 'failed', place, preset: `x/${place}`, cost, code, message: 'no', done, of: 2 };
    };
    const { client } = await open(
      lines(begun(2), failed(0, 'unknown', 'upstream_failure', 1)),
      // The first request bought both, and svcd cannot tell what it was charged.
      lines(begun(0), failed(0, 0, 'unsettled', 1), failed(1, 0, 'unsettled', 2), { ...ended(0), failed: [0, 1] }),
    );
    expect((await readAll(client.prefetch(REQUEST))).at(-1)).toEqual({ ...ended(0, [0, 1]), failed: [0, 1] });
  });

  it('that svcd ends, or refuses, is an error with its code', async () => {
    const { client } = await open(lines(begun(2), { event: 'error', code: 'interrupted', message: 'svcd stops' }));
    await expect(readAll(client.prefetch(REQUEST))).rejects.toMatchObject({ code: 'interrupted' });
    const over = await open({ status: 402, body: { code: 'budget', message: '2 credits, and 1 is left' } });
    await expect(readAll(over.client.prefetch(REQUEST))).rejects.toMatchObject({ code: 'budget', status: 402 });
    expect(over.server.seen).toHaveLength(1);
  });

  it('whose lines are no JSON is upstream_failure', async () => {
    const { client } = await open({ body: 'hello\n' });
    await expect(readAll(client.prefetch(REQUEST))).rejects.toMatchObject({ code: 'upstream_failure', status: 200 });
  });
});
