// The requests of the service as the sandbox reads them (document, sections 2 and 4). Descriptions and marks beside
// the rules are for the OpenAPI document, which is made from these schemas; `OURS` marks what the document leaves open.

import * as v from 'valibot';
import type { Json } from '../../platform/openapi.js';
import { check, describe, invalid, listOf, text, token, whole, wholeInQuery } from './check.js';
import { IMAGE_SIZES, LIMITS } from './limits.js';

export const OURS = { 'x-svcd-choice': true };
/** Not blank, as JSON Schema can say it. */
const NOT_BLANK = '\\S';

export const matchRequestSchema = v.pipe(
  v.strictObject({
    text: v.optional(text(LIMITS.textLength)),
    keywords: v.optional(listOf(text(LIMITS.keywordLength), LIMITS.keywords)),
    limit: v.optional(whole(1, LIMITS.results), LIMITS.resultsByDefault),
  }),
  v.check(
    ({ text: copy = '', keywords = [] }) => [copy, ...keywords].some((part) => part.trim() !== ''),
    'nothing to match: give text, keywords or both',
  ),
  v.metadata({
    description: 'Text, keywords or both, of which something must not be blank. Lengths are in code points.',
    anyOf: [
      { required: ['text'], properties: { text: { type: 'string', pattern: NOT_BLANK } } },
      {
        required: ['keywords'],
        properties: { keywords: { type: 'array', contains: { type: 'string', pattern: NOT_BLANK } } },
      },
    ],
  }),
);

export const imageRequestSchema = v.strictObject({
  prompt: v.pipe(
    text(LIMITS.promptLength),
    v.check((value) => value.trim() !== '', 'is empty'),
    v.metadata({ pattern: NOT_BLANK, description: 'Its length is in code points.' }),
  ),
  size: v.pipe(
    v.picklist(IMAGE_SIZES),
    v.metadata({ ...OURS, description: '1536x1024 is shown; the other two are our choice.' }),
  ),
});

/** No value can carry a path or free text: no files, text, paths or user names may be sent. */
const productionRequestSchema = v.pipe(
  v.strictObject({
    template: token(
      /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,99}@[0-9A-Za-z][0-9A-Za-z.+-]{0,49}$/u,
      '<template_name>@<version>',
    ),
    package_sha256: v.optional(token(/^[0-9a-fA-F]{64}$/, 'a SHA-256 of 64 hexadecimal digits')),
    host: v.optional(
      v.pipe(token(/^[\p{L}\p{N}][\p{L}\p{N}._-]{0,63}$/u, 'a name without spaces or slashes'), v.metadata(OURS)),
    ),
    layout: v.optional(v.pipe(token(/^[a-z0-9][a-z0-9:._-]{0,31}$/, 'a word such as landscape'), v.metadata(OURS))),
    duration_s: v.optional(
      v.pipe(
        v.number(),
        v.minValue(0, ({ input }) => `must be 0 or more seconds, got ${input}`),
        v.maxValue(LIMITS.durationS, ({ input }) => `must be at most ${LIMITS.durationS} seconds, got ${input}`),
      ),
    ),
    materials: v.optional(
      v.pipe(
        listOf(token(/^[a-z0-9_-]{1,32}\.[a-z0-9_.-]{1,64}$/, '<kind>.<name>'), LIMITS.materials),
        v.metadata(OURS),
      ),
    ),
    stage: v.picklist(['plan', 'done']),
  }),
  v.metadata({
    description:
      'The seven fields are shown. Which are required, how long they are, and the values of host, layout and materials are our choice.',
  }),
);

const searchQuerySchema = v.object({
  q: v.pipe(
    v.string(),
    v.check((value) => value.trim() !== '', 'is empty'),
    v.check(
      (value) => Array.from(value).length <= LIMITS.queryLength,
      ({ input }) =>
        `has ${Array.from(input).length} characters, at most ${LIMITS.queryLength} are allowed; longer text belongs to match`,
    ),
  ),
  limit: v.optional(wholeInQuery(LIMITS.results), `${LIMITS.resultsByDefault}`),
});
export type SearchQuery = v.InferOutput<typeof searchQuerySchema>;

export const LIMIT_PARAMETER = {
  type: 'integer',
  minimum: 1,
  maximum: LIMITS.results,
  default: LIMITS.resultsByDefault,
};

/** The same for the OpenAPI document. */
export const SEARCH_PARAMETERS = [
  inQuery('q', { type: 'string', minLength: 1, maxLength: LIMITS.queryLength, ...OURS }, { required: true }),
  inQuery('limit', { ...LIMIT_PARAMETER, ...OURS }),
];

/** A parameter of a query, as the OpenAPI document describes it. */
export function inQuery(name: string, schema: Json, more: Json = {}): Json {
  return { name, in: 'query', ...more, schema };
}

/** Reads `q` and `limit`; other parameters are ignored. Throws `invalid_request`, also for one that is given twice. */
export function readSearchQuery(parameters: URLSearchParams): SearchQuery {
  for (const name of ['q', 'limit']) {
    const { length } = parameters.getAll(name);
    if (length > 1) throw invalid(`${name}: is given ${length} times, once is enough`);
  }
  return check(searchQuerySchema, Object.fromEntries(parameters));
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Quotes and tasks are described without a payload: all of both schemas is our choice. */
const quoteRequestSchema = v.pipe(
  v.strictObject({
    capability: v.picklist(['images.generate'], 'must be images.generate'),
    /** An image request, checked by its own schema. */
    input: v.pipe(
      v.custom<object>(isObject, ({ input }) => `must be an object, got ${describe(input)}`),
      v.metadata({ $ref: '#/components/schemas/ImageRequest' }),
    ),
  }),
  v.metadata(OURS),
);
const taskRequestSchema = v.pipe(v.strictObject({ quote_id: v.string() }), v.metadata(OURS));

/** Every body by its name in the OpenAPI document. */
export const REQUEST_SCHEMAS = {
  MatchRequest: matchRequestSchema,
  ImageRequest: imageRequestSchema,
  ProductionRequest: productionRequestSchema,
  QuoteRequest: quoteRequestSchema,
  TaskRequest: taskRequestSchema,
} as const;

export type RequestName = keyof typeof REQUEST_SCHEMAS;
export type MatchRequest = RequestOf<'MatchRequest'>;
export type ImageRequest = RequestOf<'ImageRequest'>;
/** The body of this name, as it is once it was checked. */
export type RequestOf<N extends RequestName> = v.InferOutput<(typeof REQUEST_SCHEMAS)[N]>;
