// POST /api/v1/stickers/match: its body (asset API, section 2, "Match request").

import * as v from 'valibot';
import { text, wholeBetween } from './json-body.js';
import { LIMIT_DEFAULT, LIMIT_MAX, MATCH_KEYWORD_MAX, MATCH_KEYWORDS_MAX, MATCH_TEXT_MAX } from './limits.js';

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
    limit: v.optional(wholeBetween(1, LIMIT_MAX, `a whole number from 1 to ${LIMIT_MAX}`), LIMIT_DEFAULT),
  }),
  v.check(
    ({ text: copy = '', keywords = [] }) => [copy, ...keywords].some((part) => part.trim() !== ''),
    'nothing to match: give text, keywords or both',
  ),
);

export type MatchRequest = v.InferOutput<typeof matchRequestSchema>;
