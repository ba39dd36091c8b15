// A jump to far places of the list: svcd is asked for what is there, and for nothing that lies between.

import { afterAll, beforeAll, describe, expect } from 'vitest';
import { startSvcd, type StartedSvcd } from '../support/start-svcd.js';
import { CHROMIUM, itIf } from '../support/requires.js';
import { openAt } from './open-page.js';

/** Rows in view with those that are kept beside them lie in two ranges of a hundred at most. */
const RANGES_IN_VIEW = 2;

let svcd: StartedSvcd;
beforeAll(async () => {
  svcd = await startSvcd(['--sandbox']);
});
afterAll(() => svcd.stop());

describe('a jump', () => {
  itIf(CHROMIUM, 'to the end, by key and by scroll bar, asks for what is seen there alone', async () => {
    const { page, asked } = await openAt(svcd.info.url);
    const offsets = () =>
      asked.filter((one) => one.startsWith('GET /svcd/tiles?')).map((one) => Number(/offset=(\d+)/.exec(one)?.[1]));
    const total = Number((await page.locator('.count').textContent())?.replace(/\D/g, ''));
    expect(total).toBeGreaterThan(10_000);
    await page.locator('#search').press('ArrowDown');
    const first = await page.locator('.tile:focus').textContent();
    await page.waitForTimeout(500);

    let known = offsets().length;
    await page.keyboard.press('Control+End');
    const last = page.locator(`#tile-${total - 1}`);
    await expect.poll(() => last.getAttribute('aria-label')).not.toBeNull();
    await expect.poll(() => last.evaluate((one) => one === one.ownerDocument.activeElement)).toBe(true);
    await page.waitForTimeout(500);
    let jumped = offsets().slice(known);
    expect(jumped.length).toBeLessThanOrEqual(RANGES_IN_VIEW);
    for (const offset of jumped) expect(offset).toBeGreaterThan(total - 300);

    // Back again nothing is asked: it is kept.
    known = offsets().length;
    await page.keyboard.press('Control+Home');
    await expect.poll(() => page.locator('.tile:focus').textContent()).toBe(first);
    await page.waitForTimeout(300);
    expect(offsets().slice(known)).toEqual([]);

    // To the middle, as a hand on the scroll bar does.
    await page.evaluate("{ const g = document.querySelector('.grid'); g.scrollTop = g.scrollHeight / 2 }");
    const middle = page.locator('.tile[aria-label]:not([data-look=waiting])').last();
    await expect.poll(async () => Number((await middle.getAttribute('id'))?.slice(5))).toBeGreaterThan(total / 3);
    await page.waitForTimeout(500);
    jumped = offsets().slice(known);
    expect(jumped.length).toBeLessThanOrEqual(RANGES_IN_VIEW);
    for (const offset of jumped) expect(Math.abs(offset - total / 2)).toBeLessThan(300);
    // What has the focus is still in the document.
    await expect.poll(() => page.locator('#tile-0').count()).toBe(1);
  });
});
