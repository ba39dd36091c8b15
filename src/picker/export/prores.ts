// Writes frames of ProRes 4444 with 16 bits of alpha, as SMPTE RDD 36 describes them (neither made nor certified by Apple):
// progressive, BT.709, flat quantization matrices, straight alpha. Section numbers are of RDD 36:2015.

import type { Pixels } from './collector.js';

/** How coarsely it is quantized: 2 is finer than an eye sees, 4 halves the bytes. */
const QUANTIZER = 4;
const MOST_BLOCKS_WIDE = 8;
const HEADER_BYTES = 20;
/** The order of coefficients (figure 4, progressive). */
// prettier-ignore
const SCAN = [
   0,  1,  8,  9,  2,  3, 10, 11, 16, 17, 24, 25, 18, 19, 26, 27,  4,  5, 12, 20, 13,  6,  7, 14, 21, 28, 29, 22, 15, 23, 30, 31,
  32, 33, 40, 48, 41, 34, 35, 42, 49, 56, 57, 50, 43, 36, 37, 44, 51, 58, 59, 52, 45, 38, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63,
];
// Which code a number is written by, from the one before it (tables 9 to 11): bits are Rice order (3), order of the
// exponential Golomb code (3), and at how many bits it goes over from one to the other (2).
const FIRST_DC = 0xb8;
const DC_CODES = [0x04, 0x28, 0x4d, 0x70];
const RUN_CODES = [6, 6, 5, 5, 4, 0x29, 0x29, 0x29, 0x29, 0x28, 0x28, 0x28, 0x28, 0x28, 0x28, 0x4c];
const LEVEL_CODES = [0x04, 0x0a, 0x05, 0x06, 0x04, 0x28, 0x28, 0x28, 0x28, 0x4c];
const [FIRST_RUN, FIRST_LEVEL] = [4, 2];

/** Where blocks of 8 by 8 lie in a macroblock: rows first for luma, columns first for chroma (5.3.1). */
const LUMA_PLACES = [0, 8, 128, 136];
const CHROMA_PLACES = [0, 128, 8, 136];

type Size = Readonly<Record<'width' | 'height', number>>;
/** Luma, blue and red difference. */
type Planes = readonly [Float32Array, Float32Array, Float32Array];

/** Writes one frame after another of the same size. */
export function createProRes(width: number, height: number): (pixels: Pixels) => Uint8Array<ArrayBuffer> {
  const [columns, rows] = [Math.ceil(width / 16), Math.ceil(height / 16)];
  const widths = sliceWidths(columns);
  const slices = widths.length * rows;
  const plane = () => new Float32Array(256 * MOST_BLOCKS_WIDE);
  const planes: Planes = [plane(), plane(), plane()];
  const alpha = new Uint16Array(256 * MOST_BLOCKS_WIDE);
  const levels = new Int16Array(256 * MOST_BLOCKS_WIDE);
  return (pixels) => {
    const out = new BitWriter(width * height * 2 + 65_536);
    // The frame's length and header (5.1.1), then the picture's (5.2.1): what is not known yet is written at the end.
    out.bytes32(0, 0x69637066);
    out.bytes16(HEADER_BYTES, 1);
    out.bytes32(0x73766364);
    out.bytes16(width, height);
    // 4:4:4; no aspect, no rate; primaries, transfer and matrix of BT.709; 16 bits of alpha; the flat matrices.
    out.bytes8(0xc0, 0, 1, 1, 1, 2, 0, 0);
    const picture = out.at;
    out.bytes8(0x40);
    out.bytes32(0);
    out.bytes16(slices);
    out.bytes8(0x30);
    const sizes = out.at;
    for (let slice = 0; slice < slices; slice += 1) out.bytes16(0);
    let slice = 0;
    for (let row = 0; row < rows; row += 1) {
      let column = 0;
      for (const wide of widths) {
        const start = out.at;
        load(pixels, { width, height }, column * 16, row * 16, wide, planes, alpha);
        const header = out.at;
        out.bytes8(0x40, QUANTIZER);
        out.bytes16(0, 0, 0);
        for (let channel = 0; channel < planes.length; channel += 1) {
          const from = out.at;
          quantize(planes[channel]!, wide, channel === 0 ? LUMA_PLACES : CHROMA_PLACES, levels);
          writeBlocks(out, levels, wide * 4);
          out.setBytes16(header + 2 + channel * 2, out.at - from);
        }
        writeAlpha(out, alpha, wide * 256);
        out.setBytes16(sizes + slice * 2, out.at - start);
        slice += 1;
        column += wide;
      }
    }
    out.setBytes32(0, out.at);
    out.setBytes32(picture + 1, out.at - picture);
    return out.finish();
  };
}

/** A row of macroblocks is cut into slices of 8, and what is left into halves of that (5.3). */
function sliceWidths(columns: number): number[] {
  const widths: number[] = [];
  for (let left = columns, wide = MOST_BLOCKS_WIDE; left > 0;) {
    if (wide > left) wide /= 2;
    else {
      widths.push(wide);
      left -= wide;
    }
  }
  return widths;
}

/**
 * Takes a slice's pixels as levels of 10 bits, macroblock after macroblock, and its alpha line by line. What shows nothing
 * takes the mean color of its block, so that no edge rings into what is seen.
 */
function load(
  pixels: Pixels,
  { width, height }: Size,
  left: number,
  top: number,
  wide: number,
  [luma, blue, red]: Planes,
  alpha: Uint16Array,
): void {
  for (let block = 0; block < wide * 4; block += 1) {
    const x0 = (block >> 2) * 16 + (block & 1) * 8;
    const y0 = (block & 2) * 4;
    const place = (block >> 2) * 256 + y0 * 16 + (block & 1) * 8;
    let seen = 0;
    let sumY = 0;
    let sumB = 0;
    let sumR = 0;
    for (let index = 0; index < 64; index += 1) {
      const x = left + x0 + (index & 7);
      const y = top + y0 + (index >> 3);
      const at = (y * width + x) * 4;
      const a = x < width && y < height ? pixels[at + 3]! : 0;
      alpha[(y0 + (index >> 3)) * wide * 16 + x0 + (index & 7)] = a * 257;
      if (a === 0) continue;
      const to = place + (index >> 3) * 16 + (index & 7);
      const r = pixels[at]! / 255;
      const b = pixels[at + 2]! / 255;
      const y709 = 0.2126 * r + (0.7152 / 255) * pixels[at + 1]! + 0.0722 * b;
      seen += 1;
      sumY += luma[to] = 64 + 876 * y709;
      sumB += blue[to] = 512 + (896 / 1.8556) * (b - y709);
      sumR += red[to] = 512 + (896 / 1.5748) * (r - y709);
    }
    if (seen === 64) continue;
    const meanY = seen === 0 ? 64 : sumY / seen;
    const meanB = seen === 0 ? 512 : sumB / seen;
    const meanR = seen === 0 ? 512 : sumR / seen;
    for (let index = 0; index < 64; index += 1) {
      if (alpha[(y0 + (index >> 3)) * wide * 16 + x0 + (index & 7)] !== 0) continue;
      const to = place + (index >> 3) * 16 + (index & 7);
      luma[to] = meanY;
      blue[to] = meanB;
      red[to] = meanR;
    }
  }
}

/** What the fast cosine transform below leaves to divide by, of each coefficient, with the quantizer. */
const AAN = [1, 1.387039845, 1.306562965, 1.175875602, 1, 0.785694958, 0.5411961, 0.275899379];
const SCALES = Float32Array.from({ length: 64 }, (_, at) => 1 / (8 * AAN[at >> 3]! * AAN[at & 7]! * QUANTIZER));
const block = new Float32Array(64);

/** The quantized coefficients of all blocks of a slice, block after block. */
function quantize(plane: Float32Array, wide: number, places: readonly number[], levels: Int16Array): void {
  let to = 0;
  for (let macro = 0; macro < wide; macro += 1) {
    for (const place of places) {
      const from = macro * 256 + place;
      const first = plane[from]!;
      let isFlat = true;
      for (let at = 0; at < 64; at += 1) {
        const value = plane[from + (at >> 3) * 16 + (at & 7)]!;
        if (value !== first) isFlat = false;
        block[at] = value - 512;
      }
      if (isFlat) {
        levels.fill(0, to, to + 64);
        levels[to] = Math.round((8 * (first - 512)) / QUANTIZER);
      } else {
        for (let line = 0; line < 64; line += 8) transform(block, line, 1);
        for (let line = 0; line < 8; line += 1) transform(block, line, 8);
        for (let at = 0; at < 64; at += 1) levels[to + at] = Math.round(block[at]! * SCALES[at]!);
      }
      to += 64;
    }
  }
}

/** A cosine transform of 8 values in place (Arai, Agui and Nakajima 1988), each scaled by a factor of its own. */
function transform(v: Float32Array, at: number, step: number): void {
  const i2 = at + 2 * step;
  const i4 = at + 4 * step;
  const i6 = at + 6 * step;
  const s07 = v[at]! + v[i6 + step]!;
  const d07 = v[at]! - v[i6 + step]!;
  const s16 = v[at + step]! + v[i6]!;
  const d16 = v[at + step]! - v[i6]!;
  const s25 = v[i2]! + v[i4 + step]!;
  const d25 = v[i2]! - v[i4 + step]!;
  const s34 = v[i2 + step]! + v[i4]!;
  const d34 = v[i2 + step]! - v[i4]!;
  const even = s07 - s34;
  const z1 = (s16 - s25 + even) * 0.707106781;
  v[at] = s07 + s34 + s16 + s25;
  v[i4] = s07 + s34 - s16 - s25;
  v[i2] = even + z1;
  v[i6] = even - z1;
  const o0 = d34 + d25;
  const o2 = d16 + d07;
  const z5 = (o0 - o2) * 0.382683433;
  const z2 = 0.5411961 * o0 + z5;
  const z4 = 1.306562965 * o2 + z5;
  const z3 = (d25 + d16) * 0.707106781;
  v[i4 + step] = d07 - z3 + z2;
  v[i2 + step] = d07 - z3 - z2;
  v[at + step] = d07 + z3 + z4;
  v[i6 + step] = d07 + z3 - z4;
}

/** The coefficients of a slice's channel: mean values as differences, then the rest across all blocks (5.3.3, 5.3.4). */
function writeBlocks(out: BitWriter, levels: Int16Array, blocks: number): void {
  let before = levels[0]!;
  out.number(FIRST_DC, folded(before));
  let [code, isDown] = [DC_CODES.length - 1, false];
  for (let at = 64; at < blocks * 64; at += 64) {
    const step = levels[at]! - before;
    const written = folded(isDown ? -step : step);
    out.number(DC_CODES[code]!, written);
    code = Math.min(DC_CODES.length - 1, (written + (written & 1)) >> 1);
    isDown = step < 0;
    before = levels[at]!;
  }
  let [lastRun, lastLevel, run] = [FIRST_RUN, FIRST_LEVEL, 0];
  for (let index = 1; index < 64; index += 1) {
    for (let at = SCAN[index]!; at < blocks * 64; at += 64) {
      const level = levels[at]!;
      if (level === 0) {
        run += 1;
        continue;
      }
      const size = Math.abs(level);
      out.number(RUN_CODES[lastRun]!, run);
      out.number(LEVEL_CODES[lastLevel]!, size - 1);
      out.bits(1, level < 0 ? 1 : 0);
      lastRun = Math.min(RUN_CODES.length - 1, run);
      lastLevel = Math.min(LEVEL_CODES.length - 1, size);
      run = 0;
    }
  }
  out.align();
}

/** Positive and negative numbers in turn: 0, -1, 1, -2 … */
const folded = (value: number): number => (value << 1) ^ (value >> 31);

/** Alpha as differences and how often each value repeats (5.3.5). */
function writeAlpha(out: BitWriter, alpha: Uint16Array, count: number): void {
  let [before, run] = [0xffff, 0];
  for (let at = 0; at < count; at += 1) {
    const value = alpha[at]!;
    if (at > 0 && value === before) {
      run += 1;
      continue;
    }
    if (at > 0) writeRun(out, run);
    const step = ((value - before + 0x18000) & 0xffff) - 0x8000;
    if (step === 0 || step < -64 || step > 64) out.bits(17, 0x10000 | (step & 0xffff));
    else out.bits(8, ((Math.abs(step) - 1) << 1) | (step < 0 ? 1 : 0));
    before = value;
    run = 0;
  }
  writeRun(out, run);
  out.align();
}

function writeRun(out: BitWriter, run: number): void {
  if (run === 0) out.bits(1, 1);
  else if (run < 16) out.bits(5, run);
  else out.bits(16, run);
}

/** Bits and big-endian numbers into bytes that grow. */
class BitWriter {
  at = 0;
  private data: Uint8Array<ArrayBuffer>;
  private held = 0;
  private count = 0;

  constructor(bytes: number) {
    this.data = new Uint8Array(bytes);
  }

  bytes8(...values: readonly number[]): void {
    for (const value of values) this.byte(value);
  }

  bytes16(...values: readonly number[]): void {
    for (const value of values) this.bytes8(value >>> 8, value);
  }

  bytes32(...values: readonly number[]): void {
    for (const value of values) this.bytes16(value >>> 16, value & 0xffff);
  }

  setBytes16(at: number, value: number): void {
    this.data[at] = value >>> 8;
    this.data[at + 1] = value;
  }

  setBytes32(at: number, value: number): void {
    this.setBytes16(at, value >>> 16);
    this.setBytes16(at + 2, value & 0xffff);
  }

  /** At most 24 bits. */
  bits(length: number, value: number): void {
    this.held = (this.held << length) | value;
    this.count += length;
    while (this.count >= 8) {
      this.count -= 8;
      this.byte(this.held >>> this.count);
    }
    this.held &= (1 << this.count) - 1;
  }

  /** A number by one of the codes above: short ones by a Rice code, long ones by an exponential Golomb code (5.3.2). */
  number(code: number, value: number): void {
    const [rice, golomb, over] = [code >> 5, (code >> 2) & 7, (code & 3) + 1];
    const long = over << rice;
    if (value < long) {
      this.bits((value >> rice) + 1, 1);
      if (rice > 0) this.bits(rice, value & ((1 << rice) - 1));
      return;
    }
    const shifted = value - long + (1 << golomb);
    const exponent = 31 - Math.clz32(shifted);
    this.bits(exponent - golomb + over, 0);
    this.bits(exponent + 1, shifted);
  }

  align(): void {
    if (this.count > 0) this.bits(8 - this.count, 0);
  }

  finish(): Uint8Array<ArrayBuffer> {
    return this.data.slice(0, this.at);
  }

  private byte(value: number): void {
    if (this.at === this.data.length) {
      const larger = new Uint8Array(this.data.length * 2);
      larger.set(this.data);
      this.data = larger;
    }
    this.data[this.at++] = value;
  }
}
