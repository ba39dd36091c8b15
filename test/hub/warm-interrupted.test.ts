// Who warms a hub goes away in the middle (Ctrl+C): nothing further is bought, and the hub goes on.

import { expect, it } from 'vitest';
import type { WarmEvent } from '../../src/api/hub.js';
import { BIRTHDAY_CAKE, CAKE, RAIN } from '../sandbox/tiny-catalogue.js';
import { startHub } from '../support/machine.js';

it('ends no hub, and what was under way is kept', async () => {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const hub = await startHub({
    remote: {
      faults: ({ path }) =>
        path.includes('/stickers/') ? { replace: (answer) => released.then(() => answer) } : undefined,
    },
  });
  const gone = new AbortController();
  const wanted = { presets: [CAKE, RAIN, BIRTHDAY_CAKE], max_credits: 10 };
  const answer = await hub.post('/svcd/hub/warm', wanted, {}, gone.signal);
  const [line = ''] = new TextDecoder().decode((await answer.body!.getReader().read()).value).split('\n');
  expect(JSON.parse(line) as WarmEvent).toMatchObject({ event: 'begun', buy: 3 });
  gone.abort();
  release();
  const paid = async () =>
    ((await (await hub.get('/svcd/hub/purchases?state=paid')).json()) as { purchases: object[] }).purchases.length;
  await expect.poll(paid).toBeGreaterThan(0);
  expect((await hub.get('/svcd/hub/status')).status).toBe(200);
});
