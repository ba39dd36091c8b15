// A sheet: pictures beside each other on a light ground, each with its number, and cards in place of what nobody may see yet.

import { ownTurn } from '../platform/steps.js';
import { writePng } from './write-png.js';
import type { Frame } from './draw.js';

/** A picture, or a card of this color (`#rrggbb`) and shape for what is not there, or could not be drawn. */
export type Tile = Pick<Frame, 'pixels'> | Card;

export interface Card {
  readonly color: string | undefined;
  readonly aspect: number | undefined;
  /** Crossed out: it is there, and the engine cannot draw it. */
  readonly isBroken?: boolean;
}

const GAP = 8;
const LABEL = 18;
const GROUND = 0xf4;
const INK = 0x22;
/** Three by five, a row a digit of the base 8. */
const DIGITS = ['75557', '26227', '71747', '71717', '55711', '74717', '74757', '71111', '75757', '75717'];
const SCALE = 2;

/** The PNG of the tiles in rows of `columns`, `frames` of each number; a tile at a time, so that nobody else waits for more. */
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
  for (const [nth, one] of tiles.entries()) {
    const left = GAP + (nth % columns) * cellWidth;
    const top = GAP + Math.floor(nth / columns) * cellHeight;
    if (nth % frames === 0)
      writeNumber(nth / frames + 1, (x, y) =>
        sheet.fill(INK, ((top + y) * width + left + x) * 3, ((top + y) * width + left + x + 1) * 3),
      );
    const pixels = 'pixels' in one ? one.pixels : cardOf(one, tile);
    for (let y = 0; y < tile; y++) {
      let to = ((top + LABEL + y) * width + left) * 3;
      for (let from = y * tile * 4; from < (y + 1) * tile * 4; from += 4, to += 3) {
        const alpha = pixels[from + 3]!;
        if (alpha === 0) continue;
        for (let i = 0; i < 3; i++) sheet[to + i] = (pixels[from + i]! * alpha + sheet[to + i]! * (255 - alpha)) / 255;
      }
    }
    await ownTurn();
  }
  return writePng(width, height, (y) => sheet.subarray(y * width * 3, (y + 1) * width * 3));
}

/** The pixels of a card in its color and shape, struck through. */
function cardOf({ color = '#999999', aspect = 1, isBroken = false }: Card, side: number): Uint8Array {
  const pixels = new Uint8Array(side * side * 4);
  const [halfWidth, halfHeight] = aspect > 1 ? [0.45, 0.45 / aspect] : [0.45 * aspect, 0.45];
  const value = Number.parseInt(color.slice(1), 16);
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      const dx = (x / side - 0.5) / halfWidth;
      const dy = (y / side - 0.5) / halfHeight;
      const edge = Math.max(Math.abs(dx), Math.abs(dy));
      if (edge > 1) continue;
      const isLine = edge > 0.95 || Math.abs(dx - dy) < 0.06 || (isBroken && Math.abs(dx + dy) < 0.06);
      const at = (y * side + x) * 4;
      pixels[at] = isLine ? INK : value >> 16;
      pixels[at + 1] = isLine ? INK : (value >> 8) & 255;
      pixels[at + 2] = isLine ? INK : value & 255;
      pixels[at + 3] = isLine ? 255 : 90;
    }
  }
  return pixels;
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
