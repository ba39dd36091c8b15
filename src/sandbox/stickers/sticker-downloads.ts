// Selling sticker files: one credit a download, and none for a file that is not handed over.

import type { Catalogue } from '../../catalogue/catalogue.js';
import { SvcdError } from '../../model/errors.js';
import type { Key } from '../key-store.js';
import type { CreditAccount } from '../money/credit-account.js';
import { PRICES } from '../wire/limits.js';
import type { StickerStore } from './sticker-store.js';

export type BuySticker = (preset: string, key: Key) => Promise<Buffer>;

/**
 * Buys the file of a preset with a Key. What it returns throws `unknown_preset`, `key_limit_exceeded` or
 * `insufficient_credits`, and then nothing is charged.
 */
export function sellStickers(
  stickers: StickerStore,
  credits: CreditAccount,
  catalogue: Pick<Catalogue, 'readLottie'>,
): BuySticker {
  return async (preset, key) => {
    const entry = stickers.findEntry(preset);
    if (entry === undefined) throw new SvcdError('unknown_preset', 'There is no sticker of this preset.');
    // Before the file is read, so that an empty account costs no work; charge() asks again.
    credits.require(key, PRICES.sticker);
    const file = await catalogue.readLottie(entry.at);
    credits.charge(key, { capability: 'stickers.file', subject: preset, credits: PRICES.sticker });
    return file;
  };
}
