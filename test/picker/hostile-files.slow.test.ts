// Hostile Lottie files as stickers that are owned, as the user's own and as dropped ones: the page answers keys, what is
// harmless is drawn all the same, and no request leaves (openPage fails the test for one that does).

import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { writeTinyCatalogue } from '../sandbox/tiny-catalogue.js';
import { temporaryHome } from '../support/start-daemon.js';
import { CHROMIUM, itIf } from '../support/requires.js';
import { dropFiles } from './acts.js';
import { HOSTILE, SQUARE } from './lottie-files.js';
import { openPage } from './open-page.js';

const FILES = { ...HOSTILE, huge: `{"w":100,"h":100,"layers":[],"x":"${'x'.repeat(50 * 1024 * 1024)}"}` };
const HARMLESS = 'harmless';
const STICKERS = [...Object.entries(FILES), [HARMLESS, JSON.stringify(SQUARE)] as const].map(([name, lottie]) => ({
  preset: `art/${name}`,
  title: name,
  keywords: ['hostilefile'],
  lottie,
}));

/** Whether the picture of this title is drawn, and no word in its place. */
const isDrawn = (page: Page, title: string) =>
  page.evaluate<boolean>(`(() => {
    const tile = [...document.querySelectorAll('.tile')].find((one) => one.querySelector('.name').textContent === ${JSON.stringify(title)});
    if (tile === undefined || tile.classList.contains('blank') || tile.dataset.purchase !== '') return false;
    const canvas = tile.querySelector('canvas');
    const { data } = canvas.getContext('2d').getImageData(canvas.width / 2, canvas.height / 2, 1, 1);
    return tile.dataset.look === 'picture' && data[3] > 0;
  })()`);

/** A key is answered while the files are being drawn, or not drawn. */
async function answersKeys(page: Page): Promise<void> {
  await page.locator('#search').fill('');
  await page.keyboard.type('zz');
  await expect.poll(() => page.locator('.count').textContent()).toMatch(/zz$/);
  await page.locator('#search').fill('');
}

describe('hostile Lottie files', () => {
  itIf(CHROMIUM, 'as stickers that are owned: the page lives, and draws what is harmless', async () => {
    const catalogueFolder = writeTinyCatalogue(temporaryHome(), STICKERS);
    const { page, svcd, asked } = await openPage({
      signedIn: true,
      pair: { remote: { credits: 100, catalogueFolder, requestsPerMinute: 1_000_000 } },
    });
    expect((await svcd.get('/api/v1/stickers/search?q=hostilefile&limit=50')).status).toBe(200);
    const kept: string[] = [];
    for (const { preset, title } of STICKERS) {
      const answer = await svcd.get(`/api/v1/stickers/${encodeURIComponent(preset)}`);
      await answer.arrayBuffer();
      if (answer.ok) kept.push(title);
    }
    expect(kept).toEqual(expect.arrayContaining(['bomb', 'endless', 'expression', 'remote', HARMLESS]));
    await page.goto(`${svcd.url}/?q=hostilefile`);
    await page.locator('.tile[data-look=picture]').first().waitFor();
    await answersKeys(page);
    await page.goto(`${svcd.url}/?q=hostilefile`);
    // The worker that hangs is replaced, and the rest drawn by another.
    await expect.poll(() => isDrawn(page, HARMLESS), { timeout: 30_000 }).toBe(true);
    const bomb = page.locator('.tile', { hasText: 'bomb' });
    await expect.poll(() => bomb.getAttribute('aria-label'), { timeout: 60_000 }).toMatch(/could not be drawn/);
    // Asked for to play, one at a time, and large.
    for (const title of kept) {
      await page.locator('.tile', { hasText: title }).first().focus();
      await page.keyboard.press('Space');
      await page.keyboard.press('Control+Enter');
      await page.locator('.details .large').waitFor();
      await page.waitForTimeout(300);
      await page.keyboard.press('Escape');
    }
    await answersKeys(page);
    await page.goto(`${svcd.url}/?q=hostilefile`);
    await expect.poll(() => isDrawn(page, HARMLESS), { timeout: 30_000 }).toBe(true);
    expect(asked.filter((one) => one.includes('/api/v1/stickers'))).toEqual([]);
  });

  itIf(CHROMIUM, 'that hang when they are played: what else is drawn is not blamed for it', async () => {
    const { page, svcd } = await openPage();
    const files: Record<string, string> = { '/svcd/pictures/': JSON.stringify(SQUARE) };
    await page.route('**/svcd/pictures/**', (route) =>
      route.fulfill({ body: files['/svcd/pictures/'] ?? '', contentType: 'application/json' }),
    );
    await page.goto(`${svcd.url}/?q=蛋糕`);
    await page.locator('.tile[data-look=picture]:not(.blank)').first().waitFor();
    // From now on each file is one at which a worker hangs, and the cells' own are still being asked for.
    files['/svcd/pictures/'] = HOSTILE.bomb;
    await page.locator('#search').fill('生日');
    await expect.poll(() => page.locator('.count').textContent()).toMatch(/生日$/);
    await page.locator('.tile[data-look=picture]').first().hover();
    await answersKeys(page);
    files['/svcd/pictures/'] = JSON.stringify(SQUARE);
    await page.locator('#search').fill('爱心');
    await expect
      .poll(() => page.locator('.tile[data-look=picture]:not(.blank):not([data-purchase=undrawable])').count(), {
        timeout: 30_000,
      })
      .toBeGreaterThan(0);
  });

  itIf(CHROMIUM, "as the user's own: added, found, and harmless", async () => {
    const { page, svcd } = await openPage({ signedIn: true });
    const added: string[] = [];
    for (const [name, lottie] of [...Object.entries(FILES), [HARMLESS, JSON.stringify(SQUARE)] as const]) {
      // svcd hangs up on a body that is far too large.
      const answer = await svcd
        .call(`/svcd/library/stickers/${encodeURIComponent(`own/${name}`)}`, {
          method: 'PUT',
          headers: { Authorization: `Bearer ${svcd.token}`, 'Content-Type': 'application/json' },
          body: JSON.stringify({ title: `own ${name}`, keywords: ['ownhostile'], lottie }),
        })
        .catch(() => undefined);
      await answer?.arrayBuffer();
      if (answer?.ok === true) added.push(name);
    }
    expect(added).toContain(HARMLESS);
    await page.goto(`${svcd.url}/?q=ownhostile`);
    await answersKeys(page);
    await page.goto(`${svcd.url}/?q=ownhostile`);
    await expect.poll(() => isDrawn(page, `own ${HARMLESS}`), { timeout: 30_000 }).toBe(true);
  });

  itIf(CHROMIUM, 'as dropped ones: named, and nothing of them is run', async () => {
    const { page } = await openPage({ signedIn: true });
    await dropFiles(
      page,
      Object.entries(HOSTILE).map(([name, text]) => ({ name: `${name}.json`, text })),
    );
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    await dialog.getByText('large.json: larger than 8 MB').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await answersKeys(page);
  });
});
