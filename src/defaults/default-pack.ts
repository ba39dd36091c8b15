// The pack of defaults shipped with svcd: stickers for common scenes, and plain pictures.

import { readFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress, type BrotliOptions } from 'node:zlib';
import type { Sticker } from '../model/sticker.js';

/** A sticker of the pack, with the name of its file. */
export interface PackedSticker extends Sticker {
  /** Name of its drawing, in English. */
  readonly art: string;
  /** Only stands in; the others are in the library of a new home, too. */
  readonly standIn?: true;
  readonly file: string;
}

export type DefaultPack = ReturnType<typeof openDefaultPack>;

const decompress = promisify<Uint8Array, BrotliOptions, Buffer>(brotliDecompress);
const MAX_BYTES = 16 * 1024 * 1024;

/** The preset of the last resort. */
export const PLAIN_PRESET = 'default/plain';

/** Opens the pack in a folder; nothing is read before it is asked for. */
export function openDefaultPack(folder: string) {
  let rows: Map<string, PackedSticker> | undefined;
  const load = () => (rows ??= readRows(join(folder, 'stickers.jsonl')));
  return {
    /** All of the pack, in a fixed order; the plain one is among them. */
    stickers: (): readonly PackedSticker[] => [...load().values()],
    findSticker: (preset: string): PackedSticker | undefined =>
      preset.startsWith('default/') ? load().get(preset) : undefined,
    readSticker: async (sticker: PackedSticker): Promise<Buffer> =>
      decompress(await readFile(join(folder, sticker.file)), { maxOutputLength: MAX_BYTES }),
    /** What the stickers of the pack can stand in for, for `readRelatedWords`. */
    readMeanings: (): string => readFileSync(join(folder, 'meanings-compiled.txt'), 'utf8'),
    /** The PNG of one of the shipped sizes, `<width>x<height>`. */
    readImage: (size: string): Promise<Buffer> => readFile(join(folder, 'images', `${size}.png`)),
  };
}

function readRows(file: string): Map<string, PackedSticker> {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  const rows = lines.map((line) => JSON.parse(line) as PackedSticker);
  return new Map(rows.map((row) => [row.preset, row]));
}
