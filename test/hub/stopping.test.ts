// A hub that is stopped in order while machines wait at it: they are told so, and nothing is charged to nobody's use.

import { expect, it } from 'vitest';
import { SvcdError } from '../../src/model/errors.js';
import { CAKE, RAIN } from '../sandbox/tiny-catalogue.js';
import { refusalIn, startHub } from '../support/machine.js';

it('tells who waits for its turn, and who comes then, that it stops; a default is no answer', async () => {
  const busy = new SvcdError('rate_limited', 'too many', { retryAfterS: 60 });
  const hub = await startHub({ remote: { faults: () => ({ refuse: busy }) } });
  const machine = await hub.machine();
  const strict = machine.get(CAKE);
  const plain = machine.get(RAIN, { 'X-Svcd-Fallback': 'on' });
  const waiting = async () =>
    ((await (await hub.get('/svcd/hub/purchases?state=intent')).json()) as { purchases: object[] }).purchases.length;
  await expect.poll(waiting).toBe(2);
  const closed = hub.daemon.close();
  for (const answer of await Promise.all([strict, plain])) {
    expect(refusalIn(answer)).toMatchObject({ status: 503, code: 'not_running' });
    expect([answer.headers['x-svcd-cost'], answer.headers['retry-after']]).toEqual(['0', '1']);
  }
  await closed;
  expect(hub.remote.sandbox.charges()).toEqual([]);
});
