// One sticker as the page shows it opened: its tile, its file as far as it may be looked at, and what is like it; and the
// free drawings that are shown where there is no file.

import type { TileDetails } from '../../api/tile.js';
import type { RelatedHits } from '../../library/found-stickers.js';
import type { Library } from '../../library/library.js';
import { requireChangeable } from '../../lottie/recolor.js';
import type { StickerReader } from '../../lottie/read-sticker.js';
import type { ColorWish } from '../../model/color-wish.js';
import { assetOf, LOTTIE_TYPE, type Delivery } from '../../model/asset.js';
import { creditOf, UNKNOWN_LICENCE } from '../../model/credit.js';
import { isSvcdError, SvcdError } from '../../model/errors.js';
import { isOwnName, type Sticker } from '../../model/sticker.js';
import { itemOf } from '../../purchases/item.js';
import type { MakeTiles, TileSources } from './make-tiles.js';
import { namelessSticker } from '../search/nameless-stickers.js';
import type { OwnedFiles } from '../owned/owned-files.js';
import type { Art } from './shown-art.js';

/** Throws `unknown_preset` for what the library does not know. */
export type ShowTile = (preset: string, withCollections: boolean) => Promise<TileDetails>;

/** As many as a person looks at. */
const SAME_MAX = 24;
const RELATED_MAX = 12;

export function createShowTile(sources: TileSources, showSticker: ShowSticker, makeTiles: MakeTiles): ShowTile {
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
    const tilesOf = makeTiles(withCollections);
    const [tile] = tilesOf([{ sticker, shipped: false }]);
    if (tile === undefined) throw new Error('no tile was made of a sticker');
    // The same thing in other styles comes first.
    const same = related(library, preset, 0, Math.min(tile.variants, SAME_MAX));
    const others = related(library, preset, tile.variants, RELATED_MAX).filter(({ sameConcept }) => !sameConcept);
    return {
      ...tile,
      licence: sticker.licence ?? UNKNOWN_LICENCE,
      attribution: sticker.attribution ?? null,
      file: tile.picture === null ? null : await fileOf(sources, showSticker, sticker),
      same: tilesOf(same),
      related: tilesOf(others),
    };
  };
}

function related(library: Pick<Library, 'findRelated'>, preset: string, offset: number, limit: number) {
  const hits: RelatedHits['hits'] = limit === 0 ? [] : (library.findRelated(preset, { offset, limit })?.hits ?? []);
  return hits;
}

async function fileOf(
  { own, owned }: TileSources,
  showSticker: ShowSticker,
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

/** Throws `not_owned` for what there is nothing to see of, and `damaged` for a file that is here and cannot be read. */
export type ShowSticker = (preset: string, wish?: ColorWish) => Promise<Delivery>;

/** Shows stickers, or copies in other colors. It never buys and never asks the remote, whoever asks. */
export function createShowSticker(
  sources: TileSources,
  ownedFiles: OwnedFiles,
  reader: Pick<StickerReader, 'coloredOf'>,
): ShowSticker {
  const showAsIs = async (preset: string): Promise<Delivery> => {
    const file = await ownedFiles.read(preset);
    if (file !== undefined) return file;
    refuseDamaged(sources, preset);
    const bytes = sources.scope === 'sandbox' ? await sources.art.read(preset) : undefined;
    if (bytes !== undefined) return { source: 'library', cost: 0, ...assetOf(bytes, LOTTIE_TYPE) };
    throw new SvcdError('not_owned', `${JSON.stringify(preset)} is not owned, and the service has no free preview`, {
      hint: `"svcd get ${preset}" buys it.`,
    });
  };
  return async (preset, wish) => {
    if (wish === undefined) return showAsIs(preset);
    const { licence, color } = sources.library.findSticker(preset) ?? {};
    // Whoever may not have a copy is told before buying it.
    requireChangeable({ preset, licence });
    const found = await showAsIs(preset);
    const coloring = { wish, preset, licence: licence ?? found.licence, color };
    return { source: found.source, cost: 0, ...creditOf(found), ...(await reader.coloredOf(found, coloring)) };
  };
}

function refuseDamaged({ own, owned }: TileSources, preset: string): void {
  if (isOwnName(preset) && own.has(preset)) {
    throw new SvcdError('damaged', `the file of ${JSON.stringify(preset)}, a sticker of yours, is damaged`, {
      hint: 'Add it again: "svcd library add FILE".',
    });
  }
  // What is set aside stays known as damaged until it is bought again: a preview in its place would hide the loss.
  if (!owned.listDamaged().includes(preset)) return;
  throw new SvcdError('damaged', `the owned file of ${JSON.stringify(preset)} is damaged`, {
    hint: `It was set aside. "svcd get ${preset}" buys it again.`,
  });
}

/** The Lottie file of a free drawing. Throws `not_found`. */
export type ShowSketch = (id: string) => Promise<Delivery>;

export function createShowSketch(art: Pick<Art, 'readSketch'>): ShowSketch {
  return async (id) => {
    const bytes = await art.readSketch(id);
    if (bytes === undefined) throw new SvcdError('not_found', `there is no free drawing ${JSON.stringify(id)}`);
    return { source: 'library', cost: 0, ...assetOf(bytes, LOTTIE_TYPE) };
  };
}
