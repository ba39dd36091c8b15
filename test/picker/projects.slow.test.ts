// A script is kept from the first choice on: after a reload, on another day, in two tabs, on a full disk, and taken back.

import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { CHROMIUM, itIf } from '../support/requires.js';
import { paste } from './acts.js';
import { openAt, openPage, signInLink } from './open-page.js';

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
