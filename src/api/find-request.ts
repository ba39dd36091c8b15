// Requests to svcd's own ways of finding: GET /svcd/search, /svcd/complete and /svcd/related/{preset}. Unlike the
// mirrored paths they refuse parameters they do not know: a filter with a typing error would let everything through.

import { SvcdError } from '../model/errors.js';
import { describe } from '../contract/json-body.js';
import { countCharacters, LIMIT_DEFAULT, LIMIT_MAX, QUERY_MAX } from '../contract/limits.js';

/** The largest offset: nobody reads that far, and it bounds the work. */
export const OFFSET_MAX = 10_000;
/** How far a color may be from the one asked for, when nothing else is said. */
export const DISTANCE_DEFAULT = 15;
const DISTANCE_MAX = 200;
/** How far from the ratio asked for a shape may be, as a share of it. */
const ASPECT_TOLERANCE = 0.05;
const NUMBER_MAX = 100_000;

export interface Bounds {
  readonly min: number;
  readonly max: number;
}

export interface FindRequest {
  /** Undefined when only filters are given. */
  readonly q: string | undefined;
  readonly limit: number;
  readonly offset: number;
  readonly owned: boolean | undefined;
  readonly color: { readonly hex: string; readonly distance: number } | undefined;
  /** Width divided by height. */
  readonly aspect: Bounds | undefined;
  /** Seconds. */
  readonly duration: Bounds | undefined;
}

/** What `aspect` may say in a word. */
const SHAPES: Readonly<Record<string, Bounds>> = {
  square: around(1),
  wide: { min: 1 + ASPECT_TOLERANCE, max: Infinity },
  tall: { min: 0, max: 1 - ASPECT_TOLERANCE },
};

const FIND_PARAMETERS = [
  'q',
  'limit',
  'offset',
  'owned',
  'color',
  'distance',
  'aspect',
  'min_duration',
  'max_duration',
] as const;

/** Reads GET /svcd/search. Throws `invalid_request`. */
export function parseFindRequest(parameters: URLSearchParams): FindRequest {
  const read = readerOf(parameters, FIND_PARAMETERS);
  const request = {
    q: parseWords(read('q')),
    limit: parseWhole('limit', read('limit'), 1, LIMIT_MAX) ?? LIMIT_DEFAULT,
    offset: parseWhole('offset', read('offset'), 0, OFFSET_MAX) ?? 0,
    owned: parseSwitch('owned', read('owned')),
    color: parseColor(read('color'), read('distance')),
    aspect: parseAspect(read('aspect')),
    duration: parseDuration(read('min_duration'), read('max_duration')),
  };
  const { q, owned, color, aspect, duration } = request;
  if ([q, owned, color, aspect, duration].some((part) => part !== undefined)) return request;
  throw invalid(
    'q: is required, unless there is a filter (owned, color, aspect, min_duration, max_duration)',
  );
}

/** Reads GET /svcd/complete. Throws `invalid_request`. */
export function parseCompleteRequest(parameters: URLSearchParams): { q: string; limit: number } {
  const read = readerOf(parameters, ['q', 'limit']);
  const q = parseWords(read('q'));
  if (q === undefined) throw invalid('q: is required');
  return { q, limit: parseWhole('limit', read('limit'), 1, LIMIT_MAX) ?? LIMIT_DEFAULT };
}

/** Reads the page asked for of GET /svcd/related/{preset}. Throws `invalid_request`. */
export function parsePageRequest(parameters: URLSearchParams): { limit: number; offset: number } {
  const read = readerOf(parameters, ['limit', 'offset']);
  return {
    limit: parseWhole('limit', read('limit'), 1, LIMIT_MAX) ?? LIMIT_DEFAULT,
    offset: parseWhole('offset', read('offset'), 0, OFFSET_MAX) ?? 0,
  };
}

function readerOf(parameters: URLSearchParams, known: readonly string[]) {
  for (const name of new Set(parameters.keys())) {
    if (!known.includes(name))
      throw invalid(`unknown parameter ${describe(name)}; known are ${known.join(', ')}`);
  }
  return (name: string): string | undefined => {
    const values = parameters.getAll(name);
    if (values.length > 1) throw invalid(`${name}: is given ${values.length} times, once is enough`);
    return values[0];
  };
}

function parseWords(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  if (value.trim() === '') throw invalid('q: is empty');
  const length = countCharacters(value);
  if (length <= QUERY_MAX) return value;
  throw invalid(
    `q: has ${length} characters, at most ${QUERY_MAX} are allowed; longer text belongs to match`,
  );
}

function parseWhole(name: string, value: string | undefined, min: number, max: number): number | undefined {
  if (value === undefined) return undefined;
  const number = /^\d{1,9}$/.test(value) ? Number(value) : NaN;
  if (number >= min && number <= max) return number;
  throw invalid(`${name}: must be a whole number from ${min} to ${max}, got ${describe(value)}`);
}

function parseSwitch(name: string, value: string | undefined): boolean | undefined {
  if (value === undefined) return undefined;
  if (value === 'true' || value === 'false') return value === 'true';
  throw invalid(`${name}: must be true or false, got ${describe(value)}`);
}

function parseColor(value: string | undefined, distance: string | undefined): FindRequest['color'] {
  const within = parseNumber('distance', distance, DISTANCE_MAX);
  if (value === undefined) {
    if (within === undefined) return undefined;
    throw invalid('distance: says how far from color, which is missing');
  }
  const [, digits] = /^#?([\da-f]{6})$/i.exec(value) ?? [];
  if (digits !== undefined) return { hex: `#${digits.toLowerCase()}`, distance: within ?? DISTANCE_DEFAULT };
  throw invalid(
    `color: must be six hexadecimal digits such as #ff8800 (%23ff8800 in an address), got ${describe(value)}`,
  );
}

function parseAspect(value: string | undefined): Bounds | undefined {
  if (value === undefined) return undefined;
  const named = SHAPES[value];
  if (Object.hasOwn(SHAPES, value) && named !== undefined) return named;
  const [, from, dots, to] = /^([\d.:/]*?)(?:(\.\.)([\d.:/]*))?$/.exec(value) ?? [];
  const bounds =
    dots === undefined ? around(ratioOf(from)) : { min: ratioOf(from, 0), max: ratioOf(to, Infinity) };
  if (bounds.min <= bounds.max && (from !== '' || (to ?? '') !== '')) return bounds;
  throw invalid(
    `aspect: must be square, wide, tall, a ratio such as 1.5 or 16:9, or a range such as 0.8..1.25, got ${describe(value)}`,
  );
}

/** A ratio as `1.5`, `16:9` or `16/9`; `otherwise` for nothing; NaN for what is none. */
function ratioOf(text = '', otherwise = NaN): number {
  if (text === '') return otherwise;
  const [, width, height = '1'] =
    /^(\d{1,6}(?:\.\d{1,6})?)(?:[:/](\d{1,6}(?:\.\d{1,6})?))?$/.exec(text) ?? [];
  const ratio = Number(width) / Number(height);
  return ratio > 0 && Number.isFinite(ratio) ? ratio : NaN;
}

function around(ratio: number): Bounds {
  return { min: ratio / (1 + ASPECT_TOLERANCE), max: ratio * (1 + ASPECT_TOLERANCE) };
}

function parseDuration(from: string | undefined, to: string | undefined): Bounds | undefined {
  const min = parseNumber('min_duration', from, NUMBER_MAX);
  const max = parseNumber('max_duration', to, NUMBER_MAX);
  if (min === undefined && max === undefined) return undefined;
  const bounds = { min: min ?? 0, max: max ?? Infinity };
  if (bounds.min <= bounds.max) return bounds;
  throw invalid(`min_duration: must not be more than max_duration, got ${min} and ${max}`);
}

function parseNumber(name: string, value: string | undefined, max: number): number | undefined {
  if (value === undefined) return undefined;
  const number = /^\d{1,6}(\.\d{1,6})?$/.test(value) ? Number(value) : NaN;
  if (number <= max) return number;
  throw invalid(`${name}: must be a number from 0 to ${max}, got ${describe(value)}`);
}

function invalid(message: string): SvcdError {
  return new SvcdError('invalid_request', message);
}
