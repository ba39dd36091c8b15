import { describe, expect, test } from 'vitest';
import { stickerPath } from '../../src/model/sticker.js';
import { refusalIn } from './refusal-in.js';
import { startSandbox } from './start-sandbox.js';
import { CAKE } from './tiny-catalogue.js';

const NEED_A_KEY = ['/me', '/usage', '/stickers/search?q=雨', '/stickers/food%2Fcake', '/images/x.png'];

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

  test('is not needed for the capabilities, where a wrong one does no harm', async () => {
    const { url, call } = await startSandbox();
    expect((await fetch(`${url}/api/v1/capabilities`)).status).toBe(200);
    const wrong = await call('/api/v1/capabilities', { headers: { Authorization: 'Bearer wrong' } });
    expect(wrong.status).toBe(200);
  });
});

describe('the rate', () => {
  test('does not count who has no Key', async () => {
    const { url, call } = await startSandbox({ requestsPerMinute: 1 });
    for (let i = 0; i < 3; i++) await fetch(`${url}/api/v1/capabilities`);
    expect((await call('/api/v1/me')).status).toBe(200);
    expect(await refusalIn(await call(stickerPath(CAKE)))).toBe('429 rate_limited');
  });
});
