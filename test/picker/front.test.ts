// The front of the page in a real browser: the search box, keys, choice, Back, looks, motion, and the ways out.

import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { TILE_RANGE } from '../../src/api/page-terms.js';
import { stickerPath } from '../../src/model/sticker.js';
import { KEYS } from '../../src/picker/keys.js';
import { BIRTHDAY_CAKE } from '../sandbox/tiny-catalogue.js';
import { CHROMIUM, itIf } from '../support/requires.js';
import { count, COUNT_PLAYS, parameter, paste, plays } from './acts.js';
import { openPage, type PageOptions } from './open-page.js';

const hasFocus = (page: Page) => page.evaluate<boolean>("document.activeElement.id === 'search'");

/** The list of what is owned, which is the cake. */
async function openOwned(options: PageOptions) {
  const opened = await openPage(options);
  const { page, svcd } = opened;
  await svcd.get('/api/v1/stickers/search?q=%E8%9B%8B%E7%B3%95');
  expect((await svcd.get(stickerPath(BIRTHDAY_CAKE))).status).toBe(200);
  await page.goto(`${svcd.url}/?owned=true`);
  return opened;
}

describe('the first tiles', () => {
  itIf(CHROMIUM, 'are asked for while the script comes, and once', async () => {
    const { page, asked } = await openPage();
    await page.locator('.tile .name:not(:empty)').first().waitFor();
    await expect
      .poll(() => page.locator('link[rel=preload]').getAttribute('href'))
      .toBe(`/svcd/tiles?offset=0&limit=${TILE_RANGE}`);
    const ofFirst = asked.filter((one) => one.startsWith('GET /svcd/tiles?offset=0'));
    expect(ofFirst).toEqual([`GET /svcd/tiles?offset=0&limit=${TILE_RANGE}`]);
    // What an address names is another list.
    await page.goto(`${new URL(page.url()).origin}/?q=%E7%94%9F%E6%97%A5`);
    await page.locator('.tile .name:not(:empty)').first().waitFor();
    await expect.poll(() => page.locator('link[rel=preload]').count()).toBe(0);
  });
});

describe('the search box', () => {
  itIf(CHROMIUM, 'shows the completion in gray, takes it by → and lists the others by Alt ↓', async () => {
    const { page } = await openPage();
    await page.keyboard.type('生日蛋');
    await expect.poll(() => page.locator('.ghost').textContent()).toBe('生日蛋糕');
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => page.locator('#search').inputValue()).toBe('生日蛋糕');
    await page.locator('#search').fill('sheng');
    await page.locator('.ghost').waitFor();
    await page.keyboard.press('Alt+ArrowDown');
    const second = await page.locator('[role=option]').nth(1).locator('span').textContent();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('#search').inputValue()).toBe(second);
    await expect.poll(() => parameter(page, 'q')).toBe(second);
    await expect.poll(() => page.locator('[role=listbox]').count()).toBe(0);
  });

  itIf(CHROMIUM, 'does nothing while an input method composes, and searches once when it ends', async () => {
    const { page, asked } = await openPage();
    const devtools = await page.context().newCDPSession(page);
    const lists = () => asked.filter((one) => one.startsWith('GET /svcd/tiles?')).length;
    const before = lists();
    for (const text of ['s', 'sh', 'shengri']) {
      await devtools.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
    }
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowDown');
    expect(lists()).toBe(before);
    await expect.poll(() => parameter(page, 'q')).toBeNull();
    await devtools.send('Input.insertText', { text: '生日' });
    await expect.poll(() => count(page)).toMatch(/生日$/);
    expect(lists()).toBe(before + 1);
    await expect.poll(() => hasFocus(page)).toBe(true);
  });

  itIf(CHROMIUM, 'reads a long text as copy that is in no address, and as words where that is wanted', async () => {
    const { page } = await openPage();
    const text = '祝你生日快乐。'.repeat(8);
    await paste(page, text, 'activeElement');
    await expect.poll(() => parameter(page, 'view')).toBe('copy');
    expect(decodeURIComponent(page.url())).not.toContain('生日');
    await page.getByRole('button', { name: 'Search as words instead' }).click();
    await expect.poll(() => parameter(page, 'q')).toContain('生日快乐');
    await expect.poll(() => parameter(page, 'view')).toBeNull();
  });
});

describe('keys', () => {
  itIf(CHROMIUM, 'has a help with each key of the table, and single letters can be switched off', async () => {
    const { page } = await openPage();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await expect.poll(() => page.locator('.keys > div').count()).toBe(KEYS.length);
    await page.getByRole('dialog').getByLabel('Single-letter keys').uncheck();
    await page.keyboard.press('Escape');
    await page.locator('.tile:focus').press('x');
    await expect.poll(() => page.locator('.tile[aria-selected=true]').count()).toBe(0);
    await page.keyboard.press('Control+k');
    await expect.poll(() => hasFocus(page)).toBe(true);
  });

  itIf(CHROMIUM, 'opens the help by ? wherever nothing is typed', async () => {
    const { page } = await openPage();
    const help = page.getByRole('dialog', { name: 'Keys' });
    await page.keyboard.type('?');
    await expect.poll(() => page.locator('#search').inputValue()).toBe('?');
    await expect.poll(() => help.count()).toBe(0);
    await page.locator('#search').fill('');
    for (const name of ['Square', 'Keys ?']) {
      await page.locator('.rail').getByRole('button', { name }).focus();
      await page.keyboard.press('?');
      await help.waitFor();
      await page.keyboard.press('Escape');
      await help.waitFor({ state: 'detached' });
    }
  });

  itIf(CHROMIUM, 'closes by Esc what is open, then empties the choice, and throws no search away', async () => {
    const { page } = await openPage({ path: '/?q=%E7%94%9F%E6%97%A5' });
    const box = page.locator('#search');
    await box.press('ArrowDown');
    await page.keyboard.press('x');
    await page.keyboard.press('d');
    await page.locator('.details').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.details').waitFor({ state: 'detached' });
    await expect.poll(() => page.locator('.tile[aria-selected=true]').count()).toBe(1);
    await page.locator('.tile:focus').press('Escape');
    await expect.poll(() => page.locator('.tile[aria-selected=true]').count()).toBe(0);
    await expect.poll(() => page.locator('.tile:focus').count()).toBe(1);
    await page.keyboard.press('Escape');
    await expect.poll(() => hasFocus(page)).toBe(true);
    await expect.poll(() => box.inputValue()).toBe('生日');
    await page.keyboard.press('Escape');
    await expect.poll(() => box.inputValue()).toBe('');
  });

  itIf(CHROMIUM, 'lists what is chosen by a click on its number, and then what was searched', async () => {
    const { page } = await openPage({ path: '/?q=%E7%94%9F%E6%97%A5' });
    await page.locator('#search').press('ArrowDown');
    await page.keyboard.press('x');
    const title = await page.locator('.tile:focus .name').textContent();
    await page.locator('#search').fill('蛋糕');
    await expect.poll(() => count(page)).toMatch(/蛋糕$/);
    const found = await count(page);
    const names = () => page.locator('.tile:not([hidden]) .name').allTextContents();
    const number = page.locator('.selection').getByRole('button', { name: '1 chosen' });
    await number.click();
    await expect.poll(names).toEqual([title]);
    await expect.poll(() => count(page)).toBe('1 sticker');
    await page.locator('.chips').getByRole('button', { name: 'Remove filter Chosen' }).click();
    await expect.poll(() => count(page)).toBe(found);
    // What is searched leads out of it, and so does choosing nothing.
    await number.click();
    await expect.poll(names).toEqual([title]);
    await page.locator('.tile').first().focus();
    await page.keyboard.press('x');
    await expect.poll(() => count(page)).toBe(found);
  });

  itIf(CHROMIUM, 'chooses a range over rows that were never drawn, and all', async () => {
    const { page } = await openPage();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('x');
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('Shift+ArrowLeft');
    await expect.poll(() => page.locator('.tile[aria-selected=true]').count()).toBe(2);
    await page.evaluate("document.querySelector('.grid').scrollTop = 40000");
    const far = page.locator('.tile[aria-label]:not([data-look=waiting])').last();
    await expect.poll(async () => Number((await far.getAttribute('id'))?.slice(5))).toBeGreaterThan(100);
    const index = Number((await far.getAttribute('id'))?.slice(5));
    await page.evaluate(
      `document.getElementById('tile-${index}').dispatchEvent(new MouseEvent('click', { bubbles: true, shiftKey: true }))`,
    );
    await expect
      .poll(() => page.locator('.selection').textContent())
      .toContain(new Intl.NumberFormat('en').format(index + 1));
    await page.keyboard.press('Control+Home');
    await page.locator('#search').fill('蛋糕');
    await expect.poll(() => count(page)).toMatch(/蛋糕$/);
  });
});

describe('the view and its place', () => {
  itIf(CHROMIUM, 'keeps the filters in the address, and Back brings back place and focus', async () => {
    const { page } = await openPage({ path: '/?q=%E7%94%9F%E6%97%A5' });
    await page.getByRole('button', { name: 'Square' }).first().click();
    await expect.poll(() => parameter(page, 'aspect')).toBe('square');
    await page.locator('#search').press('ArrowDown');
    for (let step = 0; step < 4; step += 1) await page.keyboard.press('ArrowDown');
    const place = await page.locator('.tile:focus').getAttribute('id');
    await page.getByRole('button', { name: 'Owned', exact: true }).first().click();
    await expect.poll(() => parameter(page, 'owned')).toBe('true');
    await page.goBack();
    await expect.poll(() => page.locator('.tile:focus').getAttribute('id')).toBe(place);
    await expect.poll(() => parameter(page, 'aspect')).toBe('square');
    const chip = page.locator('.chips button');
    await chip.first().focus();
    await page.keyboard.press('Backspace');
    await expect.poll(() => parameter(page, 'aspect')).toBeNull();
    await expect.poll(() => chip.count()).toBe(0);
  });

  itIf(CHROMIUM, 'narrows a search to what is owned and back, and All leaves nothing out', async () => {
    const { page } = await openPage({ path: '/?q=%E7%94%9F%E6%97%A5&aspect=square' });
    const [all, owned] = ['All', 'Owned'].map((name) =>
      page.locator('.rail').getByRole('button', { name, exact: true }),
    );
    await owned?.click();
    await expect.poll(() => page.locator('.chips button').allTextContents()).toEqual(['Owned ✕', 'Square ✕']);
    await owned?.click();
    await expect.poll(() => page.locator('.chips button').allTextContents()).toEqual(['Square ✕']);
    await expect.poll(() => page.locator('#search').inputValue()).toBe('生日');
    await expect.poll(() => all?.getAttribute('aria-pressed')).toBe('false');
    await all?.click();
    await expect.poll(() => page.locator('#search').inputValue()).toBe('');
    await expect.poll(() => page.locator('.chips button').count()).toBe(0);
    await expect.poll(() => all?.getAttribute('aria-pressed')).toBe('true');
    await page.goBack();
    await expect.poll(() => page.locator('#search').inputValue()).toBe('生日');
  });

  itIf(CHROMIUM, 'takes one filter off for each press of Backspace, and no letter of what is searched', async () => {
    const { page } = await openPage({ path: '/?q=%E7%94%9F%E6%97%A5&aspect=square&max_duration=5' });
    const chip = page.locator('.chips button');
    await chip.first().focus();
    for (let repeat = 0; repeat < 5; repeat += 1) {
      await page.keyboard.down('Backspace');
      await page.waitForTimeout(30);
    }
    await page.keyboard.up('Backspace');
    await expect.poll(() => chip.count()).toBe(1);
    for (let repeat = 0; repeat < 5; repeat += 1) {
      await page.keyboard.down('Backspace');
      await page.waitForTimeout(30);
    }
    await page.keyboard.up('Backspace');
    await expect.poll(() => chip.count()).toBe(0);
    await expect.poll(() => page.locator('#search').inputValue()).toBe('生日');
    await page.locator('#search').press('Backspace');
    await expect.poll(() => page.locator('#search').inputValue()).toBe('生');
  });

  itIf(CHROMIUM, 'leaves a tile where it was clicked, when the details make place beside the list', async () => {
    const { page } = await openPage({ context: { viewport: { width: 1280, height: 800 } } });
    const tile = page.locator('#tile-13');
    await page.locator('.grid').evaluate((grid) => Object.assign(grid, { scrollTop: 300 }));
    const top = async () => (await tile.boundingBox())?.y ?? -1;
    await tile.waitFor();
    const before = await top();
    await tile.click();
    await page.locator('.details').waitFor();
    await page.waitForTimeout(300);
    expect(Math.abs((await top()) - before)).toBeLessThan(2);
    await page.locator('.details .close').click();
    await page.locator('.details').waitFor({ state: 'detached' });
    await page.waitForTimeout(300);
    expect(Math.abs((await top()) - before)).toBeLessThan(2);
  });

  itIf(CHROMIUM, 'opens details as a sheet where it is narrow, and Back closes it', async () => {
    const { page } = await openPage({
      context: { viewport: { width: 340, height: 700 } },
      path: '/?q=%E8%9B%8B%E7%B3%95',
    });
    await page.locator('.tile').first().click();
    const details = page.getByRole('complementary', { name: 'Details' });
    await details.waitFor();
    expect(await page.evaluate("getComputedStyle(document.querySelector('.details')).position")).toBe('fixed');
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await page.goBack();
    await details.waitFor({ state: 'detached' });
    await expect.poll(() => page.locator('.tile:focus').getAttribute('id')).toBe('tile-0');
  });
});

describe('looks and motion', () => {
  itIf(CHROMIUM, 'moves nothing where motion is not wanted, but what is asked for', async () => {
    const { page } = await openOwned({ context: { reducedMotion: 'reduce' } });
    await page.evaluate(COUNT_PLAYS);
    await page.locator('.tile[data-look=picture]').first().hover();
    await page.locator('#search').press('ArrowDown');
    for (let step = 0; step < 5; step += 1) await page.keyboard.press('ArrowRight');
    await page.waitForTimeout(400);
    expect(await plays(page)).toBe(0);
    await page.keyboard.press(' ');
    await expect.poll(() => plays(page)).toBe(1);
  });

  itIf(CHROMIUM, 'opens where the browser kept something under its names that cannot be read', async () => {
    const { page } = await openPage();
    await page.evaluate("localStorage.setItem('svcd.motion', '{'); localStorage.setItem('svcd.letters', '7')");
    await page.reload();
    await page.locator('.count:not(:empty)').waitFor();
    await expect.poll(() => page.locator('.tile').count()).toBeGreaterThan(0);
  });

  itIf(CHROMIUM, 'keeps the contrast of words and dashes for every hue, light and dark', async () => {
    const { page } = await openPage();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await page.evaluate<number>(LOWEST_CONTRAST)).toBeGreaterThanOrEqual(4.5);
    }
  });
});

describe('the ways out', () => {
  itIf(CHROMIUM, 'saves what is owned by Enter, as it was done last', async () => {
    const { page, svcd } = await openOwned({ signedIn: true });
    await page.evaluate('delete window.showSaveFilePicker; 0');
    await page.locator('.tile[data-look=picture]').first().waitFor();
    await page.locator('#search').press('ArrowDown');
    const saved = page.waitForEvent('download');
    await page.keyboard.press('Enter');
    const file = await saved;
    expect(file.suggestedFilename()).toBe('生日蛋糕.json');
    const owned = await (await svcd.get(`/svcd/pictures/${encodeURIComponent(BIRTHDAY_CAKE)}`)).text();
    expect(await readFile(await file.path(), 'utf8')).toBe(owned);
    // Who leaves the system's dialog is told that nothing was saved.
    await page.evaluate("window.showSaveFilePicker = () => Promise.reject(new DOMException('', 'AbortError')); 0");
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('.notice').textContent()).toContain('Not saved.');
    // Where the click was so long ago that the browser opens no dialog, it is downloaded all the same.
    await page.evaluate("window.showSaveFilePicker = () => Promise.reject(new DOMException('', 'SecurityError')); 0");
    const downloaded = page.waitForEvent('download');
    await page.keyboard.press('Enter');
    expect((await downloaded).suggestedFilename()).toBe('生日蛋糕.json');
    await expect.poll(() => page.locator('.notice').textContent()).toContain('生日蛋糕.json');
  });

  itIf(CHROMIUM, 'name the format, have GIF beside them, and say what is chosen and wanted', async () => {
    const { page } = await openOwned({ signedIn: true });
    await page.locator('.tile[data-look=picture]').first().click();
    const details = page.locator('.details');
    await expect.poll(() => details.locator('.main-act').textContent()).toBe('Save Lottie (.json)');
    // It is seen in the grid of which the details are, wherever the pointer goes.
    await expect.poll(() => page.locator('.tile[aria-current=true] .name').allTextContents()).toEqual(['生日蛋糕']);
    for (const [name, after] of [
      ['Choose', 'Chosen ✓'],
      ['♡ Want it', '♡ Wanted ✓'],
      ['★ Favourite', '★ Favourite ✓'],
    ] as const) {
      await details.getByRole('button', { name, exact: true }).click();
      await details.getByRole('button', { name: after, exact: true, pressed: true }).waitFor();
    }
    await details.getByRole('button', { name: 'Other ways to export' }).click();
    await expect.poll(() => page.locator('dialog :focus').textContent()).toMatch(/what Enter does$/);
    const programs = page.getByRole('dialog').locator('h3:text("For programs") + ul button');
    await expect.poll(() => programs.allTextContents()).toEqual(['Copy the preset', 'Copy “svcd get …”']);
    await page.getByRole('dialog').getByRole('button', { name: 'Save as GIF' }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    // Asked for, and not made: what Enter does stays.
    await expect.poll(() => details.locator('.main-act').textContent()).toBe('Save Lottie (.json)');
    await details.getByRole('button', { name: 'Save as GIF' }).click();
    await page.getByRole('dialog', { name: 'Save as GIF' }).waitFor();
  });
});

describe('a message', () => {
  itIf(CHROMIUM, 'of what was done goes by itself, one of what went wrong stays; neither moves anything', async () => {
    const { page } = await openPage({ signedIn: true });
    await page.clock.install();
    await page.reload();
    await page.locator('.tile .name:not(:empty)').first().waitFor();
    const notice = page.locator('.notice');
    await page.locator('#search').press('ArrowDown');
    await page.keyboard.press('x');
    const bar = page.locator('.selection');
    const place = await bar.boundingBox();
    await page.keyboard.press('f');
    await expect.poll(() => notice.textContent()).toMatch(/Favourites/);
    expect(await bar.boundingBox()).toEqual(place);
    // Not while it is read.
    await notice.hover();
    await page.clock.fastForward(20_000);
    await expect.poll(() => notice.textContent()).toMatch(/Favourites/);
    await page.mouse.move(0, 0);
    await page.clock.fastForward(20_000);
    await expect.poll(() => notice.textContent()).toBe('');
    await page.route('**/svcd/collections/**', (route) => route.abort());
    await page.locator('.tile:focus').press('f');
    await expect.poll(() => notice.textContent()).not.toBe('');
    await page.clock.fastForward(20_000);
    expect(await notice.textContent()).not.toBe('');
    expect(await bar.boundingBox()).toEqual(place);
  });
});

/** The least contrast of a stand-in's ink on its ground, all hues round, strong and weak, dark and light. */
const LOWEST_CONTRAST = `(() => {
  const tile = document.createElement('div');
  tile.className = 'tile';
  document.body.append(tile);
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 1;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  const luminance = (color) => {
    context.fillStyle = color;
    context.fillRect(0, 0, 1, 1);
    const [r, g, b] = [...context.getImageData(0, 0, 1, 1).data].map((value) => {
      const part = value / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  let least = Infinity;
  tile.style.color = 'var(--ink)';
  tile.style.backgroundColor = 'var(--ground)';
  for (let hue = 0; hue < 360; hue += 6) {
    for (const strength of [0, 50, 100]) {
      for (const light of [0, 25, 50, 75, 100]) {
        tile.style.setProperty('--hue', 'hsl(' + hue + ' ' + strength + '% ' + light + '%)');
        const { color, backgroundColor } = getComputedStyle(tile);
        const [one, other] = [luminance(color), luminance(backgroundColor)];
        least = Math.min(least, (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05));
      }
    }
  }
  tile.remove();
  return least;
})()`;
