// axe-core over every state of the page, in both languages and both themes: no violation of WCAG 2.2 AA. A new state is a row
// of page-reach.ts. What a screen reader is told, and where Tab goes, is written down here.

import axeCore from 'axe-core';
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { CHROMIUM, itIf } from '../support/requires.js';
import { BUYING, MONEY, REFUSED, TROUBLED } from './money-reach.js';
import { FINDING, TAKING, throughStates, type Reach } from './page-reach.js';
import { openShop } from './open-shop.js';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** The rules that ask for colours: the themes differ in nothing else. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];

/** Of the page, in which the functions given to `evaluate` run. */
declare const axe: { run(options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };

const WIDE = { width: 1100, height: 700 };
const NARROW = { width: 360, height: 640 };

/** Presses the page's own button, which a dialog over it keeps from the pointer. */
const speak = (page: Page, lang: 'en' | 'zh') =>
  page.evaluate(`{
    const name = ${JSON.stringify({ en: 'EN', zh: '中文' }[lang])};
    [...document.querySelectorAll('.rail .quiet')].find((one) => one.textContent === name)?.click();
  }`);

async function violations(page: Page): Promise<string[]> {
  // Not by a script element, which the policy of the page refuses.
  await page.evaluate(axeCore.source);
  const found: string[] = [];
  for (const lang of ['en', 'zh'] as const) {
    await speak(page, lang);
    await expect.poll(() => page.locator('html').getAttribute('lang')).toBe({ en: 'en', zh: 'zh-CN' }[lang]);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      const asked = colorScheme === 'light' ? RULES : OF_COLOURS;
      const result = await page.evaluate((runOnly) => axe.run({ runOnly, resultTypes: ['violations'] }), asked);
      for (const { id, nodes } of result.violations)
        found.push(`${lang} ${colorScheme} ${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
    }
  }
  await speak(page, 'en');
  return found;
}

async function lookAt(states: Readonly<Record<string, Reach>>, viewport: typeof WIDE): Promise<void> {
  const shop = await openShop({ context: { viewport, reducedMotion: 'reduce' } });
  expect(await throughStates(shop, states, () => violations(shop.page))).toEqual({});
}

describe('the page with axe-core has no violation, in both languages and both themes', () => {
  itIf(CHROMIUM, 'wherever one finds and chooses', () => lookAt(FINDING, WIDE));
  itIf(CHROMIUM, 'wherever one pastes and takes', () => lookAt(TAKING, WIDE));
  itIf(CHROMIUM, 'wherever money is', () => lookAt(MONEY, WIDE));
  itIf(CHROMIUM, 'whatever becomes of a purchase', () => lookAt(BUYING, WIDE));
  itIf(CHROMIUM, 'whatever stands in the way', () => lookAt(TROUBLED, WIDE));
  itIf(CHROMIUM, 'wherever nothing can be bought', () => lookAt(REFUSED, WIDE));

  itIf(CHROMIUM, 'where it is narrow', () =>
    lookAt(
      {
        'the sheet of filters': async ({ page }) => {
          await page.locator('.strip button').first().click();
          await page.locator('.filter-sheet').waitFor();
        },
        'a choice': FINDING['a tile with the focus, and a choice']!,
        details: TAKING['details of what is not owned']!,
        'asked to buy several': MONEY['asked to buy several']!,
        purchases: MONEY['purchases, one of unknown end']!,
        'a matched copy': TAKING['a matched copy']!,
        offline: TROUBLED['offline']!,
      },
      NARROW,
    ),
  );
});

describe('what a screen reader is told', () => {
  itIf(CHROMIUM, 'of the grid, the details and the question before buying, and where Tab goes', async () => {
    const shop = await openShop({ context: { viewport: WIDE, reducedMotion: 'reduce' } });
    const { page, svcd, tile, dialog } = shop;
    await page.goto(`${svcd.url}/?q=${encodeURIComponent('礼物12')}`);
    await tile('礼物12').waitFor();
    expect(await page.getByRole('grid').ariaSnapshot()).toMatchInlineSnapshot(`
      "- grid "Stickers":
        - row "礼物12, 2 s · 1 credit, No picture, ≈ gift":
          - gridcell "礼物12, 2 s · 1 credit, No picture, ≈ gift": 礼物12 ≈ gift 2 s · 1 credit No picture
        - row "Only loosely related · 11":
          - gridcell "Only loosely related · 11"
        - row "礼物1, 2 s · 1 credit, No picture, ≈ gift 礼物2, 2 s · 1 credit, No picture, ≈ gift 礼物3, 2 s · 1 credit, No picture, ≈ gift 礼物4, 2 s · 1 credit, No picture, ≈ gift":
          - gridcell "礼物1, 2 s · 1 credit, No picture, ≈ gift": 礼物1 ≈ gift 2 s · 1 credit No picture
          - gridcell "礼物2, 2 s · 1 credit, No picture, ≈ gift": 礼物2 ≈ gift 2 s · 1 credit No picture
          - gridcell "礼物3, 2 s · 1 credit, No picture, ≈ gift": 礼物3 ≈ gift 2 s · 1 credit No picture
          - gridcell "礼物4, 2 s · 1 credit, No picture, ≈ gift": 礼物4 ≈ gift 2 s · 1 credit No picture
        - row "礼物5, 2 s · 1 credit, No picture, ≈ gift 礼物6, 2 s · 1 credit, No picture, ≈ gift 礼物7, 2 s · 1 credit, No picture, ≈ gift 礼物8, 2 s · 1 credit, No picture, ≈ gift":
          - gridcell "礼物5, 2 s · 1 credit, No picture, ≈ gift": 礼物5 ≈ gift 2 s · 1 credit No picture
          - gridcell "礼物6, 2 s · 1 credit, No picture, ≈ gift": 礼物6 ≈ gift 2 s · 1 credit No picture
          - gridcell "礼物7, 2 s · 1 credit, No picture, ≈ gift": 礼物7 ≈ gift 2 s · 1 credit No picture
          - gridcell "礼物8, 2 s · 1 credit, No picture, ≈ gift": 礼物8 ≈ gift 2 s · 1 credit No picture
        - row "礼物9, 2 s · 1 credit, No picture, ≈ gift 礼物10, 2 s · 1 credit, No picture, ≈ gift 礼物11, 2 s · 1 credit, No picture, ≈ gift":
          - gridcell "礼物9, 2 s · 1 credit, No picture, ≈ gift": 礼物9 ≈ gift 2 s · 1 credit No picture
          - gridcell "礼物10, 2 s · 1 credit, No picture, ≈ gift": 礼物10 ≈ gift 2 s · 1 credit No picture
          - gridcell "礼物11, 2 s · 1 credit, No picture, ≈ gift": 礼物11 ≈ gift 2 s · 1 credit No picture"
    `);
    await page.locator('#search').focus();
    const stops: string[] = [];
    for (let times = 0; times < 8; times += 1) {
      stops.push(await page.evaluate<string>(FOCUSED));
      await page.keyboard.press('Tab');
    }
    expect(stops.map((stop) => stop.replace(/ as of \S+(?=:)/, ''))).toMatchInlineSnapshot(`
      [
        "input Search stickers",
        "button 42 credits: purchases and budgets",
        "button All",
        "button Owned",
        "button Script",
        "button ↺ Recent 0",
        "summary More for Recent",
        "button ★ Favourites 0",
      ]
    `);
    await tile('礼物12').focus();
    await page.keyboard.press('Control+Enter');
    const details = page.getByRole('complementary', { name: 'Details' });
    await details.getByText('shop/gift-12').waitFor();
    expect(await details.ariaSnapshot()).toMatchInlineSnapshot(`
      "- complementary "Details":
        - button "Close": ✕
        - heading "礼物12" [level=2]:
          - mark: 礼物12
        - paragraph: ≈ gift (translated)
        - paragraph: "No picture: the service shows none before you buy."
        - paragraph:
          - button "Buy · 1 credit"
          - button "Other ways to export": ▾
        - paragraph:
          - button "Choose"
          - button "★ Favourite"
          - button "♡ Want it"
        - paragraph:
          - button "zzshop"
        - paragraph:
          - text: Found by
          - mark: 礼物12
          - text: title
        - term: Color
        - definition: "#ff8800"
        - term: Ratio
        - definition: 6:5
        - term: Length
        - definition: 2 s
        - term: Licence
        - definition: unknown
        - term: Preset
        - definition:
          - code: shop/gift-12
          - button "Copy the preset": Copy
        - heading "Related" [level=3]
        - list:
          - listitem:
            - button "礼物1, No picture"
          - listitem:
            - button "礼物2, No picture"
          - listitem:
            - button "礼物3, No picture"
          - listitem:
            - button "礼物4, No picture"
          - listitem:
            - button "礼物5, No picture"
          - listitem:
            - button "礼物6, No picture"
          - listitem:
            - button "礼物7, No picture"
          - listitem:
            - button "礼物8, No picture"
          - listitem:
            - button "礼物9, No picture"
          - listitem:
            - button "礼物10, No picture"
          - listitem:
            - button "礼物11, No picture"
          - listitem:
            - button "圣诞树, ✓ Free""
    `);
    await page.keyboard.press('Escape');
    await tile('礼物12').focus();
    await page.keyboard.press('Enter');
    await dialog.locator('.sums').waitFor();
    expect(await dialog.ariaSnapshot()).toMatchInlineSnapshot(`
      "- dialog "Buy this sticker?":
        - heading "Buy this sticker?" [level=2]
        - list:
          - listitem: 礼物12 1 credit
        - term: Price
        - definition: 1 credit
        - term: Balance
        - definition: 42 → 41
        - button "Buy · 1 credit"
        - button "Cancel"
        - text: Enter buys, Esc leaves"
    `);
  });
});

/** The name of what has the focus, as short as it may be. */
const FOCUSED = `(() => {
  const { activeElement: one } = document;
  return one.tagName.toLowerCase() + ' ' + (one.getAttribute('aria-label') ?? one.closest('label')?.firstChild?.textContent ?? one.textContent).trim();
})()`;
