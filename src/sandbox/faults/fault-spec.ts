// What can be made to go wrong, as a rule of the control surface or a header of one request says it.

import * as v from 'valibot';
import { between, check, describe, invalid, text, whole } from '../wire/check.js';
import { IMAGE_SIZES } from '../wire/limits.js';

const MS_MAX = 600_000;
const MANY = 1_000_000_000;

const retryAfter = v.optional(whole(0, 86_400));
/** Whether the work is done, and charged, before it goes wrong. */
const work = v.optional(v.boolean());
const code = v.pipe(v.string(), v.regex(/^[a-z][a-z0-9_]{0,63}$/, 'must be a code such as upstream_failure'));
const notZero = v.pipe(
  v.number(),
  v.integer('must be a whole number'),
  v.check((by) => by !== 0, 'must not be 0'),
);

/** Each kind with what belongs to it. */
const KINDS = {
  latency: {
    ms: v.optional(whole(0, MS_MAX)),
    median_ms: v.optional(whole(1, MS_MAX)),
    sigma: v.optional(between(0, 5)),
  },
  status: { status: whole(300, 599), code: v.optional(code), retry_after_s: retryAfter },
  reset: { at_byte: v.optional(whole(0, MANY)), work },
  'black-hole': { work },
  'wrong-length': { by: v.optional(notZero) },
  'slow-body': { bytes_per_s: v.optional(whole(1, MANY)) },
  'bad-json': {},
  'no-credits': {},
  busy: { retry_after_s: retryAfter },
  size: { size: v.optional(v.picklist(IMAGE_SIZES)) },
};

/** Which requests a rule is for. */
const MATCHING = {
  /** A path, `*` standing for anything. */
  path: v.optional(text(300), '*'),
  method: v.optional(v.picklist(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH'])),
  /** How often at most. */
  count: v.optional(whole(1, MANY)),
  /** How many requests it lets pass before. */
  after: v.optional(whole(0, MANY)),
  probability: v.optional(between(0, 1)),
};

type Kind = keyof typeof KINDS;
type Fields<E extends v.ObjectEntries> = v.InferOutput<v.StrictObjectSchema<E, undefined>>;
/** What goes wrong. */
export type FaultSpec = { [K in Kind]: { kind: K } & Fields<(typeof KINDS)[K]> }[Kind];
/** What goes wrong, and with which requests. */
export type FaultRule = FaultSpec & Fields<typeof MATCHING>;

/** A rule for the requests to come. Throws `invalid_request`. */
export function readFaultRule(body: Record<string, unknown>): FaultRule {
  return checkSpec(body, MATCHING) as FaultRule;
}

/** What `X-Sandbox-Fault` asks for: `kind; name=value; name=value`. Throws `invalid_request`. */
export function readFaultHeader(header: string): FaultSpec {
  const [kind = '', ...pairs] = header.split(';').map((part) => part.trim());
  const told = pairs.map((pair) => {
    const [, name = '', value = ''] = /^([a-z_]+)\s*=\s*(\S+)$/.exec(pair) ?? [];
    if (name === '') throw invalid(`X-Sandbox-Fault: ${describe(pair)} is not of the form name=value`);
    return [name, valueOf(value)] as const;
  });
  return checkSpec({ ...Object.fromEntries(told), kind }, {});
}

function checkSpec(body: Record<string, unknown>, more: v.ObjectEntries): FaultSpec {
  const { kind } = body;
  if (typeof kind !== 'string' || !Object.hasOwn(KINDS, kind)) {
    throw invalid(`kind: must be one of ${Object.keys(KINDS).join(', ')}, got ${describe(kind)}`);
  }
  const entries: v.ObjectEntries = { kind: v.literal(kind), ...more, ...KINDS[kind as Kind] };
  return check(v.strictObject(entries), body) as FaultSpec;
}

function valueOf(told: string): unknown {
  if (/^-?\d+(\.\d+)?$/.test(told)) return Number(told);
  return told === 'true' ? true : told === 'false' ? false : told;
}
