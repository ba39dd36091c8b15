// What machines send by the megabyte takes little of the hub's memory, however many send and however slowly.

import { request } from 'node:https';
import { describe, expect, it } from 'vitest';
import { createUploads } from '../../src/hub/app/machine-uploads.js';
import { refusalIn, startHub, type Machine } from '../support/machine.js';

/** A body that ends when told, and whether anybody reads it. */
function openBody() {
  let end = () => undefined as void;
  const ended = new Promise<void>((resolve) => (end = resolve));
  let isRead = false;
  async function* pieces(): AsyncGenerator<Uint8Array> {
    isRead = true;
    yield new Uint8Array(1);
    await ended;
  }
  return { pieces: pieces(), end: () => end(), isRead: () => isRead };
}

async function countBytes(pieces: AsyncIterable<Uint8Array>): Promise<number> {
  let count = 0;
  for await (const piece of pieces) count += piece.length;
  return count;
}

describe('uploads of machines', () => {
  it('are worked on one of a machine at a time, and the next when it is done', async () => {
    const take = createUploads();
    const first = openBody();
    const done = take(1, first.pieces, countBytes);
    await expect(take(1, openBody().pieces, countBytes)).rejects.toMatchObject({ code: 'busy', retryAfterS: 5 });
    const other = openBody();
    other.end();
    expect(await take(2, other.pieces, countBytes)).toBe(1);
    first.end();
    await done;
    const again = openBody();
    again.end();
    expect(await take(1, again.pieces, countBytes)).toBe(1);
  });

  it('wait for a turn when as many are under way as there may be, also after one that failed', async () => {
    const take = createUploads({ atOnce: 2, lastsMs: 1000 }, () => 0);
    const bodies = Array.from({ length: 4 }, openBody);
    const failed = take(0, bodies[0]!.pieces, async (pieces) => {
      await countBytes(pieces);
      throw new Error('the disk is full');
    });
    const others = bodies.slice(1).map((body, nth) => take(nth + 1, body.pieces, countBytes));
    await new Promise((resolve) => setImmediate(resolve));
    expect(bodies.map((body) => body.isRead())).toEqual([true, true, false, false]);
    bodies[0]!.end();
    await expect(failed).rejects.toThrow('the disk is full');
    for (const body of bodies) body.end();
    expect(await Promise.all(others)).toEqual([1, 1, 1]);
  });

  it('lose their turn when they come too slowly, and others get it', async () => {
    let now = 0;
    const take = createUploads({ atOnce: 1, lastsMs: 1000 }, () => now);
    async function* drip(): AsyncGenerator<Uint8Array> {
      for (;;) {
        now += 400;
        yield new Uint8Array(1);
      }
    }
    const slow = take(1, drip(), countBytes);
    const other = openBody();
    other.end();
    const next = take(2, other.pieces, countBytes);
    await expect(slow).rejects.toMatchObject({ code: 'timeout' });
    expect(await next).toBe(1);
  });

  it('lose it as well when nothing comes any more', async () => {
    const take = createUploads({ atOnce: 1, lastsMs: 20 });
    const silent = take(1, openBody().pieces, countBytes);
    const other = openBody();
    other.end();
    const next = take(2, other.pieces, countBytes);
    await expect(silent).rejects.toMatchObject({ code: 'timeout' });
    expect(await next).toBe(1);
  });
});

describe('a machine that sends two things at once', () => {
  it('is told to wait at /svcd/hub/returned, and another one is not', async () => {
    const path = '/svcd/hub/returned';
    const hub = await startHub();
    const one = await hub.machine();
    const other = await hub.machine({}, 'other');
    const headers = { 'Content-Type': 'application/x-ndjson' };
    const send = ({ ask }: Machine) => ask(path, { method: 'POST', headers, body: '{}\n' });
    const held = request(new URL(path, hub.machinesUrl), {
      method: 'POST',
      headers: { ...headers, Authorization: `Bearer ${one.joined.token}` },
      rejectUnauthorized: false,
    });
    held.on('error', () => undefined).write('{}\n');
    await expect.poll(async () => (await send(one)).status).toBe(429);
    expect(refusalIn(await send(one))).toMatchObject({ code: 'busy' });
    expect(await send(other)).toMatchObject({ status: 200 });
    held.destroy();
    await expect.poll(async () => (await send(one)).status).toBe(200);
  });
});
