// What moves: a tile plays once at most, whatever began it, and each can be stopped.

import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { CHROMIUM, itIf } from '../support/requires.js';
import { openPage } from './open-page.js';

/** Counts what the worker is playing. */
const COUNT_PLAYING = `
  window.playing = new Set();
  const post = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function count(message, ...rest) {
    if (message.do === 'play') window.playing.add(message.id);
    if (message.do === 'stop') window.playing.delete(message.id);
    post.call(this, message, ...rest);
  }; 0`;
const playing = (page: Page) => page.evaluate<number>('window.playing.size');
const motion = (page: Page, value: string) => page.locator('.rail').getByLabel('Motion').selectOption(value);

async function open() {
  const opened = await openPage({ path: '/?q=%E7%94%9F%E6%97%A5' });
  const { page } = opened;
  await page.evaluate(COUNT_PLAYING);
  const pictures = page.locator('.tile[data-look=picture]');
  await pictures.first().waitFor();
  expect(await pictures.count()).toBeGreaterThan(2);
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
