// What comes first for a key in the search box: what was found, then what a word may become, then pictures.

import type { Page, Request, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { CHROMIUM, itIf } from '../support/requires.js';
import { startSvcd, type StartedSvcd } from '../support/start-svcd.js';
import { openAt } from './open-page.js';

/** As many connections as a browser opens to one place, without those of a list, of completions and of the stream of events. */
const PICTURES_AT_ONCE = 3;

let svcd: StartedSvcd;
beforeAll(async () => {
  svcd = await startSvcd(['--sandbox']);
});
afterAll(() => svcd.stop());

/** Holds back what is asked for under a path, until it is let go. */
async function holdBack(page: Page, path: string) {
  const held: Route[] = [];
  await page.route(
    ({ pathname }) => pathname.startsWith(path),
    (route) => void held.push(route),
  );
  return {
    held: () => held.map((route) => new URL(route.request().url())),
    letGo: async () => {
      await page.unrouteAll();
      // One that the page does not want any more cannot go on.
      for (const route of held.splice(0)) await route.continue().catch(() => undefined);
    },
  };
}

describe('a key in the search box', () => {
  itIf(CHROMIUM, 'asks for completions of what was found once it is there, and of nothing before', async () => {
    const { page, asked } = await openAt(svcd.info.url);
    const completed = () => asked.filter((one) => one.startsWith('GET /svcd/complete'));
    const lists = await holdBack(page, '/svcd/tiles');
    await page.keyboard.type('生日蛋');
    await expect.poll(() => lists.held().at(-1)?.searchParams.get('q')).toBe('生日蛋');
    await page.waitForTimeout(300);
    expect(completed()).toEqual([]);
    await lists.letGo();
    await expect.poll(() => page.locator('.ghost').textContent()).toBe('生日蛋糕');
    await expect.poll(() => page.locator('.count').textContent()).toMatch(/生日蛋$/);
    expect(completed()).toEqual([`GET /svcd/complete?q=${encodeURIComponent('生日蛋')}&limit=8`]);
    // Nothing stands in gray that belongs to what was typed before.
    await page.keyboard.type('x');
    expect(await page.locator('.ghost').count()).toBe(0);
  });

  itIf(CHROMIUM, 'waits for no picture, and none is asked for of what went by', async () => {
    const { page } = await openAt(svcd.info.url);
    await page.waitForLoadState('networkidle');
    const pictures = await holdBack(page, '/svcd/pictures/');
    await page.keyboard.insertText('小猫');
    await expect.poll(() => page.locator('.count').textContent()).toMatch(/小猫$/);
    await expect.poll(() => pictures.held().length).toBe(PICTURES_AT_ONCE);
    const first = pictures.held().map(String);
    await page.locator('#search').fill('火车');
    await expect.poll(() => page.locator('.count').textContent()).toMatch(/火车$/);
    await page.waitForTimeout(300);
    expect(pictures.held().map(String)).toEqual(first);
    const later: string[] = [];
    page.on('request', (request: Request) => later.push(decodeURIComponent(new URL(request.url()).pathname)));
    await pictures.letGo();
    const tiles = page.locator('.tile[aria-label]:visible');
    await expect.poll(() => page.locator('.tile.blank[aria-label]:visible').count()).toBe(0);
    expect(later.filter((one) => one.startsWith('/svcd/pictures/')).length).toBeLessThanOrEqual(await tiles.count());
  });

  itIf(CHROMIUM, 'fills the rows below what is seen as well, each with what stands there', async () => {
    const { page } = await openAt(svcd.info.url);
    const height = page.viewportSize()?.height ?? 0;
    for (const q of ['生日', '']) {
      await page.locator('#search').fill(q);
      await expect.poll(() => page.locator('.count').textContent()).toMatch(q === '' ? /^[\d,]+ \D+$/ : /生日$/);
      await expect
        .poll(async () => (await page.evaluate<Row[]>(ROWS)).filter(({ top }) => top > height).length)
        .toBeGreaterThan(0);
      const rows = await page.evaluate<Row[]>(ROWS);
      for (const { row, cells, first } of rows) expect(first).toBe(`tile-${(row - 1) * cells}`);
      expect(rows.map(({ row }) => row).toSorted((a, b) => a - b)).toEqual(rows.map((_, at) => at + 1));
    }
  });
});

interface Row {
  readonly row: number;
  readonly top: number;
  readonly first: string;
  readonly cells: number;
}

const ROWS = `[...document.querySelectorAll('.row')].map((one) => ({
  row: Number(one.getAttribute('aria-rowindex')),
  top: one.getBoundingClientRect().top,
  first: one.firstElementChild.id,
  cells: one.childElementCount,
}))`;
