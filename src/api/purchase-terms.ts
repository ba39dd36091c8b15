// The headers of svcd's own by which a client says on which terms something may be bought.

import * as v from 'valibot';
import { parameter, wholeNumber } from '../contract/read-query.js';

const DEADLINE_MAX_MS = 600_000;

const SWITCH: ReadonlyMap<string, boolean> = new Map([
  ['on', true],
  ['off', false],
]);

const ONE = () => v.optional(parameter((text) => (text === '1' ? true : undefined), '1 or left out', { enum: ['1'] }));

const headers = {
  'X-Svcd-Deadline-Ms': v.optional(wholeNumber(1, DEADLINE_MAX_MS)),
  'X-Svcd-Fallback': v.optional(
    parameter((text) => SWITCH.get(text.toLowerCase()), 'on or off', { enum: ['on', 'off'] }),
  ),
  'X-Svcd-Allow-Repay': ONE(),
};

const termsOf = (given: v.InferOutput<v.ObjectSchema<typeof headers, undefined>>) => ({
  /** How long the client waits before a default has to do. */
  deadlineMs: given['X-Svcd-Deadline-Ms'],
  /** Whether a default may stand in. */
  fallback: given['X-Svcd-Fallback'],
  /** Buy although an earlier purchase of it was charged or may have been. */
  allowRepay: given['X-Svcd-Allow-Repay'] ?? false,
});

export const stickerTermsSchema = v.pipe(v.object(headers), v.transform(termsOf));

export const imageTermsSchema = v.pipe(
  v.object({
    ...headers,
    'X-Svcd-Variant': v.optional(
      parameter(
        (text) => (/^[\w.-]{1,64}$/.test(text) ? text : undefined),
        '1 to 64 letters, digits, dots, dashes or underscores',
        { type: 'string' },
      ),
    ),
    'X-Svcd-Fresh': ONE(),
  }),
  v.transform((given) => ({
    ...termsOf(given),
    /** Another picture for the same prompt and size. */
    variant: given['X-Svcd-Variant'],
    /** One never asked for before. Cache-Control says nothing of it: browsers send that by themselves. */
    fresh: given['X-Svcd-Fresh'] ?? false,
  })),
);
