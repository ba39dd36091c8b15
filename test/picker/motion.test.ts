// What moves: a tile plays once at most, whatever began it, and each can be stopped.

import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { CHROMIUM, itIf } from '../support/requires.js';
import { COUNT_PLAYING, playing } from './acts.js';
import { openPage } from './open-page.js';

const DOT = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';

const motion = (page: Page, value: string) => page.locator('.rail').getByLabel('Motion').selectOption(value);

async function open() {
  const opened = await openPage({ path: '/?q=%E7%94%9F%E6%97%A5' });
  const { page } = opened;
  await page.evaluate(COUNT_PLAYING);
  const pictures = page.locator('.tile[data-look=picture]');
  await pictures.first().waitFor();
  // It comes late, and moves the tiles under the pointer.
  await page.locator('.state').first().waitFor();
  await expect.poll(() => pictures.count()).toBeGreaterThan(2);
  return { ...opened, pictures };
}

describe('the space bar', () => {
  itIf(CHROMIUM, 'stops one where all in view play, and lets it play again, never twice', async () => {
    const { page, pictures } = await open();
    await motion(page, 'view');
    const all = await pictures.count();
    await expect.poll(() => playing(page)).toBe(all);
    await pictures.nth(1).focus();
    await page.waitForTimeout(300);
    expect(await playing(page)).toBe(all);
    await page.keyboard.press(' ');
    await expect.poll(() => playing(page)).toBe(all - 1);
    await page.keyboard.press(' ');
    await expect.poll(() => playing(page)).toBe(all);
    await motion(page, 'never');
    await expect.poll(() => playing(page)).toBe(0);
  });

  itIf(CHROMIUM, 'plays the tile with the focus, also while the pointer is on another', async () => {
    const { page, pictures } = await open();
    await pictures.nth(2).hover();
    await expect.poll(() => playing(page)).toBe(1);
    await pictures.nth(0).focus();
    await expect.poll(() => playing(page)).toBe(1);
    await page.keyboard.press(' ');
    await expect.poll(() => playing(page)).toBe(0);
    await page.keyboard.press(' ');
    await expect.poll(() => playing(page)).toBe(1);
    // What plays by itself is one of all, once all play.
    await motion(page, 'view');
    await expect.poll(() => playing(page)).toBe(await pictures.count());
  });
});

/** A file with a picture in it, which is read beside what the worker does. */
const WITH_PICTURE = `{
  v: '5.7.4', fr: 30, ip: 0, op: 60, w: 8, h: 8,
  assets: [{ id: 'dot', w: 1, h: 1, u: '', e: 1, p: 'data:image/png;base64,${DOT}' }],
  layers: [{ ty: 2, nm: 'dot', refId: 'dot', ip: 0, op: 60, st: 0,
    ks: { o: { k: 100 }, r: { k: 0 }, p: { k: [4, 4] }, a: { k: [0, 0] }, s: { k: [800, 800] } } }],
}`;

/** How many frames came of one that was stopped at once, until some came of another one that goes on. */
const STOP_AT_ONCE = `async () => {
  const file = new TextEncoder().encode(JSON.stringify(${WITH_PICTURE})).buffer;
  const [stopped, played, enough] = [1_000_001, 1_000_002, 5];
  const frames = { [stopped]: 0, [played]: 0 };
  await new Promise((resolve) => {
    window.drawer.addEventListener('message', ({ data }) => {
      if (data.error !== undefined) frames.error = data.error;
      if (data.bitmap !== undefined) frames[data.id] += 1;
      if (frames[played] >= enough || data.error !== undefined) resolve();
    });
    for (const id of [stopped, played]) {
      window.drawer.postMessage({ do: 'play', id, file, side: 32, mostFps: 30 });
      if (id === stopped) window.drawer.postMessage({ do: 'stop', id });
    }
  });
  window.drawer.postMessage({ do: 'stop', id: played });
  return [frames[stopped], frames.error];
}`;

describe('the worker that draws', () => {
  itIf(CHROMIUM, 'never begins what was stopped while it was read', async () => {
    const { page, pictures } = await open();
    await pictures.nth(0).hover();
    await expect.poll(() => playing(page)).toBe(1);
    expect(await page.evaluate(`(${STOP_AT_ONCE})()`)).toEqual([0, undefined]);
  });
});
