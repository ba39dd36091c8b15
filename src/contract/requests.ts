// What the requests of the asset API hold (section 2): the parameters of a search, where others are ignored, and the
// bodies of a match, an image and a production registration.

import * as v from 'valibot';
import {
  CAPABILITIES_MAX,
  CAPABILITY_FORM,
  DURATION_MAX_S,
  LAYOUT_FORM,
  LIMIT_DEFAULT,
  LIMIT_MAX,
  MATCH_KEYWORD_MAX,
  MATCH_KEYWORDS_MAX,
  MATCH_TEXT_MAX,
  IMAGE_SIZES,
  PROMPT_MAX,
  TEMPLATE_FORM,
  type ImageSize,
} from './limits.js';
import { searchWords, wholeNumber } from './read-query.js';
import { describe, listOf, text, wholeBetween } from './json-body.js';

/** How many results to list, 1 to 50. */
export const limitParameter = v.optional(wholeNumber(1, LIMIT_MAX), `${LIMIT_DEFAULT}`);

/** GET /api/v1/stickers/search. */
export const searchQuerySchema = v.object({ q: searchWords, limit: limitParameter });

export type SearchQuery = v.InferOutput<typeof searchQuerySchema>;

/** Words to match beside or in place of a copy. */
export const matchKeywords = listOf(text(MATCH_KEYWORD_MAX), MATCH_KEYWORDS_MAX);

/** POST /api/v1/stickers/match. */
export const matchRequestSchema = v.pipe(
  v.strictObject({
    text: v.optional(text(MATCH_TEXT_MAX)),
    keywords: v.optional(matchKeywords),
    limit: v.optional(wholeBetween(1, LIMIT_MAX, `a whole number from 1 to ${LIMIT_MAX}`), LIMIT_DEFAULT),
  }),
  v.check(
    ({ text: copy = '', keywords = [] }) => [copy, ...keywords].some((part) => part.trim() !== ''),
    'nothing to match: give text, keywords or both',
  ),
);

export type MatchRequest = v.InferOutput<typeof matchRequestSchema>;

/** POST /api/v1/images. */
export const imageRequestSchema = v.strictObject({
  prompt: v.pipe(
    text(PROMPT_MAX),
    v.check((value) => value.trim() !== '', 'is empty'),
  ),
  size: v.picklist(IMAGE_SIZES),
});

export type ImageRequest = v.InferOutput<typeof imageRequestSchema>;

/** Width and height in pixels of `<width>x<height>`. */
export function dimensionsOf(size: ImageSize): { width: number; height: number } {
  const [width = 0, height = 0] = size.split('x').map(Number);
  return { width, height };
}

function token(form: RegExp, meaning: string) {
  return v.pipe(
    v.string(),
    v.regex(form, (issue) => `must be ${meaning}, got ${describe(issue.input)}`),
  );
}

export const templateName = token(TEMPLATE_FORM, '<template_name>@<version>');
/** The words of a declaration, or materials. */
export const capabilityWords = listOf(token(CAPABILITY_FORM, '<kind>.<name>'), CAPABILITIES_MAX);

/**
 * POST /api/v1/productions. The document gives seven fields and forbids files, text, paths and user names. Which of the
 * seven are required and which values they take is not shown; our choice: template and stage are required, and every
 * string is a short token of a form that cannot carry a path or free text.
 */
export const productionRequestSchema = v.strictObject({
  template: templateName,
  package_sha256: v.optional(token(/^[0-9a-fA-F]{64}$/, 'a SHA-256 of 64 hexadecimal digits')),
  host: v.optional(token(/^[\p{L}\p{N}][\p{L}\p{N}._-]{0,63}$/u, 'a name without spaces or slashes')),
  layout: v.optional(token(LAYOUT_FORM, 'a word such as landscape')),
  duration_s: v.optional(
    v.pipe(
      v.number(),
      v.minValue(0, (issue) => `must be 0 or more seconds, got ${issue.input}`),
      v.maxValue(DURATION_MAX_S, (issue) => `must be at most ${DURATION_MAX_S} seconds, got ${issue.input}`),
    ),
  ),
  materials: v.optional(capabilityWords),
  stage: v.picklist(['plan', 'done']),
});

export type ProductionRequest = v.InferOutput<typeof productionRequestSchema>;
