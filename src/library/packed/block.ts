// Typed arrays as one block of bytes and back, without parsing: a header, then one section after the other. What the
// sections mean, and where the bytes are kept, is for others; whether they are whole is checked here.

import { crc32 } from 'node:zlib';

type Numbers = Uint8Array | Uint16Array | Uint32Array | Float32Array;
type View = new (buffer: ArrayBuffer, byteOffset: number, length: number) => Numbers;

/** What a block holds: each section by its name, wider elements first, so that each begins where its elements may. */
export interface BlockForm<Name extends string> {
  readonly magic: number;
  /** Another one is not believed. */
  readonly format: number;
  readonly sections: readonly (readonly [Name, View])[];
}

type Sections<Name extends string> = Record<Name, Numbers>;

// Magic, format, checksum of what follows; then the length of each section in elements.
const FIXED = 3;
const CHECKED_FROM = 4 * FIXED;

/** The arrays as bytes, in this machine's byte order. */
export function encodeBlock<Name extends string>(
  { magic, format, sections: form }: BlockForm<Name>,
  arrays: Sections<Name>,
): Uint8Array {
  const sections = form.map(([name]) => arrays[name]);
  const headerBytes = 4 * (FIXED + form.length);
  const bytes = new Uint8Array(sections.reduce((sum, section) => sum + section.byteLength, headerBytes));
  const header = new Uint32Array(bytes.buffer, 0, FIXED + form.length);
  header.set([magic, format, 0, ...sections.map((section) => section.length)]);
  let at = headerBytes;
  for (const section of sections) {
    bytes.set(new Uint8Array(section.buffer, section.byteOffset, section.byteLength), at);
    at += section.byteLength;
  }
  header[2] = crc32(bytes.subarray(CHECKED_FROM));
  return bytes;
}

/** The arrays of such bytes, sharing their memory; undefined when they are of another form, cut short or altered. */
export function decodeBlock<Name extends string>(
  { magic, format, sections: form }: BlockForm<Name>,
  bytes: Uint8Array,
): Sections<Name> | undefined {
  const headerBytes = 4 * (FIXED + form.length);
  if (bytes.byteLength < headerBytes) return undefined;
  const { buffer, byteOffset } = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  const header = new Uint32Array(buffer as ArrayBuffer, byteOffset, FIXED + form.length);
  if (header[0] !== magic || header[1] !== format) return undefined;
  const checked = new Uint8Array(buffer as ArrayBuffer, byteOffset + CHECKED_FROM, bytes.byteLength - CHECKED_FROM);
  if (crc32(checked) !== header[2]) return undefined;
  let at = byteOffset + headerBytes;
  const arrays = form.map(([name, View], i) => {
    const view = new View(buffer as ArrayBuffer, at, header[FIXED + i]!);
    at += view.byteLength;
    return [name, view] as const;
  });
  return Object.fromEntries(arrays) as Sections<Name>;
}
