// Turns of the event loop for long work.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { ownTurn } from '../../src/platform/steps.js';

it('gives each of those that wait at once a turn of its own', async () => {
  let turn = 0;
  const counting = new AbortController();
  const count = async () => {
    for (; !counting.signal.aborted; turn += 1) await nextTurn();
  };
  const counted = count();
  const turns = await Promise.all(Array.from({ length: 4 }, () => ownTurn().then(() => turn)));
  counting.abort();
  await counted;
  expect(new Set(turns).size).toBe(4);
});
