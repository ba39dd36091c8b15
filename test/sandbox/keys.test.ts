import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/sandbox/wire/limits.js';
import { creditsIn, openControlled } from './open-control.js';
import { refusalIn } from './refusal-in.js';
import { temporaryHome } from './start-sandbox.js';
import { CAKE, writeTinyCatalogue } from './tiny-catalogue.js';
import { stickerPath } from '../../src/model/sticker.js';

type NewKey = { id: number; key: string; kind: string; template: string | null };
const IMAGE = { prompt: '生日', size: '1024x1024' };
const png = () => Promise.resolve(Buffer.from('png'));

describe('a Key', () => {
  test('spends the credits of its own account only', async () => {
    const { sandbox, control, call, download } = openControlled({ credits: 5 });
    const ada = await control<NewKey>('POST', 'accounts', { name: 'ada' });
    expect(creditsIn(await call('/api/v1/me', { key: ada.key }))).toBe(0);
    expect(await download(ada.key)).toBe(402);
    await control('POST', 'topups', { account: 'ada', amount: '0.30' });
    expect(await download(ada.key)).toBe(200);
    expect(creditsIn(await call('/api/v1/me', { key: ada.key }))).toBe(2);
    expect(sandbox.credits()).toBe(5);
  });

  test('of a template package is disabled alone, and downloading again brings another', async () => {
    const { control, download, call } = openControlled({ credits: 50 });
    const bought = await control<{ key: NewKey }>('POST', 'purchases', { template: 'promo@1.0.0', amount: '9' });
    const again = await control<NewKey>('POST', 'keys', { template: 'promo@1.0.0' });
    expect(again).toMatchObject({ kind: 'template', template: 'promo@1.0.0' });
    expect(again.key).not.toBe(bought.key.key);
    await control('PATCH', `keys/${bought.key.id}`, { state: 'disabled' });
    expect(await refusalIn(await call('/api/v1/me', { key: bought.key.key }))).toBe('403 key_disabled');
    expect([await download(again.key), await download()]).toEqual([200, 200]);
    const me = (await (await call('/api/v1/me', { key: again.key })).json()) as object;
    expect(me).toMatchObject({ key: { kind: 'template', template: 'promo@1.0.0', status: 'active' } });
  });

  test('that was revoked is as if it had never been, for good', async () => {
    const { control, call } = openControlled();
    const { id, key } = await control<NewKey>('POST', 'keys', {});
    await control('PATCH', `keys/${id}`, { state: 'disabled' });
    await control('PATCH', `keys/${id}`, { state: 'revoked' });
    const answer = await call('/api/v1/me', { key });
    expect(creditsIn(answer)).toBe(0);
    expect(await refusalIn(answer)).toBe('401 invalid_key');
    await expect(control('PATCH', `keys/${id}`, { state: 'active' })).rejects.toThrow('cannot be undone');
  });

  test('is kept as a digest: neither listing nor file tells it', async () => {
    const home = temporaryHome();
    const file = join(home, 'sandbox.db');
    const { sandbox, control } = openControlled({ file, catalogueFolder: writeTinyCatalogue(home) });
    const { key } = await control<NewKey>('POST', 'keys', {});
    const listed = JSON.stringify(await control('GET', 'keys'));
    sandbox.close();
    const kept = readFileSync(file, 'latin1');
    for (const secret of [key, sandbox.key]) {
      expect(kept).not.toContain(secret);
      expect(listed).not.toContain(secret);
      expect(listed).toContain(secret.slice(-4));
    }
  });
});

describe('the limits of a Key', () => {
  test('a request: what costs more is 403 with a code of our own, what costs as much is not', async () => {
    const { control, post, download, sandbox } = openControlled({ credits: 100, draw: png });
    const nine = await control<NewKey>('POST', 'keys', { limits: { per_request: 9 } });
    const ten = await control<NewKey>('POST', 'keys', { limits: { per_request: 10 } });
    expect(await refusalIn(await post('/api/v1/images', IMAGE, nine.key))).toBe('403 key_limit_exceeded');
    expect((await post('/api/v1/images', IMAGE, ten.key)).status).toBe(200);
    expect(await download(nine.key)).toBe(200);
    expect(sandbox.credits()).toBe(89);
  });

  test('a month bounds what usage and header tell: the smaller of balance and rest', async () => {
    const { control, call, download } = openControlled({ credits: 25 });
    const { key } = await control<NewKey>('POST', 'keys', { limits: { monthly: 21 } });
    await download(key);
    const answer = await call('/api/v1/usage', { key });
    expect(creditsIn(answer)).toBe(20);
    const usage = (await answer.json()) as { capabilities: { id: string; possible_count: number | null }[] };
    expect(usage).toMatchObject({
      effective_credits_remaining: 20,
      balance: 24,
      key: { monthly_cap: 21, monthly_remaining: 20 },
    });
    const counts = Object.fromEntries(usage.capabilities.map((one) => [one.id, one.possible_count]));
    expect(counts).toMatchObject({ 'stickers.file': 20, 'images.generate': 2, 'render.cloud': null });
    // Another Key of the account spends the balance below the rest.
    for (let i = 0; i < 10; i++) await download();
    expect(creditsIn(await call('/api/v1/usage', { key }))).toBe(14);
  });

  test('leave free calls alone, and can be changed and taken away', async () => {
    const { control, call, download } = openControlled();
    const { id, key } = await control<NewKey>('POST', 'keys', { limits: { daily: 0, monthly: 0 } });
    expect((await call('/api/v1/usage', { key })).status).toBe(200);
    expect(await download(key)).toBe(403);
    await control('PATCH', `keys/${id}`, { limits: { daily: null } });
    expect(await download(key)).toBe(403);
    await control('PATCH', `keys/${id}`, { limits: { monthly: null } });
    expect(await download(key)).toBe(200);
  });

  test('hold for requests that come together', async () => {
    const { control, download } = openControlled();
    const { key } = await control<NewKey>('POST', 'keys', { limits: { daily: 5 } });
    const answers = await Promise.all(Array.from({ length: 20 }, () => download(key)));
    expect(answers.filter((status) => status === 200)).toHaveLength(5);
    expect(answers.filter((status) => status === 403)).toHaveLength(15);
  });
});

describe('the rate', () => {
  test('is 120 a minute, of each Key: the 121st request of one has to wait, the first of another has not', async () => {
    const { control, call, advance, sandbox } = openControlled({ requestsPerMinute: LIMITS.requestsPerMinute });
    const { key } = await control<NewKey>('POST', 'keys', {});
    for (let i = 0; i < 120; i++) expect((await call('/api/v1/me', { key })).status).toBe(200);
    const refused = await call('/api/v1/me', { key });
    expect([refused.headers.get('Retry-After'), creditsIn(refused)]).toEqual(['60', sandbox.credits()]);
    expect(await refusalIn(refused)).toBe('429 rate_limited');
    expect((await call('/api/v1/me')).status).toBe(200);
    await advance(60_000);
    expect((await call('/api/v1/me', { key })).status).toBe(200);
  });
});

describe('the credits header', () => {
  test.each(['/', '/nowhere', '/api/v1/music', '/api/v2/me', stickerPath('none')])(
    'tells the owner of a Key what is left on every path, also on %s',
    async (path) => {
      const { call } = openControlled({ credits: 7 });
      expect(creditsIn(await call(path))).toBe(7);
    },
  );

  test('tells 0 to anybody else', async () => {
    const { call } = openControlled({ credits: 7 });
    for (const path of ['/api/v1/capabilities', '/api/v1/me', '/nowhere']) {
      for (const Authorization of ['', 'Bearer wrong']) {
        expect(creditsIn(await call(path, { headers: { Authorization } })), path).toBe(0);
      }
    }
  });

  test('is on answers that refuse a method, a body and a fault of the sandbox too', async () => {
    const { call, post } = openControlled({ credits: 7 });
    expect(creditsIn(await call('/api/v1/me', { method: 'DELETE' }))).toBe(7);
    expect(creditsIn(await post('/api/v1/images', '{'))).toBe(7);
    const faulty = await call(stickerPath(CAKE), { headers: { 'X-Sandbox-Fault': 'status; status=502' } });
    expect([faulty.status, creditsIn(faulty)]).toEqual([502, 7]);
  });
});
