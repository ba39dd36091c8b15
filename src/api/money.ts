// Requests about money: which purchases to list, what became of one, budgets, and the headers by which a client says on which
// terms something may be bought.

import * as v from 'valibot';
import { describe, wholeBetween } from '../contract/json-body.js';
import { parameter, wholeNumber } from '../contract/read-query.js';

const CREDITS_MAX = 1_000_000_000;
const LISTED_DEFAULT = 100;
const LISTED_MAX = 10_000;
export const PURCHASE_STATES = ['intent', 'sent', 'paid', 'refused', 'unknown'] as const;

const CREDITS = `a whole number of credits from 0 to ${CREDITS_MAX}`;

/** A number of credits. */
export const credits = wholeBetween(0, CREDITS_MAX, CREDITS);
const limit = v.optional(v.nullable(wholeBetween(0, CREDITS_MAX, `${CREDITS}, or null for no limit`)));

/** Limits in credits; null removes one, what is not named stays. */
export const budgetChangeSchema = v.pipe(
  v.strictObject({ request: limit, day: limit, month: limit }),
  v.check((change) => Object.keys(change).length > 0, 'give at least one of request, day and month'),
);

/** What the user says of a purchase; nothing asks the remote. */
export const purchaseDecisionSchema = v.strictObject({
  as: v.optional(
    v.pipe(
      v.string(),
      v.picklist(['charged', 'free'], (issue) => `must be charged or free, got ${describe(issue.input)}`),
    ),
  ),
});

/** Milliseconds since the epoch. */
export const instantParameter = parameter(readInstant, 'a day or instant such as 2026-11-21 or 2026-11-21T08:00:00Z', {
  type: 'string',
});

/** Which purchases to list; instants are milliseconds since the epoch. */
export const purchaseQuerySchema = v.object({
  state: v.optional(
    parameter((text) => PURCHASE_STATES.find((one) => one === text), `one of ${PURCHASE_STATES.join(', ')}`, {
      type: 'string',
      enum: PURCHASE_STATES,
    }),
  ),
  limit: v.optional(wholeNumber(1, LISTED_MAX), `${LISTED_DEFAULT}`),
  since: v.optional(instantParameter),
  free_since: v.optional(instantParameter),
  preset: v.optional(v.string()),
});

function readInstant(text: string): number | undefined {
  const time = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : NaN;
  // A day that is not in the calendar would be read as another one.
  return Number.isFinite(time) && Number(text.slice(8, 10)) <= daysOf(text) ? time : undefined;
}

/** Days of the month that an ISO date names. */
function daysOf(date: string): number {
  return new Date(Date.UTC(Number(date.slice(0, 4)), Number(date.slice(5, 7)), 0)).getUTCDate();
}

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

/** What a page shows to raise a budget, to lift a stop, or to say that a purchase was free. */
export const pageCodeSchema = v.object({ 'X-Svcd-Code': v.optional(v.string()) });

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
