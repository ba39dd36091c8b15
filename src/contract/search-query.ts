// GET /api/v1/stickers/search: its two parameters. Others are ignored.

import * as v from 'valibot';
import { LIMIT_DEFAULT, LIMIT_MAX } from './limits.js';
import { searchWords, wholeNumber } from './read-query.js';

/** How many results to list, 1 to 50. */
export const limitParameter = v.optional(wholeNumber(1, LIMIT_MAX), `${LIMIT_DEFAULT}`);

export const searchQuerySchema = v.object({ q: searchWords, limit: limitParameter });

export type SearchQuery = v.InferOutput<typeof searchQuerySchema>;
