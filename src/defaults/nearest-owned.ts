// Which owned sticker could stand in for another: the one nearest in words, if it is of a similar shape.

import type { Sticker } from '../model/sticker.js';
import { areAlike, createNearStickers, type Near } from './near-stickers.js';
import type { OwnedStore } from '../purchases/owned-store.js';

export interface NearestOwned {
  /** The nearest owned sticker that shares a word and about the shape; never the wanted one itself. */
  findNearest(wanted: Sticker): Near | undefined;
}

/** Most owned stickers that are looked at: those kept last. */
const LOOKED_AT = 2000;

/**
 * Candidates among what is owned and known to the library. What was bought since is added with each question,
 * so nothing ever has to be told; a sticker that the library comes to know later counts from the next start.
 */
export function createNearestOwned(
  owned: Pick<OwnedStore, 'listStickers'>,
  library: { findSticker(preset: string): Sticker | undefined },
): NearestOwned {
  let near = createNearStickers();
  let lastId = 0;
  const catchUp = () => {
    // Twice as many means that half of them are old: begin again with the new ones.
    if (near.size >= 2 * LOOKED_AT) [near, lastId] = [createNearStickers(), 0];
    for (const { id, preset } of owned.listStickers(lastId, LOOKED_AT)) {
      lastId = Math.max(lastId, id);
      const sticker = library.findSticker(preset);
      if (sticker !== undefined) near.add(sticker);
    }
  };
  return {
    findNearest: (wanted) => {
      catchUp();
      return near.findNearest(
        wanted,
        (sticker) => sticker.preset !== wanted.preset && areAlike(sticker, wanted),
      );
    },
  };
}
