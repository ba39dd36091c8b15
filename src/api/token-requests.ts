// Requests about tokens: what a new one may be used for, and how much it may spend.

import * as v from 'valibot';
import { PERMISSIONS, USUAL_PERMISSIONS, type Permission } from '../model/spender.js';
import { describe, parseWith } from '../contract/json-body.js';

const CREDITS_MAX = 1_000_000_000;

const credits = v.optional(
  v.pipe(
    v.number(),
    v.integer(creditsRule),
    v.minValue(0, creditsRule),
    v.maxValue(CREDITS_MAX, creditsRule),
  ),
);

const only = v.optional(
  v.pipe(
    v.array(
      v.pipe(
        v.string(),
        v.picklist(
          PERMISSIONS,
          (issue) => `must be of ${PERMISSIONS.join(', ')}, got ${describe(issue.input)}`,
        ),
      ),
    ),
    v.minLength(1, `must name at least one of ${PERMISSIONS.join(', ')}`),
  ),
);

const name = v.pipe(
  v.string(),
  v.regex(
    /^(?!run-)[A-Za-z0-9][\w.-]{0,39}$/,
    (issue) =>
      `must be 1 to 40 letters, digits, dots, dashes or underscores, and not begin with "run-", got ${describe(issue.input)}`,
  ),
);

const tokenWishSchema = v.strictObject({ name, only, request: credits, day: credits, month: credits });
const leaseWishSchema = v.strictObject({ only, total: credits });

export interface NewTokenRequest {
  readonly only: readonly Permission[];
  /** Credits; null for no limit. */
  readonly limits: {
    readonly request: number | null;
    readonly day: number | null;
    readonly month: number | null;
    readonly total: number | null;
  };
}

/** A named token as it is asked for. Throws `invalid_request`. */
export function parseNewToken(body: Record<string, unknown>): NewTokenRequest & { readonly name: string } {
  const {
    name: called,
    only: may,
    request = null,
    day = null,
    month = null,
  } = parseWith(tokenWishSchema, body);
  return { name: called, only: inOrder(may), limits: { request, day, month, total: null } };
}

/** A token for a command that is about to run. Throws `invalid_request`. */
export function parseLease(body: Record<string, unknown>): NewTokenRequest {
  const { only: may, total = null } = parseWith(leaseWishSchema, body);
  return { only: inOrder(may), limits: { request: null, day: null, month: null, total } };
}

function inOrder(may: readonly Permission[] = USUAL_PERMISSIONS): Permission[] {
  return PERMISSIONS.filter((one) => may.includes(one));
}

function creditsRule(issue: { input: number }): string {
  return `must be a whole number of credits from 0 to ${CREDITS_MAX}, got ${issue.input}`;
}
