// The files of stickers that are here for good and may be taken somewhere: owned, the user's own, shipped. Nothing here buys
// or asks the remote; the sandbox's art is no such file.

import { assetOf, LOTTIE_TYPE, type Delivery } from '../../model/asset.js';
import { SvcdError } from '../../model/errors.js';
import { isOwnName } from '../../model/sticker.js';
import { plainName } from '../../video/lock/name-files.js';
import { itemOf } from '../../purchases/item.js';
import type { Rooms } from '../rooms.js';

export interface OwnedFiles {
  /** Undefined for what is not here. */
  read(preset: string): Promise<Delivery | undefined>;
  /** Whether it is here, without reading it. */
  has(preset: string): boolean;
  /** A name for people; `nth` of those that would be the same. */
  nameOf(preset: string, nth?: number): string;
}

export function createOwnedFiles({ own, owned, defaults, library }: Rooms): OwnedFiles {
  const isOwn = (preset: string) => isOwnName(preset) && own.has(preset);
  return {
    has: (preset) => isOwn(preset) || owned.has(itemOf(preset)) || defaults.findSticker(preset) !== undefined,
    read: async (preset) => {
      const asset = isOwn(preset) ? await own.read(preset) : await owned.find(itemOf(preset));
      if (asset !== undefined) return { source: 'owned', cost: 0, ...asset };
      const packed = defaults.findSticker(preset);
      if (packed === undefined) return undefined;
      return { source: 'library', cost: 0, ...assetOf(await defaults.readSticker(packed), LOTTIE_TYPE) };
    },
    nameOf: (preset, nth) => plainName(library.findSticker(preset)?.title ?? '', preset, nth),
  };
}

/** The error of what was to be taken and is not here. */
export function notOwned(presets: readonly string[]): SvcdError {
  const [first = ''] = presets;
  const others = presets.length > 1 ? ` and ${presets.length - 1} more are` : ' is';
  return new SvcdError('not_owned', `${JSON.stringify(first)}${others} not owned`, {
    hint: `"svcd get ${first}" buys it.`,
  });
}
