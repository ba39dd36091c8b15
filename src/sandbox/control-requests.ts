// Requests to the sandbox's control surface, which is svcd's own and no part of the contract: accounts, Keys,
// money, faults.

import * as v from 'valibot';
import { SvcdError } from '../model/errors.js';
import { describe, parseWith, text } from '../contract/json-body.js';
import { IMAGE_SIZES } from '../contract/limits.js';

/** Permissions the document names, for music. */
export const PERMISSIONS = ['music.search', 'assets.read', 'assets.write'] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** What can be made to go wrong. */
const FAULT_KINDS = [
  'latency',
  'status',
  'reset',
  'black-hole',
  'wrong-length',
  'slow-body',
  'bad-json',
  'no-credits',
  'busy',
  'size',
] as const;

const CREDITS_MAX = 1_000_000_000;
const FEN_MAX = 100_000_000;
const MS_MAX = 600_000;

const name = v.pipe(
  text(64),
  v.regex(
    /^[\p{L}\p{N}][\p{L}\p{N}._-]*$/u,
    (issue) => `must be a name without spaces or slashes, got ${describe(issue.input)}`,
  ),
);
const template = v.pipe(
  text(150),
  v.regex(
    /^[\p{L}\p{N}][\p{L}\p{N}._-]*@[0-9A-Za-z][0-9A-Za-z.+-]*$/u,
    (issue) => `must be <template_name>@<version>, got ${describe(issue.input)}`,
  ),
);
/** A template, in its newest version when none is named. */
const templateOrName = v.pipe(
  text(150),
  v.regex(
    /^[\p{L}\p{N}][\p{L}\p{N}._-]*(@[0-9A-Za-z][0-9A-Za-z.+-]*)?$/u,
    (issue) => `must be <template_name> or <template_name>@<version>, got ${describe(issue.input)}`,
  ),
);
const amount = v.pipe(
  v.union([v.string(), v.number()], 'must be an amount in CNY such as 12.50'),
  v.transform(String),
  v.regex(
    /^\d{1,7}(\.\d{1,2})?$/,
    (issue) => `must be an amount in CNY such as 12.50, got ${describe(issue.input)}`,
  ),
  v.transform((told) => Math.round(Number(told) * 100)),
  v.minValue(1, 'must be more than 0'),
  v.maxValue(FEN_MAX, `must be at most CNY ${FEN_MAX / 100}`),
);
const limit = v.optional(v.nullable(whole(0, CREDITS_MAX)));
const limits = v.strictObject({ per_request: limit, daily: limit, monthly: limit });
const permissions = v.array(
  v.pipe(
    v.string(),
    v.picklist(
      PERMISSIONS,
      (issue) => `must be one of ${PERMISSIONS.join(', ')}, got ${describe(issue.input)}`,
    ),
  ),
);
const flag = v.optional(v.boolean());

const SCHEMAS = {
  account: v.strictObject({ name, email_verified: flag, invited_by: v.optional(name) }),
  accountChange: v.strictObject({ email_verified: v.boolean() }),
  key: v.strictObject({
    account: v.optional(name),
    /** For the package of this template; without it a general-purpose Key. */
    template: v.optional(template),
    limits: v.optional(limits),
    permissions: v.optional(permissions),
  }),
  keyChange: v.pipe(
    v.strictObject({
      state: v.optional(v.picklist(['active', 'disabled', 'revoked'])),
      limits: v.optional(limits),
      permissions: v.optional(permissions),
    }),
    v.check((change) => Object.keys(change).length > 0, 'give at least one of state, limits and permissions'),
  ),
  topUp: v.strictObject({ account: v.optional(name), amount }),
  templatePurchase: v.strictObject({ account: v.optional(name), template, amount }),
  download: v.strictObject({
    account: v.optional(name),
    template: templateOrName,
    /** The files by their path, or one ZIP file in base64. */
    form: v.optional(v.picklist(['files', 'zip'], 'must be files or zip'), 'files'),
  }),
  invitation: v.strictObject({ inviter: name, account: name }),
  judgement: v.strictObject({ anomaly: flag, verified: flag }),
  clock: v.union(
    [
      v.strictObject({ advance_ms: whole(0, Number.MAX_SAFE_INTEGER) }),
      v.strictObject({ to: v.pipe(v.string(), v.isoTimestamp()) }),
    ],
    'give either advance_ms (milliseconds) or to (an instant such as 2026-12-05T08:00:00Z)',
  ),
  capability: v.strictObject({ enabled: v.boolean() }),
  release: v.strictObject({
    template,
    known_issues: v.optional(v.array(text(500)), []),
    tips: v.optional(v.array(text(500)), []),
  }),
};

/** One body of the control surface, by what it is about. Throws `invalid_request`. */
export function parseControl<K extends keyof typeof SCHEMAS>(
  what: K,
  body: Record<string, unknown>,
): v.InferOutput<(typeof SCHEMAS)[K]> {
  return parseWith(SCHEMAS[what] as v.GenericSchema, body) as v.InferOutput<(typeof SCHEMAS)[K]>;
}

const retryAfter = v.optional(whole(0, 86_400));
/** Whether the work is done, and charged, before it goes wrong. */
const work = flag;

/** Each kind with what belongs to it. */
const FAULTS = {
  latency: {
    ms: v.optional(whole(0, MS_MAX)),
    median_ms: v.optional(whole(1, MS_MAX)),
    sigma: v.optional(between(0, 5)),
  },
  status: {
    status: whole(300, 599),
    code: v.optional(
      v.pipe(v.string(), v.regex(/^[a-z][a-z0-9_]{0,63}$/, 'must be a code such as upstream_failure')),
    ),
    retry_after_s: retryAfter,
  },
  reset: { at_byte: v.optional(whole(0, CREDITS_MAX)), work },
  'black-hole': { work },
  'wrong-length': {
    by: v.optional(
      v.pipe(
        v.number(),
        v.integer('must be a whole number'),
        v.check((by) => by !== 0, 'must not be 0'),
      ),
    ),
  },
  'slow-body': { bytes_per_s: v.optional(whole(1, CREDITS_MAX)) },
  'bad-json': {},
  'no-credits': {},
  busy: { retry_after_s: retryAfter },
  size: { size: v.optional(v.picklist(IMAGE_SIZES, `must be one of ${IMAGE_SIZES.join(', ')}`)) },
} satisfies Record<(typeof FAULT_KINDS)[number], v.ObjectEntries>;

const matching = {
  /** A path, `*` standing for anything. */
  path: v.optional(text(300), '*'),
  method: v.optional(v.picklist(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH'])),
  /** How often at most. */
  count: v.optional(whole(1, CREDITS_MAX)),
  /** How many requests it lets pass before. */
  after: v.optional(whole(0, CREDITS_MAX)),
  probability: v.optional(between(0, 1)),
};

export type FaultKind = (typeof FAULT_KINDS)[number];
type Entries<E extends v.ObjectEntries> = { [N in keyof E]?: v.InferOutput<E[N]> | undefined };
type SpecOf<K extends FaultKind> = { kind: K } & Omit<Entries<(typeof FAULTS)[K]>, 'status'> &
  (K extends 'status' ? { status: number } : unknown);
/** What goes wrong. */
export type FaultSpec = { [K in FaultKind]: SpecOf<K> }[FaultKind];
/** What goes wrong, and with which requests. */
export type FaultRule = FaultSpec & Entries<Omit<typeof matching, 'path'>> & { path: string };

/** A rule for the requests to come. Throws `invalid_request`. */
export function parseFaultRule(body: Record<string, unknown>): FaultRule {
  const kind = kindOf(body['kind']);
  return parseWith(
    v.strictObject({ kind: v.literal(kind), ...matching, ...FAULTS[kind] }),
    body,
  ) as FaultRule;
}

/** What `X-Sandbox-Fault` asks for: `kind; name=value; name=value`. Throws `invalid_request`. */
export function parseFaultHeader(header: string): FaultSpec {
  const [kind = '', ...pairs] = header.split(';').map((part) => part.trim());
  const told = pairs.map((pair) => {
    const [, label = '', value = ''] = /^([a-z_]+)\s*=\s*(\S+)$/.exec(pair) ?? [];
    if (label === '') throw invalid(`X-Sandbox-Fault: ${describe(pair)} is not of the form name=value`);
    return [label, valueOf(value)] as const;
  });
  const known = kindOf(kind);
  return parseWith(v.strictObject({ kind: v.literal(known), ...FAULTS[known] }), {
    kind: known,
    ...Object.fromEntries(told),
  }) as FaultSpec;
}

function valueOf(told: string): unknown {
  if (/^-?\d+(\.\d+)?$/.test(told)) return Number(told);
  return told === 'true' ? true : told === 'false' ? false : told;
}

function kindOf(value: unknown): FaultKind {
  const kind = FAULT_KINDS.find((one) => one === value);
  if (kind !== undefined) return kind;
  throw invalid(`kind: must be one of ${FAULT_KINDS.join(', ')}, got ${describe(value)}`);
}

function whole(min: number, max: number) {
  const rule = (issue: { input: number }) =>
    `must be a whole number from ${min} to ${max}, got ${issue.input}`;
  return v.pipe(v.number(), v.integer(rule), v.minValue(min, rule), v.maxValue(max, rule));
}

function between(min: number, max: number) {
  const rule = (issue: { input: number }) => `must be a number from ${min} to ${max}, got ${issue.input}`;
  return v.pipe(v.number(), v.minValue(min, rule), v.maxValue(max, rule));
}

function invalid(message: string): SvcdError {
  return new SvcdError('invalid_request', message);
}
