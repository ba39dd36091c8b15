// A pasted copy: sentences, stickers for each, marks both ways; and nothing of it stays anywhere.

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import type { Tile, TileMatch, Tiles } from '../../src/api/tile.js';
import { listPurchases } from '../support/purchases.js';
import { CHROMIUM, itIf } from '../support/requires.js';
import { COUNT_PLAYING, paste, playing } from './acts.js';
import { openPage } from './open-page.js';

/** Of the page, in which the functions given to `evaluate` run. */
declare const document: { readonly cookie: string };
declare const getComputedStyle: (element: unknown) => { readonly backgroundColor: string };
declare const localStorage: object;
declare const sessionStorage: object;
declare const history: { readonly state: unknown };
declare const indexedDB: { databases(): Promise<unknown[]> };

const SECRET = '绝密发布会';
const COPY = `🎂${SECRET}今天过生日。第二句没有词！最后送一个蛋糕`;

/** Answers as svcd does, with the stickers that it has. */
async function standIn(page: Page, tiles: readonly Tile[]): Promise<void> {
  await page.route('**/svcd/tiles/match', async (route) => {
    const { text } = route.request().postDataJSON() as { text: string };
    const ends = [text.indexOf('。') + 1, text.indexOf('！') + 1, text.length];
    const sentences = ends.map((end, index) => {
      const from = ends[index - 1] ?? 0;
      const words = ['生日', '蛋糕'].flatMap((word) => {
        const at = text.slice(from, end).indexOf(word);
        return at === -1 ? [] : [{ word, at: [from + at, from + at + word.length] as const }];
      });
      const because = words.map(({ word }) => ({
        word,
        asked: word,
        field: 'keywords' as const,
        source: 'direct' as const,
      }));
      const found = words.length === 0 ? [] : tiles.map((tile) => ({ ...tile, because }));
      return {
        at: [from, end] as const,
        words,
        total: found.length,
        related_from: null,
        tiles: found,
        best: found[0] ?? null,
      };
    });
    await route.fulfill({ json: { style: null, sentences } satisfies TileMatch });
  });
}

async function openWithCopy() {
  const opened = await openPage();
  const { page, svcd } = opened;
  const { tiles } = (await (await svcd.get('/svcd/tiles?limit=6')).json()) as Tiles;
  await standIn(page, tiles);
  await paste(page, COPY);
  await page.locator('.copy-row').first().waitFor();
  return { ...opened, tiles };
}

describe('a copy that is pasted', () => {
  itIf(CHROMIUM, 'is matched by sentence, and chosen from by the keys alone', async () => {
    const { page, svcd, tiles } = await openWithCopy();
    await expect
      .poll(() => page.locator('.copy-sentence').allTextContents())
      .toEqual([`🎂${SECRET}今天过生日。`, '第二句没有词！', '最后送一个蛋糕']);
    await expect
      .poll(() => page.locator('.copy-choice').allTextContents())
      .toEqual(['○ Nothing chosen', '○ Nothing fits', '○ Nothing chosen']);
    // The first sticker has the focus; → the second; ↓ the next sentence that has any.
    await expect.poll(() => page.locator('.copy-tile:focus').count()).toBe(1);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect
      .poll(() => page.locator('.copy-choice').allTextContents())
      .toEqual([`✓ Chosen: ${tiles[1]?.title}`, '○ Nothing fits', `✓ Chosen: ${tiles[0]?.title}`]);
    await expect
      .poll(() => page.locator('.copy [role="status"]').textContent())
      .toBe('2 of 3 sentences have a sticker');
    // What was chosen is the selection of the list.
    await page.getByRole('button', { name: 'Back to the list' }).click();
    await expect.poll(() => page.locator('.tile[aria-selected="true"]').count()).toBe(2);
    expect(await listPurchases(svcd.get)).toEqual([]);
  });

  itIf(
    CHROMIUM,
    'says what each costs, and which sticker another takes the place of, which can be had back',
    async () => {
      const { page, tiles } = await openWithCopy();
      const [first, second] = [0, 1].map((nth) => page.locator('.copy-tile').nth(nth));
      await expect
        .poll(() => first?.locator('small').innerText())
        .toMatch(tiles[0]?.price === 0 ? /Free/ : /^1 credit/);
      await first?.click();
      await second?.click();
      const notice = page.locator('.notice');
      await expect
        .poll(() => notice.textContent())
        .toContain(`Replaced for this sentence: ${tiles[0]?.title} → ${tiles[1]?.title}`);
      await notice.getByRole('button', { name: 'Undo' }).click();
      await expect.poll(() => first?.getAttribute('aria-pressed')).toBe('true');
      await expect.poll(() => second?.getAttribute('aria-pressed')).toBe('false');
      await expect.poll(() => page.locator('.copy-tile:focus').getAttribute('aria-pressed')).toBe('true');
    },
  );

  itIf(CHROMIUM, 'gives way to the list when something is searched, and is still there afterwards', async () => {
    const { page } = await openWithCopy();
    await page.locator('#search').fill('蛋糕');
    await page.locator('.copy').waitFor({ state: 'detached' });
    await expect.poll(() => page.locator('.count').textContent()).toMatch(/蛋糕$/);
    await page.locator('.rail').getByRole('button', { name: 'Script' }).click();
    await expect.poll(() => page.locator('.copy-sentence').first().textContent()).toContain(SECRET);
  });

  itIf(CHROMIUM, 'has a search of its own for each line, which is kept, and is narrowed by the filters', async () => {
    const { page } = await openPage({ signedIn: true });
    await paste(page, '祝你生日快乐。下雨了！');
    const rows = page.locator('.copy-row');
    const titles = (row: number) => rows.nth(row).locator('.copy-tile > span').allTextContents();
    await expect.poll(() => titles(1)).not.toEqual([]);
    const [before, rain] = [await titles(0), await titles(1)];
    const field = rows.nth(1).getByLabel('Search for this line');
    await field.fill('汽车');
    await field.press('Enter');
    await expect.poll(async () => (await titles(1))[0]).toBe('汽车');
    expect(await titles(0)).toEqual(before);
    await field.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('.project [role="status"]').textContent()).toBe('Kept');
    await page.reload();
    await expect.poll(async () => (await titles(1))[0]).toBe('汽车');
    await expect.poll(() => field.inputValue()).toBe('汽车');
    await field.press('Escape');
    await expect.poll(() => titles(1)).toEqual([...rain, '汽车']);
    // A filter narrows the rows where they are, and its chip there takes it off.
    await page.locator('.rail').getByRole('button', { name: 'Wide' }).click();
    await expect.poll(() => rows.nth(0).locator('.copy-choice').textContent()).toContain('with these filters');
    await page.locator('.copy .chip').click();
    await expect.poll(() => titles(0)).toEqual(before);
  });

  itIf(CHROMIUM, 'plays the tile that the pointer or the focus is on, one at a time', async () => {
    const { page } = await openWithCopy();
    await page.evaluate(COUNT_PLAYING);
    const tiles = page.locator('.copy-tile');
    await tiles.nth(1).hover();
    await expect.poll(() => playing(page)).toBe(1);
    await tiles.nth(2).focus();
    await expect.poll(() => playing(page)).toBe(1);
    await page.getByRole('button', { name: 'Back to the list' }).focus();
    await expect.poll(() => playing(page)).toBe(0);
  });

  itIf(CHROMIUM, 'has its words marked, and a reason lights its word as a word its reasons', async () => {
    const { page } = await openWithCopy();
    const words = page.locator('.copy-word');
    await expect.poll(() => words.allTextContents()).toEqual(['生日', '蛋糕']);
    const reasons = page.locator('.copy-row').nth(0).locator('.copy-reason');
    await reasons.first().hover();
    await expect.poll(() => words.nth(0).getAttribute('data-lit')).toBe('true');
    await expect.poll(() => words.nth(1).getAttribute('data-lit')).toBe('false');
    await words.nth(1).focus();
    await expect.poll(() => reasons.first().getAttribute('data-lit')).toBe('false');
    await expect
      .poll(() => page.locator('.copy-row').nth(2).locator('.copy-reason').first().getAttribute('data-lit'))
      .toBe('true');
    expect(await words.nth(1).evaluate((one) => getComputedStyle(one).backgroundColor)).not.toBe(
      await words.nth(0).evaluate((one) => getComputedStyle(one).backgroundColor),
    );
  });

  itIf(
    CHROMIUM,
    'is in no address, no storage of the browser, no request but the one, and no file of svcd',
    async () => {
      const { page, asked, svcd } = await openWithCopy();
      await page.locator('.copy-tile').first().click();
      await page.unroute('**/svcd/tiles/match');
      // To the daemon itself as well, whatever it says of it.
      await page.getByRole('button', { name: 'Edit the text' }).click();
      await page.keyboard.press('Control+Enter');
      await page.waitForTimeout(500);
      expect(page.url()).toContain('view=copy');
      const coded = encodeURIComponent(SECRET);
      for (const text of [SECRET, coded]) {
        expect(page.url()).not.toContain(text);
        expect(asked.join('\n')).not.toContain(text);
      }
      const kept = await page.evaluate(async () => ({
        local: JSON.stringify(localStorage),
        session: JSON.stringify(sessionStorage),
        history: JSON.stringify(history.state),
        cookies: document.cookie,
        databases: (await indexedDB.databases()).length,
      }));
      expect(JSON.stringify(kept)).not.toContain(SECRET);
      expect(kept.databases).toBe(0);
      for (const name of await readdir(svcd.home, { recursive: true, withFileTypes: true })) {
        if (!name.isFile()) continue;
        const bytes = await readFile(join(name.parentPath, name.name));
        expect(bytes.includes(SECRET), name.name).toBe(false);
      }
      // Gone with the page.
      await page.reload();
      await page.locator('.copy textarea').waitFor();
      await expect.poll(() => page.locator('.copy textarea').inputValue()).toBe('');
    },
  );
});
