// Parameters and answers of svcd's own ways of finding: GET /svcd/search, /svcd/complete and /svcd/related/{preset}. Unlike the
// mirrored paths they refuse parameters they do not know: a filter with a typing error would let everything through.

import * as v from 'valibot';
import { parameter, searchWords, wholeNumber } from '../contract/read-query.js';
import { limitParameter } from '../contract/requests.js';
import { candidateSchema } from '../contract/candidate.js';
import { weak } from '../contract/fit.js';
import { STYLE_KINDS, type StyleKind } from '../model/sticker.js';
import type { Told } from './operation.js';

/** The largest offset: people do not read that far, and it bounds the work. */
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
  /** Whether svcd's own are listed with the others, or not at all; undefined: where nothing else suits as well. */
  readonly shipped: boolean | undefined;
  readonly color: { readonly hex: string; readonly distance: number } | undefined;
  /** Width divided by height. */
  readonly aspect: Bounds | undefined;
  /** Seconds. */
  readonly duration: Bounds | undefined;
  /** The first part of the preset. */
  readonly style: string | undefined;
  readonly styleKind: StyleKind | undefined;
}

/** What `aspect` may say in a word. */
const SHAPES: ReadonlyMap<string, Bounds> = new Map([
  ['square', around(1)],
  ['wide', { min: 1 + ASPECT_TOLERANCE, max: Infinity }],
  ['tall', { min: 0, max: 1 - ASPECT_TOLERANCE }],
]);

const page = {
  limit: limitParameter,
  offset: v.optional(wholeNumber(0, OFFSET_MAX), '0'),
};

const SWITCH: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

const yesOrNo = v.optional(parameter((text) => SWITCH.get(text), 'true or false', { type: 'boolean' }));

const color = parameter(
  (text) => /^#?([\da-f]{6})$/i.exec(text)?.[1]?.toLowerCase(),
  'six hexadecimal digits such as #ff8800 (%23ff8800 in an address)',
  { type: 'string' },
);

const aspect = parameter(readAspect, 'square, wide, tall, a ratio such as 1.5 or 16:9, or a range such as 0.8..1.25', {
  type: 'string',
});

/** Parameters that leave stickers out. */
const filters = {
  owned: yesOrNo,
  shipped: yesOrNo,
  color: v.optional(color),
  distance: v.optional(number(DISTANCE_MAX)),
  aspect: v.optional(aspect),
  min_duration: v.optional(number(NUMBER_MAX)),
  max_duration: v.optional(number(NUMBER_MAX)),
  style: v.optional(
    parameter(
      (text) => (/^[^/]{1,64}$/u.test(text) ? text : undefined),
      'the first part of a preset, such as twemoji',
      {
        type: 'string',
      },
    ),
  ),
  style_kind: v.optional(
    parameter((word) => STYLE_KINDS.find((one) => one === word), `one of ${STYLE_KINDS.join(', ')}`, {
      type: 'string',
      enum: STYLE_KINDS,
    }),
  ),
};
type Filters = v.InferOutput<v.StrictObjectSchema<typeof filters, undefined>>;

/** Parameters of a search with filters, beside `more`; `distance` needs a color, and durations an order. */
export function filtered<const E extends v.ObjectEntries>(more: E) {
  return v.pipe(
    v.strictObject({ ...filters, ...more }),
    v.rawCheck(({ dataset, addIssue }) => {
      if (!dataset.typed) return;
      const { distance, color: hex, min_duration: min = 0, max_duration: max = Infinity } = dataset.value as Filters;
      const at = (key: string, message: string) =>
        addIssue({
          message,
          path: [{ type: 'object', origin: 'value', input: dataset.value, key, value: undefined }] as never,
        });
      if (distance !== undefined && hex === undefined) at('distance', 'says how far from color, which is missing');
      if (min > max) at('min_duration', `must not be more than max_duration, got ${min} and ${max}`);
    }),
  );
}

/** What the filters of a request mean. */
export function readFilters({
  owned,
  shipped,
  color: hex,
  distance = DISTANCE_DEFAULT,
  aspect: shape,
  style,
  style_kind: styleKind,
  ...rest
}: Filters) {
  const { min_duration: min, max_duration: max } = rest;
  return {
    owned,
    shipped,
    color: hex === undefined ? undefined : { hex: `#${hex}`, distance },
    aspect: shape,
    style,
    styleKind,
    duration: min === undefined && max === undefined ? undefined : { min: min ?? 0, max: max ?? Infinity },
  };
}

const FILTERS = (Object.keys(filters) as (keyof Filters)[]).filter((name) => name !== 'distance');

/** GET /svcd/search; gives a FindRequest. */
export const findQuerySchema = v.pipe(
  filtered({ q: v.optional(searchWords), ...page }),
  v.forward(
    v.check(
      ({ q, ...query }) => q !== undefined || FILTERS.some((name) => query[name] !== undefined),
      `is required, unless there is a filter (${FILTERS.join(', ')})`,
    ),
    ['q'],
  ),
  v.transform(({ q, limit, offset, ...rest }): FindRequest => ({ q, limit, offset, ...readFilters(rest) })),
);

/** GET /svcd/complete */
export const completeQuerySchema = v.strictObject({ q: searchWords, limit: limitParameter });

/** GET /svcd/related/{preset} */
export const pageQuerySchema = v.strictObject(page);

function number(maximum: number) {
  const read = (text: string) => {
    const value = /^\d{1,6}(\.\d{1,6})?$/.test(text) ? Number(text) : NaN;
    return value <= maximum ? value : undefined;
  };
  return parameter(read, `a number from 0 to ${maximum}`, { type: 'number', minimum: 0, maximum });
}

function readAspect(text: string): Bounds | undefined {
  const named = SHAPES.get(text);
  if (named !== undefined) return named;
  const [, from, dots, to] = /^([\d.:/]*?)(?:(\.\.)([\d.:/]*))?$/.exec(text) ?? [];
  const bounds = dots === undefined ? around(ratioOf(from)) : { min: ratioOf(from, 0), max: ratioOf(to, Infinity) };
  return bounds.min <= bounds.max && (from !== '' || (to ?? '') !== '') ? bounds : undefined;
}

/** A ratio as `1.5`, `16:9` or `16/9`; `otherwise` for nothing; NaN for what is none. */
function ratioOf(text = '', otherwise = NaN): number {
  if (text === '') return otherwise;
  const [, width, height = '1'] = /^(\d{1,6}(?:\.\d{1,6})?)(?:[:/](\d{1,6}(?:\.\d{1,6})?))?$/.exec(text) ?? [];
  const ratio = Number(width) / Number(height);
  return ratio > 0 && Number.isFinite(ratio) ? ratio : NaN;
}

function around(ratio: number): Bounds {
  return { min: ratio / (1 + ASPECT_TOLERANCE), max: ratio * (1 + ASPECT_TOLERANCE) };
}

/** A page of a longer list: `total` is the length of all pages, `next` the offset of the next page, null on the last. */
const pageEntries = { total: v.number(), offset: v.number(), limit: v.number(), next: v.nullable(v.number()) };
/** A candidate, whether it was bought, and what is known of its licence. */
const found = {
  ...candidateSchema.entries,
  owned: v.boolean(),
  /** Whether it is one of svcd's own, which stand in for those of the service. */
  shipped: v.boolean(),
  /** Name of its licence; `unknown` where nobody told. */
  licence: v.string(),
  /** The credit line it asks for; null when it asks for none, as far as is known. */
  attribution: v.nullable(v.string()),
};

/** GET /svcd/search */
export const findAnswerSchema = v.object({
  query: v.nullable(v.string()),
  ...pageEntries,
  /** Words of the query that nothing had, and that were left out. */
  dropped: v.array(v.string()),
  /** What else to search for, when nothing was found. */
  suggestions: v.array(v.string()),
  weak,
  results: v.array(v.object(found)),
});
export type FindAnswer = Told<typeof findAnswerSchema>;

/** GET /svcd/complete */
export const completeAnswerSchema = v.object({
  query: v.string(),
  completions: v.array(v.object({ word: v.string(), stickers: v.number() })),
});
export type CompleteAnswer = Told<typeof completeAnswerSchema>;

/** GET /svcd/related/{preset} */
export const relatedAnswerSchema = v.object({
  preset: v.string(),
  ...pageEntries,
  results: v.array(
    v.object({
      ...found,
      /** Whether it shows the same thing in another style. */
      same_concept: v.boolean(),
      /** Titles and keywords both have. */
      shared: v.array(v.string()),
    }),
  ),
});
export type RelatedAnswer = Told<typeof relatedAnswerSchema>;

/** The facts of a page of `limit` at `offset`. */
export function pageFacts(total: number, offset: number, limit: number, offsetMax: number) {
  const end = offset + limit;
  return { total, offset, limit, next: end < total && end <= offsetMax ? end : null };
}
