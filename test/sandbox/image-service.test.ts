import { EventEmitter, once } from 'node:events';
import { inflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { SvcdError } from '../../src/model/errors.js';
import { IMAGE_SIZES } from '../../src/sandbox/wire/limits.js';
import { openControlled } from './open-control.js';
import { refusalIn } from './refusal-in.js';
import { startSandbox, temporaryHome } from './start-sandbox.js';

const IMAGES = '/api/v1/images';
const REQUEST = { prompt: '夏日海边的生日派对', size: '1536x1024' } as const;
type ImageAnswer = { url: string; size: string };

describe('generating an image', () => {
  test.each(IMAGE_SIZES)('of %s costs 10 credits and can be fetched for nothing', async (size) => {
    const { post, call, sandbox, url } = await startSandbox({ credits: 25 });
    const answer = await post(IMAGES, { ...REQUEST, size });
    const [width, height] = size.split('x').map(Number);
    const body = (await answer.json()) as ImageAnswer;
    expect(body).toEqual({ size, width, height, requested_size: size, url: body.url });
    expect(body.url.startsWith(`${url}${IMAGES}/`)).toBe(true);
    expect(answer.headers.get('X-Service-Credits-Remaining')).toBe('15');
    const png = await call(new URL(body.url).pathname);
    expect(png.headers.get('Content-Type')).toBe('image/png');
    expectPng(Buffer.from(await png.arrayBuffer()), width ?? 0, height ?? 0);
    expect(sandbox.credits()).toBe(15);
    expect(sandbox.charges()).toMatchObject([{ capability: 'images.generate', credits: 10 }]);
  });

  test('keeps the image when the sandbox is opened again, and never keeps the prompt', async () => {
    const home = temporaryHome();
    const first = await startSandbox({}, home);
    const { url } = (await (await first.post(IMAGES, REQUEST)).json()) as ImageAnswer;
    expect(JSON.stringify(first.sandbox.charges())).not.toContain(REQUEST.prompt);
    await first.stop();
    const second = await startSandbox({}, home);
    expect((await second.call(new URL(url).pathname)).status).toBe(200);
  });

  test('with too few credits is 402, and nothing is made', async () => {
    let drawn = 0;
    const draw = () => Promise.resolve(Buffer.alloc(++drawn));
    const { post, sandbox } = await startSandbox({ credits: 9, draw });
    expect(await refusalIn(await post(IMAGES, REQUEST))).toBe('402 insufficient_credits');
    expect([sandbox.credits(), drawn]).toEqual([9, 0]);
  });

  test('a second time while the first is being made is 409 and free', async () => {
    const started = new EventEmitter();
    const drawing = once(started, 'drawn').then(() => Buffer.from('png'));
    const { post, sandbox } = await startSandbox({ credits: 100, draw: () => drawing });
    const first = post(IMAGES, REQUEST);
    const same = post(IMAGES, REQUEST);
    const refused = await Promise.race([first, same]);
    expect(await refusalIn(refused)).toBe('409 duplicate_request');
    expect(sandbox.credits()).toBe(100);
    const other = post(IMAGES, { ...REQUEST, size: '1024x1024' });
    started.emit('drawn');
    expect([(await first).status, (await same).status].toSorted(ascending)).toEqual([200, 409]);
    expect((await other).status).toBe(200);
    expect((await post(IMAGES, REQUEST)).status).toBe(200);
    expect(sandbox.credits()).toBe(70);
  });

  test('two at once with credits for one saves and charges one', async () => {
    const { post, sandbox } = await startSandbox({ credits: 15 });
    const sizes = ['1024x1024', '1024x1536'];
    const answers = await Promise.all(sizes.map((size) => post(IMAGES, { ...REQUEST, size })));
    expect(answers.map(({ status }) => status).toSorted(ascending)).toEqual([200, 402]);
    expect(sandbox.credits()).toBe(5);
  });

  test.each([
    [new SvcdError('busy', 'Busy.'), 429, 'busy'],
    [new SvcdError('not_enabled', 'Not yet.'), 503, 'not_enabled'],
    [new SvcdError('timeout', 'Too slow.'), 504, 'timeout'],
    [new Error('secret inner words'), 502, 'upstream_failure'],
  ])('that fails (%s) charges nothing', async (error, status, code) => {
    const { post, sandbox } = await startSandbox({ credits: 10, draw: failWith(error) });
    const answer = await post(IMAGES, REQUEST);
    expect(await refusalIn(answer)).toBe(`${status} ${code}`);
    expect(sandbox.credits()).toBe(10);
  });

  test('beyond what image generation can take at once is 429 busy and free; what it has begun is made', async () => {
    let finish = (): void => undefined;
    const begun = new Promise<void>((resolve) => (finish = resolve));
    const draw = () => begun.then(() => Buffer.from('png'));
    const { post, sandbox } = openControlled({ draw, imagesAtOnce: 2 });
    const making = ['a', 'b'].map((prompt) => post(IMAGES, { ...REQUEST, prompt }));
    await new Promise((resolve) => setImmediate(resolve));
    const busy = await post(IMAGES, { ...REQUEST, prompt: 'c' });
    expect(busy.headers.get('Retry-After')).toMatch(/^\d+$/);
    expect(await refusalIn(busy)).toBe('429 busy');
    finish();
    expect((await Promise.all(making)).map(({ status }) => status)).toEqual([200, 200]);
    expect(sandbox.credits()).toBe(980);
  });

  test('that takes too long is 504 and free, also when it comes after all', async () => {
    let finish = (): void => undefined;
    const late = new Promise<void>((resolve) => (finish = resolve));
    const { post, sandbox } = openControlled({ draw: () => late.then(() => Buffer.from('png')), imageTimeoutMs: 20 });
    expect(await refusalIn(await post(IMAGES, REQUEST))).toBe('504 timeout');
    finish();
    await new Promise((resolve) => setImmediate(resolve));
    expect([sandbox.credits(), sandbox.charges()]).toEqual([1000, []]);
  });

  test('refuses a blank prompt and a field that is not documented', async () => {
    const { post } = await startSandbox();
    for (const wrong of [{ prompt: ' ' }, { seed: 1 }]) {
      expect(await refusalIn(await post(IMAGES, { ...REQUEST, ...wrong }))).toBe('400 invalid_request');
    }
  });

  test('that nobody made is 404', async () => {
    const { call } = await startSandbox();
    expect(await refusalIn(await call(`${IMAGES}/nothing.png`))).toBe('404 not_found');
    expect(await refusalIn(await call(`${IMAGES}/nothing`))).toBe('404 not_found');
  });
});

const failWith = (reason: Error) => () => Promise.reject(reason);
const ascending = (a: number, b: number) => a - b;

/** The header, and a full set of pixels behind it. */
function expectPng(png: Buffer, width: number, height: number): void {
  expect(png.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n');
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([width, height]);
  const dataBytes = png.readUInt32BE(33);
  expect(png.subarray(37, 41).toString('latin1')).toBe('IDAT');
  expect(inflateSync(png.subarray(41, 41 + dataBytes)).length).toBe(height * (1 + 3 * width));
}
