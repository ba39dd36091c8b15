// What lies over the grid, and the way back from it; chips of filters by the keys.

import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { CHROMIUM, itIf } from '../support/requires.js';
import { command, parameter } from './acts.js';
import { openPage } from './open-page.js';

const NARROW = { viewport: { width: 360, height: 740 } };
const focusedFilter = (page: Page) =>
  page.evaluate<string | undefined>('document.activeElement && document.activeElement.dataset.filter');

describe('the sheet of filters where it is narrow', () => {
  itIf(CHROMIUM, 'is closed by Back: the place stays, and what was chosen in it', async () => {
    const { page } = await openPage({ context: NARROW, path: '/?q=%E7%94%9F%E6%97%A5' });
    await page.locator('#search').press('ArrowDown');
    const place = await page.locator('.tile:focus').getAttribute('id');
    const sheet = page.getByRole('dialog', { name: 'Filters' });
    await page
      .locator('.strip')
      .getByRole('button', { name: /Filters/ })
      .click();
    await sheet.waitFor();
    await page.goBack();
    await sheet.waitFor({ state: 'detached' });
    await expect.poll(() => parameter(page, 'q')).toBe('生日');
    await expect.poll(() => page.locator(`#${place}`).getAttribute('tabindex')).toBe('0');

    await page
      .locator('.strip')
      .getByRole('button', { name: /Filters/ })
      .click();
    await sheet.getByRole('button', { name: 'Square' }).click();
    await page.goBack();
    await sheet.waitFor({ state: 'detached' });
    await expect.poll(() => parameter(page, 'aspect')).toBe('square');
    // And one more undoes what was chosen.
    await page.goBack();
    await expect.poll(() => parameter(page, 'aspect')).toBeNull();
    await expect.poll(() => parameter(page, 'q')).toBe('生日');
  });

  itIf(CHROMIUM, 'leaves nothing behind in the history when it is closed by its button', async () => {
    const { page, svcd } = await openPage({ context: NARROW });
    await page.goto(`${svcd.url}/?q=%E7%94%9F%E6%97%A5`);
    await page.locator('.count:not(:empty)').waitFor();
    const sheet = page.getByRole('dialog', { name: 'Filters' });
    await page
      .locator('.strip')
      .getByRole('button', { name: /Filters/ })
      .click();
    await sheet.getByRole('button', { name: 'Close' }).click();
    await sheet.waitFor({ state: 'detached' });
    await expect.poll(() => page.evaluate('history.state && history.state.layer === true')).toBeFalsy();
    await page.goBack();
    await expect.poll(() => parameter(page, 'q')).toBeNull();
  });
});

describe('any other layer', () => {
  itIf(CHROMIUM, 'is closed by Back, and one that leads to another leaves one step', async () => {
    const { page } = await openPage({ signedIn: true, path: '/?q=%E7%94%9F%E6%97%A5' });
    const dialog = page.locator('dialog[open]');
    await page.locator('.balance').click();
    await dialog.waitFor();
    await page.goBack();
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => parameter(page, 'q')).toBe('生日');
    // Of the commands, one opens the help in their place.
    await command(page, 'all keys');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await page.goBack();
    await dialog.waitFor({ state: 'detached' });
    expect(new URL(page.url()).pathname).toBe('/');
  });

  itIf(
    CHROMIUM,
    'the list of commands has all letters that came before it, though the page shows something new meanwhile',
    async () => {
      const { page } = await openPage({ signedIn: true, path: '/?q=%E7%94%9F' });
      const later = new Map<string, () => void>();
      for (const part of ['**/parts-*.js', '**/svcd/complete?*'])
        await page.route(part, async (route) => {
          await new Promise<void>((resolve) => later.set(part, resolve));
          await route.continue();
        });
      await page.reload();
      await expect.poll(() => later.has('**/svcd/complete?*')).toBe(true);
      await page.keyboard.press('Control+k');
      await page.keyboard.type('>kee');
      const completed = page.waitForResponse('**/svcd/complete?*');
      later.get('**/svcd/complete?*')?.();
      await (await completed).finished();
      await page.locator('.ghost').waitFor({ state: 'attached' });
      await page.keyboard.type('p st');
      await expect.poll(() => later.has('**/parts-*.js')).toBe(true);
      later.get('**/parts-*.js')?.();
      const field = page.getByRole('combobox', { name: 'Name of a command' });
      await field.waitFor();
      await expect.poll(() => field.inputValue()).toBe('keep st');
      await page.keyboard.press('Escape');
      await expect.poll(() => page.locator('#search').inputValue()).toBe('生');
    },
  );

  itIf(CHROMIUM, 'the question how a file is to be made is one, and leaves the focus where it was', async () => {
    const { page } = await openPage({ path: '/?q=%E7%94%9F%E6%97%A5' });
    const [dialog, selection] = [page.locator('dialog[open]'), page.locator('.selection')];
    await page.locator('#search').press('ArrowDown');
    await page.keyboard.press('x');
    const begin = async () => {
      await selection.getByRole('button', { name: /Export/ }).press('Enter');
      await dialog.getByRole('button', { name: /^Contact sheet/ }).press('Enter');
      await page.getByRole('dialog', { name: 'Contact sheet' }).waitFor();
    };
    for (const leave of [
      () => page.goBack(),
      () => page.keyboard.press('Escape'),
      () => dialog.getByRole('button', { name: 'Cancel' }).press('Enter'),
    ]) {
      await begin();
      await leave();
      await dialog.waitFor({ state: 'detached' });
      await expect.poll(() => page.evaluate('document.activeElement.textContent')).toMatch(/Export/);
      await expect.poll(() => page.evaluate('history.state && history.state.layer === true')).toBeFalsy();
      await expect.poll(() => parameter(page, 'q')).toBe('生日');
      await expect.poll(() => selection.textContent()).toMatch(/1 chosen/);
    }
  });

  itIf(CHROMIUM, 'closing the details undoes no filter that was chosen beside them', async () => {
    const { page } = await openPage({ path: '/?q=%E7%94%9F%E6%97%A5' });
    await page.locator('.tile').first().click();
    await page.locator('.details').waitFor();
    await page.locator('.rail').getByRole('button', { name: 'Square' }).click();
    await page.locator('.rail').getByRole('button', { name: 'Owned', exact: true }).click();
    await page.locator('.details .close').click();
    await page.locator('.details').waitFor({ state: 'detached' });
    await expect.poll(() => parameter(page, 'aspect')).toBe('square');
  });

  itIf(CHROMIUM, 'closing the details keeps what was searched and taken off beside them', async () => {
    const { page } = await openPage({ path: '/?q=%E7%94%9F%E6%97%A5&aspect=square' });
    const [details, box] = [page.locator('.details'), page.locator('#search')];
    await page.locator('.tile').first().click();
    await details.waitFor();
    await box.fill('蛋糕');
    await expect.poll(() => page.locator('.count').textContent()).toMatch(/蛋糕$/);
    await page.locator('.details .close').click();
    await details.waitFor({ state: 'detached' });
    await expect.poll(() => box.inputValue()).toBe('蛋糕');
    await expect.poll(() => parameter(page, 'q')).toBe('蛋糕');
    // And the same by a chip and Esc.
    await page.locator('.tile').first().click();
    await details.waitFor();
    const open = await details.locator('code').textContent();
    await page.locator('.chips').getByRole('button', { name: 'Remove filter Square' }).click();
    await expect.poll(() => parameter(page, 'aspect')).toBeNull();
    await page.locator('.count', { hasText: '蛋糕' }).waitFor();
    await expect.poll(() => details.locator('code').textContent()).toBe(open);
    await page.keyboard.press('Escape');
    await details.waitFor({ state: 'detached' });
    await expect.poll(() => parameter(page, 'aspect')).toBeNull();
    await expect.poll(() => parameter(page, 'q')).toBe('蛋糕');
  });
});

describe('details beside the grid', () => {
  itIf(CHROMIUM, 'leave in view what they were opened of, though fewer stand beside each other', async () => {
    const { page } = await openPage();
    await page.locator('.tile .name:not(:empty)').first().waitFor();
    const inView = `(() => {
      const grid = document.querySelector('.grid').getBoundingClientRect();
      const { top, bottom } = document.querySelector('.tile[tabindex="0"]').getBoundingClientRect();
      return top >= grid.top && bottom <= grid.bottom + 1;
    })()`;
    // The last one that is wholly in view.
    const last = await page.evaluate<string>(`(() => {
      const { bottom } = document.querySelector('.grid').getBoundingClientRect();
      return [...document.querySelectorAll('.tile')].filter((one) => one.getBoundingClientRect().bottom <= bottom).at(-1).id;
    })()`);
    await page.locator(`#${last}`).click();
    await page.locator('.details h2').waitFor();
    await page.waitForTimeout(300);
    await expect.poll(() => page.locator('.tile[tabindex="0"]').getAttribute('id')).toBe(last);
    expect(await page.evaluate(inView)).toBe(true);
  });

  itIf(CHROMIUM, 'show what was opened whatever the list becomes, and follow the arrows', async () => {
    const { page } = await openPage();
    const preset = page.locator('.details code');
    await page.locator('.tile .name:not(:empty)').nth(3).click();
    await page.locator('.details h2').waitFor();
    const open = await preset.textContent();
    for (const q of ['生日', '蛋糕', '']) {
      await page.locator('#search').fill(q);
      await expect
        .poll(() => page.locator('.count').textContent())
        .toMatch(q === '' ? /stickers?$/ : new RegExp(`${q}$`));
      await page.locator('#search').press('ArrowDown');
      expect(await preset.textContent(), q).toBe(open);
    }
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => preset.textContent()).not.toBe(open);
  });
});

describe('Enter on the chip of a filter', () => {
  const PATH = '/?q=%E7%94%9F%E6%97%A5&aspect=wide&max_duration=2&color=123456&owned=true';
  const CHIPS = [
    ['Owned', 'owned'],
    ['#123456', 'color'],
    ['Wide', 'aspect'],
    ['≤ 2 s', 'max_duration'],
  ] as const;

  itIf(CHROMIUM, 'goes to what changes it, beside the list', async () => {
    const { page } = await openPage({ path: PATH });
    for (const [name, filter] of CHIPS) {
      await page
        .getByRole('button', { name: `Remove filter ${name}` })
        .first()
        .focus();
      await page.keyboard.press('Enter');
      expect(await focusedFilter(page), name).toBe(filter);
      expect(parameter(page, filter), name).not.toBeNull();
    }
  });

  itIf(CHROMIUM, 'opens the sheet there where it is narrow', async () => {
    const { page } = await openPage({ path: PATH, context: NARROW });
    for (const [name, filter] of CHIPS) {
      await page
        .locator('.chips')
        .getByRole('button', { name: `Remove filter ${name}` })
        .focus();
      await page.keyboard.press('Enter');
      await page.getByRole('dialog', { name: 'Filters' }).waitFor();
      await expect.poll(() => focusedFilter(page), { message: name }).toBe(filter);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog', { name: 'Filters' }).waitFor({ state: 'detached' });
    }
  });
});
