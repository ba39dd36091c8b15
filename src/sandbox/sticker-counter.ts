// Selling sticker files: one credit a download, and none for what is not handed over.

import { SvcdError } from '../model/errors.js';
import { STICKER_PRICE } from '../contract/limits.js';
import type { CatalogueLocation } from '../catalogue/catalogue.js';
import type { Key } from './keyring.js';
import type { Purse } from './purse.js';
import type { Shelf } from './shelf.js';

/** Reads the Lottie JSON that lies at a place in the catalogue. */
export type ReadLottie = (at: CatalogueLocation) => Promise<Buffer>;

/** Where sticker files are bought. */
export class StickerCounter {
  readonly #shelf: Shelf;
  readonly #purse: Purse;
  readonly #readLottie: ReadLottie;

  constructor(shelf: Shelf, purse: Purse, readLottie: ReadLottie) {
    this.#shelf = shelf;
    this.#purse = purse;
    this.#readLottie = readLottie;
  }

  /**
   * The file, charged to a Key. Throws `unknown_preset`, `key_limit_exceeded` or `insufficient_credits`, and then
   * nothing is charged.
   */
  async buy(preset: string, key: Key): Promise<Buffer> {
    const entry = this.#shelf.findEntry(preset);
    if (entry === undefined) throw new SvcdError('unknown_preset', 'There is no sticker of this preset.');
    // Before the file is read, so that an empty account costs no work; charge() asks again.
    this.#purse.require(key, STICKER_PRICE);
    const file = await this.#readLottie(entry.at);
    this.#purse.charge(key, { capability: 'stickers.file', subject: preset, credits: STICKER_PRICE });
    return file;
  }
}
