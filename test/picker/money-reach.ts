// Ways to the states of the page in which money is, or something stands in the way of it; as in page-reach.ts.

import type { Route } from 'playwright-core';
import type { Summary } from '../../src/api/page-operations.js';
import { readyToBuy, type Shop } from './open-shop.js';
import type { Reach } from './page-reach.js';

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

/** Both acts, with what svcd makes of the second, if it answers. */
async function buy(shop: Shop, answer?: Parameters<Route['fulfill']>[0]): Promise<void> {
  await shop.page.route('**/svcd/prefetch', (route) => (answer === undefined ? undefined : route.fulfill(answer)));
  // What is not answered here goes out once the next state is gone to, and is bought: no other state needs that one.
  await ask(shop, answer === undefined ? '礼物10' : '礼物3');
  await readyToBuy(shop);
  await shop.page.keyboard.press('Enter');
}

/** Buys what takes the service longer than all looks take. */
async function buySlowly(shop: Shop, title: string): Promise<void> {
  await shop.fail({ kind: 'latency', median_ms: 40_000, sigma: 0, path: '/api/v1/stickers/*', count: 1 });
  await ask(shop, title);
  await readyToBuy(shop);
  await shop.page.keyboard.press('Enter');
}

/** What svcd tells while it buys, one a line. */
const told = (...events: readonly object[]): Parameters<Route['fulfill']>[0] => ({
  body: [{ event: 'begun', of: 1, have: 0, buy: 1, cost: 1 }, ...events]
    .map((one) => `${JSON.stringify(one)}\n`)
    .join(''),
  contentType: 'application/x-ndjson',
});
const failed = { event: 'failed', place: 0, preset: 'shop/gift-3', done: 1, of: 1, message: 'refused', cost: 0 };

/** Codes by which svcd refuses an order, or what it ordered. */
const REFUSALS = [
  'insufficient_credits',
  'budget',
  'spending_stopped',
  'unsettled',
  'invalid_key',
  'key_disabled',
  'key_limit_exceeded',
  'offline',
  'invalid_token',
  'busy',
  'internal',
];

/** The two acts, and whatever becomes of them. */
export const BUYING: Readonly<Record<string, Reach>> = {
  'the price is asked for': async ({ page, tile, dialog }) => {
    await page.route('**/svcd/purchases?**', () => undefined);
    await tile('礼物3').focus();
    await page.keyboard.press('Enter');
    await dialog.getByText('Asking for the price').waitFor();
  },
  'ready to be bought': async (shop) => {
    await ask(shop, '礼物3');
    await readyToBuy(shop);
  },
  'ordered, and not answered': async (shop) => {
    await buy(shop);
    await shop.dialog.getByText('Asking svcd').waitFor();
  },
  bought: async (shop) => {
    const asset = { event: 'asset', place: 0, preset: 'shop/gift-3', source: 'bought', cost: 1, sha256: '', bytes: 1 };
    await buy(shop, told({ ...asset, done: 1, of: 1 }));
    await shop.page.locator('.notice button').first().waitFor();
  },
  'of unknown end as it was bought': async (shop) => {
    await buy(shop, told({ ...failed, code: 'timeout', cost: 'unknown' }));
    await shop.page.locator('.notice', { hasText: 'may be gone' }).waitFor();
  },
  'broken off as it was bought': async (shop) => {
    await buy(shop, told());
    await shop.page.locator('.notice', { hasText: 'in the middle' }).waitFor();
  },
  'failed as it was bought': async (shop) => {
    await buy(shop, told({ ...failed, code: 'unknown_preset' }));
    await shop.page.locator('.notice', { hasText: 'Not bought' }).waitFor();
  },
  'svcd gone as it was ordered': async (shop) => {
    await shop.page.route('**/svcd/prefetch', (route) => route.abort());
    await ask(shop, '礼物3');
    await readyToBuy(shop);
    await shop.page.keyboard.press('Enter');
    await shop.dialog.locator('.said:not(:empty)').waitFor();
  },
  'at another price as it was ordered': async (shop) => {
    await buy(shop, { status: 409, json: { code: 'price_changed', message: 'another price' } });
    await shop.dialog.getByRole('button', { name: 'I have seen it' }).waitFor();
  },
  ...Object.fromEntries(
    REFUSALS.map((code): [string, Reach] => [
      `refused as it was ordered: ${code}`,
      async (shop) => {
        await buy(shop, { status: 409, json: { code, message: 'svcd refuses it' } });
        await shop.dialog.locator('.said:not(:empty)').waitFor();
      },
    ]),
  ),
  // The last: a service that is silent for so long counts as away.
  'on its way': async (shop) => {
    await buySlowly(shop, '礼物12');
    await shop.page.locator('.tile[data-purchase=under_way]').waitFor();
  },
  'on its way for long': async (shop) => {
    await buySlowly(shop, '礼物11');
    await shop.page.locator('.tile[data-purchase=slow]').waitFor();
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
    await page.evaluate('sessionStorage.clear()');
    await page.reload();
    await page.locator('.state[data-kind=signed_out]').waitFor();
  },
};
