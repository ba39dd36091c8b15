// Every limit of section 8 at its edges. A character is a Unicode code point: neither a byte nor a UTF-16 unit.

import { describe, expect, test } from 'vitest';
import { openControlled } from './open-control.js';
import { refusalIn } from './refusal-in.js';

const MATCH = '/api/v1/stickers/match';
const IMAGES = '/api/v1/images';
/** One code point each: one unit and one byte; one unit and three bytes; two units and four bytes. */
const CHARACTERS = ['a', '字', '🎂', '𠮷'];
const size = '1024x1024';
const png = () => Promise.resolve(Buffer.from('png'));

const accepted = 200;
const refused = '400 invalid_request';

describe.each(CHARACTERS)('in characters like %s', (one) => {
  // 2000 characters of four bytes still fit into 16 KiB.
  test('match takes a text of 2000 and refuses 2001', async () => {
    const { post } = openControlled();
    expect((await post(MATCH, { text: one.repeat(2000) })).status).toBe(accepted);
    expect(await refusalIn(await post(MATCH, { text: one.repeat(2001) }))).toBe(refused);
  });

  test('match takes a keyword of 64 and refuses 65', async () => {
    const { post } = openControlled();
    expect((await post(MATCH, { keywords: [one.repeat(64)] })).status).toBe(accepted);
    expect(await refusalIn(await post(MATCH, { keywords: ['a', one.repeat(65)] }))).toBe(refused);
  });

  test('an image takes a prompt of 2000 and refuses 2001, uncharged', async () => {
    const { post, sandbox } = openControlled({ draw: png });
    expect((await post(IMAGES, { prompt: one.repeat(2000), size })).status).toBe(accepted);
    expect(await refusalIn(await post(IMAGES, { prompt: one.repeat(2001), size }))).toBe(refused);
    expect(sandbox.credits()).toBe(990);
  });

  test('search takes a query of 500 and refuses 501', async () => {
    const { call } = openControlled();
    const search = (length: number) => call(`/api/v1/stickers/search?q=${encodeURIComponent(one.repeat(length))}`);
    expect((await search(500)).status).toBe(accepted);
    expect(await refusalIn(await search(501))).toBe(refused);
  });
});

describe('a match', () => {
  test('takes 20 keywords and refuses 21', async () => {
    const { post } = openControlled();
    const keywords = Array.from({ length: 20 }, (_, i) => `k${i}`);
    expect((await post(MATCH, { keywords })).status).toBe(accepted);
    expect(await refusalIn(await post(MATCH, { keywords: [...keywords, 'one'] }))).toBe(refused);
  });

  test.each([1, 50])('takes a limit of %i', async (limit) => {
    const { post } = openControlled();
    expect((await post(MATCH, { text: '蛋糕', limit })).status).toBe(accepted);
  });

  test.each([0, 51, -1, 1.5, '12', null])('refuses a limit of %j', async (limit) => {
    const { post } = openControlled();
    expect(await refusalIn(await post(MATCH, { text: '蛋糕', limit }))).toBe(refused);
  });
});

describe.each([
  [MATCH, { text: '' }],
  [IMAGES, { prompt: '', size }],
])('a body for %s', (path, shortest) => {
  /** A valid body of so many bytes, made up by white space. */
  const bodyOf = (bytes: number) => {
    const [field = ''] = Object.keys(shortest);
    const body = JSON.stringify({ ...shortest, [field]: '生日' });
    return body + ' '.repeat(bytes - Buffer.byteLength(body));
  };

  test('of 16 KiB is read, of a byte more is 413', async () => {
    const { post } = openControlled({ draw: png });
    expect((await post(path, bodyOf(16 * 1024))).status).toBe(accepted);
    expect(await refusalIn(await post(path, bodyOf(16 * 1024 + 1)))).toBe('413 body_too_large');
  });

  test('with a field that is not documented is refused', async () => {
    const { post } = openControlled();
    expect(await refusalIn(await post(path, { ...shortest, extra: 1 }))).toBe(refused);
  });
});

describe('an image', () => {
  test.each(['1024x1024', '1536x1024', '1024x1536'])('of %s is made', async (allowed) => {
    const { post } = openControlled({ draw: png });
    expect((await post(IMAGES, { prompt: 'x', size: allowed })).status).toBe(accepted);
  });

  test.each(['512x512', '1024X1024', '1024x1024 ', '1536x1536', '', 1024])('of %j is refused', async (other) => {
    const { post } = openControlled();
    expect(await refusalIn(await post(IMAGES, { prompt: 'x', size: other }))).toBe(refused);
  });

  test('costs 10 credits: with 10 it is made, with 9 it is 402', async () => {
    const ten = openControlled({ credits: 10, draw: png });
    expect((await ten.post(IMAGES, { prompt: 'x', size })).status).toBe(accepted);
    expect(ten.sandbox.credits()).toBe(0);
    const nine = openControlled({ credits: 9, draw: png });
    expect(await refusalIn(await nine.post(IMAGES, { prompt: 'x', size }))).toBe('402 insufficient_credits');
  });

  test('beyond what image generation can take at once is 429 busy and free; what it has begun is made', async () => {
    let finish = (): void => undefined;
    const begun = new Promise<void>((resolve) => (finish = resolve));
    const draw = () => begun.then(png);
    const { post, sandbox } = openControlled({ draw, imagesAtOnce: 2 });
    const making = ['a', 'b'].map((prompt) => post(IMAGES, { prompt, size }));
    await new Promise((resolve) => setImmediate(resolve));
    const busy = await post(IMAGES, { prompt: 'c', size });
    expect(busy.headers.get('Retry-After')).toMatch(/^\d+$/);
    expect(await refusalIn(busy)).toBe('429 busy');
    finish();
    expect((await Promise.all(making)).map(({ status }) => status)).toEqual([accepted, accepted]);
    expect(sandbox.credits()).toBe(980);
  });

  test('that takes too long is 504 and free, also when it comes after all', async () => {
    let finish = (): void => undefined;
    const late = new Promise<void>((resolve) => (finish = resolve));
    const { post, sandbox } = openControlled({ draw: () => late.then(png), imageTimeoutMs: 20 });
    expect(await refusalIn(await post(IMAGES, { prompt: 'x', size }))).toBe('504 timeout');
    finish();
    await new Promise((resolve) => setImmediate(resolve));
    expect([sandbox.credits(), sandbox.charges()]).toEqual([1000, []]);
  });

  test('that comes in another size is told as it is: neither cropped nor made again, with a notice', async () => {
    const { post, call, sandbox } = openControlled();
    const headers = { 'X-Sandbox-Fault': 'size; size=1024x1536', 'Content-Type': 'application/json' };
    const body = JSON.stringify({ prompt: 'x', size });
    const answer = await call(IMAGES, { method: 'POST', headers, body });
    const told = (await answer.json()) as { url: string };
    expect(told).toMatchObject({
      size: '1024x1536',
      width: 1024,
      height: 1536,
      requested_size: size,
      notices: [{ code: 'size_differs', message: expect.stringContaining('1024x1536') as string }],
    });
    const picture = Buffer.from(await (await call(new URL(told.url).pathname)).arrayBuffer());
    expect([picture.readUInt32BE(16), picture.readUInt32BE(20)]).toEqual([1024, 1536]);
    expect(sandbox.credits()).toBe(990);
    expect(await (await post(IMAGES, { prompt: 'x', size })).json()).not.toHaveProperty('notices');
  });
});

describe('a production', () => {
  const seven = {
    template: 'birthday-card@1.1.0',
    package_sha256: 'a'.repeat(64),
    host: 'my-tool',
    layout: 'landscape',
    duration_s: 12.5,
    materials: ['stickers.file'],
    stage: 'done',
  };

  test('has exactly seven fields: an eighth is 400', async () => {
    const { post } = openControlled();
    expect((await post('/api/v1/productions', seven)).status).toBe(accepted);
    expect(await refusalIn(await post('/api/v1/productions', { ...seven, user: 'x' }))).toBe(refused);
  });
});
