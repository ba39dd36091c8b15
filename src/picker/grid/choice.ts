// The choice of several stickers: one, a range by its places in the list, or all. A range also covers rows that were never
// drawn: svcd is asked for what stands there.

import type { Tile } from '../../api/tile.js';
import { TILES_ASKED } from './ranges.js';
import { choose, chosen, ranges, say, sayToStay } from '../store.js';
import { frontWords } from '../words/front.js';
import { number } from '../words/words.js';

/** Where the range began, and what was chosen before it. */
let from: { readonly index: number; readonly before: ReadonlyMap<string, Tile> } | undefined;
/** Only the newest range counts: an older answer may come later. */
let newest = 0;

/** Chooses one, or no longer; a range goes from here. */
export function toggle(index: number, tile: Tile): void {
  newest += 1;
  choose([tile], !chosen.value.has(tile.preset));
  from = { index, before: chosen.value };
}

export function endRange(): void {
  from = undefined;
}

/** Chooses from where the range began to this place, and nothing of the range as it was before. */
export async function extendTo(index: number, start: number): Promise<void> {
  from ??= { index: start, before: chosen.value };
  const { index: anchor, before } = from;
  await chooseRange(Math.min(anchor, index), Math.max(anchor, index) + 1, before);
}

/** Chooses the whole list. */
export async function chooseAll(): Promise<void> {
  from = undefined;
  await chooseRange(0, ranges.total, chosen.value);
}

async function chooseRange(first: number, end: number, before: ReadonlyMap<string, Tile>): Promise<void> {
  const mine = (newest += 1);
  const text = frontWords.value;
  if (end - first > TILES_ASKED) say(text.choosing);
  try {
    const tiles = await ranges.between(first, end);
    if (mine !== newest || tiles === undefined) return;
    const next = new Map(before);
    for (const tile of tiles) next.set(tile.preset, tile);
    chosen.value = next;
    if (end - first > TILES_ASKED) say(text.chosenMany(number(next.size)));
  } catch (error) {
    sayToStay(text.failed(error instanceof Error ? error.message : String(error)));
  }
}
