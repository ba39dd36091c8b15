// A tile: a sticker of the library with what only svcd knows of it. Made for a page at a time, so that what all of it needs is
// looked up once.

import { NO_SKETCH } from '../../api/page-terms.js';
import type { Tile, TileReason } from '../../api/tile.js';
import { STICKER_PRICE } from '../../contract/limits.js';
import { roundFit } from '../../contract/fit.js';
import type { FoundSticker } from '../../library/found-stickers.js';
import { otherTitlesOf } from '../../library/search-index/other-titles.js';
import { isOwnName, styleKindOf } from '../../model/sticker.js';
import { itemOf } from '../../purchases/item.js';
import type { OwnedPresets } from '../owned/owned-files.js';
import type { Rooms } from '../rooms.js';
import type { Art } from './shown-art.js';

/** What tiles are made of. */
export interface TileSources extends Rooms {
  readonly ownedPresets: OwnedPresets;
  readonly art: Art;
}

export type TileHit = FoundSticker & { readonly fit?: number; readonly because?: readonly TileReason[] };

/** Reads what is the same for all tiles, with the user's collections or without; what is given back makes them. */
export type MakeTiles = (withCollections: boolean) => (hits: readonly TileHit[]) => Tile[];

/** Made in a millisecond or two. */
export const TILES_AT_ONCE = 50;

export function createMakeTiles(sources: TileSources): MakeTiles {
  const { library, owned, journal, art, collections } = sources;
  return (withCollections) => {
    const presets = sources.ownedPresets();
    const open = new Map(journal.listOpen().map(({ item, state }) => [item, state]));
    const damaged = new Set(owned.listDamaged());
    const plain = new Set(collections.presetsIn(NO_SKETCH));
    const purchaseOf = (preset: string): Tile['purchase'] => {
      const state = open.get(itemOf(preset));
      if (state === 'unknown' && !presets.has(preset)) return 'unknown';
      if (state !== undefined && state !== 'unknown') return 'under_way';
      if (damaged.has(preset)) return 'damaged';
      return library.isGone(preset) ? 'gone' : null;
    };
    const tileOf = ({ sticker, fit, because = [] }: TileHit, variants: number): Tile => {
      const { preset, title, keywords, aspect, duration, color } = sticker;
      const purchase = purchaseOf(preset);
      // Of a damaged file nothing is to be seen, whatever else has one: it was paid for, and that must not go unsaid.
      const picture = purchase === 'damaged' ? null : pictureOf(sources, preset, presets);
      const isSeen = picture !== null && picture !== 'sandbox';
      return {
        preset,
        title,
        ...otherTitlesOf(sticker),
        keywords,
        aspect: aspect ?? null,
        duration: duration ?? null,
        color: color ?? null,
        ...styleKindOf(preset),
        price: isSeen ? 0 : STICKER_PRICE,
        picture,
        purchase,
        sketch: isSeen || plain.has(preset) ? null : (art.sketchOf(title) ?? null),
        variants,
        collections: withCollections ? collections.collectionsOf(preset) : [],
        because,
        ...(fit !== undefined && { fit: roundFit(fit) }),
      };
    };
    return (hits) => {
      const variants = library.countVariants(hits);
      return hits.map((hit, i) => tileOf(hit, variants[i] ?? 0));
    };
  };
}

function pictureOf({ defaults, scope }: TileSources, preset: string, presets: ReadonlySet<string>): Tile['picture'] {
  if (isOwnName(preset)) return 'own';
  if (presets.has(preset)) return 'owned';
  if (defaults.findSticker(preset) !== undefined) return 'shipped';
  // Its art lies on this disk.
  return scope === 'sandbox' ? 'sandbox' : null;
}
