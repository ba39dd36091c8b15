// svcd get --color: what has to be known of stickers whose colors are to turn, before anything is paid.

import type { TileDetails } from '../../api/tile.js';
import { recolorBytes, requireChangeable, type Coloring } from '../../lottie/recolor.js';
import { readWish, type ColorWish } from '../../model/color-wish.js';
import { isSvcdError } from '../../model/errors.js';
import type { Client } from '../connection/client.js';
import { invalidArgument, type Input } from '../terminal/input.js';
import { getWords } from './words.js';

/** Throws `invalid_argument` for what says no colors. */
export function readColor(input: Input): ColorWish | undefined {
  const typed = input.text('color');
  const wish = typed === undefined ? undefined : readWish(typed);
  if (typed !== undefined && wish === undefined)
    throw invalidArgument(getWords().badColor(typed), getWords().goodColor);
  return wish;
}

/** By preset; none where there is no wish. Throws `invalid_request` where a licence forbids changed copies. */
export async function colorings(
  client: Client,
  presets: readonly string[],
  wish: ColorWish | undefined,
): Promise<ReadonlyMap<string, Coloring>> {
  const found = new Map<string, Coloring>();
  for (const preset of wish === undefined ? [] : presets) {
    const tile = await client
      .ask<TileDetails>('GET', `/svcd/tiles/${encodeURIComponent(preset)}`)
      .catch((error: unknown) => {
        // The service may know what the library does not.
        if (isSvcdError(error, 'unknown_preset')) return undefined;
        throw error;
      });
    const coloring = { wish: wish!, preset, licence: tile?.licence, color: tile?.color };
    requireChangeable(coloring);
    found.set(preset, coloring);
  }
  return found;
}

/** The file in other colors, by when it is owned; a default (`source`) keeps its own. */
export function colored(bytes: Uint8Array, coloring: Coloring | undefined, source: string | undefined): Uint8Array {
  if (coloring === undefined || source === 'default') return bytes;
  try {
    return recolorBytes(bytes, coloring);
  } catch (error) {
    if (!isSvcdError(error)) throw error;
    throw error.with({ hint: [error.hint ?? [], getWords().nowOwned].flat().join('\n') });
  }
}
