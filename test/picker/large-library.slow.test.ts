// 120,000 stickers: the page opens, scrolls, reaches the end and comes back, with no more elements than a screen needs. How
// quick it is, `npm run bench:page` measures.

import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { CHROMIUM, itIf } from '../support/requires.js';
import { openPage } from './open-page.js';

const MANY = 120_000;
const MOST_ELEMENTS = 1500;
const WORD = 'manymany';

const line = (at: number) =>
  JSON.stringify({
    preset: `many/${at}`,
    title: `第${at}张`,
    keywords: [WORD],
    aspect: 1,
    duration: 1 + (at % 20) / 10,
    color: '#8844cc',
  });

const elements = (page: Page) => page.evaluate<number>("document.querySelectorAll('*').length");
const inView = (page: Page) =>
  page.evaluate<number>(`[...document.querySelectorAll('.tile:not([hidden]):not([data-look=waiting])')].filter((tile) => {
    const { top, bottom } = tile.getBoundingClientRect();
    return bottom > 150 && top < innerHeight;
  }).length`);
const focusedPlace = async (page: Page) =>
  Number(((await page.locator('.tile:focus').getAttribute('id')) ?? '').replace('tile-', ''));

describe('120,000 stickers', () => {
  itIf(CHROMIUM, 'open, scroll, end and come back with few elements', async () => {
    const { page, svcd } = await openPage({ context: { viewport: { width: 1280, height: 800 } } });
    const answer = await svcd.send(
      'POST',
      '/svcd/library/import',
      `${Array.from({ length: MANY }, (_, at) => line(at)).join('\n')}\n`,
      { 'Content-Type': 'application/x-ndjson' },
    );
    expect(answer.status).toBe(200);
    await answer.text();
    // Large cells: their rows are taller than a browser can scroll (layout.ts).
    await page.evaluate("localStorage.setItem('svcd.size', '\"large\"')");
    await page.goto(`${svcd.url}/?q=${WORD}`);
    await expect.poll(() => page.locator('.count').textContent()).toMatch(/^120,000 found/);
    const full = await page.evaluate<number>("document.querySelector('.floor').offsetHeight");
    expect(full).toBeLessThanOrEqual(8_000_000);
    let most = 0;
    for (let step = 1; step <= 40; step += 1) {
      const share = step % 2 === 0 ? step / 40 : 1 - step / 41;
      await page.evaluate(`void (document.querySelector('.grid').scrollTop = ${Math.round(full * share)})`);
      most = Math.max(most, await elements(page));
    }
    for (let step = 0; step < 40; step += 1) {
      await page.mouse.move(700, 500);
      await page.mouse.wheel(0, 900);
      most = Math.max(most, await elements(page));
    }
    expect(most).toBeLessThanOrEqual(MOST_ELEMENTS);
    await expect.poll(() => inView(page)).toBeGreaterThan(3);
    await page.locator('.tile').first().focus();
    await page.keyboard.press('Control+End');
    await expect.poll(() => focusedPlace(page)).toBe(MANY - 1);
    await expect.poll(() => page.locator('.tile:focus .name').textContent()).toMatch(/^第\d+张$/);
    const { y = 0, height = 0 } = (await page.locator('.tile:focus').boundingBox()) ?? {};
    expect(y).toBeGreaterThan(100);
    expect(y + height).toBeLessThanOrEqual(801);
    await page.keyboard.press('ArrowUp');
    const place = await focusedPlace(page);
    expect(place).toBeGreaterThan(MANY - 20);
    const name = await page.locator('.tile:focus .name').textContent();
    await page.keyboard.press('Control+Enter');
    await page.getByRole('complementary', { name: 'Details' }).waitFor();
    await page.goBack();
    await page.getByRole('complementary', { name: 'Details' }).waitFor({ state: 'detached' });
    expect(await focusedPlace(page)).toBe(place);
    await expect.poll(() => page.locator('.tile:focus .name').textContent()).toBe(name);
    await page.keyboard.press('Control+Home');
    await expect.poll(() => focusedPlace(page)).toBe(0);
    expect(await elements(page)).toBeLessThanOrEqual(MOST_ELEMENTS);
  });
});
