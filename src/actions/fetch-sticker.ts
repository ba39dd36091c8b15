// A sticker's file: the user's own, owned, shipped, else bought and kept, else a default that fits.

import { assetOf, LOTTIE_TYPE, type Asset, type Delivery } from '../model/asset.js';
import { SvcdError } from '../model/errors.js';
import { isOwnName } from '../model/sticker.js';
import { STICKER_PRICE } from '../contract/limits.js';
import type { DefaultPack } from '../defaults/default-pack.js';
import type { FallbackSticker } from '../defaults/fallback-sticker.js';
import type { PlayerCheck } from '../lottie/player-warnings.js';
import { itemOf, stickerItem } from '../purchases/item.js';
import type { OwnStickers } from '../purchases/own-stickers.js';
import type { OwnedStore } from '../purchases/owned-store.js';
import type { PurchaseCoordinator } from '../purchases/purchase-coordinator.js';
import type { Savings } from '../purchases/savings.js';
import { buyOrFallBack, fallbackReason, type Terms } from './fallback-policy.js';

export interface StickerRequest extends Terms {
  readonly preset: string;
}

export interface StickerSources {
  /** The user's own files. */
  readonly own: Pick<OwnStickers, 'has' | 'read'>;
  readonly owned: Pick<OwnedStore, 'find'>;
  /** The stickers shipped with svcd. */
  readonly defaults: DefaultPack;
  readonly coordinator: PurchaseCoordinator;
  readonly fallbackSticker: FallbackSticker;
  readonly savings: Pick<Savings, 'note'>;
  /** What players trip over in a file that svcd did not make. */
  readonly warningsOf: PlayerCheck;
  /** Whether the library has a sticker. */
  readonly isKnown: (preset: string) => boolean;
  /** Told a preset that the remote does not know, or that it does. */
  readonly noteGone: (preset: string) => void;
  readonly noteThere: (preset: string) => void;
}

export type FetchSticker = (request: StickerRequest) => Promise<Delivery>;

/**
 * Fetches stickers. Throws `unknown_preset`, `invalid_key`, `key_disabled`, and, when no default may stand in, every
 * other error.
 */
export function createFetchSticker(sources: StickerSources): FetchSticker {
  const { owned, defaults, savings, fallbackSticker, warningsOf } = sources;
  return async (request) => {
    const { preset } = request;
    if (isOwnName(preset)) {
      const own = await findOwn(sources, preset);
      if (own !== undefined) return own;
    }
    let asset: Asset | undefined;
    try {
      asset = await owned.find(itemOf(preset));
    } catch (cause) {
      // It may be owned, so it must not be bought.
      const error = new SvcdError('internal', 'owned.db cannot be read', { cause });
      return fallbackSticker(preset, fallbackReason(error, request.fallback));
    }
    if (asset !== undefined) {
      savings.note(STICKER_PRICE);
      // Spread last: an object that begins with a spread is ten times as slow to build, and this is the hot path.
      return { source: 'owned', cost: 0, warnings: warningsOf(asset), ...asset };
    }
    const packed = defaults.findSticker(preset);
    if (packed === undefined) return buy(sources, request);
    return { source: 'library', cost: 0, ...assetOf(await defaults.readSticker(packed), LOTTIE_TYPE) };
  };
}

/** A file of the user's own. A removed one is unknown, unless the remote has a sticker of that name. */
async function findOwn(
  { own, fallbackSticker, isKnown, warningsOf }: StickerSources,
  preset: string,
): Promise<Delivery | undefined> {
  if (own.has(preset)) {
    const asset = await own.read(preset);
    // A damaged file was reported; a render goes on.
    if (asset === undefined) return fallbackSticker(preset, 'upstream_failure');
    return { source: 'owned', cost: 0, warnings: warningsOf(asset), ...asset };
  }
  if (isKnown(preset)) return undefined;
  throw new SvcdError('unknown_preset', `there is no sticker of yours called ${JSON.stringify(preset)}`, {
    hint: '"svcd library list" lists those there are.',
  });
}

async function buy(sources: StickerSources, request: StickerRequest): Promise<Delivery> {
  const { preset } = request;
  const { coordinator, fallbackSticker, noteGone, noteThere, warningsOf } = sources;
  const outcome = await buyOrFallBack(coordinator, stickerItem(preset), request, (error) => {
    if (error.code !== 'not_found') return;
    noteGone(preset);
    throw new SvcdError('unknown_preset', `there is no sticker ${JSON.stringify(preset)}`, {
      cause: error,
      fromRemote: true,
    });
  });
  if (outcome.kind === 'fallback') return fallbackSticker(preset, outcome.reason);
  noteThere(preset);
  const { asset, cost, kept } = outcome;
  return { ...asset, source: 'remote', cost, kept, warnings: warningsOf(asset) };
}
