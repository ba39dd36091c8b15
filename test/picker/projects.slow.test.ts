// A script is kept from the first choice on: after a reload, on another day, in two tabs, on a full disk, and taken back.

import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import type { Project } from '../../src/api/collections.js';
import type { TileMatch } from '../../src/api/tile.js';
import { listPurchases } from '../support/purchases.js';
import { CHROMIUM, itIf } from '../support/requires.js';
import { paste } from './acts.js';
import { openAt, openPage, signInLink } from './open-page.js';

/** Of the page, in which the functions given to `evaluate` run. */
declare const getComputedStyle: (element: unknown) => {
  readonly backgroundColor: string;
  getPropertyValue(name: string): string;
};

const COPY = '祝你生日快乐。下雨了！';

const chosenIn = (page: Page) => page.locator('.copy-choice').allTextContents();
const state = (page: Page) => page.locator('.project [role="status"]').textContent();
const menu = (page: Page) => page.locator('.project summary');

async function openKept() {
  const opened = await openPage({ signedIn: true });
  const { page } = opened;
  await paste(page, COPY);
  await page.locator('.copy-row .copy-tile').first().click();
  await expect.poll(() => state(page)).toBe('Kept');
  return { ...opened, before: await chosenIn(page) };
}

describe('a script', () => {
  itIf(CHROMIUM, 'is there again after F5, in another browser, and named as it was', async () => {
    const { page, svcd, before } = await openKept();
    expect(before[0]).toContain('Chosen');
    await menu(page).click();
    await page.getByLabel('Name of the script').fill('五岁生日');
    await page.keyboard.press('Enter');
    // Half a second is not waited for: the page that goes sends it.
    await page.reload();
    await expect.poll(() => chosenIn(page)).toEqual(before);
    await expect.poll(() => menu(page).textContent()).toContain('五岁生日');
    await expect.poll(() => page.locator('.selection').textContent()).toContain('1');
    const other = await openAt(svcd.url, { by: await signInLink(svcd), path: '/?view=copy' });
    await menu(other.page).click();
    await other.page.getByRole('button', { name: '五岁生日' }).click();
    await expect.poll(() => chosenIn(other.page)).toEqual(before);
  });

  itIf(CHROMIUM, 'that another tab changed is shown as it is there, and can be had as it was here', async () => {
    const { page, svcd, before } = await openKept();
    const theirs = await openAt(svcd.url, { by: await signInLink(svcd), path: new URL(page.url()).search });
    await expect.poll(() => chosenIn(theirs.page)).toEqual(before);
    // This tab hears of nothing meanwhile.
    await page.route('**/svcd/projects', (route) => route.abort());
    await theirs.page.locator('.copy-row').nth(1).locator('.copy-tile').first().click();
    await expect.poll(() => state(theirs.page)).toBe('Kept');
    const after = await chosenIn(theirs.page);
    await page.locator('.copy-row').first().locator('.copy-tile').nth(1).click();
    await expect.poll(() => page.locator('.notice').textContent()).toContain('another tab');
    await expect.poll(() => chosenIn(page)).toEqual(after);
    await page.getByRole('button', { name: 'Take mine instead' }).click();
    await expect.poll(() => chosenIn(page)).not.toEqual(after);
    const mine = await chosenIn(page);
    await expect.poll(() => chosenIn(theirs.page)).toEqual(mine);
  });

  itIf(CHROMIUM, 'is overwritten by none that is read after it, and renamed before another is opened', async () => {
    const { page, svcd } = await openKept();
    const kept = async () => {
      const { projects } = (await (await svcd.get('/svcd/projects')).json()) as { projects: { id: string }[] };
      const all = projects.map(async ({ id }) => {
        const { name, content } = (await (await svcd.get(`/svcd/projects/${id}`)).json()) as Project;
        return [name, content.script];
      });
      return Promise.all(all);
    };
    // The first try is too long; what is read then is another script all the same.
    await paste(page, '送你一束花。'.repeat(400));
    await expect.poll(() => page.locator('.copy .bad, .copy [role="alert"]').first().textContent()).toContain('2,000');
    await page.getByRole('button', { name: 'Edit the text' }).click();
    await page.getByLabel('Your text').fill('送你一束花。');
    await page.keyboard.press('Control+Enter');
    await page.locator('.copy-row .copy-tile').first().click();
    await expect.poll(kept).toEqual([
      ['', '送你一束花。'],
      ['', COPY],
    ]);
    await menu(page).click();
    await page.getByLabel('Name of the script').fill('花');
    // While the name is being typed; what it changes comes while the button is held.
    await page
      .locator('.project')
      .getByRole('button', { name: /Draft|Untitled|▤/ })
      .last()
      .click({ delay: 800 });
    await expect.poll(kept).toContainEqual(['花', '送你一束花。']);
    await expect.poll(() => page.locator('.copy-marked').textContent()).toContain('生日');
  });

  itIf(CHROMIUM, 'is kept no longer when that is said, and a full disk is told', async () => {
    const { page, svcd } = await openKept();
    await page.route('**/svcd/projects/*', (route) =>
      route.fulfill({
        status: 507,
        json: {
          code: 'disk_full',
          message: 'svcd cannot save this, because the disk is full',
          hint: 'Free some space',
        },
      }),
    );
    await page.locator('.copy-row').first().locator('.copy-tile').nth(1).click();
    await expect.poll(() => page.locator('.project .bad').textContent()).toMatch(/^Not kept: .*disk is full\. Free/);
    await page.unroute('**/svcd/projects/*');
    await page.locator('.copy-row').nth(1).locator('.copy-tile').first().click();
    await expect.poll(() => state(page)).toBe('Kept');
    await menu(page).click();
    await page.getByRole('button', { name: 'Do not keep' }).click();
    await expect.poll(() => state(page)).toBe('Not kept');
    await expect.poll(async () => (await svcd.get('/svcd/projects')).json()).toEqual({ projects: [] });
  });

  itIf(CHROMIUM, 'is not kept where that is said while it is written for the first time', async () => {
    const { page, svcd } = await openPage({ signedIn: true });
    await paste(page, COPY);
    let isWriting = false;
    await page.route('**/svcd/projects/*', async (route) => {
      if (route.request().method() === 'PUT') isWriting = true;
      if (isWriting) await page.waitForTimeout(1000);
      await route.continue();
    });
    await page.locator('.copy-row .copy-tile').first().click();
    await expect.poll(() => isWriting).toBe(true);
    await menu(page).click();
    await page.getByRole('button', { name: 'Do not keep' }).click();
    await expect.poll(() => page.locator('.notice').textContent()).toContain('keeps this script no longer');
    expect(await (await svcd.get('/svcd/projects')).json()).toEqual({ projects: [] });
  });

  itIf(
    CHROMIUM,
    'gets what suits it as a whole, keeps what is locked, and says what another sentence has',
    async () => {
      const { page, svcd } = await openPage({ signedIn: true });
      const asked: unknown[] = [];
      // Of all together the first sentence is served best by its second sticker.
      await page.route('**/svcd/tiles/match', async (route) => {
        asked.push((route.request().postDataJSON() as { style: string }).style);
        const answer = await route.fetch();
        const told = (await answer.json()) as TileMatch;
        const [first, ...rest] = told.sentences;
        const best = first?.tiles[1] ?? null;
        await route.fulfill({ json: { ...told, sentences: [{ ...first, related_from: null, best }, ...rest] } });
      });
      await paste(page, '蛋糕。生日蛋糕。');
      const tiles = page.locator('.copy-row').first().locator('.copy-tile');
      await tiles.first().waitFor();
      await page.getByRole('button', { name: 'Choose the best of each' }).click();
      await expect.poll(() => tiles.nth(1).getAttribute('aria-pressed')).toBe('true');
      await tiles.first().click();
      await page.getByRole('button', { name: 'Lock', exact: true }).first().click();
      await expect.poll(() => state(page)).toBe('Kept');
      await expect.poll(() => page.locator('.copy-row').nth(1).textContent()).toContain('used in 1');
      await page.getByLabel('Style of all').selectOption('auto');
      await expect.poll(() => asked).toEqual(['any', 'auto']);
      await page.getByRole('button', { name: 'Choose again what is not locked' }).click();
      await expect.poll(() => tiles.first().getAttribute('aria-pressed')).toBe('true');
      await expect.poll(() => state(page)).toBe('Kept');
      await page.reload();
      await expect.poll(() => page.locator('[aria-pressed="true"]', { hasText: 'Locked' }).count()).toBe(1);
      await expect.poll(() => page.getByLabel('Style of all').inputValue()).toBe('auto');
      expect(await listPurchases(svcd.get)).toEqual([]);
    },
  );

  itIf(CHROMIUM, 'comes from a copy.json that is pasted, and goes out as one', async () => {
    const { page, svcd } = await openKept();
    const [kept] = ((await (await svcd.get('/svcd/projects')).json()) as { projects: { id: string }[] }).projects;
    const download = page.waitForEvent('download');
    await menu(page).click();
    await page.getByRole('button', { name: 'Save as copy.json' }).click();
    expect((await download).suggestedFilename()).toBe('copy.json');
    const copy = await (await svcd.get(`/svcd/projects/${kept?.id}/copy`)).text();
    const before = await chosenIn(page);
    const other = await openAt(svcd.url, { by: await signInLink(svcd) });
    await paste(other.page, copy);
    await expect.poll(() => chosenIn(other.page)).toEqual(before);
    await expect.poll(async () => (await svcd.get('/svcd/projects')).json()).toMatchObject({ projects: [{}, {}] });
  });
});

itIf(CHROMIUM, 'colors to filter by are seen where the system forces its own', async () => {
  const { page } = await openPage({ context: { forcedColors: 'active' } });
  const swatches = page.locator('.rail .swatch').first();
  const [shown, hue] = await swatches.evaluate((one) => [
    getComputedStyle(one).backgroundColor,
    getComputedStyle(one).getPropertyValue('--hue'),
  ]);
  const parts = /^#(..)(..)(..)$/.exec(hue ?? '')?.slice(1) ?? [];
  expect(shown).toBe(`rgb(${parts.map((part) => parseInt(part, 16)).join(', ')})`);
});
