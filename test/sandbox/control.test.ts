import { describe, expect, test } from 'vitest';
import { stickerPath } from '../../src/model/sticker.js';
import { openControlled } from './open-control.js';
import { refusalIn } from './refusal-in.js';
import { startSandbox } from './start-sandbox.js';
import { CAKE } from './tiny-catalogue.js';

type Requests = { requests: Record<string, unknown>[] };
const PATHS = ['accounts', 'keys', 'payments', 'clock', 'capabilities', 'faults', 'requests', 'ledger'];

describe('the control surface', () => {
  test.each(PATHS)('wants its own token for %s: neither none nor a Key will do', async (path) => {
    const { call, control } = openControlled();
    for (const key of [undefined, 'svcd_sandbox_tesu']) {
      const answer = await call(`/sandbox/${path}`, key === undefined ? {} : { key });
      expect([answer.status, await answer.json()]).toMatchObject([401, { code: 'invalid_token' }]);
    }
    await control('GET', path);
  });

  test('tells who it is without the token, so that nobody shows it to a stranger', async () => {
    const { call } = openControlled();
    const status = (await (await call('/sandbox/status', { key: 'none' })).json()) as object;
    expect(status).toMatchObject({ name: 'svcd-sandbox', pid: process.pid });
  });

  test('is nowhere without a token to open it with, and never below /api', async () => {
    const { call } = await startSandbox();
    expect(await refusalIn(await call('/sandbox/accounts'))).toBe('404 not_found');
    const opened = openControlled();
    expect(await refusalIn(await opened.call('/api/v1/sandbox/accounts'))).toBe('404 not_found');
  });

  test('is out of reach of faults, rates and the journal', async () => {
    const { control } = openControlled({ requestsPerMinute: 1 });
    await control('POST', 'faults', { kind: 'status', status: 500 });
    for (let i = 0; i < 5; i++) await control('GET', 'accounts');
    expect(await control<Requests>('GET', 'requests')).toEqual({ requests: [] });
  });

  test.each([
    ['POST', 'accounts', { name: 'a/b' }, '400 invalid_request: name'],
    ['POST', 'accounts', { name: 'main' }, '400 invalid_request: name'],
    ['POST', 'accounts', { name: 'x', gift: 1 }, '400 invalid_request: unknown field "gift"'],
    ['POST', 'topups', { account: 'nobody', amount: '1' }, '404 not_found'],
    ['POST', 'keys', { limits: { daily: -1 } }, '400 invalid_request: limits.daily'],
    ['POST', 'keys', { permissions: ['root'] }, '400 invalid_request: permissions.0'],
    ['PATCH', 'keys/1', {}, '400 invalid_request'],
    ['PATCH', 'keys/99', { state: 'disabled' }, '404 not_found'],
    ['POST', 'clock', { advance_ms: -1 }, '400 invalid_request'],
    ['POST', 'clock', { to: '2020-01-01T00:00:00Z' }, 'only moves forward'],
    ['POST', 'clock', {}, '400 invalid_request'],
    ['PUT', 'capabilities/render.cloud', { enabled: true }, 'is planned'],
    ['PUT', 'capabilities/none', { enabled: true }, '404 not_found'],
    ['POST', 'faults', { kind: 'fire' }, '400 invalid_request: kind'],
    ['POST', 'faults', { kind: 'status' }, '400 invalid_request: status: is required'],
    ['POST', 'faults', { kind: 'busy', at_byte: 1 }, '400 invalid_request: unknown field "at_byte"'],
    ['POST', 'faults', { kind: 'busy', probability: 2 }, '400 invalid_request: probability'],
    ['DELETE', 'faults/3', undefined, '404 not_found'],
    ['GET', 'requests?limit=0', undefined, '400 invalid_request: limit'],
    ['DELETE', 'accounts', undefined, '405 method_not_allowed'],
    ['GET', 'nothing', undefined, '404 not_found'],
  ])('refuses %s %s %j in words', async (method, path, body, words) => {
    const { control } = openControlled();
    await expect(control(method, path, body)).rejects.toThrow(words);
  });

  test('says of a switch that is off: listed as not enabled, 503 and free when asked', async () => {
    const { control, call, post, sandbox } = openControlled();
    const image = { prompt: 'x', size: '1024x1024' };
    for (const id of ['images.generate', 'stickers.file', 'stickers.search']) {
      await control('PUT', `capabilities/${id}`, { enabled: false });
    }
    expect(await refusalIn(await post('/api/v1/images', image))).toBe('503 not_enabled');
    expect(await refusalIn(await call(stickerPath(CAKE)))).toBe('503 not_enabled');
    expect(await refusalIn(await call('/api/v1/stickers/search?q=a'))).toBe('503 not_enabled');
    const listed = (await (await call('/api/v1/capabilities')).json()) as { capabilities: object[] };
    expect(listed.capabilities).toContainEqual(
      expect.objectContaining({ id: 'images.generate', status: 'beta', enabled: false }),
    );
    expect(sandbox.credits()).toBe(1000);
    await control('PUT', 'capabilities/stickers.file', { enabled: true });
    expect((await call(stickerPath(CAKE))).status).toBe(200);
  });
});

describe('the request journal', () => {
  test('tells of each request its end, its cost and the tail of its Key, and never what people wrote', async () => {
    const { control, call, post, sandbox } = openControlled({ credits: 11 });
    const secret = '悄悄话';
    await call(`/api/v1/stickers/search?q=${encodeURIComponent(secret)}`);
    await post('/api/v1/stickers/match', { text: secret, keywords: [secret] });
    await post('/api/v1/images', { prompt: secret, size: '1024x1024' });
    await call(stickerPath(CAKE));
    await call(stickerPath(CAKE));
    await call('/api/v1/me', { key: 'sk-somebody-elses' });
    await call('/api/v1/me', { headers: { 'X-Sandbox-Fault': 'busy' } });
    const { requests } = await control<Requests>('GET', 'requests');
    const told = requests.map(({ path, status, code, cost, left, fault }) => [path, status, code, cost, left, fault]);
    expect(told.toReversed()).toEqual([
      ['/api/v1/stickers/search', 200, null, 0, 11, null],
      ['/api/v1/stickers/match', 200, null, 0, 11, null],
      ['/api/v1/images', 200, null, 10, 1, null],
      [stickerPath(CAKE), 200, null, 1, 0, null],
      [stickerPath(CAKE), 402, 'insufficient_credits', 0, 0, null],
      ['/api/v1/me', 401, 'invalid_key', 0, 0, null],
      ['/api/v1/me', 429, 'busy', 0, 0, 'busy'],
    ]);
    const text = JSON.stringify(requests);
    for (const hidden of [secret, encodeURIComponent(secret), sandbox.key, 'somebody-elses']) {
      expect(text).not.toContain(hidden);
    }
    expect(requests[0]).toMatchObject({ account: 'main', key: `sk-sandbox-…${sandbox.key.slice(-4)}` });
  });

  test('can be asked for an account, a path and a number of requests', async () => {
    const { control, call } = openControlled();
    const ada = await control<{ key: string }>('POST', 'accounts', { name: 'ada' });
    await call('/api/v1/me');
    await call('/api/v1/usage', { key: ada.key });
    await call('/api/v1/usage');
    const ask = async (query: string) => (await control<Requests>('GET', `requests?${query}`)).requests;
    expect((await ask('account=ada')).map(({ path }) => path)).toEqual(['/api/v1/usage']);
    expect(await ask('path=/api/v1/usage')).toHaveLength(2);
    expect((await ask('limit=1')).map(({ account }) => account)).toEqual(['main']);
  });

  test('forgets the oldest requests when it holds as many as it should', async () => {
    const { control, call } = openControlled({ requestsKept: 40 });
    for (let i = 0; i < 100; i++) await call('/nowhere');
    const { requests } = await control<Requests>('GET', 'requests?limit=10000');
    expect(requests).toHaveLength(40);
    expect([requests[0]?.['id'], requests.at(-1)?.['id']]).toEqual([100, 61]);
  });
});

describe('a production', () => {
  const advice = async (template: string, opened = openControlled()) => {
    const answer = await opened.post('/api/v1/productions', { template, stage: 'plan' });
    const { production_id: _, ...rest } = (await answer.json()) as Record<string, unknown>;
    return rest;
  };

  test('of an old version learns of the new one, of known issues and of tips', async () => {
    expect(await advice('birthday-card@1.0.0')).toEqual({
      latest_version: '1.1.0',
      notices: [
        { code: 'new_version', version: '1.1.0', message: expect.stringContaining('1.1.0') as string },
        { code: 'known_issue', version: '1.0.0', message: expect.stringMatching(/\S/) as string },
      ],
      tips: [{ message: expect.any(String) as string }, { message: expect.any(String) as string }],
    });
  });

  test('of the latest version has nothing to notice, of a template that nobody knows nothing at all', async () => {
    expect(await advice('birthday-card@1.1.0')).toMatchObject({ latest_version: '1.1.0', notices: [] });
    expect(await advice('mine@0.1')).toEqual({ latest_version: '0.1', notices: [], tips: [] });
  });

  test.each([
    ['1.9.0', '1.10.0'],
    ['1.2.3-beta.2', '1.2.3-beta.11'],
    ['1.2.3-beta', '1.2.3'],
    ['0.9', '0.9.1'],
  ])('knows that %s came before %s', async (older, newer) => {
    const opened = openControlled();
    for (const version of [newer, older]) {
      await opened.control('POST', 'templates', { template: `promo@${version}` });
    }
    expect(await advice(`promo@${older}`, opened)).toMatchObject({ latest_version: newer });
    expect(await advice(`promo@${newer}`, opened)).toMatchObject({ latest_version: newer, notices: [] });
  });
});
