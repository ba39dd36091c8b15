// What an image of the sandbox looks like: a gradient in bands, its colours from the prompt. The same prompt
// and size give the same bytes on every machine.

import { createHash } from 'node:crypto';
import { dimensionsOf, type ImageRequest } from '../wire/image-request.js';
import { BYTES_PER_PIXEL, encodePng } from './encode-png.js';

/** Few enough to compute in a millisecond, enough to look smooth. */
const BANDS = 64;

type Colour = readonly [red: number, green: number, blue: number];

/** The PNG of an image request, of the size asked for. */
export async function drawImage({ prompt, size }: ImageRequest): Promise<Buffer> {
  const { width, height } = dimensionsOf(size);
  const [topLeft, topRight, bottomLeft, bottomRight] = coloursOf(prompt);
  const bands = Array.from({ length: BANDS }, (_, band) => {
    const depth = band / (BANDS - 1);
    return gradientRow(width, mix(topLeft, bottomLeft, depth), mix(topRight, bottomRight, depth));
  });
  const last = bands.length - 1;
  return encodePng(width, height, (y) => {
    return bands[Math.min(last, Math.floor((y * BANDS) / height))] ?? new Uint8Array(0);
  });
}

function coloursOf(prompt: string): [Colour, Colour, Colour, Colour] {
  const hash = createHash('sha256').update(prompt, 'utf8').digest();
  const corner = (at: number): Colour => [hash.readUInt8(at), hash.readUInt8(at + 1), hash.readUInt8(at + 2)];
  return [corner(0), corner(3), corner(6), corner(9)];
}

function gradientRow(width: number, from: Colour, to: Colour): Uint8Array {
  const row = new Uint8Array(width * BYTES_PER_PIXEL);
  for (let at = 0; at < row.length; at++) {
    const channel = (at % BYTES_PER_PIXEL) as 0 | 1 | 2;
    const share = Math.floor(at / BYTES_PER_PIXEL) / (width - 1);
    // Stored as a byte, which drops the fraction: the same on every machine, and cheap.
    row[at] = from[channel] + (to[channel] - from[channel]) * share;
  }
  return row;
}

function mix(from: Colour, to: Colour, share: number): Colour {
  const part = (at: 0 | 1 | 2) => Math.round(from[at] + (to[at] - from[at]) * share);
  return [part(0), part(1), part(2)];
}
