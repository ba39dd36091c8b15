// A hub whose service lets it wait, and the machines behind it: a hub that waits is not away.

import { describe, expect, it, onTestFinished } from 'vitest';
import { SvcdError } from '../../src/model/errors.js';
import { silentLog } from '../../src/platform/log.js';
import { BIRTHDAY_CAKE, CAKE, RAIN } from '../sandbox/tiny-catalogue.js';
import { startHub } from '../support/machine.js';
import { startSidecar } from './start-sidecar.js';

/** After so long without an answer a remote that is no hub counts as away. */
const DEADLINE_MS = 500;
const PATIENT = { 'X-Svcd-Deadline-Ms': '60000' };
const HASTY = { 'X-Svcd-Deadline-Ms': '200' };
const told = ({ headers }: Response) => [headers.get('x-svcd-source'), headers.get('x-svcd-reason')];
const sticker = (preset: string) => `/api/v1/stickers/${encodeURIComponent(preset)}`;
const WISH = { prompt: 'a red fox', size: '1024x1024' };

/** Whether the machine took the hub for one that is away, now or before. */
function noteAway() {
  const away: string[] = [];
  const warn = (event: string, fields?: object) => {
    if (event.includes('away')) away.push(`${event} ${JSON.stringify(fields)}`);
  };
  return { away, log: { ...silentLog, warn } };
}

describe('a hub that waits for its service', () => {
  it('is waited for while the service wants to be left alone', async () => {
    let refusals = 3;
    const busy = new SvcdError('rate_limited', 'too many', { retryAfterS: 3 });
    const hub = await startHub({
      remote: { faults: ({ path }) => (path.startsWith('/api/') && refusals-- > 0 ? { refuse: busy } : undefined) },
    });
    const { away, log } = noteAway();
    const { get, post } = await startSidecar(hub, 'one', { flags: { 'deadline-ms': DEADLINE_MS }, log });
    const answers = await Promise.all([
      ...[CAKE, RAIN, BIRTHDAY_CAKE].map((preset) => get(sticker(preset), PATIENT)),
      post('/api/v1/images', WISH, PATIENT),
    ]);
    expect(answers.map(told)).toEqual(answers.map(() => ['remote', null]));
    expect(away).toEqual([]);
  });

  it('is waited for while the service is slow, also by who asks later', async () => {
    let release = () => undefined as void;
    const answered = new Promise<void>((resolve) => (release = resolve));
    onTestFinished(release);
    const hub = await startHub({
      flags: { 'deadline-ms': DEADLINE_MS },
      remote: {
        faults: ({ path }) =>
          path.startsWith('/api/') ? { replace: (answer) => answered.then(() => answer) } : undefined,
      },
    });
    const { away, log } = noteAway();
    const { get, post } = await startSidecar(hub, 'one', { flags: { 'deadline-ms': DEADLINE_MS }, log });
    const picture = post('/api/v1/images', WISH, PATIENT);
    const cake = get(sticker(CAKE), PATIENT);
    // Each is told what its own patience came to, however long nothing has come.
    for (const preset of [RAIN, RAIN, BIRTHDAY_CAKE]) {
      expect(told(await get(sticker(preset)))).toEqual(['default', 'late']);
    }
    expect(told(await get(sticker(RAIN), HASTY))).toEqual(['default', 'late']);
    release();
    expect([told(await picture), told(await cake)]).toEqual([
      ['remote', null],
      ['remote', null],
    ]);
    expect(away).toEqual([]);
  });
});
