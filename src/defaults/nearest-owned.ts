// Which owned sticker could stand in for another: the one nearest in words, if it is of a similar shape.

import { aspectOf, type Sticker } from '../model/sticker.js';
import { createNearStickers, type Near } from './near-stickers.js';

/** The owned stickers, by the number of their row. */
export interface OwnedList {
  /** Those kept since the row `afterId`, the latest first. */
  listStickers(afterId: number, limit: number): { id: number; preset: string }[];
}

/** What is known of stickers. */
export interface KnownStickers {
  findSticker(preset: string): Sticker | undefined;
}

/**
 * The nearest owned sticker that has a word of the wanted one and about its shape; never the wanted one itself, and none that
 * is taken.
 */
export type FindNearestOwned = (wanted: Sticker, isTaken: (preset: string) => boolean) => Near | undefined;

/** Most owned stickers that are compared: those kept last. */
const COMPARED = 2000;
const ALIKE_RATIO = 1.25;

/**
 * Candidates among what is owned and known to the library. Stickers bought since are added at each question, so no event
 * is needed; a sticker that the library comes to know later counts from the next start.
 */
export function createNearestOwned(owned: OwnedList, library: KnownStickers): FindNearestOwned {
  let near = createNearStickers();
  let lastId = 0;
  const addNew = () => {
    // Twice as many means that half of them are old: begin again with the new ones.
    if (near.size >= 2 * COMPARED) [near, lastId] = [createNearStickers(), 0];
    for (const { id, preset } of owned.listStickers(lastId, COMPARED)) {
      lastId = Math.max(lastId, id);
      const sticker = library.findSticker(preset);
      if (sticker !== undefined) near.add(sticker);
    }
  };
  return (wanted, isTaken) => {
    addNew();
    const suits = (sticker: Sticker) =>
      sticker.preset !== wanted.preset && areAlike(sticker, wanted) && !isTaken(sticker.preset);
    return near.findNearest(wanted, suits);
  };
}

/** Whether two stickers are of about the same shape; what is not known is no difference. */
function areAlike(a: Sticker, b: Sticker): boolean {
  const [one, other] = [aspectOf(a), aspectOf(b)];
  return one === undefined || other === undefined || Math.max(one / other, other / one) <= ALIKE_RATIO;
}
