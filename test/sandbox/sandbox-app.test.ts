import { describe, expect, test } from 'vitest';
import { refusalIn } from './refusal-in.js';
import { startSandbox, type Call } from './start-sandbox.js';

const PRODUCTION = {
  template: 'promo@1.2.0',
  package_sha256: 'a'.repeat(64),
  host: 'my-tool',
  layout: 'landscape',
  duration_s: 12.5,
  materials: ['stickers.file', 'images.generate'],
  stage: 'plan',
};

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

  test('is told how many calls its credits reach for', async () => {
    const { call } = await startSandbox({ credits: 123 });
    const usage = (await (await call('/api/v1/usage')).json()) as {
      capabilities: { id: string; status: string; possible_count: number | null }[];
    };
    expect(usage).toMatchObject({
      effective_credits_remaining: 123,
      balance: 123,
      key: { monthly_cap: null },
    });
    const counts = Object.fromEntries(usage.capabilities.map((c) => [c.id, c.possible_count]));
    expect(counts).toMatchObject({ 'stickers.file': 123, 'images.generate': 12, 'stickers.search': null });
    const planned = usage.capabilities.filter(({ status }) => status === 'planned');
    expect(planned.map((c) => c.possible_count)).toEqual(planned.map(() => null));
    expect(planned.length).toBeGreaterThan(0);
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

describe('a production', () => {
  test('of exactly the seven fields is registered for nothing', async () => {
    const { post, sandbox } = await startSandbox();
    const answer = await post('/api/v1/productions', PRODUCTION);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({
      production_id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      latest_version: '1.2.0',
      notices: [],
      tips: [],
    });
    expect(sandbox.credits()).toBe(1000);
  });

  test.each([
    ['with an eighth field', { ...PRODUCTION, user: 'me' }],
    ['with a path in it', { ...PRODUCTION, host: '/home/me' }],
    ['without a stage', { template: 'promo@1.2.0' }],
    ['of another stage', { ...PRODUCTION, stage: 'later' }],
  ])('%s is refused', async (_, body) => {
    const { post } = await startSandbox();
    expect(await refusalIn(await post('/api/v1/productions', body))).toBe('400 invalid_request');
  });
});

describe('a body', () => {
  const MATCH = '/api/v1/stickers/match';

  test('of 16 KiB is read, one byte more is 413', async () => {
    const { post } = await startSandbox();
    expect((await post(MATCH, padded(16_384))).status).toBe(200);
    expect(await refusalIn(await post(MATCH, padded(16_385)))).toBe('413 body_too_large');
  });

  test('that does not say its length is held to the same limit', async () => {
    const { post } = await startSandbox();
    const chunks = Array.from({ length: 300 }, () => Buffer.alloc(1024, 32));
    const init = { body: new Blob(chunks).stream(), duplex: 'half' } as Call;
    expect(await refusalIn(await post(MATCH, '', init))).toBe('413 body_too_large');
  });

  test.each([
    ['{', 400, 'invalid_request'],
    ['', 400, 'invalid_request'],
    ['[]', 400, 'invalid_request'],
    ['"text"', 400, 'invalid_request'],
  ])('of %j is refused', async (body, status, code) => {
    const { post } = await startSandbox();
    expect(await refusalIn(await post(MATCH, body))).toBe(`${status} ${code}`);
  });

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

const padded = (bytes: number) => `{"text":"a"${' '.repeat(bytes - 12)}}`;
