// The person's collections in the page.

import type { BrowserContext, Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import type { Collection } from '../../src/api/collections.js';
import type { Tiles } from '../../src/api/tile.js';
import { CHROMIUM, itIf } from '../support/requires.js';
import { command } from './acts.js';
import { openPage } from './open-page.js';

/** Answers as svcd does, from a list of its own. */
async function standIn(context: BrowserContext | Page, kept: Map<string, string[]>): Promise<void> {
  const view = (name: string): Collection => ({ name, presets: kept.get(name) ?? [], changed_at: null });
  await context.route('**/svcd/collections**', async (route) => {
    const request = route.request();
    const [, name, preset] = new URL(request.url()).pathname.split('/').slice(2).map(decodeURIComponent);
    if (name === undefined) {
      return route.fulfill({ json: { collections: [...kept.keys()].map(view) } });
    }
    const before = kept.get(name) ?? [];
    if (request.method() === 'PUT') {
      const body = request.postDataJSON() as { presets: string[] } | null;
      kept.set(name, preset === undefined ? (body?.presets ?? []) : [...before, preset]);
      return route.fulfill({ json: view(name) });
    }
    if (preset === undefined) kept.delete(name);
    else
      kept.set(
        name,
        before.filter((one) => one !== preset),
      );
    return route.fulfill({ json: preset === undefined ? { removed: name } : view(name) });
  });
}

async function openWithCollections() {
  const kept = new Map<string, string[]>([
    ['favourites', []],
    ['wanted', []],
    ['recent', []],
  ]);
  const opened = await openPage({ signedIn: true });
  const { page, svcd } = opened;
  await standIn(page, kept);
  await page.reload();
  await page.locator('.collections').waitFor();
  await page.locator('.count:not(:empty)').waitFor();
  const { tiles } = (await (await svcd.get('/svcd/tiles?limit=3')).json()) as Tiles;
  return { ...opened, kept, presets: tiles.map(({ preset }) => preset) };
}

const line = (page: Page, name: string) => page.locator('.collections li', { hasText: name });

describe('the collections in the page', () => {
  itIf(CHROMIUM, 'are made, filled, renamed and deleted, and a deleted one comes back as it was', async () => {
    const { page, kept, presets } = await openWithCollections();
    await page.getByRole('button', { name: 'New collection' }).click();
    const name = page.getByLabel('Name of the collection');
    await name.fill('favourites');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('There is a collection called').waitFor();
    await name.fill('第二集');
    await page.keyboard.press('Enter');
    await line(page, '第二集').waitFor();
    expect(kept.get('第二集')).toEqual([]);

    const tiles = page.locator('.tile:not([hidden])');
    for (const index of [2, 0]) {
      await tiles.nth(index).focus();
      await page.keyboard.press('x');
    }
    await line(page, '第二集').locator('summary').click();
    await line(page, '第二集')
      .getByRole('button', { name: /^Add the \d+ chosen$/ })
      .click();
    // In the order in which they were chosen.
    await expect.poll(() => kept.get('第二集')).toEqual([presets[2], presets[0]]);

    await line(page, '第二集').locator('summary').click();
    await line(page, '第二集').getByRole('button', { name: 'Rename' }).click();
    await name.fill('第三集');
    await page.keyboard.press('Enter');
    await line(page, '第三集').waitFor();
    await expect.poll(() => [...kept.keys()]).toEqual(['favourites', 'wanted', 'recent', '第三集']);

    await line(page, '第三集').locator('summary').click();
    await line(page, '第三集').getByRole('button', { name: 'Delete' }).click();
    await expect.poll(() => kept.has('第三集')).toBe(false);
    await page.locator('.notice').getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => kept.get('第三集')).toEqual([presets[2], presets[0]]);
    await line(page, '第三集').waitFor();
  });

  itIf(CHROMIUM, 'are places beside all and what is owned: each opens whole, and one is lit', async () => {
    const { page } = await openPage({ signedIn: true, path: '/?q=%E7%94%9F%E6%97%A5' });
    const place = (name: string | RegExp) => page.locator('.rail').getByRole('button', { name }).first();
    const lit = async () => (await page.locator('.rail .choice[aria-pressed=true]').allTextContents()).join();
    await place(/★ Favourites/).click();
    await expect.poll(() => page.url()).toMatch(/\?collection=favourites$/);
    await expect.poll(() => lit()).toMatch(/^★ Favourites/);
    await place('Owned').click();
    await expect.poll(() => page.url()).toMatch(/\?owned=true$/);
    await expect.poll(() => lit()).toBe('Owned');
    await place(/♡ Wanted/).click();
    await expect.poll(() => page.url()).toMatch(/\?collection=wanted$/);
    await expect.poll(() => lit()).toMatch(/^♡ Wanted/);
    await place('All').click();
    await expect.poll(() => new URL(page.url()).search).toBe('');
    await expect.poll(() => lit()).toBe('All');
  });

  itIf(CHROMIUM, 'are put into and taken out of by a command, and hidden without a session', async () => {
    const { page, kept, presets, svcd } = await openWithCollections();
    await page.locator('.tile').nth(1).focus();
    await command(page, 'put into the favourites');
    await expect.poll(() => kept.get('favourites')).toEqual([presets[1]]);
    await expect.poll(() => line(page, 'Favourites').textContent()).toContain('1');
    await command(page, 'put into the favourites');
    await expect.poll(() => kept.get('favourites')).toEqual([]);

    const stranger = await page.context().browser()?.newPage();
    await stranger?.goto(svcd.url);
    await stranger?.locator('.tile').first().waitFor();
    await stranger?.locator('#search').fill('>');
    await stranger?.locator('#command-list li').first().waitFor();
    await expect.poll(() => stranger?.locator('.collections').count()).toBe(0);
    await expect.poll(() => stranger?.locator('#command-list li', { hasText: 'favourites' }).count()).toBe(0);
  });
});
