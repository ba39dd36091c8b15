import { describe, expect, test } from 'vitest';
import { SvcdError } from '../../src/model/errors.js';
import type { Fault } from '../../src/sandbox/faults/fault-kinds.js';
import { stickerPath } from '../../src/model/sticker.js';
import { refusalIn } from './refusal-in.js';
import { startSandbox } from './start-sandbox.js';
import { BIRTHDAY_CAKE, CAKE } from './tiny-catalogue.js';

describe('faults', () => {
  test('can refuse one path in any documented way, uncharged, and leave the rest alone', async () => {
    const { call, sandbox } = await start({ refuse: new SvcdError('busy', 'Busy.', { retryAfterS: 7 }) });
    const answer = await call(stickerPath(CAKE));
    expect(answer.headers.get('Retry-After')).toBe('7');
    expect(await refusalIn(answer)).toBe('429 busy');
    expect((await call(stickerPath(BIRTHDAY_CAKE))).status).toBe(200);
    expect(sandbox.credits()).toBe(4);
  });

  test('can delay an answer', async () => {
    const { call } = await start({ latencyMs: 80 });
    const from = performance.now();
    await call(stickerPath(CAKE));
    expect(performance.now() - from).toBeGreaterThanOrEqual(75);
  });

  test('can send something else after the charge', async () => {
    const { call, sandbox } = await start({ replace: errorPage });
    const answer = await call(stickerPath(CAKE));
    expect([answer.status, answer.headers.get('Content-Type')]).toEqual([500, 'text/html']);
    expect(await answer.text()).toBe('<html>');
    expect(sandbox.credits()).toBe(4);
  });

  test('can cut a paid answer in the middle of its body', async () => {
    const { call, sandbox } = await start({ replace: ({ headers }) => new Response(cutBody(), { headers }) });
    await expect(call(stickerPath(CAKE)).then((answer) => answer.text())).rejects.toThrow('terminated');
    expect(sandbox.credits()).toBe(4);
  });
});

const errorPage = () => new Response('<html>', { status: 500, headers: { 'Content-Type': 'text/html' } });

/** A sandbox in which one sticker meets trouble. */
const start = (fault: Fault) => {
  return startSandbox({
    credits: 5,
    faults: ({ path }) => (path === stickerPath(CAKE) ? fault : undefined),
  });
};

/** A body that begins like a Lottie file and then breaks off. */
function cutBody(): ReadableStream<Uint8Array> {
  let sent = false;
  return new ReadableStream({
    async pull(controller) {
      // At once, and the server would still be able to answer an error instead.
      if (sent) await new Promise((resolve) => setTimeout(resolve, 50));
      if (sent) controller.error(new Error('cut'));
      else controller.enqueue(Buffer.from('{"v":"5.9.0",'));
      sent = true;
    },
  });
}
