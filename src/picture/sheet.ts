// A sheet: pictures beside each other on a light ground, each with its number, and cards in place of what nobody may see yet.

import { writePng } from './write-png.js';
import type { Frame } from './draw.js';

/** A picture, or a card of this color (`#rrggbb`) and shape for what is not there. */
export type Tile = Pick<Frame, 'pixels'> | { readonly color: string | undefined; readonly aspect: number | undefined };

const GAP = 8;
const LABEL = 18;
const GROUND = 0xf4;
const INK = 0x22;
/** Three by five, a row a digit of the base 8. */
const DIGITS = ['75557', '26227', '71747', '71717', '55711', '74717', '74757', '71111', '75757', '75717'];
const SCALE = 2;

/** The PNG of the tiles in rows of `columns`, `frames` of each number. */
export async function drawSheet(
  tiles: readonly Tile[],
  tile: number,
  columns: number,
  frames: number,
): Promise<Buffer> {
  const [cellWidth, cellHeight] = [tile + GAP, tile + GAP + LABEL];
  const width = columns * cellWidth + GAP;
  const height = Math.ceil(tiles.length / columns) * cellHeight + GAP;
  const sheet = Buffer.alloc(width * height * 3, GROUND);
  const paint = (x: number, y: number, [r, g, b]: readonly number[], alpha: number) => {
    const at = (y * width + x) * 3;
    for (const [i, value] of [r, g, b].entries()) {
      sheet[at + i] = Math.round(((value ?? 0) * alpha + (sheet[at + i] ?? 0) * (255 - alpha)) / 255);
    }
  };
  for (const [nth, one] of tiles.entries()) {
    const left = GAP + (nth % columns) * cellWidth;
    const top = GAP + Math.floor(nth / columns) * cellHeight;
    if (nth % frames === 0) writeNumber(nth / frames + 1, (x, y) => paint(left + x, top + y, [INK, INK, INK], 255));
    for (let y = 0; y < tile; y++) {
      for (let x = 0; x < tile; x++) {
        const [color, alpha] =
          'pixels' in one ? pixelOf(one.pixels, (y * tile + x) * 4) : cardAt(one, x / tile, y / tile);
        if (alpha > 0) paint(left + x, top + LABEL + y, color, alpha);
      }
    }
  }
  return writePng(width, height, (y) => sheet.subarray(y * width * 3, (y + 1) * width * 3));
}

function pixelOf(pixels: Uint8Array, at: number): [number[], number] {
  return [[pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0], pixels[at + 3] ?? 0];
}

/** A card in its color and shape, struck through. */
function cardAt(
  { color = '#999999', aspect = 1 }: Extract<Tile, { aspect: unknown }>,
  x: number,
  y: number,
): [number[], number] {
  const [halfWidth, halfHeight] = aspect > 1 ? [0.45, 0.45 / aspect] : [0.45 * aspect, 0.45];
  const [dx, dy] = [(x - 0.5) / halfWidth, (y - 0.5) / halfHeight];
  if (Math.abs(dx) > 1 || Math.abs(dy) > 1) return [[], 0];
  const isLine = Math.abs(dx - dy) < 0.06 || Math.max(Math.abs(dx), Math.abs(dy)) > 0.95;
  const value = Number.parseInt(color.slice(1), 16);
  return isLine ? [[INK, INK, INK], 255] : [[value >> 16, (value >> 8) & 255, value & 255], 90];
}

function writeNumber(number: number, dot: (x: number, y: number) => void): void {
  for (const [place, digit] of Array.from(String(number), Number).entries()) {
    for (let y = 0; y < 5 * SCALE; y++) {
      for (let x = 0; x < 3 * SCALE; x++) {
        const row = Number(DIGITS[digit]?.[Math.floor(y / SCALE)]);
        if ((row >> (2 - Math.floor(x / SCALE))) & 1) dot(place * 4 * SCALE + x, y + 3);
      }
    }
  }
}
