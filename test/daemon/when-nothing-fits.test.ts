// What is served when no default fits, as the setting says, through a real daemon.

import { expect, it } from 'vitest';
import { stickerPath } from '../../src/model/sticker.js';
import { startTestDaemon } from '../support/start-daemon.js';

const ODD = 'x/qwrtz-77';

it.each([
  ['plain', /^default\/plain; /],
  ['transparent', /^default\/transparent; /],
])('%s is a default that plays', async (choice, which) => {
  const svcd = await startTestDaemon({ flags: { 'when-nothing-fits': choice } });
  const answer = await svcd.call(stickerPath(ODD));
  expect(answer.status).toBe(200);
  expect(answer.headers.get('x-svcd-default')).toMatch(which);
  expect(await answer.json()).toMatchObject({ layers: [expect.anything()] });
});

it('error is what X-Svcd-Fallback: off gives, and only where nothing fits', async () => {
  const svcd = await startTestDaemon({ flags: { 'when-nothing-fits': 'error' } });
  const refused = await svcd.call(stickerPath(ODD));
  const off = await svcd.call(stickerPath(ODD), { headers: { 'X-Svcd-Fallback': 'off' } });
  expect(refused.status).toBe(off.status);
  expect(await refused.json()).toEqual(await off.json());
  expect((await svcd.call(stickerPath('x/birthday-cake'))).status).toBe(200);
});
