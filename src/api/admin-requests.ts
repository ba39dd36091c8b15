// Requests to svcd's own paths: about money, and about the way to the remote.

import * as v from 'valibot';
import { SvcdError } from '../model/errors.js';
import { describe, parseWith } from '../contract/json-body.js';

const CREDITS_MAX = 1_000_000_000;
const SYNC_MAX = 1_000_000;
const LISTED_DEFAULT = 100;
const LISTED_MAX = 10_000;
const STATES = ['intent', 'sent', 'paid', 'refused', 'unknown'] as const;

const credits = v.optional(
  v.nullable(v.pipe(v.number(), v.integer(rule), v.minValue(0, rule), v.maxValue(CREDITS_MAX, rule))),
);

const budgetChangeSchema = v.pipe(
  v.strictObject({ request: credits, day: credits, month: credits }),
  v.check((change) => Object.keys(change).length > 0, 'give at least one of request, day and month'),
);

const purchaseDecisionSchema = v.strictObject({
  as: v.optional(
    v.pipe(
      v.string(),
      v.picklist(['charged', 'free'], (issue) => `must be charged or free, got ${describe(issue.input)}`),
    ),
  ),
});

const offlineWishSchema = v.strictObject({ offline: v.boolean() });

export type BudgetChange = v.InferOutput<typeof budgetChangeSchema>;

export interface PurchaseQuery {
  readonly limit: number;
  /** Milliseconds since the epoch. */
  readonly since: number | undefined;
  readonly preset: string | undefined;
  readonly state: (typeof STATES)[number] | undefined;
  /** Milliseconds since the epoch. */
  readonly freeSince: number | undefined;
}

/** Limits in credits; null removes one, what is not named stays. Throws `invalid_request`. */
export function parseBudgetChange(body: Record<string, unknown>): BudgetChange {
  return parseWith(budgetChangeSchema, body);
}

/** What the user says of a purchase; nothing asks the remote. Throws `invalid_request`. */
export function parsePurchaseDecision(body: Record<string, unknown>): {
  as?: 'charged' | 'free' | undefined;
} {
  return parseWith(purchaseDecisionSchema, body);
}

/** Whether the user wants to be offline. Throws `invalid_request`. */
export function parseOfflineRequest(body: Record<string, unknown>): boolean {
  return parseWith(offlineWishSchema, body).offline;
}

/** After how many requests a sync ends, if it says. Throws `invalid_request`. */
export function parseMaxRequests(parameters: URLSearchParams): number | undefined {
  const text = parameters.get('max_requests') ?? undefined;
  if (text === undefined) return undefined;
  const count = /^\d{1,7}$/.test(text) ? Number(text) : 0;
  if (count >= 1 && count <= SYNC_MAX) return count;
  throw wrong('max_requests', `a whole number from 1 to ${SYNC_MAX}`, text);
}

/** Which purchases to list. Throws `invalid_request`. */
export function parsePurchaseQuery(parameters: URLSearchParams): PurchaseQuery {
  const state = parameters.get('state') ?? undefined;
  const known = STATES.find((one) => one === state);
  if (state !== undefined && known === undefined) throw wrong('state', `one of ${STATES.join(', ')}`, state);
  return {
    limit: parseLimit(parameters.get('limit')),
    since: parseInstant('since', parameters.get('since')),
    freeSince: parseInstant('free_since', parameters.get('free_since')),
    preset: parameters.get('preset') ?? undefined,
    state: known,
  };
}

function parseLimit(value: string | null): number {
  if (value === null) return LISTED_DEFAULT;
  const limit = /^\d{1,9}$/.test(value) ? Number(value) : NaN;
  if (limit >= 1 && limit <= LISTED_MAX) return limit;
  throw wrong('limit', `a whole number from 1 to ${LISTED_MAX}`, value);
}

function parseInstant(field: string, value: string | null): number | undefined {
  if (value === null) return undefined;
  const instant = /^\d{4}-\d{2}-\d{2}/.test(value) ? Date.parse(value) : NaN;
  // A day that is not in the calendar would be read as another one.
  const day = Number(value.slice(8, 10));
  if (Number.isFinite(instant) && day <= daysOf(value)) return instant;
  throw wrong(field, 'a day or instant such as 2026-11-21 or 2026-11-21T08:00:00Z', value);
}

/** Days of the month that an ISO date names. */
function daysOf(date: string): number {
  return new Date(Date.UTC(Number(date.slice(0, 4)), Number(date.slice(5, 7)), 0)).getUTCDate();
}

function rule(issue: { input: number }): string {
  return `must be a whole number of credits from 0 to ${CREDITS_MAX}, or null for no limit, got ${issue.input}`;
}

function wrong(field: string, expected: string, value: string): SvcdError {
  return new SvcdError('invalid_request', `${field}: must be ${expected}, got ${describe(value)}`);
}
