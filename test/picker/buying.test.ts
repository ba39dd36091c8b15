// Buying in the page, in a real browser: two deliberate acts, figures that are true at the second, and words for every end.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CHROMIUM, itIf } from '../support/requires.js';
import { chooseInRow, giveCode } from './acts.js';
import { askToBuy, buyByKeys, openShop, readyToBuy, type Shop, WORD } from './open-shop.js';

const ROOT = join(import.meta.dirname, '..', '..');

describe('what can buy', () => {
  test('is one function, which the buy dialog alone uses', () => {
    const sources = readdirSync(join(ROOT, 'src', 'picker'), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => [name, readFileSync(join(ROOT, 'src', 'picker', name), 'utf8')] as const);
    const having = (text: string) => sources.filter(([, source]) => source.includes(text)).map(([name]) => name);
    expect(having('/svcd/prefetch')).toEqual(['buy.ts']);
    expect(having('/retry`')).toEqual(['buy.ts']);
    expect(having('buy.js').toSorted()).toEqual(['buying.ts', 'panels/open-purchase.tsx']);
    expect(having('buying.js')).toEqual(['panels/buy-dialog.tsx']);
    expect(having('/api/v1/stickers/')).toEqual([]);
    expect(having('/api/v1/images')).toEqual([]);
  });

  test('stands once in what is built', () => {
    const folder = join(ROOT, 'dist', 'picker');
    const files = readdirSync(folder).filter((name) => /\.(js|html)$/.test(name));
    const text = files.map((name) => readFileSync(join(folder, name), 'utf8')).join('');
    expect(text.split('/svcd/prefetch')).toHaveLength(2);
    expect(text.split('/retry')).toHaveLength(2);
    expect(text).not.toContain('/api/v1/stickers/');
  });
});

describe('buying one', () => {
  itIf(CHROMIUM, 'takes two acts; the tile keeps its place and the focus, and the balance falls by one', async () => {
    const shop = await openShop();
    const { page, tile, dialog, bought } = shop;
    await tile('礼物1').focus();
    const place = await tile('礼物1').getAttribute('id');
    expect(await tile('礼物1').getAttribute('data-look')).not.toBe('picture');
    // As people press: the key is still down when the dialog is there.
    await page.keyboard.down('Enter');
    await readyToBuy(shop);
    await page.keyboard.up('Enter');
    await expect.poll(() => dialog.locator('.sums').textContent()).toMatch(/42 → 41/);
    expect(await bought()).toEqual([]);
    // No hand is faster; a key that is down again at once is taken for one that repeats (pressed-keys.ts).
    await page.waitForTimeout(100);
    await page.keyboard.press('Enter');
    await expect.poll(() => tile('礼物1').getAttribute('aria-label')).toMatch(/Owned/);
    await expect.poll(() => page.locator('.balance').textContent()).toMatch(/^41 credits/);
    await expect.poll(() => page.locator('.tile:focus').textContent()).toMatch(/礼物1/);
    // The picture comes in the place of what stood in for it.
    await expect.poll(() => tile('礼物1').getAttribute('data-look')).toBe('picture');
    await expect.poll(() => tile('礼物1').getAttribute('id')).toBe(place);
    expect((await bought()).map(({ state }) => state)).toEqual(['paid']);
  });

  itIf(CHROMIUM, 'that went out and was not answered is not said to have cost nothing', async () => {
    const shop = await openShop();
    const { page, dialog, bought } = shop;
    await page.route('**/svcd/prefetch', async (route) => {
      // What the browser adds by itself is not in it.
      const headers = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' };
      await route.fetch({ headers: { ...(await route.request().allHeaders()), ...headers } });
      await route.abort();
    });
    await buyByKeys(shop, '礼物1');
    await expect.poll(() => dialog.locator('.said').textContent()).toMatch(/What was under way is kept/);
    expect(await dialog.locator('.said').textContent()).not.toMatch(/Nothing was charged/);
    expect((await bought()).map(({ state }) => state)).toEqual(['paid']);
  });

  itIf(CHROMIUM, 'a held Enter buys nothing, nor does a double click, nor Escape', async () => {
    const { page, tile, dialog, bought, asked } = await openShop();
    await tile('礼物1').focus();
    for (let times = 0; times < 40; times += 1) {
      await page.keyboard.down('Enter');
      await page.waitForTimeout(25);
    }
    await page.keyboard.up('Enter');
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => dialog.count()).toBe(0);
    // Nor a doubled one.
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => dialog.count()).toBe(0);
    await expect.poll(() => page.locator('.tile:focus').textContent()).toMatch(/礼物1/);
    await page.keyboard.press('x');
    const button = page.locator('.selection .main');
    const box = await button.boundingBox();
    await button.dblclick();
    await dialog.locator('.main[aria-disabled="false"]').waitFor();
    // Ends on the button, and began elsewhere.
    const target = await dialog.locator('.main').boundingBox();
    await page.mouse.move((box?.x ?? 0) + 2, (box?.y ?? 0) + 2);
    await page.mouse.down();
    await page.mouse.move((target?.x ?? 0) + 8, (target?.y ?? 0) + 8);
    await page.mouse.up();
    // A script's click is nobody's act.
    await dialog.locator('.main').evaluate((element: { click(): void }) => element.click());
    await page.keyboard.press('Escape');
    expect(asked.filter((one) => one.includes('prefetch'))).toEqual([]);
    expect(await bought()).toEqual([]);
  });
});

describe('buying several', () => {
  itIf(CHROMIUM, 'twelve with 5 credits starts nothing, and offers the first five', async () => {
    const shop = await openShop({ credits: 5 });
    await chooseAll(shop);
    await expect.poll(() => shop.page.locator('.selection').textContent()).toMatch(/12 chosen · 12 credits/);
    await shop.page.locator('.selection .main').click();
    await expect.poll(() => shop.dialog.locator('.said').textContent()).toMatch(/5 credits does not cover 12 credits/);
    await expect
      .poll(() => shop.dialog.locator('.said').textContent())
      .toMatch(/top up the account .* then check again/);
    await shop.dialog.getByRole('button', { name: 'Keep the first 5 only' }).click();
    await (await readyToBuy(shop)).click();
    await expect.poll(() => shop.page.locator('.notice').textContent()).toMatch(/Bought 5 for 5 credits/);
    expect((await shop.bought()).filter(({ state }) => state === 'paid')).toHaveLength(5);
    expect(shop.remote.sandbox.credits()).toBe(0);
    await expect.poll(() => shop.page.locator('.state').textContent()).toMatch(/The balance is 0.*top up/);
    await shop.topUp('0.50');
    await shop.page.locator('.state').getByRole('button', { name: 'Check again' }).click();
    await expect.poll(() => shop.page.locator('.balance').textContent()).toMatch(/^5 credits/);
  });

  itIf(
    CHROMIUM,
    'for a script: they are seen by a click on their number, and cost nothing in it afterwards',
    async () => {
      const shop = await openShop();
      const { page } = shop;
      // Long enough to be read as copy.
      await page.locator('#search').fill(`${WORD}。`.repeat(6));
      const first = page.locator('.copy-tile').first();
      await first.waitFor();
      const notice = page.locator('.notice');
      await expect.poll(() => notice.textContent()).toContain('Search as words');
      await first.click();
      await expect.poll(() => first.locator('small').innerText()).toMatch(/^1 credit/);
      await page.locator('.selection').getByRole('button', { name: '1 chosen' }).click();
      await expect.poll(() => page.locator('.grid .tile[aria-selected=true]').count()).toBe(1);
      // What was offered for the script went with it.
      await expect.poll(() => notice.textContent()).not.toContain('Search as words');
      await page.goBack();
      await page.locator('.selection .main').click();
      await (await readyToBuy(shop)).click();
      await expect.poll(() => notice.textContent()).toMatch(/Bought 1 for 1 credit/);
      await expect.poll(() => first.locator('small').innerText()).toMatch(/Owned/);
      expect(await first.locator('small').innerText()).not.toMatch(/credit/);
    },
  );

  itIf(CHROMIUM, 'with a budget of 3 buys three, and then says when it is free again', async () => {
    const shop = await openShop();
    await shop.svcd.send('PUT', '/svcd/budget', '{"day":3}');
    await chooseAll(shop);
    await expect.poll(() => shop.page.locator('.day').textContent()).toBe('today 0 of 3');
    await shop.page.locator('.selection .main').click();
    await expect.poll(() => shop.dialog.locator('.said').textContent()).toMatch(/Budget of the day does not allow it/);
    await shop.dialog.getByRole('button', { name: 'Keep the first 3 only' }).click();
    await (await readyToBuy(shop)).click();
    await expect.poll(() => shop.page.locator('.day').textContent()).toBe('today 3 of 3');
    await expect.poll(() => shop.page.locator('.state').textContent()).toMatch(/3 of 3, free again at .*00:00/);
    expect(await shop.bought()).toHaveLength(3);
    await expect.poll(() => shop.page.locator('.selection .main').textContent()).toBe('Want 9');
  });

  itIf(
    CHROMIUM,
    'twelve at another price than was shown buys none, shows the new one and needs both acts again',
    async () => {
      const shop = await openShop();
      const { page, dialog, bought, svcd, asked, remote } = shop;
      // The page is told another price than svcd takes.
      await page.route('**/svcd/summary', async (route) => {
        const summary = (await (await svcd.get('/svcd/summary')).json()) as { price: object };
        await route.fulfill({ json: { ...summary, price: { ...summary.price, sticker: 2 } } });
      });
      await page.reload();
      await shop.tile('礼物1').waitFor();
      await chooseAll(shop);
      await page.locator('.selection .main').click();
      await readyToBuy(shop);
      await expect.poll(() => dialog.textContent()).toMatch(/Buy · 24 credits/);
      await page.keyboard.press('Enter');
      await expect.poll(() => dialog.locator('.said').textContent()).toMatch(/nothing was bought/i);
      expect(asked).toContain('POST /svcd/prefetch');
      expect(await bought()).toEqual([]);
      expect(remote.sandbox.charges()).toEqual([]);
      await page.unroute('**/svcd/summary');
      await page.waitForTimeout(400);
      await page.keyboard.press('Enter');
      await readyToBuy(shop);
      // The price is the right one now, and is shown first.
      await page.keyboard.press('Enter');
      await expect.poll(() => dialog.locator('.said').textContent()).toMatch(/from 2 credits to 1 credit/);
      await page.waitForTimeout(400);
      await page.keyboard.press('Enter');
      expect(await bought()).toEqual([]);
      await readyToBuy(shop);
      await page.keyboard.press('Enter');
      await expect.poll(() => bought().then((all) => all.length)).toBe(12);
    },
  );
});

describe('the list of purchases', () => {
  itIf(CHROMIUM, 'shows what was bought, by a way that never spends', async () => {
    const shop = await openShop();
    const { page, dialog, asked } = shop;
    await buyByKeys(shop, '礼物1');
    await expect.poll(() => page.locator('.notice').textContent()).toMatch(/Bought 1/);
    await page.goto(`${shop.svcd.url}/?q=zznothing`);
    await page.locator('.balance').click();
    await dialog.locator('.purchases canvas[data-look=picture]').waitFor();
    await expect.poll(() => asked).toContain('GET /svcd/pictures/shop/gift-1');
    expect(asked.join()).not.toContain('/api/v1/stickers/shop');
  });
});

describe('a purchase of unknown end', () => {
  itIf(CHROMIUM, 'is said on top of the purchases, and can be settled', async () => {
    const shop = await openShop();
    const { page, svcd, dialog, bought, fail } = shop;
    await fail({ kind: 'reset', path: '/api/v1/stickers/*', count: 20 });
    await buyByKeys(shop, '礼物1');
    await expect.poll(() => page.locator('.notice').textContent(), { timeout: 30_000 }).toMatch(/1 credit may be gone/);
    expect((await bought()).some(({ state }) => state === 'unknown')).toBe(true);
    await page.locator('.notice').getByRole('button', { name: 'Show purchases' }).click();
    const unknown = dialog.locator('.unknown');
    await expect.poll(() => unknown.textContent()).toMatch(/礼物1 · 1 credit may be gone since \d\d:\d\d/);
    await unknown.getByRole('button', { name: 'It was not charged' }).click();
    await giveCode(page, svcd);
    await expect.poll(() => unknown.count()).toBe(0);
    expect((await bought()).map(({ state }) => state)).not.toContain('unknown');
  });

  itIf(CHROMIUM, 'is bought again by two acts, which say that a credit may be gone', async () => {
    const shop = await openShop();
    const { page, tile, dialog, bought } = shop;
    await buyWithoutEnd(shop);
    await expect.poll(() => page.locator('.notice').textContent(), { timeout: 30_000 }).toMatch(/1 credit may be gone/);
    await tile('礼物1').focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => dialog.textContent()).toMatch(/1 credit may be gone since .* Settle it first/);
    // Nothing is for sale here, so nothing is added up.
    await expect.poll(() => dialog.locator('.sums').count()).toBe(0);
    await dialog.getByRole('button', { name: 'Show purchases' }).click();
    await dialog.getByRole('button', { name: 'Buy it again' }).click();
    await expect
      .poll(() => dialog.locator('.again').textContent())
      .toMatch(/If the first one was charged, that credit stays gone/);
    await readyToBuy(shop);
    expect((await bought()).map(({ state }) => state)).not.toContain('paid');
    await page.keyboard.press('Enter');
    await expect.poll(() => bought().then((all) => all.map(({ state }) => state))).toContain('paid');
    await page.keyboard.press('Escape');
    await expect.poll(() => tile('礼物1').getAttribute('aria-label')).toMatch(/Owned/);
  });

  itIf(CHROMIUM, 'that was charged and whose file never came is bought again from the list, by two acts', async () => {
    const shop = await openShop();
    const { page, tile, dialog, bought } = shop;
    await buyWithoutEnd(shop);
    await page.locator('.notice').getByRole('button', { name: 'Show purchases' }).click({ timeout: 30_000 });
    await dialog.getByRole('button', { name: 'It was charged' }).click();
    await page.keyboard.press('Escape');
    await tile('礼物1').focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => dialog.textContent()).toMatch(/its file is not here\. Buying it again costs again/);
    await expect.poll(() => dialog.locator('.sums').count()).toBe(0);
    await dialog.getByRole('button', { name: 'Show purchases' }).click();
    const lost = dialog.getByRole('region', { name: /^charged, without its file: 礼物1$/ });
    await lost.getByRole('button', { name: 'Buy it again' }).click();
    await expect.poll(() => lost.textContent()).toMatch(/What was charged before stays gone/);
    await readyToBuy(shop);
    expect((await bought()).length).toBe(1);
    await page.keyboard.press('Enter');
    await expect.poll(() => bought().then((all) => all.map(({ owned }) => owned))).toEqual([true, true]);
    await expect.poll(() => lost.count()).toBe(0);
    await page.keyboard.press('Escape');
    await expect.poll(() => tile('礼物1').getAttribute('aria-label')).toMatch(/Owned/);
  });

  itIf(CHROMIUM, 'is for sale again where a hub keeps what was charged, which gives it again for nothing', async () => {
    const shop = await openShop();
    const { page, svcd, dialog } = shop;
    await buyWithoutEnd(shop);
    await page.locator('.notice').getByRole('button', { name: 'Show purchases' }).click({ timeout: 30_000 });
    await dialog.getByRole('button', { name: 'It was charged' }).click();
    await dialog.getByRole('region', { name: /^charged, without its file/ }).waitFor();
    await page.route('**/svcd/summary', async (route) => {
      const told = (await (await svcd.get('/svcd/summary')).json()) as object;
      await route.fulfill({ json: { ...told, hub: { addresses: [], project: 'promo', refusal: null } } });
    });
    await page.keyboard.press('Escape');
    await askToBuy(shop, '礼物1');
    expect(await dialog.textContent()).not.toMatch(/Buying it again costs again/);
  });

  itIf(CHROMIUM, 'that settles by itself while it is looked at is told', async () => {
    const shop = await openShop();
    const { page, svcd, dialog, bought } = shop;
    await buyWithoutEnd(shop);
    await page.locator('.notice').getByRole('button', { name: 'Show purchases' }).click({ timeout: 30_000 });
    await dialog.locator('.unknown').waitFor();
    const [{ id } = { id: 0 }] = await bought();
    expect((await svcd.post(`/svcd/purchases/${id}/settle`, { as: 'free' })).status).toBe(200);
    await expect.poll(() => page.locator('.notice').textContent()).toMatch(/礼物1: .*not charged/);
    await expect.poll(() => dialog.locator('.unknown').count()).toBe(0);
  });
});

/** Buys the first sticker, of whose purchase nobody sees the end. While the balance cannot be asked for, nothing can settle it. */
async function buyWithoutEnd(shop: Shop): Promise<void> {
  const { fail } = shop;
  await fail({ kind: 'reset', at_byte: 500, path: '/api/v1/stickers/*', count: 1 });
  await fail({ kind: 'status', status: 500, path: '/api/v1/usage' });
  await buyByKeys(shop, '礼物1');
}

async function chooseAll({ page, tile }: Pick<Shop, 'page' | 'tile'>): Promise<void> {
  await tile('礼物1').focus();
  await page.keyboard.press('Home');
  await chooseInRow(page, 12);
}
