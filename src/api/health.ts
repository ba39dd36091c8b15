// GET /svcd/health: what svcd finds of itself and its home, a row each, with the command that mends it.

import * as v from 'valibot';
import { parameter } from '../contract/read-query.js';
import { page, type Told } from './operation.js';

const LANGUAGES = ['en', 'zh'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The language of the words; without it the one that `Accept-Language` names first, else English. */
export const healthQuerySchema = v.strictObject({
  lang: v.optional(
    parameter((text) => LANGUAGES.find((one) => one === text), `one of ${LANGUAGES.join(', ')}`, {
      type: 'string',
      enum: LANGUAGES,
    }),
  ),
});

export const healthRowSchema = v.object({
  /** Which check it is: stable, as is `code`. */
  name: v.string(),
  code: v.string(),
  /** `bad` keeps svcd from working; `warn` from working as well as it could. */
  status: v.picklist(['ok', 'warn', 'bad']),
  words: v.string(),
  /** What to do, where the command alone does not say it. */
  hint: v.nullable(v.string()),
  /** What mends it, for a POSIX shell; a word in CAPITALS is the user's to fill in. */
  command: v.nullable(v.string()),
});
export type HealthRow = Told<typeof healthRowSchema>;

const healthSchema = v.object({ checks: v.array(healthRowSchema) });
export type Health = Told<typeof healthSchema>;

export const HEALTH_OPERATIONS = {
  showHealth: page.get('/svcd/health', healthSchema, 'Everything svcd needs, checked, and what mends it.', {
    query: healthQuerySchema,
  }),
};
