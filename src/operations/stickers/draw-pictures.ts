// Pictures of stickers that are here: one frame, or a sheet of many with numbers. What is not owned is a card; nothing is bought.

import type { RenderQuery, SheetQuery } from '../../api/library.js';
import type { Asset } from '../../model/asset.js';
import { isSvcdError, type SvcdError } from '../../model/errors.js';
import type { Draw } from '../../picture/draw.js';
import { drawSheet, type Tile } from '../../picture/sheet.js';
import { writePng } from '../../picture/write-png.js';
import type { Rooms } from '../rooms.js';
import type { ShowFacts } from './show-facts.js';

/** Where frames are taken of one that moves: where most of them show their picture, and four through it. */
const FRAMES = { 1: [0.5], 4: [0, 0.33, 0.66, 1] } as const;
/** So long a sheet is drawn; what is left then is told as what could not be drawn. */
const SHEET_MS = 10_000;
/** So long, and of so many files, it is remembered that they could not be drawn: each costs seconds of the one thread. */
const BROKEN_MS = 10 * 60_000;
const BROKEN_MAX = 256;
/** The widest a sheet may be. */
const SHEET_MAX_PX = 2048;

export function createDrawPictures({ library, reader, draw, clock }: Rooms, { require, find }: ShowFacts) {
  const broken = new Map<string, { readonly until: number; readonly error: SvcdError }>();
  const drawFrame = async (asset: Asset, size: number, at: number): ReturnType<Draw> => {
    const known = broken.get(asset.sha256);
    if (known !== undefined && known.until > clock.monotonic()) throw known.error;
    const { bytes } = await reader.safeFormOf(asset);
    try {
      return await draw({ bytes: Uint8Array.from(bytes), width: size, height: size, at });
    } catch (error) {
      if (isSvcdError(error, 'not_drawable')) {
        if (broken.size >= BROKEN_MAX) broken.clear();
        broken.set(asset.sha256, { until: clock.monotonic() + BROKEN_MS, error });
      }
      throw error;
    }
  };
  return {
    /** Throws `not_owned` and `not_drawable`. */
    showRender: async (preset: string, { size, at }: RenderQuery): Promise<Buffer> => {
      const { pixels } = await drawFrame(await require(preset), size, at);
      return writePng(size, size, (y) => pixels.subarray(y * size * 4, (y + 1) * size * 4), 4);
    },
    /** Tiles in the order of the presets; none more is drawn once the client has gone. */
    showSheet: async ({ preset: presets, frames, tile }: SheetQuery, isGone: () => boolean): Promise<Buffer> => {
      const tiles: Tile[] = [];
      const until = clock.monotonic() + SHEET_MS;
      for (const preset of presets) {
        const asset = await find(preset);
        const { color, aspect } = library.findSticker(preset) ?? {};
        for (const at of FRAMES[frames]) {
          const isTime = clock.monotonic() < until && !isGone();
          const drawn = asset && isTime && (await drawFrame(asset, tile, at).catch(unlessNotDrawable));
          tiles.push(drawn || { color, aspect, isBroken: asset !== undefined });
        }
      }
      const fit = Math.floor(SHEET_MAX_PX / (tile + 8) / frames) * frames;
      const columns = Math.min(tiles.length, fit, frames === 1 ? Math.max(4, Math.ceil(Math.sqrt(tiles.length))) : fit);
      return drawSheet(tiles, tile, columns, frames);
    },
  };
}

function unlessNotDrawable(error: unknown): undefined {
  if (!isSvcdError(error, 'not_drawable')) throw error;
}
