// What can be made to go wrong, a row a kind: what a rule of the control surface or the header of one request may say
// of it, and the fault that it becomes.

import * as v from 'valibot';
import { SvcdError } from '../../model/errors.js';
import { between, check, describe, invalid, text, whole } from '../wire/check.js';
import { IMAGE_SIZES, type ImageSize } from '../wire/limits.js';
import { codeOfStatus } from '../wire/status-codes.js';

/** How the bytes of an answer are mishandled. `work`: whether the call is carried out, and charged, before. */
export type Transfer =
  /** A reset (RST) before the headers, or after so many bytes of the body, at the latest before its last. */
  | { readonly kind: 'reset'; readonly atByte?: number | undefined; readonly work: boolean }
  /** Nothing at all, for as long as the client waits. */
  | { readonly kind: 'black-hole'; readonly work: boolean }
  /** A Content-Length that is so many bytes more (or less, below 0) than there are. */
  | { readonly kind: 'wrong-length'; readonly byBytes: number; readonly work: true }
  | { readonly kind: 'slow-body'; readonly bytesPerS: number; readonly work: true };

/** The parts combine. */
export interface Fault {
  /** What it is called in the request journal. */
  name?: string;
  /** Wait before anything else is done; Infinity never answers. */
  latencyMs?: number;
  /** Answer this error instead of doing the work: nothing is charged. */
  refuse?: SvcdError;
  /** Answer this instead of doing the work: nothing is charged. */
  instead?: () => Response;
  /**
   * Do the work, charge for it, and send this instead of the true answer. A body that errors cuts the
   * connection (if it errors at once, the server can still answer 500 instead); one that dawdles is a slow answer.
   */
  replace?: (answer: Response) => Response | Promise<Response>;
  /** Mishandle the bytes of the answer, below HTTP. */
  transfer?: Transfer;
  /** Draw an image of this size, whatever was asked for; `other` is any but that. */
  imageSize?: ImageSize | 'other';
}

export interface FaultRequest {
  method: string;
  /** As sent: percent-encoded, without the query. */
  path: string;
  /** The header that asks for a fault of this one request. */
  header: string | undefined;
}

/** What goes wrong with a request. May throw: then the request is refused for it. */
export type ChooseFault = (request: FaultRequest) => Fault | undefined;

const MS_MAX = 600_000;
const MANY = 1_000_000_000;

/** Gives numbers from 0 to below 1, the same again for the same name. */
type Draw = (name: string) => number;
type Fields<E extends v.ObjectEntries> = v.InferOutput<v.StrictObjectSchema<E, undefined>>;

const retryAfter = v.optional(whole(0, 86_400));
/** Whether the work is done, and charged, before it goes wrong. */
const work = v.optional(v.boolean());
const code = v.pipe(v.string(), v.regex(/^[a-z][a-z0-9_]{0,63}$/, 'must be a code such as upstream_failure'));
const notZero = v.pipe(
  v.number(),
  v.integer('must be a whole number'),
  v.check((by) => by !== 0, 'must not be 0'),
);

const KINDS = {
  latency: row(
    {
      ms: v.optional(whole(0, MS_MAX)),
      median_ms: v.optional(whole(1, MS_MAX)),
      sigma: v.optional(between(0, 5)),
    },
    ({ ms, median_ms: median = 200, sigma = 0.5 }, draw) => ({
      latencyMs: ms ?? logNormal(median, sigma, draw),
    }),
  ),
  status: row(
    { status: whole(300, 599), code: v.optional(code), retry_after_s: retryAfter },
    ({ status, code: told = codeOfStatus(status), retry_after_s: retryAfterS }) => ({
      instead: () => answerOf(status, told, retryAfterS),
    }),
  ),
  reset: row({ at_byte: v.optional(whole(0, MANY)), work }, ({ at_byte: atByte, work: works }) =>
    sentBadly({ kind: 'reset', atByte, work: works ?? atByte !== undefined }),
  ),
  'black-hole': row({ work }, ({ work: works = false }) => sentBadly({ kind: 'black-hole', work: works })),
  'wrong-length': row({ by: v.optional(notZero) }, ({ by = 100 }) =>
    sentBadly({ kind: 'wrong-length', byBytes: by, work: true }),
  ),
  'slow-body': row({ bytes_per_s: v.optional(whole(1, MANY)) }, ({ bytes_per_s: bytesPerS = 1000 }) =>
    sentBadly({ kind: 'slow-body', bytesPerS, work: true }),
  ),
  'bad-json': row({}, () => ({ replace: breakJson })),
  'no-credits': row({}, () => ({
    refuse: new SvcdError('insufficient_credits', 'There are no credits left.'),
  })),
  busy: row({ retry_after_s: retryAfter }, ({ retry_after_s: retryAfterS = 1 }) => ({
    refuse: new SvcdError('busy', 'Image generation is busy.', { retryAfterS }),
  })),
  size: row({ size: v.optional(v.picklist(IMAGE_SIZES)) }, ({ size }) => ({ imageSize: size ?? 'other' })),
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
/** Every kind, with the names of its parameters. */
export const FAULT_KINDS = Object.fromEntries(
  Object.entries(KINDS).map(([kind, { entries }]) => [kind, Object.keys(entries)]),
) as unknown as Readonly<Record<Kind, readonly string[]>>;

type NamesOf<E> = E extends unknown ? keyof E : never;
export type FaultParameter = keyof typeof MATCHING | NamesOf<(typeof KINDS)[Kind]['entries']>;
/** Every parameter of a rule, in the order of the rows, and how it is typed in a command. */
export const FAULT_PARAMETERS = Object.fromEntries(
  [MATCHING, ...Object.values(KINDS).map(({ entries }) => entries)]
    .flatMap((entries) => Object.entries(entries as v.ObjectEntries))
    .map(([name, schema]) => [name, typedAs(schema)]),
) as Readonly<Record<FaultParameter, 'text' | 'number' | 'switch'>>;

/** What goes wrong; the other fields are those of the kind. */
export type FaultSpec = { kind: Kind };
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

/** The fault of a rule or a header; what depends on chance is drawn. */
export function faultOf(spec: FaultSpec, draw: Draw): Fault {
  return { name: spec.kind, ...KINDS[spec.kind].make(spec as never, draw) };
}

function row<E extends v.ObjectEntries>(entries: E, make: (spec: Fields<E>, draw: Draw) => Fault) {
  return { entries, make };
}

function typedAs(schema: v.ObjectEntries[string]): 'text' | 'number' | 'switch' {
  const { type } = 'wrapped' in schema ? schema.wrapped : schema;
  if (type === 'boolean') return 'switch';
  return type === 'number' ? 'number' : 'text';
}

function checkSpec(body: Record<string, unknown>, more: v.ObjectEntries): FaultSpec {
  const { kind } = body;
  if (typeof kind !== 'string' || !Object.hasOwn(KINDS, kind)) {
    throw invalid(`kind: must be one of ${Object.keys(KINDS).join(', ')}, got ${describe(kind)}`);
  }
  const entries: v.ObjectEntries = { kind: v.literal(kind), ...more, ...KINDS[kind as Kind].entries };
  return check(v.strictObject(entries), body) as FaultSpec;
}

function valueOf(told: string): unknown {
  if (/^-?\d+(\.\d+)?$/.test(told)) return Number(told);
  return told === 'true' ? true : told === 'false' ? false : told;
}

function sentBadly(transfer: Transfer): Fault {
  return { transfer };
}

/** Whose logarithm is spread as a bell: most near the median, a few very late, as answers of a service are. */
function logNormal(medianMs: number, sigma: number, draw: Draw): number {
  const bell = Math.sqrt(-2 * Math.log(1 - draw('radius'))) * Math.cos(2 * Math.PI * draw('angle'));
  return Math.min(MS_MAX, medianMs * Math.exp(sigma * bell));
}

function answerOf(status: number, told: string, retryAfterS: number | undefined): Response {
  const headers: Record<string, string> = retryAfterS === undefined ? {} : { 'Retry-After': `${retryAfterS}` };
  const message = `The sandbox was told to answer ${status}.`;
  return Response.json({ code: told, message }, { status, headers });
}

/** The first half of the body, and what cannot follow in any JSON. */
async function breakJson(answer: Response): Promise<Response> {
  const body = await answer.text();
  const headers = new Headers(answer.headers);
  headers.delete('Content-Length');
  const broken = `${body.slice(0, Math.floor(body.length / 2))}}{`;
  return new Response(broken, { status: answer.status, headers });
}
