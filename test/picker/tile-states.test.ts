// What a tile says of a purchase that is under way, of unknown end, or of what is no longer sold: told by svcd, whoever bought.

import { describe, expect } from 'vitest';
import { stickerPath } from '../../src/model/sticker.js';
import { CHROMIUM, itIf } from '../support/requires.js';
import { openShop, type Shop } from './open-shop.js';

const PATH = '/api/v1/stickers/*';

/** Bought by another program, while the page looks on. */
const buyElsewhere = ({ svcd }: Shop, nth: number) => svcd.get(stickerPath(`shop/gift-${nth}`));

async function stateOf({ tile }: Shop, nth: number) {
  const element = tile(`礼物${nth}`);
  return {
    state: await element.getAttribute('data-purchase'),
    mark: await element.locator('.mark').textContent(),
    name: await element.getAttribute('aria-label'),
    isCut: await element.locator('.mark').evaluate((one) => one.scrollWidth > one.clientWidth),
  };
}

const said = (state: string, text: string) => ({
  state,
  mark: text,
  name: expect.stringContaining(text) as unknown,
  isCut: false,
});

describe('a tile', () => {
  itIf(CHROMIUM, 'says that it is being bought, keeps its place, and shows the picture when it is there', async () => {
    const shop = await openShop();
    // A long title is cut: the whole is there under the pointer, and turns nothing beside it.
    const title = shop.tile('礼物3').locator('.name');
    expect([await title.getAttribute('title'), await title.getAttribute('dir')]).toEqual(['礼物3', 'auto']);
    const place = await shop.tile('礼物3').getAttribute('id');
    await shop.fail({ kind: 'latency', median_ms: 3000, sigma: 0, path: PATH, count: 1 });
    const bought = buyElsewhere(shop, 3);
    await expect.poll(() => stateOf(shop, 3)).toEqual(said('under_way', 'Buying …'));
    await expect.poll(() => shop.page.locator('.status').textContent()).toMatch(/buying 1/);
    expect((await bought).status).toBe(200);
    await expect.poll(() => stateOf(shop, 3)).toEqual(said('', '✓ Owned'));
    await expect.poll(() => shop.tile('礼物3').getAttribute('id')).toBe(place);
    await expect.poll(() => shop.tile('礼物3').getAttribute('data-look')).toBe('picture');
  });

  itIf(CHROMIUM, 'that is being bought is not sold again: no button counts it, and the dialog says so', async () => {
    const shop = await openShop();
    const { page, dialog } = shop;
    for (const nth of [3, 4]) {
      await shop.tile(`礼物${nth}`).focus();
      await page.keyboard.press('x');
    }
    const bar = page.locator('.selection');
    await expect.poll(() => bar.textContent()).toMatch(/2 chosen · 2 credits/);
    await bar.locator('.main').click();
    await expect.poll(() => dialog.locator('.rows li').count()).toBe(2);
    await page.keyboard.press('Escape');
    await shop.fail({ kind: 'latency', median_ms: 15_000, sigma: 0, path: PATH, count: 1 });
    const bought = buyElsewhere(shop, 3);
    await expect.poll(() => bar.textContent()).toMatch(/2 chosen · buying 1 · 1 credit · 42 → 41/);
    await bar.locator('.main').click();
    await expect.poll(() => dialog.locator('.rows').textContent()).toBe('礼物41 credit');
    expect((await bought).status).toBe(200);
    expect(await shop.bought()).toHaveLength(1);
  });

  itIf(CHROMIUM, 'says that a credit may be gone, and no longer when that is settled', async () => {
    const shop = await openShop();
    const { page, svcd } = shop;
    await shop.fail({ kind: 'reset', at_byte: 40, path: PATH });
    await shop.fail({ kind: 'status', status: 500, path: '/api/v1/usage' });
    await buyElsewhere(shop, 2);
    await expect.poll(() => stateOf(shop, 2)).toEqual(said('unknown', '1 credit may be gone'));
    await expect.poll(() => page.locator('.warn').textContent()).toMatch(/1 purchase of unknown end/);
    const open = (await shop.bought()).filter(({ state }) => state === 'unknown');
    expect(open).toHaveLength(1);
    // One bar for all of it, with one button, which settles nothing that the balance does not tell.
    const bar = page.locator('.state[data-kind="unsettled"]');
    await expect.poll(() => bar.textContent()).toMatch(/^1 purchase broke off, and may have been charged/);
    await bar.getByRole('button', { name: 'Ask now' }).click();
    await expect.poll(() => page.locator('.notice').textContent()).toMatch(/Still unknown: 1\./);
    await svcd.post(`/svcd/purchases/${open[0]?.id}/settle`, { as: 'free' });
    await expect.poll(() => stateOf(shop, 2)).toEqual(said('', 'No picture'));
    await expect.poll(() => page.locator('.warn').count()).toBe(0);
    await expect.poll(() => bar.count()).toBe(0);
  });

  itIf(CHROMIUM, 'says that it is no longer sold, and that what is owned stays', async () => {
    const shop = await openShop();
    const { page, svcd } = shop;
    expect((await buyElsewhere(shop, 5)).status).toBe(200);
    await shop.fail({ kind: 'status', status: 404, code: 'not_found', path: PATH });
    expect((await buyElsewhere(shop, 4)).status).toBe(404);
    await expect.poll(() => stateOf(shop, 4), { timeout: 10_000 }).toEqual(said('unsold', 'No longer sold'));
    expect((await shop.bought()).filter(({ state }) => state === 'paid')).toHaveLength(1);
    // svcd asks the service no more about what is owned: that it is gone there is learned from others.
    await page.route('**/svcd/tiles?**', async (route) => {
      const answer = await svcd.get(new URL(route.request().url()).pathname + new URL(route.request().url()).search);
      const list = (await answer.json()) as { tiles: { picture: string | null; purchase: string | null }[] };
      for (const tile of list.tiles) if (tile.picture === 'owned') tile.purchase = 'gone';
      await route.fulfill({ json: list });
    });
    await page.reload();
    await expect.poll(() => stateOf(shop, 5)).toEqual(said('gone', 'No longer sold; yours stays'));
    await expect.poll(() => shop.tile('礼物5').getAttribute('data-look')).toBe('picture');
  });
});
