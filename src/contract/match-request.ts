// POST /api/v1/stickers/match: its body (asset API, section 2, "Match request").

import * as v from 'valibot';
import { parseWith, text } from './json-body.js';
import { LIMIT_DEFAULT, LIMIT_MAX, MATCH_KEYWORD_MAX, MATCH_KEYWORDS_MAX, MATCH_TEXT_MAX } from './limits.js';

const wholeNumber = `must be a whole number from 1 to ${LIMIT_MAX}`;

/** The body as it is checked. */
export const matchRequestSchema = v.pipe(
  v.strictObject({
    text: v.optional(text(MATCH_TEXT_MAX)),
    keywords: v.optional(
      v.pipe(
        v.array(text(MATCH_KEYWORD_MAX)),
        v.maxLength(
          MATCH_KEYWORDS_MAX,
          (issue) => `has ${issue.input.length} entries, at most ${MATCH_KEYWORDS_MAX} are allowed`,
        ),
      ),
    ),
    limit: v.optional(
      v.pipe(
        v.number(),
        v.integer((issue) => `${wholeNumber}, got ${issue.input}`),
        v.minValue(1, (issue) => `${wholeNumber}, got ${issue.input}`),
        v.maxValue(LIMIT_MAX, (issue) => `${wholeNumber}, got ${issue.input}`),
      ),
      LIMIT_DEFAULT,
    ),
  }),
  v.check(
    ({ text: copy = '', keywords = [] }) => [copy, ...keywords].some((part) => part.trim() !== ''),
    'nothing to match: give text, keywords or both',
  ),
);

export interface MatchRequest {
  text?: string | undefined;
  keywords?: string[] | undefined;
  limit: number;
}

/** Validates a match request. Throws `invalid_request`. */
export function parseMatchRequest(body: Record<string, unknown>): MatchRequest {
  return parseWith(matchRequestSchema, body);
}
