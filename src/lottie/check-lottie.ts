// Whether bytes are a Lottie file that a player can play. Not the whole schema: what is checked here would break a
// render, and the service may use features newer than any schema.

import { isUtf8 } from 'node:buffer';
import { SvcdError } from '../model/errors.js';
import { boundsProblem, isRecord, parseJson, type JsonBounds } from '../platform/json.js';

/** Thirty times what the largest stickers hold; a file beyond it stalls svcd, and the page that plays it. */
const BOUNDS: JsonBounds = { depth: 128, tokens: 500_000 };
const MAX_BYTES = 16 * 1024 * 1024;

/** The size and timing of a Lottie file. */
export type LottieHead = Readonly<Record<'w' | 'h' | 'fr' | 'ip' | 'op', number>>;

/** The head of a playable file, or why it is none. */
export function headOf(bytes: Uint8Array): LottieHead | string {
  const read = readLottie(bytes);
  if (typeof read === 'string') return read;
  const { w, h, fr, ip, op } = read as unknown as LottieHead;
  return { w, h, fr, ip, op };
}

/** The value of a file that a user gives, or that is used. Throws `invalid_request` unless it is a playable Lottie file. */
export function requirePlayable(bytes: Uint8Array): LottieHead & Record<string, unknown> {
  const read = readLottie(bytes);
  if (typeof read !== 'string') return read as LottieHead & Record<string, unknown>;
  throw notPlayable(read);
}

/** Says why a file cannot be used. */
export function notPlayable(problem: string): SvcdError {
  return new SvcdError('invalid_request', `the file is not a playable Lottie file: ${problem}`, {
    hint: 'Export the animation as Lottie JSON (not .lottie, GIF or video).',
  });
}

/** The value of a playable file, or why it is none. */
function readLottie(bytes: Uint8Array): Record<string, unknown> | string {
  if (bytes.byteLength > MAX_BYTES) return `it is longer than ${MAX_BYTES} bytes`;
  const excess = boundsProblem(bytes, BOUNDS);
  if (excess !== undefined) return excess;
  const file = isUtf8(bytes) ? parseJson(bytes, BOUNDS) : undefined;
  if (file === undefined) return isZip(bytes) ? 'it is an archive (.lottie?), not JSON' : 'it is not JSON';
  if (!isRecord(file)) return 'it is not a JSON object';
  const problem = fieldProblem(file);
  return problem ?? (mayBeInfinite(bytes) && isInfinite(file) ? 'a number in it is infinite' : file);
}

/** Why a file lacks what every player reads first; undefined when it does not. */
export function fieldProblem(file: Record<string, unknown>): string | undefined {
  // JSON's 1e999 is read as infinite, and no player has so many pixels or frames.
  const number = (name: string) => (Number.isFinite(file[name]) ? (file[name] as number) : NaN);
  for (const name of ['w', 'h', 'fr']) {
    if (!(number(name) > 0)) return `"${name}" must be a number over 0`;
  }
  if (!(number('op') > number('ip'))) return '"op" must come after "ip"';
  if (!Array.isArray(file['layers']) || file['layers'].length === 0) return '"layers" is missing or empty';
  const isLayer = (layer: unknown) => typeof layer === 'object' && layer !== null && 'ty' in layer;
  return file['layers'].every(isLayer) ? undefined : 'a layer has no type';
}

/** Whether a number could be beyond all numbers (`1e999`, 309 digits): nearly none is, and the rest is not walked. */
export function mayBeInfinite(bytes: Uint8Array): boolean {
  let digits = 0;
  for (let at = 0; at < bytes.length; at++) {
    if (isDigit(bytes[at])) digits += 1;
    else if (digits > 0 && isLargeExponent(bytes, at)) return true;
    else digits = 0;
    if (digits >= 309) return true;
  }
  return false;
}

/** Whether there is an exponent of three digits or more. */
function isLargeExponent(bytes: Uint8Array, at: number): boolean {
  if (bytes[at] !== 0x65 && bytes[at] !== 0x45) return false;
  const first = bytes[at + 1] === 0x2b ? at + 2 : at + 1;
  return isDigit(bytes[first]) && isDigit(bytes[first + 1]) && isDigit(bytes[first + 2]);
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}

/** Whether a number in a value is beyond all numbers. */
export function isInfinite(value: unknown): boolean {
  const rest = [value];
  while (rest.length > 0) {
    const one = rest.pop();
    if (typeof one === 'number' && !Number.isFinite(one)) return true;
    if (typeof one === 'object' && one !== null) for (const item of Object.values(one)) rest.push(item);
  }
  return false;
}

function isZip(bytes: Uint8Array): boolean {
  return new TextDecoder('latin1').decode(bytes.subarray(0, 4)) === 'PK\u0003\u0004';
}
