// Writes PNG, and PNG that moves (PNG 3, "acTL", "fcTL", "fdAT"), of 8 bits for each of red, green, blue and alpha. Of a
// frame only the rectangle that changed is written.

import type { Collector, Pixels } from './collector.js';

type Bytes = Uint8Array<ArrayBuffer>;

interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);

/** A PNG that stands still. */
export async function encodePng(pixels: Pixels, width: number, height: number): Promise<Bytes[]> {
  const all = { x: 0, y: 0, width, height };
  return [
    SIGNATURE,
    chunk('IHDR', header(width, height)),
    chunk('IDAT', await pack(pixels, width, all)),
    chunk('IEND'),
  ];
}

/** A PNG that moves. A frame that is like the one before makes that one last longer. */
export function createApng(width: number, height: number): Collector {
  const frames: { readonly area: Area; readonly data: Bytes; delayMs: number }[] = [];
  let before: Pixels | undefined;
  let bytes = 0;
  return {
    get bytes() {
      return bytes;
    },
    add: async (pixels, delayMs) => {
      const area = changedArea(before, pixels, width, height);
      before = pixels;
      const last = frames.at(-1);
      if (area === undefined && last !== undefined) {
        last.delayMs += delayMs;
        return;
      }
      const used = area ?? { x: 0, y: 0, width, height };
      const data = await pack(pixels, width, used);
      bytes += data.length;
      frames.push({ area: used, data, delayMs });
    },
    finish: () => {
      const parts = [SIGNATURE, chunk('IHDR', header(width, height)), chunk('acTL', numbers(frames.length, 0))];
      let sequence = 0;
      for (const [index, { area, data, delayMs }] of frames.entries()) {
        parts.push(chunk('fcTL', control(sequence++, area, delayMs)));
        parts.push(index === 0 ? chunk('IDAT', data) : chunk('fdAT', numbers(sequence++), data));
      }
      return [...parts, chunk('IEND')];
    },
  };
}

function header(width: number, height: number): Bytes {
  // 8 bits, red green blue alpha, deflate, filters, not interlaced.
  return join(numbers(width, height), Uint8Array.of(8, 6, 0, 0, 0));
}

/** Of a frame: it is kept for the next one to be drawn over, and takes the place of what was there. */
function control(sequence: number, { x, y, width, height }: Area, delayMs: number): Bytes {
  const ms = Math.min(0xffff, Math.round(delayMs));
  return join(
    numbers(sequence, width, height, x, y),
    Uint8Array.of(ms >>> 8, ms & 0xff, 1000 >>> 8, 1000 & 0xff),
    Uint8Array.of(0, 0),
  );
}

/** Numbers of 32 bits, big end first. */
export function numbers(...values: readonly number[]): Bytes {
  const bytes = new Uint8Array(values.length * 4);
  const view = new DataView(bytes.buffer);
  for (const [index, value] of values.entries()) view.setUint32(index * 4, value);
  return bytes;
}

function chunk(type: string, ...data: readonly Uint8Array[]): Bytes {
  const name = new TextEncoder().encode(type);
  const length = data.reduce((sum, one) => sum + one.length, 0);
  return join(numbers(length), name, ...data, numbers(crc32(name, ...data)));
}

/** One after another. */
export function join(...parts: readonly Uint8Array[]): Bytes {
  const all = new Uint8Array(parts.reduce((sum, one) => sum + one.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** The smallest rectangle outside of which nothing changed; undefined where nothing did. */
function changedArea(before: Pixels | undefined, now: Pixels, width: number, height: number): Area | undefined {
  if (before === undefined) return { x: 0, y: 0, width, height };
  const [old, fresh] = [new Uint32Array(before.buffer), new Uint32Array(now.buffer)];
  let [left, right, top, bottom] = [width, -1, height, -1];
  for (let y = 0, i = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1, i += 1) {
      if (old[i] === fresh[i]) continue;
      if (x < left) left = x;
      if (x > right) right = x;
      if (y < top) top = y;
      bottom = y;
    }
  }
  return bottom === -1 ? undefined : { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
}

/** The pixels of an area as PNG compresses them. Each line is filtered by what leaves the smallest numbers: none, left or above. */
async function pack(pixels: Pixels, width: number, area: Area): Promise<Bytes> {
  const line = area.width * 4;
  const filtered = new Uint8Array((line + 1) * area.height);
  const tried = [new Uint8Array(line), new Uint8Array(line), new Uint8Array(line)];
  for (let row = 0; row < area.height; row += 1) {
    const from = ((area.y + row) * width + area.x) * 4;
    const sums = [0, 0, 0];
    for (let i = 0; i < line; i += 1) {
      const value = pixels[from + i] ?? 0;
      const left = i < 4 ? 0 : (pixels[from + i - 4] ?? 0);
      const above = row === 0 ? 0 : (pixels[from + i - width * 4] ?? 0);
      note(tried, sums, i, 0, value);
      note(tried, sums, i, 1, (value - left) & 0xff);
      note(tried, sums, i, 2, (value - above) & 0xff);
    }
    const best = sums.indexOf(Math.min(...sums));
    filtered[row * (line + 1)] = best;
    filtered.set(tried[best] ?? [], row * (line + 1) + 1);
  }
  const packed = new Blob([filtered]).stream().pipeThrough(new CompressionStream('deflate'));
  return new Uint8Array(await new Response(packed).arrayBuffer());
}

/** Small steps down count as small as small steps up. */
function note(tried: readonly Uint8Array[], sums: number[], at: number, filter: number, value: number): void {
  const line = tried[filter];
  if (line !== undefined) line[at] = value;
  sums[filter] = (sums[filter] ?? 0) + (value < 128 ? value : 256 - value);
}

// The checksum of PNG: CRC-32 of ISO 3309.
const TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value;
});

function crc32(...parts: readonly Uint8Array[]): number {
  let sum = 0xffffffff;
  for (const part of parts) {
    for (const byte of part) sum = (TABLE[(sum ^ byte) & 0xff] ?? 0) ^ (sum >>> 8);
  }
  return (sum ^ 0xffffffff) >>> 0;
}
