// Finding further than a first search: at the service, with words put back, and without a drawing that is wrong.

import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { temporaryHome } from '../sandbox/start-sandbox.js';
import { type TinySticker, writeTinyCatalogue } from '../sandbox/tiny-catalogue.js';
import { listPurchases } from '../support/purchases.js';
import { CHROMIUM, itIf } from '../support/requires.js';
import { openPage } from './open-page.js';

const sticker = (name: string, title: string, ...keywords: string[]): TinySticker => ({
  preset: `find/${name}`,
  title,
  keywords,
});

/** The page before a service with these stickers, of which the library knows none yet. */
function openBefore(stickers: readonly TinySticker[], q: string, signedIn = true) {
  const catalogueFolder = writeTinyCatalogue(temporaryHome(), stickers);
  return openPage({ signedIn, path: `/?q=${encodeURIComponent(q)}`, pair: { remote: { catalogueFolder } } });
}

const titles = (page: Page) => page.locator('.tile:not([hidden]) .name').allTextContents();
const crossedOut = (page: Page) => page.locator('.head .dropped s').allTextContents();

describe('a search that finds nothing', () => {
  itIf(CHROMIUM, 'looks at the service too when it is told to, for nothing', async () => {
    const { page, remote, svcd } = await openBefore([sticker('gift', '礼物一', 'zzfurther')], 'zzfurther');
    const look = page.getByRole('button', { name: 'Look at the service too (free)' });
    await look.waitFor();
    expect(remote.sandbox.charges()).toEqual([]);
    await look.click();
    await expect.poll(() => titles(page)).toEqual(['礼物一']);
    await expect.poll(() => page.locator('.empty').count()).toBe(0);
    expect(await listPurchases(svcd.get)).toEqual([]);

    await page.locator('#search').fill('zznowhere');
    await look.click();
    await page.getByText('The service has told nothing more.').waitFor();

    // Offline there is nobody to ask.
    await svcd.post('/svcd/offline', { offline: true });
    await page.locator('#search').fill('zzelsewhere');
    await expect.poll(() => page.locator('.reach').textContent()).toMatch(/Offline/);
    await page.locator('.nothing').waitFor();
    await expect.poll(() => look.count()).toBe(0);
  });
});

describe('words that were left out', () => {
  itIf(CHROMIUM, 'are put back one by one, and those they exclude can be put back in turn', async () => {
    const { page, svcd } = await openBefore(
      [sticker('1', '甲', 'zzkola', 'zzmiru'), sticker('2', '乙', 'zzmiru', 'zzpeta'), sticker('3', '丙', 'zzpeta')],
      'zzkola',
    );
    for (const word of ['zzkola', 'zzmiru', 'zzpeta']) await svcd.get(`/api/v1/stickers/search?q=${word}`);
    await page.goto(`${svcd.url}/?q=zzkola+zzmiru+zzpeta`);
    await expect.poll(() => crossedOut(page)).toEqual(['zzpeta']);
    await page.getByRole('button', { name: 'Search with zzpeta again' }).click();
    await expect.poll(() => page.locator('.count').textContent()).toMatch(/zzpeta$/);
    await expect.poll(() => crossedOut(page)).toEqual(['zzkola', 'zzmiru']);
    await page.getByRole('button', { name: 'Search with zzmiru again' }).click();
    await expect.poll(() => page.locator('.count').textContent()).toMatch(/zzpeta zzmiru$/);
    await expect.poll(() => crossedOut(page)).toEqual(['zzkola']);
    expect((await titles(page))[0]).toBe('乙');
    await page.goBack();
    await expect.poll(() => page.locator('.count').textContent()).toMatch(/· zzpeta$/);
    // What is typed begins anew.
    await page.locator('#search').fill('zzkola');
    await expect.poll(() => page.locator('.count').textContent()).toMatch(/· zzkola$/);
    await expect.poll(() => crossedOut(page)).toEqual([]);
  });
});

describe('a style', () => {
  itIf(CHROMIUM, 'narrows the list, is in the address, and is taken off as a chip', async () => {
    const stickers = ['twemoji', 'maki'].flatMap((style) =>
      Array.from({ length: 20 }, (_, nth) => ({
        preset: `${style}/${nth}`,
        title: `${style} ${nth}`,
        keywords: ['zzstyle'],
      })),
    );
    const { page, svcd } = await openPage({
      pair: { remote: { catalogueFolder: writeTinyCatalogue(temporaryHome(), stickers) } },
    });
    await svcd.get('/api/v1/stickers/search?q=zzstyle&limit=50');
    await page.goto(`${svcd.url}/?q=zzstyle`);
    await page.getByLabel('Style').selectOption({ label: 'Twemoji' });
    await expect.poll(() => page.locator('.count').textContent()).toBe('20 found · zzstyle');
    await expect.poll(async () => (await titles(page)).every((title) => title.startsWith('twemoji'))).toBe(true);
    await page.reload();
    await expect.poll(() => page.getByLabel('Style').inputValue()).toBe('twemoji');
    await page.getByRole('button', { name: 'Remove filter Twemoji' }).click();
    await expect.poll(() => page.locator('.count').textContent()).toBe('40 found · zzstyle');
  });
});

describe('a drawing that is wrong', () => {
  itIf(CHROMIUM, 'is taken away for good by "Not this", and can be had again', async () => {
    const { page, svcd } = await openBefore([sticker('cake', '生日蛋糕', 'zzcake')], 'zzcake');
    await svcd.get('/api/v1/stickers/search?q=zzcake');
    await page.reload();
    const tile = page.locator('.tile').first();
    await expect.poll(() => tile.getAttribute('data-look')).toBe('sketch');
    await tile.click();
    await page.getByRole('button', { name: 'Not this' }).click();
    await expect.poll(() => tile.getAttribute('data-look')).toBe('word');
    await expect.poll(() => page.locator('.details .picture').first().getAttribute('data-look')).toBe('word');
    await expect.poll(() => page.locator('.collections').textContent()).toMatch(/Without a sketch 1/);
    await page.reload();
    await expect.poll(() => tile.getAttribute('data-look')).toBe('word');
    await page.getByRole('button', { name: 'Show the sketch again' }).click();
    await expect.poll(() => tile.getAttribute('data-look')).toBe('sketch');
    await expect.poll(() => page.locator('.collections').textContent()).not.toMatch(/Without a sketch/);
    expect(await listPurchases(svcd.get)).toEqual([]);
  });

  itIf(CHROMIUM, 'stays where nobody is signed in', async () => {
    const { page, svcd } = await openBefore([sticker('cake', '生日蛋糕', 'zzcake')], 'zzcake', false);
    await svcd.get('/api/v1/stickers/search?q=zzcake');
    await page.reload();
    await page.locator('.tile[data-look=sketch]').click();
    await page.locator('.details').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Not this' }).count()).toBe(0);
  });
});

describe('what is only loosely related', () => {
  const places = (page: Page) =>
    page.evaluate<[related: number, y: number][]>(
      `[...document.querySelectorAll('.tile:not([hidden])')].map((one) => [Number(one.hasAttribute('aria-describedby')), one.getBoundingClientRect().y])`,
    );

  itIf(CHROMIUM, 'begins a row of its own below a line, which the arrows cross', async () => {
    const { page, svcd } = await openBefore(
      [sticker('1', '日出'), sticker('2', '生日蛋糕'), sticker('3', '生日帽'), sticker('4', '生日歌')],
      '生日',
    );
    await svcd.get(`/api/v1/stickers/search?q=${encodeURIComponent('日')}`);
    await page.route('**/svcd/tiles?*', async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ json: { ...((await answer.json()) as object), related_from: 2 } });
    });
    await page.reload();
    const line = page.locator('.related-line');
    await expect.poll(() => line.textContent()).toMatch(/^Only loosely related · \d+$/);
    const [{ y: top }, all] = [(await line.boundingBox())!, await places(page)];
    expect(all.length).toBeGreaterThan(2);
    for (const [related, y] of all) expect(y > top).toBe(related === 1);
    await page.locator('.tile').first().focus();
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('tile-2');
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('tile-0');
  });

  itIf(CHROMIUM, 'is said above all of it where nothing fits', async () => {
    const { page } = await openBefore([sticker('1', '马场')], '转场');
    await expect.poll(() => page.locator('.related-line').textContent()).toMatch(/^Nothing fits/);
    const [[related, y] = [0, 0]] = await places(page);
    expect([related, y > (await page.locator('.related-line').boundingBox())!.y]).toEqual([1, true]);
  });
});
