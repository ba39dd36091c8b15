// A tile: a sticker of the library with what only svcd knows of it. Made for a page at a time, so that what all of it needs is
// looked up once.

import { NO_SKETCH } from '../../api/page-terms.js';
import type { Tile, TileReason } from '../../api/tile.js';
import { STICKER_PRICE } from '../../contract/limits.js';
import type { DefaultPack } from '../../defaults/default-pack.js';
import type { FoundSticker } from '../../library/found-stickers.js';
import type { Library } from '../../library/library.js';
import { isOwnName } from '../../model/sticker.js';
import { itemOf } from '../../purchases/item.js';
import type { Journal } from '../../purchases/journal.js';
import type { OwnedStore } from '../../purchases/owned-store.js';
import type { OwnedPresets } from '../owned/owned-presets.js';
import type { Art } from './shown-art.js';

/** The lists of presets that the user keeps. */
export interface CollectionsOfTiles {
  /** The names of those that hold a preset. */
  collectionsOf(preset: string): readonly string[];
  /** In its order, as one array until it changes; undefined for a name that is none. */
  presetsIn(collection: string): readonly string[] | undefined;
}

export interface TileSources {
  readonly library: Pick<Library, 'countVariants' | 'isGone' | 'revision'>;
  readonly ownedPresets: OwnedPresets;
  readonly owned: Pick<OwnedStore, 'listDamaged'>;
  readonly journal: Pick<Journal, 'listOpen'>;
  readonly defaults: Pick<DefaultPack, 'findSticker'>;
  readonly art: Pick<Art, 'sketchOf' | 'untilReady'>;
  readonly collections: CollectionsOfTiles;
  /** Whether the remote is the embedded sandbox, whose art lies on this disk. */
  readonly isSandbox: boolean;
}

export type TileHit = FoundSticker & { readonly because?: readonly TileReason[] };

/** Makes tiles, with the user's collections or without. */
export type MakeTiles = (hits: readonly TileHit[], withCollections: boolean) => Tile[];

export function createMakeTiles(sources: TileSources): MakeTiles {
  const { library, owned, journal, art, collections } = sources;
  return (hits, withCollections) => {
    const presets = sources.ownedPresets();
    const open = new Map(journal.listOpen().map(({ item, state }) => [item, state]));
    const damaged = new Set(owned.listDamaged());
    const plain = new Set(collections.presetsIn(NO_SKETCH));
    const variants = library.countVariants(hits);
    const purchaseOf = (preset: string): Tile['purchase'] => {
      const state = open.get(itemOf(preset));
      if (state === 'unknown' && !presets.has(preset)) return 'unknown';
      if (state !== undefined && state !== 'unknown') return 'under_way';
      if (damaged.has(preset)) return 'damaged';
      return library.isGone(preset) ? 'gone' : null;
    };
    return hits.map(({ sticker, because = [] }, i) => {
      const { preset, title, keywords, aspect, duration, color } = sticker;
      const purchase = purchaseOf(preset);
      // Of a damaged file nothing is to be seen, whatever else has one: it was paid for, and that must not go unsaid.
      const picture = purchase === 'damaged' ? null : pictureOf(sources, preset, presets);
      const isSeen = picture !== null && picture !== 'sandbox';
      return {
        preset,
        title,
        keywords,
        aspect: aspect ?? null,
        duration: duration ?? null,
        color: color ?? null,
        price: isSeen ? 0 : STICKER_PRICE,
        picture,
        purchase,
        sketch: isSeen || plain.has(preset) ? null : (art.sketchOf(title) ?? null),
        variants: variants[i] ?? 0,
        collections: withCollections ? collections.collectionsOf(preset) : [],
        because,
      };
    });
  };
}

function pictureOf(
  { defaults, isSandbox }: TileSources,
  preset: string,
  presets: ReadonlySet<string>,
): Tile['picture'] {
  if (isOwnName(preset)) return 'own';
  if (presets.has(preset)) return 'owned';
  if (defaults.findSticker(preset) !== undefined) return 'shipped';
  return isSandbox ? 'sandbox' : null;
}
