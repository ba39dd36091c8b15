// The page in a real browser: finding and seeing, without a session, a token or a credit.

import { describe, expect } from 'vitest';
import { listPurchases } from '../support/purchases.js';
import { CHROMIUM, itIf } from '../support/requires.js';
import { openPage } from './open-page.js';

describe('the grid of the page', () => {
  itIf(CHROMIUM, 'finds what is typed, with the arrow keys reaches it, and spends nothing', async () => {
    const { page, asked, svcd } = await openPage();
    await page.keyboard.type('蛋糕');
    await expect.poll(() => page.locator('.count').textContent()).toMatch(/^[1-9]\d* found · 蛋糕$/);
    await page.keyboard.press('ArrowDown');
    const focused = page.locator('.tile:focus');
    await expect.poll(() => focused.getAttribute('aria-label')).toMatch(/蛋糕/);
    expect(new URL(page.url()).searchParams.get('q')).toBe('蛋糕');
    expect(asked.filter((one) => one.includes('/api/v1/'))).toEqual([]);
    expect(await listPurchases(svcd.get)).toEqual([]);
  });

  itIf(CHROMIUM, 'opens where the browser kept something under its names that cannot be read', async () => {
    const { page } = await openPage();
    await page.evaluate("localStorage.setItem('svcd.motion', '{'); localStorage.setItem('svcd.letters', '7')");
    await page.reload();
    await page.locator('.count:not(:empty)').waitFor();
    await expect.poll(() => page.locator('.tile').count()).toBeGreaterThan(0);
  });
});
