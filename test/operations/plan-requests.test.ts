// What a request for a plan may hold, and how it is refused.

import { describe, expect, it } from 'vitest';
import { startTestDaemon, type StartedDaemon } from '../support/start-daemon.js';

describe('a request that is wrong', () => {
  const slot = (rest: object) => ({ slots: [{ id: 'a', ...rest }] });
  let shared: Promise<StartedDaemon> | undefined;
  it.each([
    [{}, 'slots: is required'],
    [{ slots: [] }, 'slots: has 0 entries, 1 to 50 are allowed'],
    [
      { slots: Array.from({ length: 51 }, (_, i) => ({ id: `${i}`, text: 'x' })) },
      'slots: has 51 entries, 1 to 50 are allowed',
    ],
    [{ slots: [slot({ text: 'x' }).slots[0], slot({ text: 'y' }).slots[0]] }, 'slots: names the slot "a" twice'],
    [{ ...slot({ text: 'x' }), buy: true }, 'unknown field "buy"'],
    [
      { ...slot({ text: 'x' }), style: 'a b' },
      'style: must be "auto", "any", or the first part of a preset, such as "twemoji"',
    ],
    [slot({ text: 'x', colour: 1 }), 'unknown field "slots.0.colour"'],
    [
      slot({}),
      'slots.0: a sticker needs text, keywords or preset, an image needs prompt and size, and no slot is both',
    ],
    [
      slot({ preset: '../x' }),
      'slots.0.preset: must not have "." or ".." as a part, nor percent-encoded control characters, got "../x"',
    ],
    [slot({ text: 'x', aspect: 0 }), 'slots.0.aspect: must be more than 0 and at most 100, got 0'],
    [
      { ...slot({ text: 'x' }), max_credits: -1 },
      'max_credits: must be a whole number of credits from 0 to 1000000000, got -1',
    ],
  ])('%j is refused in one sentence', async (body, message) => {
    const svcd = await (shared ??= startTestDaemon({ untilFileEnds: true }));
    const answer = await svcd.post('/svcd/plan', body);
    expect([answer.status, await answer.json()]).toMatchObject([400, { code: 'invalid_request', message }]);
  });

  it('may be larger than other bodies, up to 64 KiB', async () => {
    const svcd = await startTestDaemon();
    const of = (count: number) => ({
      slots: Array.from({ length: count }, (_, i) => ({ id: `s${i}`, text: 'x'.repeat(2000) })),
    });
    expect((await svcd.post('/svcd/plan', of(30))).status).toBe(200);
    expect((await svcd.post('/svcd/plan', of(35))).status).toBe(413);
  });
});
