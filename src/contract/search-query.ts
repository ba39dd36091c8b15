// GET /api/v1/stickers/search: its two query parameters.

import { SvcdError } from '../model/errors.js';
import { describe } from './json-body.js';
import { countCharacters, LIMIT_DEFAULT, LIMIT_MAX, QUERY_MAX } from './limits.js';

export interface SearchQuery {
  /** Not blank, at most 500 characters. */
  q: string;
  /** 1 to 50. */
  limit: number;
}

/** Reads `q` and `limit`; other parameters are ignored. Throws `invalid_request`. */
export function parseSearchQuery(parameters: URLSearchParams): SearchQuery {
  const q = single(parameters, 'q');
  if (q === undefined) throw invalid('q: is required');
  if (q.trim() === '') throw invalid('q: is empty');
  const length = countCharacters(q);
  if (length > QUERY_MAX) {
    throw invalid(
      `q: has ${length} characters, at most ${QUERY_MAX} are allowed; longer text belongs to match`,
    );
  }
  return { q, limit: parseLimit(single(parameters, 'limit')) };
}

function parseLimit(value: string | undefined): number {
  if (value === undefined) return LIMIT_DEFAULT;
  const limit = /^\d{1,9}$/.test(value) ? Number(value) : NaN;
  if (limit >= 1 && limit <= LIMIT_MAX) return limit;
  throw invalid(`limit: must be a whole number from 1 to ${LIMIT_MAX}, got ${describe(value)}`);
}

function single(parameters: URLSearchParams, name: string): string | undefined {
  const values = parameters.getAll(name);
  if (values.length > 1) throw invalid(`${name}: is given ${values.length} times, once is enough`);
  return values[0];
}

function invalid(message: string): SvcdError {
  return new SvcdError('invalid_request', message);
}
