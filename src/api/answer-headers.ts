// The headers of svcd's own on answers: for the OpenAPI document, for what pages may read, and for the table in
// http/REFERENCE.md.

import { FALLBACK_REASONS, SOURCES, VERDICTS } from '../model/asset.js';

interface AnswerHeaderFacts {
  /** For people; Markdown. */
  readonly what: string;
  /** JSON Schema. */
  readonly schema: object;
}

const TEXT = { type: 'string' };
const listed = (words: readonly string[]) => words.map((word) => `\`${word}\``).join(', ');

export const ANSWER_HEADERS = {
  'X-Svcd-Source': { what: `where it comes from: ${listed(SOURCES)}`, schema: { type: 'string', enum: SOURCES } },
  'X-Svcd-Cost': {
    what: 'credits this very request spent; `unknown` while its call is under way (`late`), or its end was not seen',
    schema: { anyOf: [{ type: 'integer', minimum: 0 }, { const: 'unknown' }] },
  },
  'X-Svcd-Reason': {
    what: `why a default was served: ${listed(FALLBACK_REASONS)}`,
    // Of a production that could not be registered it is the code of an error.
    schema: { type: 'string', examples: FALLBACK_REASONS },
  },
  'X-Svcd-Default': {
    what: 'which default, and why that one (percent-encoded where it is not plain ASCII)',
    schema: TEXT,
  },
  'X-Svcd-Attribution': {
    what: 'the credit line that what is delivered asks for (percent-encoded like `X-Svcd-Default`); `svcd attribution` prints those of a video',
    schema: TEXT,
  },
  'X-Svcd-Licence': {
    what: 'of a file by its digest, the name of its licence, as far as it is known (percent-encoded in the same way)',
    schema: TEXT,
  },
  'X-Svcd-Library': {
    what: 'of search and match, how much of the service is known: `known=8123, estimate=11950, low=11700, high=12300, coverage=0.68, complete=?0`; `unheard=` why it was not heard',
    schema: TEXT,
  },
  'X-Svcd-Search': {
    what: 'of search and match: `weak` where nothing fits; of search: `dropped=` words left out because nothing has all, `suggested=` words that may have been meant',
    schema: TEXT,
  },
  'X-Svcd-Shipped': {
    what: "of search and match, which of the presets listed are svcd's own: percent-encoded, with commas between",
    schema: TEXT,
  },
  'X-Svcd-Warning': {
    what: '`not_kept`: paid for, but the disk could not take it yet; and what players trip over in a sticker (README of http)',
    schema: TEXT,
  },
  'X-Svcd-Verdict': {
    what: 'of a sticker, what the facts of its file come to, once they are known',
    schema: { type: 'string', enum: VERDICTS },
  },
  'X-Svcd-Remote': {
    what: '`sandbox` on every answer, refusals included, while the remote is the sandbox inside svcd; else absent',
    schema: { const: 'sandbox' },
  },
  'X-Service-Credits-Remaining': {
    what: 'the balance, once known, for callers who may see the account',
    schema: { type: 'string', pattern: '^-?\\d+(\\.\\d+)?$' },
  },
} as const satisfies Record<string, AnswerHeaderFacts>;

/** Of answers that come from somewhere. */
export const OF_ORIGIN = ['X-Svcd-Source', 'X-Svcd-Cost', 'X-Service-Credits-Remaining'] as const;
export const OF_ACCOUNT = [...OF_ORIGIN, 'X-Svcd-Reason'] as const;
export const OF_FINDING = [...OF_ORIGIN, 'X-Svcd-Library', 'X-Svcd-Search', 'X-Svcd-Shipped'] as const;
export const OF_ASSET = [
  ...OF_ORIGIN,
  'X-Svcd-Reason',
  'X-Svcd-Default',
  'X-Svcd-Attribution',
  'X-Svcd-Warning',
  'X-Svcd-Verdict',
] as const;
