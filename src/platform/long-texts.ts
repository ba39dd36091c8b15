// Long texts of a JSON text put aside while the rest is read and written: a picture of thirty megabytes in base64 takes
// JSON.parse and JSON.stringify a tenth of a second each, and has the same bytes before and after.

import { isAscii } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { endOfText } from './json.js';

export interface WithoutLongTexts {
  /** The same JSON with a short text in place of each long one. */
  readonly bytes: Uint8Array;
  /** The bytes of a text that JSON.stringify made of it, with the long ones in their places again. */
  restore(text: string): Uint8Array;
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const LONG = 64 * 1024;

/** One kept answer is read several times in a row. */
const known = new WeakMap<Uint8Array, WithoutLongTexts>();

/** Puts the long texts of a JSON text aside, as far as they are plain; all that is short is as it was. */
export function putLongTextsAside(bytes: Uint8Array): WithoutLongTexts {
  if (bytes.byteLength < LONG) return { bytes, restore: (text) => Buffer.from(text) };
  const found = known.get(bytes) ?? putAside(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  known.set(bytes, found);
  return found;
}

function putAside(bytes: Buffer): WithoutLongTexts {
  // Nobody can guess it, so no other text is taken for one that was put aside.
  const mark = randomUUID();
  const aside: Buffer[] = [];
  const rest: Buffer[] = [];
  let start = 0;
  for (let at = bytes.indexOf(QUOTE); at !== -1; at = bytes.indexOf(QUOTE, at + 1)) {
    const end = endOfText(bytes, at);
    const text = bytes.subarray(at, end + 1);
    if (text.byteLength > LONG && end < bytes.length && isPlain(text.subarray(1, -1))) {
      rest.push(bytes.subarray(start, at), Buffer.from(`"${mark}-${aside.length}"`));
      aside.push(text);
      start = end + 1;
    }
    at = end;
  }
  const places = new RegExp(`"${mark}-(\\d+)"`);
  return {
    bytes: aside.length === 0 ? bytes : Buffer.concat([...rest, bytes.subarray(start)]),
    // What is split by a pattern with a group has what the group found at each second place.
    restore: (text) => {
      const parts = text.split(places).map((part, at) => (at % 2 === 0 ? Buffer.from(part) : aside[Number(part)]!));
      return Buffer.concat(parts);
    },
  };
}

/** Whether it stands in JSON as it is, so that both functions keep it byte for byte: ASCII without a backslash or a control character. */
function isPlain(text: Buffer): boolean {
  if (!isAscii(text) || text.includes(BACKSLASH)) return false;
  // Four bytes at a time: below 0x20 is a byte whose high bit is set by taking that away.
  const begin = -text.byteOffset & 3;
  const words = new Int32Array(text.buffer, text.byteOffset + begin, (text.length - begin) >> 2);
  let found = 0;
  for (let at = 0; at < words.length; at += 1) found |= words[at]! - 0x20202020;
  for (const byte of [...text.subarray(0, begin), ...text.subarray(begin + words.byteLength)]) found |= byte - 0x20;
  return (found & 0x80808080) === 0;
}
