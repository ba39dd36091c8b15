// The facts of a Lottie file: what a render must know before it plays it, and what players make of it. Pure: the same
// bytes have the same facts of the same version, and nothing in the file is run.

import { FACTS_VERSION, VERDICTS, type Verdict } from '../model/asset.js';
import { boundsProblem, hasDoubledNames, isRecord, parseJson, type JsonBounds, endOfText } from '../platform/json.js';
import { fieldProblem, isInfinite, mayBeInfinite, notPlayable, type LottieHead } from './check-lottie.js';
import { rowOf, verdictFor, type Code } from './feature-table.js';
import { inspectLottie, type Found, type Inspection } from './inspect-lottie.js';
import { asRecord, carriageOf, filesIn, itemsIn, numberOf, type Item } from './lottie-json.js';

/** As `GET /svcd/facts/{preset}` tells them, but for the name. */
export interface Facts {
  readonly facts: typeof FACTS_VERSION;
  readonly bytes: number;
  readonly width: number;
  readonly height: number;
  readonly frame_rate: number;
  readonly first_frame: number;
  readonly frames: number;
  readonly duration_s: number;
  readonly layers: number;
  readonly keyframes: number;
  readonly markers: readonly { readonly name: string; readonly frame: number; readonly frames: number }[];
  readonly images: { readonly embedded: number; readonly remote: number; readonly bytes: number };
  readonly fonts: readonly string[];
  readonly uses: readonly string[];
  readonly verdict: Verdict;
  readonly problems: readonly {
    readonly code: string;
    /** Of the first. */
    readonly at: string;
    readonly count: number;
    readonly players: Readonly<Record<string, string>>;
  }[];
}

/** Larger files are not parsed: their head alone is read. */
const PARSED_MAX_BYTES = 8 * 1024 * 1024;
const BOUNDS: JsonBounds = { depth: 128, tokens: 500_000 };
const LIMITS = { values: Infinity, parts: 20_000 };

/** What is told of names in the file: they are foreign text. */
const NAME_MAX = 60;
const LISTED_MAX = 100;

/** Over one of these a file is `heavy`. */
const HEAVY = { side: 4096, fps: 120, seconds: 60, bytes: 2_000_000 };

/**
 * The facts of these bytes. A file that is too large, too deep or too full to be looked through has those of its head,
 * and is `heavy`. Throws `invalid_request` for what is no Lottie file at all. Takes up to a second for the worst of files:
 * those of unknown size are for a thread (`read-sticker.ts`).
 */
export function factsOf(bytes: Uint8Array): Facts {
  if (bytes.byteLength > PARSED_MAX_BYTES) return factsOfHead(bytes, 'too_large');
  if (boundsProblem(bytes, BOUNDS) !== undefined) {
    const isFull = boundsProblem(bytes, { ...BOUNDS, depth: Infinity }) !== undefined;
    return factsOfHead(bytes, isFull ? 'too_many_values' : 'too_deep');
  }
  const file = parseJson(bytes, BOUNDS);
  if (!isRecord(file)) throw notPlayable('it is not a JSON object');
  if (mayBeInfinite(bytes) && isInfinite(file)) return factsOfHead(bytes, 'infinite_number');
  const problem = fieldProblem(file);
  if (problem !== undefined) throw notPlayable(problem);
  return factsOfFile(file, bytes, inspectLottie(file, LIMITS));
}

/** The facts of a parsed, playable file that was looked through. */
export function factsOfFile(file: Item, content: Uint8Array, { found, layers, keyframes }: Inspection): Facts {
  const bytes = content.byteLength;
  const times = timesOf(file['ip'], file['op'], file['fr']);
  const head = { ...times, width: numberOf(file['w']), height: numberOf(file['h']) };
  const all = new Map<Code, Found>(found);
  if (hasDoubledNames(content, file)) all.set('duplicate_keys', { count: 1, at: '' });
  for (const [code, at] of excessesOf({ ...head, bytes })) all.set(code, { count: 1, at });
  return tell(all, {
    bytes,
    ...head,
    layers,
    keyframes,
    markers: markersOf(file),
    images: imagesOf(file),
    fonts: fontsOf(file),
  });
}

/** What can be told without parsing: a 0 for what is not known. */
export function factsOfHead(bytes: Uint8Array, why: Code): Facts {
  const head = scanHead(bytes);
  if (head === undefined) throw notPlayable('it is not a JSON object');
  const found = new Map<Code, Found>([[why, { count: 1, at: '' }]]);
  const { w = 0, h = 0, fr = 0, ip = 0, op = 0 } = head;
  const known = { bytes: bytes.byteLength, ...timesOf(ip, op, fr), width: w, height: h };
  for (const [code, at] of excessesOf(known)) found.set(code, { count: 1, at });
  const images = { embedded: 0, remote: 0, bytes: 0 };
  return tell(found, { ...known, layers: 0, keyframes: 0, markers: [], images, fonts: [] });
}

type Told = Omit<Facts, 'facts' | 'uses' | 'verdict' | 'problems'>;

function tell(found: ReadonlyMap<Code, Found>, told: Told): Facts {
  const codes = [...found.keys()];
  const verdicts = new Set(codes.map(verdictFor));
  const problems = codes
    .filter((code) => verdictFor(code) !== 'clean')
    .toSorted((a, b) => rankOf(verdictFor(a)) - rankOf(verdictFor(b)) || (a < b ? -1 : 1))
    .map((code) => {
      const { at, count } = found.get(code) as Found;
      return { code, at, count, players: { ...rowOf(code).players } };
    });
  return {
    facts: FACTS_VERSION,
    ...told,
    uses: codes
      .filter((code) => rowOf(code).isFeature)
      .map((code) => code.replaceAll('_', '-'))
      .toSorted(),
    verdict: VERDICTS.find((verdict) => verdicts.has(verdict)) ?? 'clean',
    problems,
  };
}

function rankOf(verdict: Verdict): number {
  return VERDICTS.indexOf(verdict);
}

function timesOf(ip: unknown, op: unknown, fr: unknown) {
  const [first, rate] = [numberOf(ip), numberOf(fr)];
  const frames = numberOf(op) - first;
  const seconds = rate > 0 ? Math.round((frames / rate) * 1000) / 1000 : 0;
  return { frame_rate: rate, first_frame: first, frames, duration_s: Number.isFinite(seconds) ? seconds : 0 };
}

type Measures = Pick<Facts, 'bytes' | 'width' | 'height' | 'frame_rate' | 'duration_s'>;

function excessesOf({ bytes, width, height, frame_rate: fps, duration_s: seconds }: Measures): [Code, string][] {
  const excesses: [boolean, Code, string][] = [
    [width > HEAVY.side, 'large_canvas', 'w'],
    [height > HEAVY.side, 'large_canvas', 'h'],
    [fps > HEAVY.fps, 'high_frame_rate', 'fr'],
    [seconds > HEAVY.seconds, 'long', 'op'],
    [bytes > HEAVY.bytes, 'large_file', ''],
  ];
  return excesses.filter(([is]) => is).map(([, code, at]) => [code, at]);
}

function markersOf(file: Item): Facts['markers'] {
  return itemsIn(file['markers'])
    .slice(0, LISTED_MAX)
    .map(({ cm, tm, dr }) => ({ name: nameOf(cm), frame: numberOf(tm) || 0, frames: numberOf(dr) || 0 }));
}

function imagesOf(file: Item): Facts['images'] {
  const images = { embedded: 0, remote: 0, bytes: 0 };
  for (const { asset } of filesIn(file)) {
    const carriage = carriageOf(asset);
    if (carriage === 'address' || carriage === 'beside') images.remote += 1;
    else {
      images.embedded += 1;
      images.bytes += embeddedBytes(String(asset['p']));
    }
  }
  return images;
}

/** How many bytes a data address holds, as good as its length tells. */
function embeddedBytes(address: string): number {
  const comma = address.indexOf(',');
  if (comma < 0) return 0;
  const length = address.length - comma - 1;
  if (!/;base64$/i.test(address.slice(0, Math.min(comma, 200)))) return length;
  const padding = address.endsWith('==') ? 2 : address.endsWith('=') ? 1 : 0;
  return Math.max(0, Math.floor((length * 3) / 4) - padding);
}

function fontsOf(file: Item): string[] {
  const families = itemsIn(asRecord(file['fonts'])['list']).map(({ fFamily, fName }) => nameOf(fFamily ?? fName));
  return [...new Set(families)]
    .filter((name) => name !== '')
    .slice(0, LISTED_MAX)
    .toSorted();
}

/** Foreign text in one line, without what turns or hides it. */
function nameOf(text: unknown): string {
  const plain = typeof text === 'string' ? text.slice(0, 10 * NAME_MAX).replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '') : '';
  return Array.from(plain).slice(0, NAME_MAX).join('').trim();
}

const NAMES = ['w', 'h', 'fr', 'ip', 'op'] as const;
const [QUOTE, COLON] = [0x22, 0x3a];
const [OPEN_LIST, CLOSE_LIST, OPEN_RECORD, CLOSE_RECORD] = [0x5b, 0x5d, 0x7b, 0x7d];
const LONGEST_NUMBER = 40;

/**
 * The head of a file that is not to be parsed: the numbers of size and timing at its outermost level that are finite, by one pass
 * over the bytes. Undefined for what does not begin as a JSON object.
 */
function scanHead(bytes: Uint8Array): Partial<LottieHead> | undefined {
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
  return (
    end - start - 1 === text.length && Array.from(text).every((one, at) => bytes[start + 1 + at] === one.charCodeAt(0))
  );
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
