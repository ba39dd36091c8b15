// axe-core over every state of the page, in each language and each theme: no violation of WCAG 2.2 AA. A new state is a
// row of STATES.

import axeCore from 'axe-core';
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import type { Tiles } from '../../src/api/tile.js';
import { CHROMIUM, itIf } from '../support/requires.js';
import { SQUARE } from './lottie-files.js';
import { openPage } from './open-page.js';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Of the page, in which the functions given to `evaluate` run. */
declare const axe: { run(options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
declare const document: { readonly body: { dispatchEvent(event: unknown): void } };
declare const DataTransfer: new () => {
  setData(type: string, text: string): void;
  readonly items: { add(file: File): void };
};
declare const ClipboardEvent: new (type: string, init: object) => unknown;
declare const DragEvent: new (type: string, init: object) => unknown;

/** What leads to each state, from the page as it opens. */
const STATES: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  'the list': async (page) => page.locator('.tile[data-look]').first().waitFor(),
  'a tile with the focus, and a choice': async (page) => {
    await page.locator('.tile').first().focus();
    await page.keyboard.press('x');
  },
  'nothing found': async (page) => {
    await page.locator('#search').fill('zzzzqqqq');
    await page.locator('.empty').waitFor();
  },
  filters: async (page) => {
    await page.locator('.swatch').first().click();
    await page.locator('.head .chip').first().waitFor();
  },
  'svcd away': async (page) => {
    await page.route('**/svcd/tiles**', (route) => route.abort());
    await page.locator('#search').fill('蛋糕');
    await page.getByRole('alert').first().waitFor();
  },
  commands: async (page) => {
    await page.locator('#search').fill('>');
    await page.locator('#command-list li').first().waitFor();
  },
  'an empty copy': async (page) => {
    await command(page, 'copy');
    await page.locator('.copy textarea').waitFor();
  },
  'a matched copy': async (page) => {
    const { tiles } = (await (await page.request.get(new URL('/svcd/tiles?limit=6', page.url()).href)).json()) as Tiles;
    const reason = { word: '生日', asked: '生日', field: 'title', source: 'direct' };
    const words = [{ word: '生日', at: [0, 2] }];
    const found = tiles.map((tile) => ({ ...tile, because: [reason] }));
    const sentences = [
      { at: [0, 5], words, total: 6, tiles: found },
      { at: [5, 8], words: [], total: 0, tiles: [] },
    ];
    await page.route('**/svcd/tiles/match', (route) => route.fulfill({ json: { sentences } }));
    await page.evaluate(() => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', '生日快乐。没有。');
      document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    });
    await page.locator('.copy-tile').first().click();
  },
  'own files': async (page) => {
    await page.evaluate((text) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([text], 'square.json'));
      dataTransfer.items.add(new File(['x'], 'page.html'));
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    }, JSON.stringify(SQUARE));
    await page.locator('.modal fieldset').waitFor();
  },
  'an export': async (page) => {
    await page.locator('#search').fill('蛋糕');
    await page.locator('.tile[data-look="picture"]').first().focus();
    await command(page, 'gif');
    await page.locator('.modal .main-act').waitFor();
  },
  'the menu of a collection': async (page) => {
    await page.locator('.menu summary').first().click();
  },
  'a new collection': async (page) => {
    await command(page, '新建收藏夹');
    await page.locator('.name-form').waitFor();
  },
};

async function command(page: Page, name: string): Promise<void> {
  await page.locator('#search').fill('>');
  await page.locator('.commands input').fill(name);
  await page.keyboard.press('Enter');
}

describe('the page with axe-core', () => {
  // Colors depend on the theme alone, and words on the language alone: two of the four pairs hold all there is.
  for (const [lang, theme] of [
    ['en', 'light'],
    ['zh', 'dark'],
  ] as const) {
    itIf(CHROMIUM, `has no violation in any state, ${lang}, ${theme}`, async () => {
      const { page, svcd } = await openPage({
        signedIn: true,
        context: { colorScheme: theme, reducedMotion: 'reduce' },
      });
      const names = ['favourites', 'wanted', 'recent', '第二集'];
      const collections = names.map((name) => ({ name, presets: [], changed_at: null }));
      await page.route('**/svcd/collections', (route) => route.fulfill({ json: { collections } }));
      const wrong: Record<string, string[]> = {};
      for (const [name, reach] of Object.entries(STATES)) {
        await page.goto(`${svcd.url}/?lang=${lang}`);
        await page.locator('.count:not(:empty)').waitFor();
        await reach(page);
        // Not by a script element, which the policy of the page refuses.
        await page.evaluate(axeCore.source);
        const { violations } = await page.evaluate((tags) => axe.run({ runOnly: tags }), RULES);
        await page.unroute('**/svcd/tiles**');
        if (violations.length === 0) continue;
        wrong[name] = violations.map(
          ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`,
        );
      }
      expect(wrong).toEqual({});
    });
  }
});
