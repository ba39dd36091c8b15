// Whole ways through the page against the real daemon: words that are typed fast, from a text to stickers, and to and fro
// between the sandbox's pictures and what the real service shows.

import type { Page } from 'playwright-core';
import { describe, expect, onTestFinished } from 'vitest';
import type { TileMatch } from '../../src/api/tile.js';
import { CHROMIUM, itIf } from '../support/requires.js';
import { startSvcd } from '../support/start-svcd.js';
import { paste } from './acts.js';
import { openAt, openPage, signInLink } from './open-page.js';

describe('words that are typed fast', () => {
  itIf(CHROMIUM, 'show the newest answer alone, however late an older one comes', async () => {
    const { page } = await openPage();
    await page.route('**/svcd/tiles?**', async (route) => {
      const isOld = new URL(route.request().url()).searchParams.get('q') !== '生';
      if (isOld) await new Promise((resolve) => setTimeout(resolve, 1200));
      // It may have been given up meanwhile.
      await route.continue().catch(() => undefined);
    });
    await page.evaluate(`
      window.painted = [];
      new MutationObserver(() => window.painted.push(document.querySelector('.count').textContent))
        .observe(document.querySelector('.head'), { childList: true, characterData: true, subtree: true }); 0`);
    await page.locator('#search').pressSequentially('sheng');
    await page.locator('#search').fill('生');
    await expect.poll(() => page.locator('.count').textContent()).toMatch(/· 生$/);
    const first = await page.locator('.tile .name').first().textContent();
    await page.waitForTimeout(1800);
    await expect.poll(() => page.locator('.count').textContent()).toMatch(/· 生$/);
    await expect.poll(() => page.locator('.tile .name').first().textContent()).toBe(first);
    expect((await page.evaluate<string[]>('window.painted')).filter((one) => /· s/.test(one))).toEqual([]);
  });
});

describe('from a text to stickers', () => {
  const COPY = '今天过生日。嗡嗡嗡！最后送一个蛋糕';

  itIf(
    CHROMIUM,
    'each sentence has what svcd finds for it, with its words marked, and all are chosen at once',
    async () => {
      const { page, svcd } = await openPage({ signedIn: true });
      await paste(page, COPY);
      await page.locator('.copy-row').first().waitFor();
      const told = (await (await svcd.post('/svcd/tiles/match', { text: COPY })).json()) as TileMatch;
      await expect
        .poll(() => page.locator('.copy-sentence').allTextContents())
        .toEqual(told.sentences.map(({ at: [from, to] }) => COPY.slice(from, to)));
      for (const [nth, { tiles }] of told.sentences.entries()) {
        const shown = await page.locator('.copy-row').nth(nth).locator('.copy-tile > span').allTextContents();
        expect(shown).toEqual(tiles.map(({ title }) => title));
      }
      const words = told.sentences.flatMap((sentence) => sentence.words.map(({ at }) => at && COPY.slice(...at)));
      const marked = await page.locator('.copy-word').allTextContents();
      expect(marked).toContain('蛋糕');
      // One that lies in a longer one is marked with it.
      for (const one of marked) expect(words).toContain(one);
      const word = page.locator('.copy-word', { hasText: '蛋糕' });
      await word.hover();
      const lit = page.locator('.copy-row').last().locator('.copy-reason[data-lit=true]');
      await expect.poll(() => lit.count()).toBeGreaterThan(0);
      await page.getByRole('button', { name: 'Choose the best of each' }).click();
      const best = new Set<string>();
      for (const { tiles, related_from: from } of told.sentences) {
        const fitting = tiles.slice(0, from ?? tiles.length).find(({ preset }) => !best.has(preset));
        if (fitting !== undefined) best.add(fitting.preset);
      }
      await expect.poll(() => page.locator('.selection').textContent()).toMatch(new RegExp(`^${best.size} chosen`));
      expect(page.url()).not.toContain(encodeURIComponent('生日'));
    },
  );

  itIf(CHROMIUM, 'what is only loosely related stands behind a line, and is not chosen with the best', async () => {
    const { page, svcd } = await openPage({ signedIn: true });
    const text = '定格。过生日，送一个蛋糕';
    const told = (await (await svcd.post('/svcd/tiles/match', { text })).json()) as TileMatch;
    expect(told.sentences.map(({ related_from: from }) => from === 0)).toEqual([true, false]);
    await paste(page, text);
    const [first, last] = [page.locator('.copy-row').first(), page.locator('.copy-row').last()];
    await expect.poll(() => first.locator('.copy-choice').textContent()).toContain('only loosely related');
    await page.getByRole('button', { name: 'Choose the best of each' }).click();
    await expect.poll(() => last.locator('.copy-tile[aria-pressed=true]').count()).toBe(1);
    await expect.poll(() => first.locator('.copy-tile[aria-pressed=true]').count()).toBe(0);
  });
});

describe('the sandbox', () => {
  itIf(CHROMIUM, 'shows its pictures and says so, or as much as the real service does', async () => {
    const svcd = await startSvcd(['--sandbox']);
    onTestFinished(svcd.stop);
    const by = await signInLink(svcd.info);
    const { page, asked } = await openAt(svcd.info.url, { by, path: '/?q=%E7%94%9F%E6%97%A5%E8%9B%8B%E7%B3%95' });
    const looks = (of: Page) =>
      of.locator('.tile:not([hidden])').evaluateAll((all) => all.map((one) => one.getAttribute('data-look')));
    const sandbox = page.locator('.tile[data-seen=sandbox]');
    await expect.poll(() => sandbox.count()).toBeGreaterThan(0);
    await expect.poll(() => sandbox.first().locator('.mark').textContent()).toBe('Sandbox');
    const isReal = page.getByRole('button', { name: 'As with the real service' });
    const before = await looks(page);
    await isReal.click();
    await expect.poll(() => sandbox.count()).toBe(0);
    await expect.poll(() => isReal.getAttribute('aria-pressed')).toBe('true');
    expect(await looks(page)).toContain('sketch');
    for (const mark of await page.locator('.tile[data-look=sketch] .mark').allTextContents())
      expect(mark).toBe('Sketch');
    await page.waitForTimeout(500);
    const known = asked.length;
    await page.locator('.tile[data-look=sketch]').first().click();
    await page.locator('.details .picture[data-look=sketch]').first().waitFor();
    await page.waitForTimeout(500);
    // Nothing that the real service would not show is even asked for.
    const title = await page.locator('.details h2').textContent();
    expect(title).toBe('生日蛋糕');
    expect(asked.slice(known).filter((one) => one.includes('/svcd/pictures/fluent'))).toEqual([]);
    await page.locator('.details .close').click();
    await isReal.click();
    await expect.poll(() => looks(page)).toEqual(before);
  });
});
