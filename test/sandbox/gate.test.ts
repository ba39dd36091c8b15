import { describe, expect, test } from 'vitest';
import type { Clock } from '../../src/platform/clock.js';
import { stickerPath } from '../../src/model/sticker.js';
import { refusalIn } from './refusal-in.js';
import { startSandbox, type StartedSandbox } from './start-sandbox.js';
import { CAKE } from './tiny-catalogue.js';

const NEED_A_KEY = ['/me', '/usage', '/stickers/search?q=雨', '/stickers/food%2Fcake', '/images/x.png'];
const PRODUCTION = { template: 'promo@1.2.0', stage: 'plan' };

class MovableClock implements Clock {
  elapsedMs = 0;
  now = (): number => 1_700_000_000_000 + this.elapsedMs;
  monotonic = (): number => this.elapsedMs;
}

describe('the Key', () => {
  test.each(NEED_A_KEY)('is needed for %s: 401 without one, and with a wrong one', async (path) => {
    const { url, call } = await startSandbox();
    expect(await refusalIn(await fetch(`${url}/api/v1${path}`))).toBe('401 invalid_key');
    for (const Authorization of ['Bearer wrong', 'Bearer', 'Basic abc', '']) {
      expect(await refusalIn(await call(`/api/v1${path}`, { headers: { Authorization } }))).toBe('401 invalid_key');
    }
  });

  test('is asked for before the body is looked at', async () => {
    const { post } = await startSandbox();
    const headers = { Authorization: 'Bearer wrong' };
    expect(await refusalIn(await post('/api/v1/stickers/match', '{', { headers }))).toBe('401 invalid_key');
    expect(await refusalIn(await post('/api/v1/images', '{', { headers }))).toBe('401 invalid_key');
  });

  test('that was disabled is 403 everywhere, and charges nothing, until it is active again', async () => {
    const { call, sandbox } = await startSandbox({ credits: 5 });
    sandbox.setKeyState('disabled');
    for (const path of NEED_A_KEY) expect(await refusalIn(await call(`/api/v1${path}`))).toBe('403 key_disabled');
    expect(sandbox.credits()).toBe(5);
    sandbox.setKeyState('active');
    expect((await call(stickerPath(CAKE))).status).toBe(200);
  });

  test('is not needed for the capabilities, where a wrong one does no harm', async () => {
    const { url, call } = await startSandbox();
    expect((await fetch(`${url}/api/v1/capabilities`)).status).toBe(200);
    const wrong = await call('/api/v1/capabilities', { headers: { Authorization: 'Bearer wrong' } });
    expect(wrong.status).toBe(200);
  });

  test('is optional for a production, but valid if it is sent', async () => {
    const { post, url } = await startSandbox();
    const headers = { 'Content-Type': 'application/json' };
    const body = JSON.stringify(PRODUCTION);
    expect((await fetch(`${url}/api/v1/productions`, { method: 'POST', headers, body })).status).toBe(200);
    expect((await post('/api/v1/productions', PRODUCTION)).status).toBe(200);
    const wrong = { headers: { Authorization: 'Bearer wrong' } };
    expect(await refusalIn(await post('/api/v1/productions', PRODUCTION, wrong))).toBe('401 invalid_key');
  });
});

describe('the credits header', () => {
  test('tells the balance to its owner and 0 to anybody else', async () => {
    const { call, url } = await startSandbox({ credits: 7 });
    expect(told(await call('/api/v1/me'))).toBe('7');
    expect(told(await call('/api/v1/capabilities'))).toBe('7');
    expect(told(await call('/api/v1/stickers/none'))).toBe('7');
    expect(told(await fetch(`${url}/api/v1/capabilities`))).toBe('0');
    expect(told(await fetch(`${url}/api/v1/me`))).toBe('0');
    expect(told(await fetch(`${url}/nowhere`))).toBe('0');
  });
});

describe('the rate', () => {
  test('admits 120 requests of a Key in any minute and refuses the 121st with the time to wait', async () => {
    const clock = new MovableClock();
    const started = await startSandbox({ clock });
    await spend(started, 60);
    clock.elapsedMs = 30_000;
    await spend(started, 60);
    const refused = await started.call('/api/v1/me');
    expect(refused.headers.get('Retry-After')).toBe('30');
    expect(refused.headers.get('X-Service-Credits-Remaining')).toBe('1000');
    expect(await refusalIn(refused)).toBe('429 rate_limited');
    clock.elapsedMs = 59_999;
    expect(await refusalIn(await started.call('/api/v1/me'))).toBe('429 rate_limited');
    clock.elapsedMs = 60_000;
    await spend(started, 60);
    expect(await refusalIn(await started.call('/api/v1/me'))).toBe('429 rate_limited');
  });

  test('does not count who has no Key', async () => {
    const { url, call } = await startSandbox({ requestsPerMinute: 1 });
    for (let i = 0; i < 3; i++) await fetch(`${url}/api/v1/capabilities`);
    expect((await call('/api/v1/me')).status).toBe(200);
    expect(await refusalIn(await call(stickerPath(CAKE)))).toBe('429 rate_limited');
  });
});

const told = (answer: Response) => answer.headers.get('X-Service-Credits-Remaining');

async function spend({ call }: StartedSandbox, requests: number): Promise<void> {
  const answers = await Promise.all(Array.from({ length: requests }, () => call('/api/v1/me')));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(requests);
}
