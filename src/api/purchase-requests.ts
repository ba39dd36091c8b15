// Requests about money: which purchases to list, what became of one, and budgets.

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

const instant = parameter(readInstant, 'a day or instant such as 2026-11-21 or 2026-11-21T08:00:00Z', {
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
  since: v.optional(instant),
  free_since: v.optional(instant),
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
