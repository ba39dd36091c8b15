// Requests about tokens: what a new one may be used for, and how much it may spend.

import * as v from 'valibot';
import { PERMISSIONS, USUAL_PERMISSIONS, type Permission } from '../model/spender.js';
import { describe } from '../contract/json-body.js';
import { capabilityWords, templateName } from '../contract/requests.js';
import { credits } from './money.js';

const ORIGINS_MAX = 20;
const AT_LEAST_ONE = `must name at least one of ${PERMISSIONS.join(', ')}`;
const permissions = v.array(
  v.pipe(
    v.string(),
    v.picklist(PERMISSIONS, (issue) => `must be of ${PERMISSIONS.join(', ')}, got ${describe(issue.input)}`),
  ),
);
const only = v.optional(v.pipe(permissions, v.minLength(1, AT_LEAST_ONE)));

const name = v.pipe(
  v.string(),
  v.regex(
    /^(?!run-)[A-Za-z0-9][\w.-]{0,39}$/,
    (issue) =>
      `must be 1 to 40 letters, digits, dots, dashes or underscores, and not begin with "run-", got ${describe(issue.input)}`,
  ),
);

const limit = v.optional(credits);

/** A named token as it is asked for; a limit in credits is null where there is none. */
export const newTokenSchema = v.pipe(
  v.strictObject({ name, only, request: limit, day: limit, month: limit }),
  v.transform(({ request = null, day = null, month = null, ...rest }) => ({
    name: rest.name,
    only: inOrder(rest.only),
    limits: { request, day, month, total: null },
  })),
);

const inAll = (total: number | null = null) => ({ request: null, day: null, month: null, total });

/**
 * A token for a command that is about to run, or with `resume` the one it has, after svcd was started again. With `fence`
 * for a template, which may have declared nothing: `only` may be empty then.
 */
export const leaseSchema = v.pipe(
  v.strictObject({
    only: v.optional(permissions),
    total: limit,
    fence: v.optional(v.strictObject({ template: templateName, declares: capabilityWords })),
    /** Whose pages may use svcd meanwhile; also `http://localhost:*`. */
    origins: v.optional(v.pipe(v.array(v.string()), v.maxLength(ORIGINS_MAX, `must be at most ${ORIGINS_MAX}`))),
    resume: v.optional(v.string()),
  }),
  v.forward(
    v.check(({ only: named, fence }) => named?.length !== 0 || fence !== undefined, AT_LEAST_ONE),
    ['only'],
  ),
  v.transform(({ total, resume, fence, origins = [], ...rest }) => ({
    // What a fenced token may do is said, never assumed.
    only: inOrder(fence === undefined ? rest.only : (rest.only ?? [])),
    limits: inAll(total),
    fence,
    origins,
    resume,
  })),
);

/** A token for a run of this name; `total` is the most it may spend. */
export const runSchema = v.pipe(
  v.strictObject({ name, only, total: limit }),
  v.transform(({ total, ...rest }) => ({ name: rest.name, only: inOrder(rest.only), limits: inAll(total) })),
);

/** Whose report. */
export const reportQuerySchema = v.strictObject({ run: v.optional(v.string()) });

function inOrder(may: readonly Permission[] = USUAL_PERMISSIONS): Permission[] {
  return PERMISSIONS.filter((one) => may.includes(one));
}
