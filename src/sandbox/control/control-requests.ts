// Bodies and queries of the control surface, which is svcd's own and no part of the service.

import * as v from 'valibot';
import { PERMISSIONS } from '../key-store.js';
import { describe, text, token, whole, wholeInQuery } from '../wire/check.js';

const CREDITS_MAX = 1_000_000_000;
const FEN_MAX = 100_000_000;
const REQUESTS_LISTED = 50;
const REQUESTS_LISTED_MAX = 10_000;

const name = v.pipe(text(64), token(/^[\p{L}\p{N}][\p{L}\p{N}._-]*$/u, 'a name without spaces or slashes'));
const template = v.pipe(
  text(150),
  token(/^[\p{L}\p{N}][\p{L}\p{N}._-]*@[0-9A-Za-z][0-9A-Za-z.+-]*$/u, '<template_name>@<version>'),
);
/** A template, in its newest version when none is named. */
const templateOrName = v.pipe(
  text(150),
  token(
    /^[\p{L}\p{N}][\p{L}\p{N}._-]*(@[0-9A-Za-z][0-9A-Za-z.+-]*)?$/u,
    '<template_name> or <template_name>@<version>',
  ),
);
/** CNY, read into whole fen. */
const amount = v.pipe(
  v.union([v.string(), v.number()], 'must be an amount in CNY such as 12.50'),
  v.transform(String),
  v.regex(/^\d{1,7}(\.\d{1,2})?$/, ({ input }) => `must be an amount in CNY such as 12.50, got ${describe(input)}`),
  v.transform((told) => Math.round(Number(told) * 100)),
  v.minValue(1, 'must be more than 0'),
  v.maxValue(FEN_MAX, `must be at most CNY ${FEN_MAX / 100}`),
);
const limit = v.optional(v.nullable(whole(0, CREDITS_MAX)));
const limits = v.optional(v.strictObject({ per_request: limit, daily: limit, monthly: limit }));
const permissions = v.optional(v.array(v.picklist(PERMISSIONS)));
const flag = v.optional(v.boolean());
const account = v.optional(name);
const remarks = v.optional(v.array(text(500)), []);

export const BODIES = {
  account: v.strictObject({ name, email_verified: flag, invited_by: account }),
  accountChange: v.strictObject({ email_verified: v.boolean() }),
  invitation: v.strictObject({ inviter: name, account: name }),
  /** For the package of a template, or without one a general-purpose Key. */
  key: v.strictObject({ account, template: v.optional(template), limits, permissions }),
  keyChange: v.pipe(
    v.strictObject({
      state: v.optional(v.picklist(['active', 'disabled', 'revoked'])),
      limits,
      permissions,
    }),
    v.check((change) => Object.keys(change).length > 0, 'give at least one of state, limits and permissions'),
  ),
  topUp: v.strictObject({ account, amount }),
  purchase: v.strictObject({ account, template, amount }),
  judgement: v.strictObject({ anomaly: flag, verified: flag }),
  release: v.strictObject({ template, known_issues: remarks, tips: remarks }),
  download: v.strictObject({
    account,
    template: templateOrName,
    /** The files by their path, or one ZIP file in base64. */
    form: v.optional(v.picklist(['files', 'zip']), 'files'),
  }),
  clock: v.union(
    [
      v.strictObject({ advance_ms: whole(0, Number.MAX_SAFE_INTEGER) }),
      v.strictObject({ to: v.pipe(v.string(), v.isoTimestamp()) }),
    ],
    'give either advance_ms (milliseconds) or to (an instant such as 2026-12-05T08:00:00Z)',
  ),
  capability: v.strictObject({ enabled: v.boolean() }),
};

export const requestQuerySchema = v.object({
  limit: v.optional(wholeInQuery(REQUESTS_LISTED_MAX), `${REQUESTS_LISTED}`),
  account: v.optional(v.string()),
  path: v.optional(v.string()),
});
