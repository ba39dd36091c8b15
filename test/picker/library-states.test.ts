// The library while the page is open: filling, waiting, damaged; and what others do to the list that is on screen.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { createHurriedTime } from '../bench/harvest/hurried-time.js';
import { stickerPath } from '../../src/model/sticker.js';
import { temporaryHome } from '../sandbox/start-sandbox.js';
import { CAKE, RAIN, writeTinyCatalogue } from '../sandbox/tiny-catalogue.js';
import { writePartCatalogue } from '../support/part-catalogue.js';
import { CHROMIUM, itIf } from '../support/requires.js';
import { openPage, signInLink } from './open-page.js';

const said = async (page: Page) => (await page.locator('.states').textContent()) ?? '';
const count = async (page: Page) => Number((await page.locator('.count').textContent())?.replace(/\D/g, ''));
const SEARCH = '/api/v1/stickers/search?q=';

describe('a library that fills', () => {
  itIf(CHROMIUM, 'says how far it is and about how much there is, and can be paused', async () => {
    const catalogueFolder = writePartCatalogue(temporaryHome(), 60);
    const { page, svcd } = await openPage({
      signedIn: true,
      pair: { ...createHurriedTime(), remote: { catalogueFolder, requestsPerMinute: 100_000 } },
    });
    const filled = await svcd.send('POST', '/svcd/library/sync?max_requests=40');
    await filled.text();
    await expect
      .poll(() => said(page), { timeout: 10_000 })
      .toMatch(/Library: [\d,]+ of about [\d,]+ stickers \([\d,]+–[\d,]+\)/);
    const line = page.locator('.state[data-kind=filling]');
    await line.getByRole('button', { name: 'Pause' }).click();
    await expect.poll(() => line.textContent()).toMatch(/, paused/);
    expect(await (await svcd.get('/svcd/library')).json()).toMatchObject({ state: 'paused' });
    await line.getByRole('button', { name: 'Resume' }).click();
    await expect.poll(() => line.textContent()).not.toMatch(/paused/);
    expect(await (await svcd.get('/svcd/library')).json()).not.toMatchObject({ state: 'paused' });
  });
});

describe('new stickers of the list on screen', () => {
  itIf(CHROMIUM, 'move nothing: how many there are is said, and they are shown when that is wanted', async () => {
    const goods = [1, 2, 3, 4, 5].map((nth) => ({
      preset: `new/${nth}`,
      title: `礼物${nth}`,
      keywords: nth > 3 ? ['zzall', 'zzknown'] : ['zzall'],
    }));
    const catalogueFolder = writeTinyCatalogue(temporaryHome(), goods);
    const { page, svcd } = await openPage({ signedIn: true, pair: { remote: { catalogueFolder } } });
    await svcd.get(`${SEARCH}zzknown`);
    await page.goto(`${svcd.url}/?q=zzall`);
    await expect.poll(() => count(page)).toBe(2);
    const names = () => page.locator('.tile:not([hidden]) .name').allTextContents();
    const before = await names();
    await svcd.get(`${SEARCH}zzall`);
    await expect.poll(() => page.locator('.changed').textContent(), { timeout: 10_000 }).toMatch(/^3 more\./);
    await expect.poll(() => names()).toEqual(before);
    await expect.poll(() => count(page)).toBe(2);
    await page.locator('.changed').getByRole('button', { name: 'Show' }).click();
    await expect.poll(() => count(page)).toBe(5);
    await expect.poll(() => page.locator('.changed').count()).toBe(0);
  });
});

describe('a library that was damaged', () => {
  itIf(CHROMIUM, 'is said to be filled again, and what is owned and the collections work', async () => {
    const home = temporaryHome();
    const first = await openPage({ signedIn: true, pair: { home } });
    await first.svcd.get(SEARCH + encodeURIComponent('蛋糕'));
    expect((await first.svcd.get(stickerPath(CAKE))).status).toBe(200);
    await first.svcd.send('PUT', `/svcd/collections/favourites/${encodeURIComponent(CAKE)}`);
    await first.svcd.daemon.close();
    writeFileSync(join(home, 'library.db'), 'no database'.repeat(1000));
    for (const suffix of ['-wal', '-shm']) writeFileSync(join(home, `library.db${suffix}`), '');
    const { page, svcd } = await openPage({
      signedIn: true,
      pair: { home, userKey: first.remote.sandbox.key, flags: { remote: first.remote.url } },
    });
    await expect.poll(() => said(page)).toMatch(/file of the library was damaged and was set aside/);
    await page.goto(`${svcd.url}/?owned=true`);
    await expect.poll(() => page.locator('.tile[data-look=picture]').count()).toBe(1);
    await page.goto(`${svcd.url}/?collection=favourites`);
    await expect.poll(() => page.locator('.tile[data-look=picture]').count()).toBe(1);
    await page.goto(`${svcd.url}/?q=%E7%94%9F%E6%97%A5`);
    await expect.poll(() => count(page)).toBeGreaterThan(0);
  });

  itIf(CHROMIUM, 'beyond mending leaves the page in words, and is there again by itself', async () => {
    const { page } = await openPage({ signedIn: true });
    await page.route('**/svcd/tiles?**', (route) =>
      route.fulfill({ status: 500, json: { code: 'library_damaged', message: 'the library is damaged' } }),
    );
    await page.locator('#search').fill('生日');
    await expect
      .poll(() => said(page))
      .toMatch(/svcd builds it again by itself; what you own and your collections work/);
    await expect.poll(() => page.locator('.tile:not([hidden])').count()).toBeGreaterThan(0);
    await page.unroute('**/svcd/tiles?**');
    await page.locator('#search').fill('蛋糕');
    await expect.poll(() => said(page)).not.toMatch(/is damaged/);
  });
});

describe('what others do', () => {
  itIf(CHROMIUM, 'is seen without a session when the page is looked at again', async () => {
    const { page, svcd } = await openPage();
    await svcd.get(SEARCH + encodeURIComponent('蛋糕'));
    await page.goto(`${svcd.url}/?q=%E8%9B%8B%E7%B3%95`);
    const cake = page.locator('.tile', { has: page.getByText('蛋糕', { exact: true }) }).first();
    await cake.waitFor();
    expect((await svcd.get(stickerPath(CAKE))).status).toBe(200);
    await page.waitForTimeout(600);
    await expect.poll(() => page.locator('.tile .mark', { hasText: 'Owned' }).count()).toBe(0);
    for (const [event, target] of [
      ['focus', 'window'],
      ['visibilitychange', 'document'],
    ]) {
      await page.evaluate(`${target}.dispatchEvent(new Event('${event}'))`);
      await expect.poll(() => page.locator('.tile .mark', { hasText: 'Owned' }).count()).toBe(1);
      await page.reload();
    }
    // In the list of what is owned nothing moves, and it is said that there is more.
    await page.goto(`${svcd.url}/?owned=true`);
    await expect.poll(() => count(page)).toBe(1);
    expect((await svcd.get(stickerPath(RAIN))).status).toBe(200);
    await page.evaluate("window.dispatchEvent(new Event('focus'))");
    await expect.poll(() => page.locator('.changed').textContent()).toMatch(/^1 more\./);
  });

  itIf(CHROMIUM, 'in another tab changes the collections of this one', async () => {
    const catalogueFolder = writeTinyCatalogue(temporaryHome());
    const { page, svcd } = await openPage({ signedIn: true, pair: { remote: { catalogueFolder } } });
    const other = await page.context().newPage();
    // A tab has the session by a code of its own: the cookie alone opens nothing.
    await other.goto(await signInLink(svcd));
    for (const one of [page, other]) await one.locator('.collections').waitFor();
    const line = (of: Page, name: string) => of.locator('.collections li', { hasText: name });
    // Both ways: one of the two holds the stream of events for both.
    for (const [from, to, nth] of [
      [page, other, 1],
      [other, page, 2],
    ] as const) {
      await from.bringToFront();
      await from.locator('.tile').nth(nth).focus();
      await from.keyboard.press('f');
      await expect.poll(() => line(to, 'Favourites').textContent()).toContain(String(nth));
    }
    await page.bringToFront();
    await page.getByRole('button', { name: 'New collection' }).click();
    await page.getByLabel('Name of the collection').fill('第二集');
    await page.keyboard.press('Enter');
    await line(other, '第二集').waitFor();
    // A collection that is on screen is filled again.
    await other.bringToFront();
    await line(other, 'Favourites').locator('button').first().click();
    await expect.poll(() => count(other)).toBe(2);
    await page.bringToFront();
    await page.locator('.tile').nth(1).focus();
    await page.keyboard.press('f');
    await expect.poll(() => count(other)).toBe(1);
  });
});
