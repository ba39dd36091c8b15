// The stickers of a list as the page shows them: what may be looked at for nothing, what is owned, and what the rest costs.

import type { Tile, Tiles, TilesRequest } from '../api/tile.js';
import { STICKER_PRICE } from '../contract/limits.js';
import type { DefaultPack } from '../defaults/default-pack.js';
import type { Library } from '../library/library.js';
import { isOwnName, type Sticker } from '../model/sticker.js';
import { filterOf, ruleOf } from './find-stickers.js';
import type { OwnedPresets } from './owned-presets.js';

export interface TileSources {
  readonly library: Pick<Library, 'find' | 'revision'>;
  readonly ownedPresets: OwnedPresets;
  readonly defaults: Pick<DefaultPack, 'findSticker'>;
  /** Whether the remote is the embedded sandbox, whose art lies on this disk. */
  readonly isSandbox: boolean;
}

export type ListTiles = (request: TilesRequest) => Tiles;

/** Lists tiles; contacts nobody. */
export function createListTiles(sources: TileSources): ListTiles {
  const { library, ownedPresets } = sources;
  return (request) => {
    const { q, offset, limit, shipped } = request;
    const presets = ownedPresets();
    const filter = filterOf(request, presets);
    const found = library.find({ query: q, filter, offset, limit, shipped: ruleOf(shipped) });
    const hits = found.hits.slice(0, Math.max(0, found.total - offset));
    return {
      query: q ?? null,
      total: found.total,
      offset,
      revision: `${library.revision}.${presets.size}`,
      dropped: [...found.dropped],
      suggestions: [...found.suggestions],
      tiles: hits.map(({ sticker }) => tileOf(sources, sticker, presets)),
    };
  };
}

function tileOf(sources: TileSources, sticker: Sticker, presets: ReadonlySet<string>): Tile {
  const { preset, title, keywords, aspect, duration, color } = sticker;
  const picture = pictureOf(sources, preset, presets);
  return {
    preset,
    title,
    keywords,
    aspect: aspect ?? null,
    duration: duration ?? null,
    color: color ?? null,
    price: picture === null || picture === 'sandbox' ? STICKER_PRICE : 0,
    picture,
    purchase: null,
    sketch: null,
    variants: 0,
    collections: [],
    because: [],
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
