// Writes a zip whose files are stored as they are (APPNOTE 6.3.10): what goes in is compressed already.

import { crc32 } from './checksum.js';

/** 1980-01-01, the first day a zip can tell: the same content makes the same file. */
const DATE = 0x0021;
/** Names are UTF-8. */
const UTF8 = 0x0800;

export interface Zip {
  add(name: string, parts: readonly Uint8Array<ArrayBuffer>[]): void;
  finish(): Uint8Array<ArrayBuffer>[];
  readonly bytes: number;
}

export function createZip(): Zip {
  const out: Uint8Array<ArrayBuffer>[] = [];
  const directory: Uint8Array<ArrayBuffer>[] = [];
  let offset = 0;
  return {
    get bytes() {
      return offset;
    },
    add: (name, parts) => {
      const path = new TextEncoder().encode(name);
      const size = parts.reduce((sum, one) => sum + one.length, 0);
      // Version needed, flags, stored, time, date, checksum, sizes, length of the name, nothing more.
      const facts = fields([20, 2], [UTF8, 2], [0, 2], [0, 2], [DATE, 2], [crc32(...parts), 4], [size, 4], [size, 4]);
      const lengths = fields([path.length, 2], [0, 2]);
      out.push(fields([0x04034b50, 4]), facts, lengths, path, ...parts);
      directory.push(
        fields([0x02014b50, 4], [20, 2]),
        facts,
        lengths,
        // No comment, first disk, no attributes, place.
        fields([0, 2], [0, 2], [0, 2], [0, 4], [offset, 4]),
        path,
      );
      offset += 30 + path.length + size;
    },
    finish: () => {
      const count = directory.length / 5;
      const length = directory.reduce((sum, one) => sum + one.length, 0);
      const end = fields([0x06054b50, 4], [0, 2], [0, 2], [count, 2], [count, 2], [length, 4], [offset, 4], [0, 2]);
      return [...out, ...directory, end];
    },
  };
}

/** Numbers of 2 or 4 bytes, the smallest byte first. */
function fields(...values: readonly (readonly [value: number, size: 2 | 4])[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(values.reduce((sum, [, size]) => sum + size, 0));
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const [value, size] of values) {
    if (size === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += size;
  }
  return bytes;
}
