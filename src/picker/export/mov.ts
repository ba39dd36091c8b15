// Writes QuickTime movies of one picture track with transparency: frames of ProRes 4444 or of PNG, each shown equally long.
// Apple, "QuickTime File Format Specification" (2012); names of atoms are those of it.

import { encodePng, join, numbers } from './apng.js';
import type { Collector } from './collector.js';
import { createProRes } from './prores.js';

type Bytes = Uint8Array<ArrayBuffer>;
export type MovCodec = 'prores' | 'png';

const CODECS = {
  prores: { format: 'ap4h', name: 'ProRes 4444' },
  png: { format: 'png ', name: 'PNG' },
} as const;
const MATRIX = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000];
const DPI_72 = 0x480000;
/** Written in place of a time, so that the same frames make the same file. */
const NO_TIME = [0, 0];

/** A movie of `rate` frames a second; those of television (23.976, 29.97, 59.94) are told as fractions of 1001. */
export function createMov(width: number, height: number, codec: MovCodec, rate: number): Collector {
  const prores = codec === 'prores' ? createProRes(width, height) : undefined;
  const parts: Bytes[] = [];
  const sizes: number[] = [];
  let bytes = 0;
  return {
    get bytes() {
      return bytes;
    },
    add: async (pixels) => {
      const frame = prores === undefined ? await encodePng(pixels, width, height) : [prores(pixels)];
      parts.push(...frame);
      const size = frame.reduce((sum, { length }) => sum + length, 0);
      sizes.push(size);
      bytes += size;
    },
    finish: () => {
      const type = atom('ftyp', text('qt  '), numbers(0x20050300), text('qt  '));
      const head = join(numbers(bytes + 8), text('mdat'));
      return [type, head, ...parts, movie(width, height, codec, rate, sizes, type.length + head.length)];
    },
  };
}

/** Units of time a second, and how many of them a frame lasts. */
function timesOf(rate: number): { readonly scale: number; readonly step: number } {
  const isWhole = Number.isInteger(rate);
  return { scale: Math.round(rate) * (isWhole ? 100 : 1000), step: isWhole ? 100 : 1001 };
}

function movie(
  width: number,
  height: number,
  codec: MovCodec,
  rate: number,
  sizes: readonly number[],
  offset: number,
): Bytes {
  const { scale, step } = timesOf(rate);
  const length = sizes.length * step;
  const { format, name } = CODECS[codec];
  const look = [
    atom('colr', text('nclc'), u16(1, 1, 1)),
    atom('fiel', Uint8Array.of(1, 0)),
    atom('pasp', numbers(1, 1)),
  ];
  const described = atom(
    format,
    u16(0, 0, 0, 1, 0, 0),
    text('svcd'),
    numbers(0, 0x200),
    u16(width, height),
    numbers(DPI_72, DPI_72, 0),
    u16(1),
    pascal(name, 32),
    // 32 bits with alpha, and no table of colors.
    u16(32, 0xffff),
    ...look,
  );
  const table = atom(
    'stbl',
    full('stsd', 0, numbers(1), described),
    full('stts', 0, numbers(1, sizes.length, step)),
    full('stsc', 0, numbers(1, 1, sizes.length, 1)),
    full('stsz', 0, numbers(0, sizes.length, ...sizes)),
    full('stco', 0, numbers(1, offset)),
  );
  const data = atom('dinf', full('dref', 0, numbers(1), full('url ', 1)));
  const media = atom(
    'mdia',
    full('mdhd', 0, numbers(...NO_TIME, scale, length, 0)),
    full('hdlr', 0, text('mhlrvide'), numbers(0, 0, 0), pascal('svcd', 5)),
    atom(
      'minf',
      full('vmhd', 1, u16(0, 0, 0, 0)),
      full('hdlr', 0, text('dhlrurl '), numbers(0, 0, 0), pascal('svcd', 5)),
      data,
      table,
    ),
  );
  // Enabled, in the movie, its preview and its poster.
  const shown = numbers(...NO_TIME, 1, 0, length, 0, 0, 0, 0, ...MATRIX, width * 0x10000, height * 0x10000);
  return atom(
    'moov',
    full('mvhd', 0, numbers(...NO_TIME, scale, length, 0x10000, 0x1000000, 0, 0, ...MATRIX, 0, 0, 0, 0, 0, 0, 2)),
    atom('trak', full('tkhd', 15, shown), media),
  );
}

function atom(type: string, ...parts: readonly Uint8Array[]): Bytes {
  return join(numbers(8 + parts.reduce((sum, { length }) => sum + length, 0)), text(type), ...parts);
}

/** An atom with a version, which is 0, and flags. */
const full = (type: string, flags: number, ...parts: readonly Uint8Array[]): Bytes =>
  atom(type, numbers(flags), ...parts);

const text = (value: string): Bytes => new TextEncoder().encode(value);

/** A text behind its length, in so many bytes. */
function pascal(value: string, length: number): Bytes {
  const bytes = new Uint8Array(length);
  bytes[0] = value.length;
  bytes.set(text(value), 1);
  return bytes;
}

function u16(...values: readonly number[]): Bytes {
  const view = new DataView(new ArrayBuffer(values.length * 2));
  for (const [index, value] of values.entries()) view.setUint16(index * 2, value);
  return new Uint8Array(view.buffer);
}
