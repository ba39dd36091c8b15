// Ways to the states of the page that a test would look at: each begins where the page has just been opened.

import type { Page } from 'playwright-core';
import type { Summary } from '../../src/api/summary.js';
import type { Tiles } from '../../src/api/tile.js';
import { dropFiles } from './drop-files.js';
import { SQUARE } from './lottie-files.js';
import { WORD, type Shop } from './open-shop.js';

export type Reach = (shop: Shop) => Promise<void>;

/** Of the page, in which the functions given to `evaluate` run. */
declare const document: { readonly body: { dispatchEvent(event: unknown): void } };
declare const DataTransfer: new () => { setData(type: string, text: string): void };
declare const ClipboardEvent: new (type: string, init: object) => unknown;

/** Begins a command by its English name. */
async function command(page: Page, name: string): Promise<void> {
  await page.locator('#search').fill('>');
  await page.locator('.commands input').fill(name);
  await page.keyboard.press('Enter');
}

/** A copy of two sentences, of which one has stickers: that is fixed, since matching is another's test. */
async function pasteCopy({ page, svcd }: Shop): Promise<void> {
  const { tiles } = (await (await svcd.get(`/svcd/tiles?q=${WORD}&limit=6`)).json()) as Tiles;
  const because = [{ word: '生日', asked: '生日', field: 'title', source: 'direct' }];
  const sentences = [
    { at: [0, 5], words: [{ word: '生日', at: [0, 2] }], total: 6, tiles: tiles.map((one) => ({ ...one, because })) },
    { at: [5, 8], words: [], total: 0, tiles: [] },
  ];
  await page.route('**/svcd/tiles/match', (route) => route.fulfill({ json: { sentences } }));
  await page.evaluate(() => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', '生日快乐。没有。');
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  });
  await page.locator('.copy-tile').first().click();
}

const details =
  (title: string): Reach =>
  async ({ page, tile }) => {
    await tile(title).focus();
    await page.keyboard.press('Control+Enter');
    await page.locator('.details h2').waitFor();
  };

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
    await page.locator('.ways').waitFor();
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
  'a list that changed': async ({ page }) => {
    await page.route('**/svcd/tiles?**', async (route) => {
      const answer = (await (await route.fetch()).json()) as Tiles;
      const url = new URL(route.request().url());
      await route.fulfill({ json: { ...answer, total: 200, revision: url.searchParams.get('offset') } });
    });
    await page.reload();
    await page.locator('.tile').first().focus();
    await page.keyboard.press('Control+End');
    await page.locator('.changed').waitFor();
  },
};

export const MONEY: Readonly<Record<string, Reach>> = {
  'asked to buy one': async (shop) => ask(shop, '礼物3'),
  'asked to buy what is of unknown end': async (shop) => ask(shop, '礼物2'),
  'asked to buy several': async ({ page, tile }) => {
    for (const title of ['礼物1', '礼物3', '礼物4']) {
      await tile(title).focus();
      await page.keyboard.press('x');
    }
    await page.locator('.selection .main').click();
    await page.locator('.sums').waitFor();
  },
  'refused as it was bought': async (shop) => {
    await shop.page.route('**/svcd/prefetch', (route) =>
      route.fulfill({ status: 409, json: { code: 'budget_exceeded', message: 'beyond the budget' } }),
    );
    await ask(shop, '礼物3');
    await shop.dialog.locator('.main[aria-disabled="false"]').waitFor();
    await shop.page.waitForTimeout(400);
    await shop.page.keyboard.press('Enter');
    await shop.dialog.locator('.said:not(:empty)').waitFor();
  },
  'purchases, one of unknown end': async ({ page, dialog }) => {
    await page.locator('.balance').click();
    await dialog.locator('.unknown').waitFor();
  },
  'what is bought again': async ({ page, dialog }) => {
    await page.locator('.balance').click();
    await dialog.getByRole('button', { name: 'Buy it again' }).click();
    await dialog.locator('.again').waitFor();
  },
  'a message with what can be done': async (shop) => {
    const { page, tile, dialog } = shop;
    await say(shop, { remote: { offline: true } });
    await tile('礼物3').focus();
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Want it' }).click();
    await page.locator('.notice button').first().waitFor();
  },
};

async function ask({ page, tile, dialog }: Shop, title: string): Promise<void> {
  await tile(title).focus();
  await page.keyboard.press('Enter');
  await dialog.locator('.rows').waitFor();
  await page.waitForTimeout(200);
}

type Patch = { readonly [Part in keyof Summary]?: unknown };

/** What svcd says of itself from now on, but for some of it. */
async function say({ page, svcd }: Shop, patch: Patch): Promise<void> {
  await page.route('**/svcd/summary', async (route) => {
    const summary = (await (await svcd.get('/svcd/summary')).json()) as Record<string, unknown>;
    const parts = Object.entries(patch).map(([name, part]) => {
      const isWhole = typeof part !== 'object' || part === null || Array.isArray(part);
      return [name, isWhole ? part : { ...(summary[name] as object | null), ...part }];
    });
    await route.fulfill({ json: { ...summary, ...Object.fromEntries(parts) } });
  });
  await page.reload();
}

const since = '2026-11-22T06:02:00.000Z';
/** What stands in the way, as svcd would say it: each is looked at as a bar, and in the dialog. */
const TROUBLES: Readonly<Record<string, Patch>> = {
  offline: { remote: { offline: true, forced: true, since } },
  'no Key': { key: { source: 'none', last_four: null } },
  'a Key that is disabled': { key: { problem: 'key_disabled' } },
  'a Key at its limit': { key: { problem: 'key_limit_exceeded' } },
  'a Key that is wrong': { key: { problem: 'invalid_key' } },
  'out of credits': { balance: { credits: 0 } },
  'the budget is reached': { budgets: [{ period: 'day', limit: 3, spent: 3 }] },
  'spending is stopped': { spending_stopped: { by: 'user', since, why: 'you stopped it', hint: 'allow it' } },
  'svcd stopped spending': {
    spending_stopped: { by: 'svcd', since, why: 'a purchase could not be written down', hint: 'Free some disk' },
  },
};

const bars = Object.entries(TROUBLES).map(([name, patch]): [string, Reach] => [
  name,
  async (shop) => {
    await say(shop, patch);
    await shop.page.locator('.state').first().waitFor();
    await shop.tile('礼物3').waitFor();
  },
]);
const refusals = bars.map(([name, reach]): [string, Reach] => [
  `${name}, asked to buy`,
  async (shop) => {
    await reach(shop);
    await ask(shop, '礼物3');
  },
]);

const library = { known: 8123, complete: false, estimate: { total: 11_950, low: 11_700, high: 12_300 } };
/** The question before buying, where it can only be answered by `Want it`, or not at all. */
export const REFUSED: Readonly<Record<string, Reach>> = Object.fromEntries(refusals);
export const TROUBLED: Readonly<Record<string, Reach>> = {
  ...Object.fromEntries(bars),
  'the library fills, in the sandbox': async (shop) => {
    await say(shop, { library: { ...library, seconds_left: 720, paused: false }, remote: { sandbox: true } });
    await shop.page.locator('.state[data-kind=filling]').waitFor();
  },
  'the library is damaged': async ({ page }) => {
    const json = { code: 'library_damaged', message: 'damaged' };
    await page.route('**/svcd/tiles?**', (route) => route.fulfill({ status: 503, json }));
    await page.reload();
    await page.locator('.state[data-kind=damaged]').waitFor();
  },
  'svcd away': async ({ page }) => {
    await page.route('**/svcd/**', (route) => route.abort());
    await page.locator('#search').fill('蛋糕');
    await page.getByRole('alert').first().waitFor();
  },
  'the session is lost': async ({ page }) => {
    const json = { code: 'invalid_token', message: 'no session' };
    await page.route('**/svcd/summary', (route) => route.fulfill({ status: 401, json }));
    await page.reload();
    await page.locator('.state[data-kind=lost]').waitFor();
  },
  // The last: those after it would have no session.
  'not signed in': async ({ page }) => {
    await page.context().clearCookies();
    await page.reload();
    await page.locator('.state[data-kind=signed_out]').waitFor();
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
    await page.goto('about:blank');
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
