// The way into the person's folder, from the page.

import { readdirSync } from 'node:fs';
import { expect } from 'vitest';
import { stickerPath } from '../../src/model/sticker.js';
import { CHROMIUM, itIf } from '../support/requires.js';
import { temporaryHome } from '../support/start-daemon.js';
import { GOODS, openShop } from './open-shop.js';

itIf(CHROMIUM, 'says that the file is there, also where the browser does not let the page copy its path', async () => {
  const folder = temporaryHome();
  const [{ preset, title } = { preset: '', title: '' }] = GOODS;
  const { page, svcd, tile } = await openShop({ pair: { flags: { folder } } });
  expect((await svcd.get(stickerPath(preset))).status).toBe(200);
  await expect.poll(() => tile(title).getAttribute('data-seen')).toBe('owned');
  await page.evaluate(
    `navigator.clipboard.writeText = () => Promise.reject(new DOMException('no', 'NotAllowedError'))`,
  );
  await tile(title).click();
  await page.keyboard.press('p');
  await expect.poll(() => page.locator('.notice').textContent()).toMatch(/^In the folder: .*/);
  expect(readdirSync(folder)).toHaveLength(1);
});
