// Pictures of stickers that are here: one frame, or a sheet of many with numbers. What is not owned is a card; nothing is bought.

import type { RenderQuery, SheetQuery } from '../../api/library.js';
import type { Asset } from '../../model/asset.js';
import { isSvcdError } from '../../model/errors.js';
import type { Draw } from '../../picture/draw.js';
import { drawSheet, type Tile } from '../../picture/sheet.js';
import { writePng } from '../../picture/write-png.js';
import type { Rooms } from '../rooms.js';
import type { ShowFacts } from './show-facts.js';

/** Where frames are taken of one that moves: where most of them show their picture, and four through it. */
const FRAMES = { 1: [0.5], 4: [0, 0.33, 0.66, 1] } as const;
/** The widest a sheet may be. */
const SHEET_MAX_PX = 2048;

export function createDrawPictures({ library, reader, draw }: Rooms, { require, find }: ShowFacts) {
  const drawFrame = async (asset: Asset, size: number, at: number): ReturnType<Draw> => {
    const { bytes } = await reader.safeFormOf(asset);
    return draw({ bytes: Uint8Array.from(bytes), width: size, height: size, at });
  };
  return {
    /** Throws `not_owned` and `not_drawable`. */
    showRender: async (preset: string, { size, at }: RenderQuery): Promise<Buffer> => {
      const { pixels } = await drawFrame(await require(preset), size, at);
      return writePng(size, size, (y) => pixels.subarray(y * size * 4, (y + 1) * size * 4), 4);
    },
    /** Tiles in the order of the presets. */
    showSheet: async ({ preset: presets, frames, tile }: SheetQuery): Promise<Buffer> => {
      const tiles: Tile[] = [];
      for (const preset of presets) {
        const asset = await find(preset);
        const { color, aspect } = library.findSticker(preset) ?? {};
        for (const at of FRAMES[frames]) {
          const drawn = asset && (await drawFrame(asset, tile, at).catch(unlessNotDrawable));
          tiles.push(drawn ?? { color, aspect });
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
