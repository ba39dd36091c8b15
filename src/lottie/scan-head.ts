// The head of a Lottie file that is not to be parsed: the numbers at its outermost level, found by one pass over the bytes.

import { endOfText } from '../platform/json.js';
import type { LottieHead } from './check-lottie.js';

const NAMES = ['w', 'h', 'fr', 'ip', 'op'] as const;
const [QUOTE, COLON] = [0x22, 0x3a];
const [OPEN_LIST, CLOSE_LIST, OPEN_RECORD, CLOSE_RECORD] = [0x5b, 0x5d, 0x7b, 0x7d];
const LONGEST_NUMBER = 40;

/** What can be found of size and timing, finite; undefined for what does not begin as a JSON object. */
export function scanHead(bytes: Uint8Array): Partial<LottieHead> | undefined {
  const start = skipSpace(bytes, 0);
  if (bytes[start] !== OPEN_RECORD) return undefined;
  const head: Partial<Record<(typeof NAMES)[number], number>> = {};
  let level = 0;
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === OPEN_LIST || byte === OPEN_RECORD) level += 1;
    else if (byte === CLOSE_LIST || byte === CLOSE_RECORD) level -= 1;
    else if (byte === QUOTE) {
      const end = endOfText(bytes, at);
      const name = level === 1 && end - at <= 3 ? NAMES.find((one) => isText(bytes, at, end, one)) : undefined;
      const value = name === undefined ? undefined : numberAfter(bytes, end + 1);
      if (name !== undefined && value !== undefined) head[name] = value;
      at = end;
    }
  }
  return head;
}

function isText(bytes: Uint8Array, start: number, end: number, text: string): boolean {
  return end - start - 1 === text.length && Array.from(text).every((one, at) => bytes[start + 1 + at] === one.charCodeAt(0));
}

/** The number that stands as the value of a name. */
function numberAfter(bytes: Uint8Array, nameEnd: number): number | undefined {
  const colon = skipSpace(bytes, nameEnd);
  if (bytes[colon] !== COLON) return undefined;
  const from = skipSpace(bytes, colon + 1);
  const text = new TextDecoder('latin1').decode(bytes.subarray(from, from + LONGEST_NUMBER));
  const digits = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?=[\s,}])/.exec(text)?.[0];
  const value = digits === undefined ? NaN : Number(digits);
  return Number.isFinite(value) ? value : undefined;
}

function skipSpace(bytes: Uint8Array, from: number): number {
  let at = from;
  while (bytes[at] === 0x20 || bytes[at] === 0x0a || bytes[at] === 0x0d || bytes[at] === 0x09) at += 1;
  return at;
}
