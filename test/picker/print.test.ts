// What comes out of a printer: the contact sheet, each of its pages whole on one; without one, what is on screen.

import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { CHROMIUM, itIf } from '../support/requires.js';
import { chooseInRow, command } from './acts.js';
import { openPage } from './open-page.js';

/** What can be seen of what can only be pressed. */
const CONTROLS = `[...document.querySelectorAll('button, input, select, summary, dialog, [role=status]:not(:empty)')]
  .filter((one) => one.checkVisibility() && one.getBoundingClientRect().width > 1).map((one) => one.outerHTML.slice(0, 80))`;
/** In place of the printer: the paper is kept to be looked at. */
const PRINTER = `
  URL.revokeObjectURL = () => undefined;
  window.print = () => {
    window.printed = { controls: ${CONTROLS}, tiles: document.querySelectorAll('.tile').length };
    window.paper = document.querySelector('.paper').cloneNode(true);
  }; 0`;
const pagesOf = (pdf: Buffer) => Number(/\/Count (\d+)/.exec(pdf.toString('latin1'))?.[1]);

async function openWithChoice(count: number): Promise<Page> {
  const { page } = await openPage({ path: '/?sort=title' });
  await page.locator('.tile .name:not(:empty)').first().waitFor();
  await page.locator('.tile').first().focus();
  await chooseInRow(page, count);
  await page.locator('.selection').getByText(`${count} chosen`).waitFor();
  return page;
}

describe('printing', () => {
  itIf(CHROMIUM, 'a contact sheet shows nothing but the sheet, twenty stickers on each page', async () => {
    const page = await openWithChoice(23);
    await page.evaluate(PRINTER);
    await command(page, 'print');
    await page.emulateMedia({ media: 'print' });
    await page.getByRole('button', { name: 'Print', exact: true, includeHidden: true }).dispatchEvent('click');
    await expect.poll(() => page.evaluate('window.printed !== undefined')).toBe(true);
    expect(await page.evaluate('window.printed')).toMatchObject({ controls: [] });
    // The paper is gone from the page, which is as it was.
    await expect.poll(() => page.locator('.paper').count()).toBe(0);
    await page.evaluate('document.body.append(window.paper); 0');
    const sheets = page.locator('.paper img');
    await expect.poll(() => sheets.count()).toBe(2);
    for (const format of ['A4', 'Letter']) {
      expect(pagesOf(await page.pdf({ format })), format).toBe(2);
      expect(pagesOf(await page.pdf({ format, landscape: true })), `${format} on its side`).toBe(2);
    }
  });

  itIf(CHROMIUM, 'without a sheet shows the stickers on screen and nothing to press', async () => {
    const page = await openWithChoice(2);
    await page.emulateMedia({ media: 'print' });
    expect(await page.evaluate(CONTROLS)).toEqual([]);
    await expect.poll(() => page.locator('.tile:not([hidden])').first().isVisible()).toBe(true);
    await expect.poll(() => page.locator('.count').isVisible()).toBe(true);
  });
});
