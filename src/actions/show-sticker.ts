// The file of a sticker for looking at it: owned, the user's own, shipped, or the sandbox's art. It never buys and never
// asks the remote, whoever asks.

import { assetOf, LOTTIE_TYPE, type Delivery } from '../model/asset.js';
import { SvcdError } from '../model/errors.js';
import { isOwnName } from '../model/sticker.js';
import type { DefaultPack } from '../defaults/default-pack.js';
import { itemOf } from '../purchases/item.js';
import type { OwnStickers } from '../purchases/own-stickers.js';
import type { OwnedStore } from '../purchases/owned-store.js';

export interface ShownSources {
  readonly own: Pick<OwnStickers, 'has' | 'read'>;
  readonly owned: Pick<OwnedStore, 'find'>;
  readonly defaults: DefaultPack;
  /** The sandbox's file of a preset; undefined where there is none, or no sandbox. */
  readonly readSandboxArt: (preset: string) => Promise<Buffer | undefined>;
}

/** Throws `not_owned` for what there is nothing to see of. */
export type ShowSticker = (preset: string) => Promise<Delivery>;

export function createShowSticker({ own, owned, defaults, readSandboxArt }: ShownSources): ShowSticker {
  return async (preset) => {
    const asset = isOwnName(preset) && own.has(preset) ? await own.read(preset) : await owned.find(itemOf(preset));
    if (asset !== undefined) return { source: 'owned', cost: 0, ...asset };
    const packed = defaults.findSticker(preset);
    const bytes = packed === undefined ? await readSandboxArt(preset) : await defaults.readSticker(packed);
    if (bytes !== undefined) return { source: 'library', cost: 0, ...assetOf(bytes, LOTTIE_TYPE) };
    throw new SvcdError('not_owned', `${JSON.stringify(preset)} is not owned, and the service has no free preview`, {
      hint: `"svcd get ${preset}" buys it.`,
    });
  };
}
