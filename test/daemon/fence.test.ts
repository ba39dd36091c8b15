// A token that is fenced to a template: it may do what motion.json declares, and is told when it goes beyond.

import { describe, expect, it } from 'vitest';
import type { PurchaseView, TokenView } from '../../src/api/answers.js';
import { stickerPath } from '../../src/model/sticker.js';
import { BIRTHDAY_CAKE, CAKE } from '../sandbox/tiny-catalogue.js';
import { leaseToken } from '../support/lease-token.js';
import { startTestDaemon, type StartedDaemon } from '../support/start-daemon.js';
import { startPair } from '../support/start-pair.js';

const STICKERS = { template: 'birthday-card@1.1.0', declares: ['stickers.file'] };
const IMAGES = { template: 'story-cover@1.0.0', declares: ['images.generate'] };
const IMAGE = { prompt: '一块蛋糕', size: '1024x1024' };

function asFenced(svcd: StartedDaemon, token: string) {
  const headers = { Authorization: `Bearer ${token}` };
  const told = async (answer: Response) => {
    const text = await answer.text();
    if (answer.status < 400) return `${answer.status}`;
    const { code, message, hint } = JSON.parse(text) as { code: string; message: string; hint?: string };
    return [`${answer.status} ${code}`, message, hint].filter((one) => one !== undefined).join(': ');
  };
  return {
    get: async (path: string) => told(await svcd.call(path, { headers })),
    head: async (path: string) => (await svcd.call(path, { method: 'HEAD', headers })).status,
    post: async (path: string, body: object) => {
      const json = { ...headers, 'Content-Type': 'application/json' };
      return told(await svcd.call(path, { method: 'POST', headers: json, body: JSON.stringify(body) }));
    },
  };
}

describe('a token fenced to a template', () => {
  it('buys what is declared, and is told in a sentence what is not, though a default would be there', async () => {
    const { svcd, remote } = await startPair();
    const { token } = await leaseToken(svcd, { only: ['stickers'], fence: STICKERS });
    const template = asFenced(svcd, token);
    expect(await template.get(stickerPath(CAKE))).toBe('200');
    const declares = '403 not_declared: motion.json of birthday-card declares stickers.file;';
    const allow = (permission: string) => `"svcd run --template … --allow ${permission} -- …" allows it all the same.`;
    expect(await template.post('/api/v1/images', IMAGE)).toBe(
      `${declares} images.generate is not among them: ${allow('images')}`,
    );
    expect(await template.get('/api/v1/me')).toBe(
      `${declares} seeing the account is not among them: ${allow('account')}`,
    );
    expect(await template.get('/api/v1/music')).toContain(`${declares} any other call to the service is not`);
    expect(await template.post('/svcd/tokens', { name: 'mine' })).toContain(`${declares} administering svcd is not`);
    expect(remote.sandbox.charges()).toHaveLength(1);
  });

  it('searches and matches, whatever is declared', async () => {
    const { svcd } = await startPair();
    const { token } = await leaseToken(svcd, { only: [], fence: { ...STICKERS, declares: [] } });
    const template = asFenced(svcd, token);
    expect(await template.get('/api/v1/stickers/search?q=蛋糕')).toBe('200');
    expect(await template.post('/api/v1/stickers/match', { text: '生日快乐' })).toBe('200');
    expect(await template.get('/svcd/search?q=蛋糕')).toBe('200');
  });

  it('does not get what is owned either, so that a render does not depend on what was bought before it', async () => {
    const { svcd } = await startPair();
    await (await svcd.get(stickerPath(CAKE))).text();
    await (await svcd.post('/api/v1/images', IMAGE)).text();
    const images = asFenced(svcd, (await leaseToken(svcd, { only: ['images'], fence: IMAGES })).token);
    const words = 'motion.json of story-cover declares images.generate; stickers.file is not among them';
    expect(await images.get(stickerPath(CAKE))).toContain(`403 not_declared: ${words}`);
    expect(await images.head(stickerPath(CAKE))).toBe(403);
    expect(await images.post('/api/v1/images', IMAGE)).toBe('200');
    const stickers = asFenced(svcd, (await leaseToken(svcd, { only: ['stickers'], fence: STICKERS })).token);
    expect(await stickers.post('/api/v1/images', IMAGE)).toContain('403 not_declared');
    // Nobody's request for what is owned is answered as ever.
    expect((await svcd.call(stickerPath(CAKE))).status).toBe(200);
  });

  it('is refused as any other token what is declared and was left out, and given what a person allows', async () => {
    const { svcd } = await startPair();
    const fence = { template: 'card@1.0.0', declares: ['stickers.file', 'images.generate', 'music.search'] };
    const { token } = await leaseToken(svcd, { only: ['stickers', 'account'], fence });
    const template = asFenced(svcd, token);
    expect(await template.post('/api/v1/images', IMAGE)).toBe(
      '403 not_permitted: this token is for stickers, account only, and this needs images: ' +
        'The template declares it, but --only of "svcd run" left it out.',
    );
    expect(await template.get('/api/v1/me')).toBe('200');
    // A word that svcd does not know is named, and grants nothing.
    expect(await template.get('/api/v1/music')).toContain(
      'not_declared: motion.json of card declares stickers.file, images.generate, music.search; any other call to the service',
    );
  });

  it('is shown with its template among the tokens and the purchases, and has a budget as any', async () => {
    const { svcd } = await startPair();
    const { token, end } = await leaseToken(svcd, { only: ['stickers'], total: 1, fence: STICKERS });
    const template = asFenced(svcd, token);
    expect(await template.get(stickerPath(CAKE))).toBe('200');
    const strict = { Authorization: `Bearer ${token}`, 'X-Svcd-Fallback': 'off' };
    expect((await svcd.call(stickerPath(BIRTHDAY_CAKE), { headers: strict })).status).toBe(402);
    const { tokens } = (await (await svcd.get('/svcd/tokens')).json()) as { tokens: TokenView[] };
    expect(tokens).toMatchObject([
      { name: expect.stringMatching(/^run-[0-9a-f]{8}$/) as string, template: STICKERS.template, only: ['stickers'] },
    ]);
    end();
    await expect.poll(() => template.get('/api/v1/me')).toContain('401');
    await (await svcd.get(stickerPath(BIRTHDAY_CAKE))).text();
    const { purchases } = (await (await svcd.get('/svcd/purchases')).json()) as { purchases: PurchaseView[] };
    expect(purchases.map(({ preset, template: name }) => [preset, name])).toEqual([
      [BIRTHDAY_CAKE, undefined],
      [CAKE, STICKERS.template],
    ]);
  });

  it('stays behind its fence when svcd is started again, and can be revoked by its name', async () => {
    const { svcd: first, remote } = await startPair();
    const fence = { template: '卡片@1.0.0', declares: ['stickers.file'] };
    const { token } = await leaseToken(first, { only: ['stickers'], fence });
    await first.daemon.close();
    const svcd = await startTestDaemon({
      home: first.home,
      userKey: remote.sandbox.key,
      flags: { remote: remote.url, port: Number(new URL(first.url).port) },
    });
    expect((await leaseToken(svcd, { resume: token })).status).toBe(200);
    const template = asFenced(svcd, token);
    expect(await template.get(stickerPath(CAKE))).toBe('200');
    const words = 'motion.json of 卡片 declares stickers.file; images.generate is not among them';
    expect(await template.post('/api/v1/images', IMAGE)).toContain(`403 not_declared: ${words}`);
    const { tokens } = (await (await svcd.get('/svcd/tokens')).json()) as { tokens: TokenView[] };
    await svcd.send('DELETE', `/svcd/tokens/${tokens[0]?.name ?? ''}`);
    expect(await template.get('/api/v1/me')).toContain('401');
  });

  it.each([
    [{ only: [] }, 'only: must name at least one of'],
    [{ fence: { template: 'card', declares: [] } }, 'fence.template: must be <template_name>@<version>'],
    [{ fence: { template: 'a b@1', declares: [] } }, 'fence.template: must be <template_name>@<version>'],
    [{ fence: { template: 'card@1', declares: ['stickers'] } }, 'fence.declares.0: must be <kind>.<name>'],
    [{ fence: { template: 'card@1', declares: ['a.b c'] } }, 'fence.declares.0: must be <kind>.<name>'],
    [{ fence: { template: 'card@1' } }, 'fence.declares: is required'],
    [{ fence: { template: 'card@1', declares: [], root: true } }, 'unknown field'],
  ])('is not leased for %j', async (options, words) => {
    const { svcd } = await startPair();
    const answer = await svcd.post('/svcd/tokens/lease', options);
    expect([answer.status, ((await answer.json()) as { message: string }).message]).toEqual([
      400,
      expect.stringContaining(words),
    ]);
  });

  it('may do nothing where only a fence is named', async () => {
    const { svcd } = await startPair();
    const { token } = await leaseToken(svcd, { fence: STICKERS });
    expect(await asFenced(svcd, token).get(stickerPath(CAKE))).toContain('403 not_permitted');
  });
});
