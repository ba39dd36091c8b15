// The page, signed in, before twelve stickers that cost a credit each and that nobody owns.

import { expect } from 'vitest';
import type { Locator } from 'playwright-core';
import { temporaryHome } from '../sandbox/start-sandbox.js';
import { tinyLottie, writeTinyCatalogue } from '../sandbox/tiny-catalogue.js';
import { listPurchases, type ListedPurchase } from '../support/purchases.js';
import type { PairOptions } from '../support/start-pair.js';
import { openPage, type OpenPage, type PageOptions } from './open-page.js';

/** Found by no other sticker. */
export const WORD = 'zzshop';
const CONTROL = 'svcd_sandbox_shop';
export const GOODS = Array.from({ length: 12 }, (_, nth) => ({
  preset: `shop/gift-${nth + 1}`,
  title: `礼物${nth + 1}`,
  keywords: [WORD],
}));

export interface Shop extends OpenPage {
  /** The tile of a sticker, by its title. */
  readonly tile: (title: string) => Locator;
  readonly dialog: Locator;
  readonly bought: () => Promise<ListedPurchase[]>;
  /** Adds a fault to the sandbox. */
  readonly fail: (fault: object) => Promise<void>;
  /** Tops up the account, by so many CNY. */
  readonly topUp: (amount: string) => Promise<void>;
}

export async function openShop(
  options: Omit<PageOptions, 'pair'> & { readonly pair?: PairOptions; readonly credits?: number } = {},
): Promise<Shop> {
  const { credits = 42, pair = {}, ...rest } = options;
  const catalogueFolder = writeTinyCatalogue(temporaryHome(), GOODS, longLottie);
  const remote = { credits, catalogueFolder, controlToken: CONTROL, requestsPerMinute: 1_000_000, ...pair.remote };
  const opened = await openPage({ signedIn: true, ...rest, pair: { ...pair, remote } });
  const { page, svcd } = opened;
  expect((await svcd.get(`/api/v1/stickers/search?q=${WORD}&limit=50`)).status).toBe(200);
  await page.goto(`${svcd.url}/?q=${WORD}`);
  const tile = (title: string) => page.locator('.tile', { has: page.getByText(title, { exact: true }) });
  await tile('礼物1').waitFor();
  const control = async (path: string, body: object) => {
    const answer = await opened.remote.call(path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { Authorization: `Bearer ${CONTROL}`, 'Content-Type': 'application/json' },
    });
    if (!answer.ok) throw new Error(await answer.text());
  };
  const fail = (fault: object) => control('/sandbox/faults', fault);
  const topUp = (amount: string) => control('/sandbox/topups', { amount });
  return { ...opened, tile, dialog: page.locator('dialog[open]'), bought: () => listPurchases(svcd.get), fail, topUp };
}

/** As long as files are: a connection may break off in the middle of one. */
const longLottie = (preset: string): string => tinyLottie(preset) + ' '.repeat(2000);

/** The first act by the keys: what asks, once it may be answered. */
export async function askToBuy(shop: Shop, title: string): Promise<Locator> {
  await shop.tile(title).focus();
  await shop.page.keyboard.press('Enter');
  return readyToBuy(shop);
}

/** Both acts by the keys. */
export async function buyByKeys(shop: Shop, title: string): Promise<void> {
  await askToBuy(shop, title);
  await shop.page.keyboard.press('Enter');
}

/** The dialog's button that buys, once it may be pressed. */
export async function readyToBuy({ dialog, page }: Pick<Shop, 'dialog' | 'page'>): Promise<Locator> {
  const button = dialog.locator('.main[aria-disabled="false"]');
  await button.waitFor();
  // A press so soon was meant for what was there before (panels/confirm-press.ts).
  await page.waitForTimeout(400);
  return button;
}
