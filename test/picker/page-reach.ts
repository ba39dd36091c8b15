// Ways to the states of the page that a test would look at: each begins where the page has just been opened.

import type { Tile, TileDetails, Tiles } from '../../src/api/tile.js';
import { command, dropFiles, paste } from './acts.js';
import { SQUARE } from './lottie-files.js';
import { signInLink } from './open-page.js';
import { WORD, type Shop } from './open-shop.js';

export type Reach = (shop: Shop) => Promise<void>;

/** A copy of two sentences, of which one has stickers: that is fixed, since matching is another's test. */
async function pasteCopy({ page, svcd }: Shop): Promise<void> {
  const { tiles } = (await (await svcd.get(`/svcd/tiles?q=${WORD}&limit=6`)).json()) as Tiles;
  const because = [{ word: '生日', asked: '生日', field: 'title', source: 'direct' }];
  const sentences = [
    { at: [0, 5], words: [{ word: '生日', at: [0, 2] }], total: 6, tiles: tiles.map((one) => ({ ...one, because })) },
    { at: [5, 8], words: [], total: 0, tiles: [] },
  ];
  await page.route('**/svcd/tiles/match', (route) => route.fulfill({ json: { sentences } }));
  await paste(page, '生日快乐。没有。');
  await page.locator('.copy-tile').first().click();
}

/** Tells of some stickers that they are no longer sold, or damaged. */
async function tellPurchases({ page }: Shop): Promise<void> {
  const purchases: Readonly<Record<string, Tile['purchase']>> = { 礼物1: 'gone', 礼物3: 'gone', 礼物4: 'damaged' };
  const tell = (tile: Tile): Tile => ({ ...tile, purchase: purchases[tile.title] ?? tile.purchase });
  await page.route(/\/svcd\/tiles[?/]/, async (route) => {
    const answer = (await (await route.fetch()).json()) as Tiles | Tile;
    await route.fulfill({ json: 'tiles' in answer ? { ...answer, tiles: answer.tiles.map(tell) } : tell(answer) });
  });
  await page.reload();
}

const details =
  (title: string): Reach =>
  async ({ page, tile }) => {
    await tile(title).focus();
    await page.keyboard.press('Control+Enter');
    await page.locator('.details h2').waitFor();
  };

/** Tells whose work a sticker is. */
async function tellAuthor(shop: Shop): Promise<void> {
  await shop.page.route(/\/svcd\/tiles\/shop/, async (route) => {
    const answer = (await (await route.fetch()).json()) as TileDetails;
    await route.fulfill({ json: { ...answer, licence: 'CC-BY-4.0', attribution: 'Mutant Standard, CC BY 4.0' } });
  });
  await details('礼物1')(shop);
  await shop.page.getByText('Mutant Standard').waitFor();
}

/** Finding, choosing and taking: `礼物1` is owned, `礼物2` is of unknown end, the rest is nobody's. */
export const FINDING: Readonly<Record<string, Reach>> = {
  'the list': async ({ page }) => page.locator('.tile[data-look=picture]').first().waitFor(),
  everything: async ({ page, svcd }) => {
    await page.goto(svcd.url);
    await page.locator('.scenes').waitFor();
  },
  'a tile with the focus, and a choice': async ({ page, tile }) => {
    await tile('礼物1').focus();
    await page.keyboard.press('x');
    await page.keyboard.press('Shift+ArrowRight');
    await page.locator('.selection').waitFor();
  },
  'nothing found': async ({ page }) => {
    await page.locator('#search').fill('zzzzqqqq');
    await page.locator('.empty').waitFor();
  },
  'words left out': async ({ page }) => {
    await page.locator('#search').fill(`${WORD} qqzzqq`);
    await page.locator('.dropped, .empty').first().waitFor();
  },
  completions: async ({ page }) => {
    await page.locator('#search').fill(WORD.slice(0, 4));
    await page.locator('.ghost').waitFor();
    await page.keyboard.press('Alt+ArrowDown');
    await page.locator('[role=listbox]').waitFor();
  },
  'filters that leave nothing': async ({ page }) => {
    await page.locator('.swatch').first().click();
    await page.locator('.head .chip').first().waitFor();
  },
  commands: async ({ page }) => {
    await page.locator('#search').fill('>');
    await page.locator('#command-list li').first().waitFor();
  },
  help: async ({ page }) => {
    await command(page, 'help');
    await page.locator('.keys').first().waitFor();
  },
};

/** Pasting, taking, and what goes wrong in the list. */
export const TAKING: Readonly<Record<string, Reach>> = {
  'an empty copy': async ({ page }) => {
    await command(page, 'copy');
    await page.locator('.copy textarea').waitFor();
  },
  'a matched copy': pasteCopy,
  'a sticker of a copy that was replaced': async (shop) => {
    await pasteCopy(shop);
    await shop.page.locator('.copy-tile').nth(1).click();
    await shop.page.locator('.notice button').first().waitFor();
  },
  'own files': async ({ page }) => {
    await dropFiles(page, [
      { name: 'square.json', text: JSON.stringify(SQUARE) },
      { name: 'page.html', text: 'x' },
    ]);
    await page.locator('.modal fieldset').waitFor();
  },
  'ways out': async ({ page, tile }) => {
    await tile('礼物1').focus();
    await page.keyboard.press('x');
    await page
      .locator('.selection')
      .getByRole('button', { name: /Export/ })
      .click();
    await page.locator('.ways').first().waitFor();
  },
  'an export': async ({ page, tile }) => {
    await tile('礼物1').focus();
    await command(page, 'gif');
    await page.locator('.modal .main-act').waitFor();
  },
  'the menu of a collection': async ({ page }) => page.locator('.menu summary').first().click(),
  'a new collection': async ({ page }) => {
    await command(page, 'new collection');
    await page.locator('.name-form').waitFor();
  },
  'details of what is owned': details('礼物1'),
  'details of what is owned, with its author': tellAuthor,
  'details of what is of unknown end': details('礼物2'),
  'details of what is not owned': details('礼物3'),
  'all in view play': async ({ page }) => {
    await command(page, 'play all');
    await page.locator('.head button', { hasText: '❚❚' }).waitFor();
  },
  'a picture that cannot be drawn': async ({ page }) => {
    await page.route('**/svcd/pictures/**', (route) => route.fulfill({ body: 'x', contentType: 'application/json' }));
    await page.reload();
    await page.locator('.tile[data-purchase=undrawable]').first().waitFor();
  },
  'a list that is slow to come': async ({ page }) => {
    await page.route('**/svcd/tiles?**', () => undefined);
    await page.reload();
    await page.locator('.tile[data-look=waiting]').first().waitFor();
  },
  'what is no longer sold': async (shop) => {
    await tellPurchases(shop);
    await shop.page.locator('.tile[data-purchase=gone]').waitFor();
    await shop.page.locator('.tile[data-purchase=unsold]').waitFor();
    await shop.page.locator('.tile[data-purchase=damaged]').waitFor();
  },
  'details of what is no longer sold': async (shop) => {
    await tellPurchases(shop);
    await details('礼物1')(shop);
  },
  'details of what was never bought and is no longer sold': async (shop) => {
    await tellPurchases(shop);
    await details('礼物3')(shop);
  },
  'a list that changed': async ({ page }) => {
    await page.route('**/svcd/tiles?**', async (route) => {
      const url = new URL(route.request().url());
      try {
        const answer = (await (await route.fetch()).json()) as Tiles;
        await route.fulfill({ json: { ...answer, total: 200, revision: url.searchParams.get('offset') } });
      } catch {
        // The page is gone, or asked again.
      }
    });
    await page.reload();
    await page.locator('.tile').first().focus();
    await page.keyboard.press('Control+End');
    await page.locator('.changed').waitFor();
  },
};

/** A shop in which `礼物1` is owned and `礼物2` may have been charged. */
async function fillShop({ svcd, fail, page }: Shop): Promise<void> {
  const get = async (preset: string) =>
    (await svcd.get(`/api/v1/stickers/${encodeURIComponent(preset)}`)).arrayBuffer();
  await get('shop/gift-1');
  // While the balance cannot be asked for, nothing can settle it.
  await fail({ kind: 'status', status: 500, path: '/api/v1/usage' });
  await fail({ kind: 'reset', at_byte: 40, path: '/api/v1/stickers/*', count: 1 });
  await get('shop/gift-2');
  await page.reload();
  await page.locator('.tile[data-purchase=unknown]').waitFor();
}

/** Goes to each state in turn, and tells what was found wrong in which; one that is not reached is wrong as well. */
export async function throughStates(
  shop: Shop,
  states: Readonly<Record<string, Reach>>,
  look: (name: string) => Promise<readonly string[]>,
): Promise<Record<string, readonly string[]>> {
  const { page, svcd, tile } = shop;
  const viewport = page.viewportSize();
  // A state that is not reached by then is not.
  page.setDefaultTimeout(20_000);
  await fillShop(shop);
  const wrong: Record<string, readonly string[]> = {};
  for (const [name, reach] of Object.entries(states)) {
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    if (viewport !== null) await page.setViewportSize(viewport);
    // What was set for another state is not kept.
    await page.evaluate('localStorage.clear()');
    await page.goto(await signInLink(svcd));
    await page.goto(`${svcd.url}/?q=${WORD}`);
    await tile('礼物1').waitFor();
    const found = await reach(shop).then(
      () => look(name),
      (error: unknown) => [`not reached: ${String(error).slice(0, 300)}`],
    );
    if (found.length > 0) wrong[name] = found;
  }
  return wrong;
}
