// Files dropped onto the page: those that are Lottie become stickers; hostile ones do nothing.

import { describe, expect } from 'vitest';
import { CHROMIUM, itIf } from '../support/requires.js';
import { dropFiles } from './acts.js';
import { SQUARE } from './lottie-files.js';
import { openPage } from './open-page.js';

describe('files that are dropped onto the page', () => {
  itIf(CHROMIUM, 'become stickers with a title and keywords', async () => {
    const { page, asked } = await openPage({ signedIn: true });
    let sent: unknown;
    await page.route('**/svcd/library/stickers/**', async (route) => {
      sent = route.request().postDataJSON();
      await route.fulfill({ json: {} });
    });
    await dropFiles(page, [{ name: 'red_square.json', text: JSON.stringify(SQUARE) }]);
    const dialog = page.getByRole('dialog');
    await expect.poll(() => dialog.getByLabel('Title').inputValue()).toBe('red square');
    await dialog.getByLabel('Title').fill('红色方块');
    await dialog.getByLabel(/^Keywords/).fill('红色，方块 square');
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => page.locator('.notice').textContent()).toContain('“红色方块” was added');
    expect(sent).toEqual({ title: '红色方块', keywords: ['红色', '方块', 'square'], lottie: JSON.stringify(SQUARE) });
    expect(asked.some((one) => /^PUT \/svcd\/library\/stickers\/own%2F[\da-f]{8}$/.test(one))).toBe(true);
  });

  itIf(CHROMIUM, 'can be chosen as well, by a button beside the collections', async () => {
    const { page } = await openPage({ signedIn: true });
    await page.getByRole('button', { name: 'Add your own stickers' }).click();
    const file = { name: 'red_square.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(SQUARE)) };
    await page.getByRole('dialog').getByLabel('Choose files …').setInputFiles(file);
    await expect.poll(() => page.getByRole('dialog').getByLabel('Title').inputValue()).toBe('red square');
  });

  itIf(CHROMIUM, 'are refused where they are no Lottie file, and the page goes on', async () => {
    const { page, asked } = await openPage();
    const before = asked.length;
    await dropFiles(page, [
      { name: 'huge.json', text: '{"w":1,"h":1,"layers":["FIFTY"]}' },
      { name: 'broken.json', text: '{"w":100,"h":' },
      { name: 'page.html', text: '<script>fetch("http://127.0.0.2/")</script>' },
      { name: 'list.json', text: '[1,2,3]' },
      { name: 'deep.json', text: `${'['.repeat(50_000)}${']'.repeat(50_000)}` },
      { name: '<img src=x onerror=alert(1)>.json', text: 'null' },
    ]);
    const dialog = page.getByRole('dialog');
    await expect.poll(() => dialog.getByRole('listitem').count()).toBe(6);
    const said = await dialog.getByRole('listitem').allTextContents();
    expect(said[0]).toBe('huge.json: larger than 8 MB');
    expect(said[2]).toBe('page.html: not a .json file');
    expect(said[5]).toContain('<img src=x onerror=alert(1)>.json: no Lottie file');
    await expect.poll(() => dialog.getByRole('button', { name: 'Add', exact: true }).count()).toBe(0);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.locator('#search').fill('蛋糕');
    await expect.poll(() => page.locator('.count').textContent()).toContain('蛋糕');
    expect(asked.slice(before).filter((one) => !/^GET \/svcd\/(tiles|complete|pictures|picker)/.test(one))).toEqual([]);
  });
});
