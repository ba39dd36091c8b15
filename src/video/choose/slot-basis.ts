// What was known when a slot got its sticker: all there is, the service's answer about this slot, or only what happened to be
// here. A guess is told as one, so that nobody renders it for a choice.

import type { Basis } from '../../api/lock.js';
import { wantsSticker, type Slot } from '../../api/slot.js';

/** Whether a slot is chosen by its words. */
export function isByWords(slot: Slot): boolean {
  return wantsSticker(slot) && slot.preset === undefined;
}

/** Undefined where the list is complete, and for what is not chosen. */
export function basisOf(slot: Slot, isComplete: boolean, heard: ReadonlySet<Slot>): Basis | undefined {
  if (!wantsSticker(slot)) return undefined;
  if (slot.preset !== undefined) return 'named';
  if (isComplete) return undefined;
  return heard.has(slot) ? 'asked' : 'part';
}
