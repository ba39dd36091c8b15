// One sticker as the page shows it opened: its tile, its file as far as it may be looked at, and what is like it.

import type { TileDetails } from '../../api/tile.js';
import type { RelatedHits } from '../../library/found-stickers.js';
import type { Library } from '../../library/library.js';
import { UNKNOWN_LICENCE } from '../../model/credit.js';
import { isSvcdError, SvcdError } from '../../model/errors.js';
import type { Sticker } from '../../model/sticker.js';
import { itemOf } from '../../purchases/item.js';
import type { OwnStickers } from '../../purchases/own-stickers.js';
import type { OwnedStore } from '../../purchases/owned-store.js';
import type { MakeTiles } from './make-tiles.js';
import { namelessSticker } from '../search/nameless-stickers.js';
import type { OwnedPresets } from '../owned/owned-presets.js';
import type { Art } from './shown-art.js';
import type { ShowSticker } from './show-sticker.js';

export interface TileDetailSources {
  readonly library: Pick<Library, 'findSticker' | 'findRelated'>;
  readonly own: Pick<OwnStickers, 'list'>;
  readonly owned: Pick<OwnedStore, 'describe'>;
  readonly ownedPresets: OwnedPresets;
  readonly art: Pick<Art, 'untilReady'>;
  readonly showSticker: ShowSticker;
}

/** Throws `unknown_preset` for what the library does not know. */
export type ShowTile = (preset: string, withCollections: boolean) => Promise<TileDetails>;

/** As many as a person looks at. */
const SAME_MAX = 24;
const RELATED_MAX = 12;

export function createShowTile(sources: TileDetailSources, makeTiles: MakeTiles): ShowTile {
  const { library, art } = sources;
  return async (preset, withCollections) => {
    await art.untilReady();
    const sticker =
      library.findSticker(preset) ?? (sources.ownedPresets().has(preset) ? namelessSticker(preset) : undefined);
    if (sticker === undefined) {
      throw new SvcdError('unknown_preset', `the library knows no sticker ${JSON.stringify(preset)}`, {
        hint: 'Search for it: "svcd search WORDS" lists presets.',
      });
    }
    const [tile] = makeTiles([{ sticker, shipped: false }], withCollections);
    if (tile === undefined) throw new Error('no tile was made of a sticker');
    // The same thing in other styles comes first.
    const same = related(library, preset, 0, Math.min(tile.variants, SAME_MAX));
    const others = related(library, preset, tile.variants, RELATED_MAX).filter(({ sameConcept }) => !sameConcept);
    return {
      ...tile,
      licence: sticker.licence ?? UNKNOWN_LICENCE,
      attribution: sticker.attribution ?? null,
      file: tile.picture === null ? null : await fileOf(sources, sticker),
      same: makeTiles(same, withCollections),
      related: makeTiles(others, withCollections),
    };
  };
}

function related(library: Pick<Library, 'findRelated'>, preset: string, offset: number, limit: number) {
  const hits: RelatedHits['hits'] = limit === 0 ? [] : (library.findRelated(preset, { offset, limit })?.hits ?? []);
  return hits;
}

async function fileOf(
  { own, owned, showSticker }: TileDetailSources,
  { preset, fps: told }: Sticker,
): Promise<TileDetails['file']> {
  const fps = told ?? null;
  const mine = own.list().find(({ sticker }) => sticker.preset === preset);
  if (mine !== undefined) return { bytes: mine.sizeBytes, sha256: mine.sha256, fps };
  const described = owned.describe(itemOf(preset));
  if (described !== undefined) return { bytes: described.size, sha256: described.sha256, fps };
  try {
    const { bytes, sha256 } = await showSticker(preset);
    return { bytes: bytes.byteLength, sha256, fps };
  } catch (error) {
    // Of a sandbox with other art than that on this disk, and of a file that has just been found damaged.
    if (isSvcdError(error, 'not_owned') || isSvcdError(error, 'damaged')) return null;
    throw error;
  }
}
