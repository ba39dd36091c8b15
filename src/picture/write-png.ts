// Writing a PNG, and reading one that was written here: the smallest part of the format that every decoder reads: 8-bit RGB or RGBA, no filter, no interlace.

import { setImmediate as turn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { constants, crc32, deflate, inflateSync } from 'node:zlib';

const deflateAsync = promisify(deflate);
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Of RGB and RGBA. */
const COLOR_TYPE = { 3: 2, 4: 6 } as const;
const ROWS_PER_TURN = 128;
/** A picture in a few pieces instead of a hundred. */
const CHUNK_BYTES = 256 * 1024;

/**
 * The PNG file of `height` rows; `rowAt(y)` gives `width` pixels of `depth` bytes, and may give the same array again with
 * other bytes. `isLasting` makes the same bytes wherever it is made, for a file that is known by its digest. The rows are asked for a few at a time, and the compression runs off the event loop.
 */
export async function writePng(
  width: number,
  height: number,
  rowAt: (y: number) => Uint8Array,
  depth: 3 | 4 = 3,
  isLasting = false,
): Promise<Buffer> {
  // One byte before each row names its filter: 0, none, is what the buffer holds already; 1 is the difference to the pixel before.
  const stride = 1 + width * depth;
  const pixels = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y++) {
    const start = y * stride + 1;
    pixels.set(rowAt(y), start);
    if (isLasting) {
      pixels[start - 1] = 1;
      for (let at = start + width * depth - 1; at >= start + depth; at--) pixels[at]! -= pixels[at - depth]!;
    }
    if (y % ROWS_PER_TURN === ROWS_PER_TURN - 1) await turn();
  }
  // Other strategies look for what is alike by ways that differ between processors.
  const strategy = isLasting ? constants.Z_RLE : constants.Z_DEFAULT_STRATEGY;
  const header = Buffer.alloc(8);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', Buffer.from([...header, 8, COLOR_TYPE[depth], 0, 0, 0])),
    chunk('IDAT', await deflateAsync(pixels, { level: 1, chunkSize: CHUNK_BYTES, strategy })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(typed.length + 8);
  framed.writeUInt32BE(data.length, 0);
  typed.copy(framed, 4);
  framed.writeUInt32BE(crc32(typed), typed.length + 4);
  return framed;
}

/** The pixels of an RGB file that `writePng` made. */
export function readPng(png: Uint8Array): {
  width: number;
  height: number;
  pixelAt(this: void, x: number, y: number): Uint8Array;
} {
  const view = Buffer.from(png.buffer, png.byteOffset, png.byteLength);
  const [width, height, length] = [view.readUInt32BE(16), view.readUInt32BE(20), view.readUInt32BE(33)] as const;
  const pixels = inflateSync(view.subarray(41, 41 + length));
  const pixelAt = (x: number, y: number) => pixels.subarray(y * (1 + width * 3) + 1 + x * 3).subarray(0, 3);
  return { width, height, pixelAt };
}
