// Numbers of a file that is little-endian, as views of its bytes where the machine and the address allow it.

import { endianness } from 'node:os';

/** 16-bit numbers; a copy on a big-endian machine or at an odd address. */
export function uint16View(bytes: Uint8Array): Uint16Array {
  const own = placed(bytes, 2);
  if (endianness() === 'BE') Buffer.from(own.buffer).swap16();
  return new Uint16Array(own.buffer as ArrayBuffer, own.byteOffset, own.byteLength / 2);
}

/** The same of 32 bits. */
export function uint32View(bytes: Uint8Array): Uint32Array {
  const own = placed(bytes, 4);
  if (endianness() === 'BE') Buffer.from(own.buffer).swap32();
  return new Uint32Array(own.buffer as ArrayBuffer, own.byteOffset, own.byteLength / 4);
}

function placed(bytes: Uint8Array, width: number): Uint8Array {
  return bytes.byteOffset % width === 0 && endianness() === 'LE' ? bytes : bytes.slice();
}
