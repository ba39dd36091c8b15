import { describe, expect, test } from 'vitest';
import { refusalIn } from './refusal-in.js';
import { startSandbox } from './start-sandbox.js';

describe('the account', () => {
  test('is told its Key and its balance', async () => {
    const { call } = await startSandbox({ credits: 123 });
    expect(await (await call('/api/v1/me')).json()).toEqual({
      key: {
        kind: 'general',
        status: 'active',
        limits: { per_request: null, daily: null, monthly: null },
        permissions: ['music.search', 'assets.read', 'assets.write'],
      },
      balance: 123,
      pending_credits: 6,
    });
  });
});

describe('the capabilities', () => {
  test('say of each whether it is switched on', async () => {
    const { url } = await startSandbox();
    const answer = (await (await fetch(`${url}/api/v1/capabilities`)).json()) as { capabilities: object[] };
    expect(answer.capabilities).toContainEqual(
      expect.objectContaining({ id: 'images.generate', status: 'beta', enabled: true, cost: 10 }),
    );
    expect(answer.capabilities).toContainEqual(
      expect.objectContaining({ id: 'render.cloud', status: 'planned', enabled: false, cost: null }),
    );
  });
});

describe('a body', () => {
  const MATCH = '/api/v1/stickers/match';

  test('that is not called JSON is 415', async () => {
    const { post } = await startSandbox();
    const headers = { 'Content-Type': 'text/plain' };
    expect(await refusalIn(await post(MATCH, '{"text":"a"}', { headers }))).toBe('415 unsupported_media_type');
  });
});

describe('paths and methods', () => {
  test.each(['/', '/api', '/api/v1', '/api/v1/music', '/api/v1/stickers', '/api/v1/stickers/', '/api/v2/me'])(
    'that the document does not have are 404: %s',
    async (path) => {
      const { call } = await startSandbox();
      expect(await refusalIn(await call(path))).toBe('404 not_found');
    },
  );

  test.each([
    ['POST', '/api/v1/me', 'GET, HEAD'],
    ['DELETE', '/api/v1/stickers/food%2Fcake', 'GET'],
    ['GET', '/api/v1/stickers/match', 'POST'],
    ['PUT', '/api/v1/images', 'POST'],
    ['OPTIONS', '/api/v1/productions', 'POST'],
  ])('%s %s is 405 and says what is possible', async (method, path, allowed) => {
    const { call } = await startSandbox();
    const answer = await call(path, { method });
    expect(answer.headers.get('Allow')).toBe(allowed);
    expect(await refusalIn(answer)).toBe('405 method_not_allowed');
  });

  test('of free answers can be asked for their head alone', async () => {
    const { call } = await startSandbox({ credits: 3 });
    const answer = await call('/api/v1/me', { method: 'HEAD' });
    expect([answer.status, answer.headers.get('X-Service-Credits-Remaining')]).toEqual([200, '3']);
  });
});
