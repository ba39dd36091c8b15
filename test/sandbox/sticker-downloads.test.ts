import { describe, expect, test } from 'vitest';
import { stickerPath } from '../../src/model/sticker.js';
import { refusalIn } from './refusal-in.js';
import { startSandbox, temporaryHome } from './start-sandbox.js';
import { BIRTHDAY_CAKE, CAKE, RAIN, SIGN, tinyLottie } from './tiny-catalogue.js';

describe('buying a sticker', () => {
  test('costs one credit and brings the exact file', async () => {
    const { call, sandbox } = await startSandbox({ credits: 10 });
    const answer = await call(stickerPath(BIRTHDAY_CAKE));
    expect(answer.status).toBe(200);
    expect(answer.headers.get('Content-Type')).toBe('application/json');
    expect(answer.headers.get('X-Service-Credits-Remaining')).toBe('9');
    const text = await answer.text();
    expect(text).toBe(tinyLottie(BIRTHDAY_CAKE));
    expect(answer.headers.get('Content-Length')).toBe(String(Buffer.byteLength(text)));
    expect(sandbox.charges()).toMatchObject([{ capability: 'stickers.file', subject: BIRTHDAY_CAKE, credits: 1 }]);
  });

  test.each([`/api/v1/stickers/${CAKE}`, stickerPath(CAKE), stickerPath(RAIN), stickerPath(SIGN)])(
    'works with slashes raw or encoded, and with any character: %s',
    async (path) => {
      const { call } = await startSandbox();
      expect((await call(path)).status).toBe(200);
    },
  );

  test('charges exactly one credit for each of 50 parallel downloads', async () => {
    const { call, sandbox } = await startSandbox({ credits: 100 });
    const answers = await Promise.all(Array.from({ length: 50 }, () => call(stickerPath(CAKE))));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(sandbox.credits()).toBe(50);
    expect(sandbox.charges()).toHaveLength(50);
    const told = answers.map((answer) => Number(answer.headers.get('X-Service-Credits-Remaining')));
    expect(Math.min(...told)).toBe(50);
  });

  test('sells exactly as many as the credits reach for, and refuses the rest with 402', async () => {
    const { call, sandbox } = await startSandbox({ credits: 20 });
    const answers = await Promise.all(Array.from({ length: 50 }, () => call(stickerPath(CAKE))));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
    expect(answers.filter(({ status }) => status === 402)).toHaveLength(30);
    expect(sandbox.credits()).toBe(0);
    expect(await refusalIn(await call(stickerPath(CAKE)))).toBe('402 insufficient_credits');
  });

  test('of an unknown preset is 404 and free, even when no credits are left', async () => {
    const { call, sandbox } = await startSandbox({ credits: 5 });
    expect(await refusalIn(await call('/api/v1/stickers/food%2Fnothing'))).toBe('404 unknown_preset');
    expect(sandbox.credits()).toBe(5);
    sandbox.setCredits(0);
    expect(await refusalIn(await call('/api/v1/stickers/food%2Fnothing'))).toBe('404 unknown_preset');
  });

  test.each(['%', '%zz', 'food%2', '%ff%fe', '%C0%AF'])('with broken percent-encoding (%s) is 400', async (preset) => {
    const { call } = await startSandbox();
    expect(await refusalIn(await call(`/api/v1/stickers/${preset}`))).toBe('400 invalid_request');
  });

  test('is not done by HEAD', async () => {
    const { call, sandbox } = await startSandbox({ credits: 5 });
    const answer = await call(stickerPath(CAKE), { method: 'HEAD' });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('Allow')).toBe('GET');
    expect(sandbox.credits()).toBe(5);
  });

  test('is remembered when the sandbox is opened again: Key, credits, charges', async () => {
    const home = temporaryHome();
    const first = await startSandbox({ credits: 10 }, home);
    await first.call(stickerPath(CAKE));
    const { key } = first.sandbox;
    await first.stop();
    const second = await startSandbox({ credits: 500 }, home);
    expect(second.sandbox.key).toBe(key);
    expect(second.sandbox.credits()).toBe(9);
    expect(second.sandbox.charges()).toMatchObject([{ subject: CAKE, credits: 1 }]);
    expect((await second.call(stickerPath(CAKE))).status).toBe(200);
  });
});
