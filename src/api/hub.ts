// What a hub and its machines say to each other, and what the hub says to who looks after it, as schemas.

import * as v from 'valibot';
import { healthRowSchema } from './health.js';
import { describe, wholeBetween } from '../contract/json-body.js';
import { parameter, wholeNumber } from '../contract/read-query.js';
import { instantParameter, PURCHASE_STATES, credits } from './money.js';
import { presetText } from './slot.js';
import type { Told } from './operation.js';

/** ISO 8601. */
const instant = v.string();
const count = v.number();

const NAME = 'must be 1 to 64 letters, digits, dots, dashes, underscores or @';
const name = v.pipe(
  v.string(),
  v.regex(/^[\p{L}\p{N}][\p{L}\p{N}._@-]{0,63}$/u, (issue) => `${NAME}, got ${describe(issue.input)}`),
);
/** What a machine calls itself: anything that fits into a list. */
const machineName = v.pipe(
  v.string(),
  v.trim(),
  v.regex(/^[^\p{C}]{1,100}$/u, (issue) => `must be 1 to 100 visible characters, got ${describe(issue.input)}`),
);

/** What a machine with `owned` may have: what is owned already; it never buys. */
const ONLY = ['owned'] as const;
const only = v.nullable(v.picklist(ONLY));

/** POST /svcd/hub/join, of the machines' listener. */
export const joinRequestSchema = v.strictObject({
  secret: v.pipe(v.string(), v.maxLength(200)),
  machine_name: machineName,
  user: v.optional(v.nullable(name)),
});
const machine = { id: count, name: v.string() };
export const joinAnswerSchema = v.object({
  /** Told this once. */
  token: v.string(),
  machine: v.object(machine),
  /** What it buys for where a request does not say. */
  project: v.string(),
  projects: v.array(v.string()),
  only,
  /** When the token ends by itself; null for never. */
  expires_at: v.nullable(instant),
  /** Whose stickers and images these are: the address of the service, or `sandbox`. */
  scope: v.string(),
  sandbox: v.boolean(),
  /** What people call that remote. */
  remote_label: v.string(),
  /** Public half of the key that receipts are signed with: 32 bytes of Ed25519, base64url. */
  receipt_key: v.string(),
  /** Where hubs are, as `https://HOST:PORT`. */
  addresses: v.array(v.string()),
  /** SHA-256 of the certificate's public key (SPKI), base64url. */
  pin: v.string(),
});
export type JoinAnswer = Told<typeof joinAnswerSchema>;

/** GET /svcd/hub, of the machines' listener; also the ping. */
export const hubFactsSchema = v.object({
  name: v.literal('svcd hub'),
  version: v.string(),
  scope: v.string(),
  sandbox: v.boolean(),
  machine: v.object({
    ...machine,
    project: v.string(),
    only,
    user: v.nullable(v.string()),
    /** Left out by an older hub. */
    expires_at: v.exactOptional(v.nullable(instant)),
  }),
  addresses: v.array(v.string()),
  /** Where it will be, and perhaps is not yet. */
  next: v.exactOptional(v.array(v.string())),
  now: instant,
});
export type HubFacts = Told<typeof hubFactsSchema>;

export const leftSchema = v.object({ left: v.boolean() });

/** GET /svcd/hub/asks/{id}: what became of the request of that number. */
export const requestOutcomeSchema = v.object({
  state: v.picklist(['none', ...PURCHASE_STATES]),
  purchase: v.nullable(count),
  item: v.nullable(v.string()),
  cost: v.nullable(credits),
});
export type RequestOutcome = Told<typeof requestOutcomeSchema>;

/** GET /svcd/hub/returned: things that were paid for, or may have been, and whose bytes the hub lacks. */
export const lackingSchema = v.object({ items: v.array(v.string()) });

/** Headers of a machine's request. */
export const machineTermsSchema = v.object({
  'X-Svcd-Request-Id': v.optional(
    parameter((text) => (/^[0-9a-f-]{36}$/i.test(text) ? text.toLowerCase() : undefined), 'a UUID', {
      type: 'string',
      format: 'uuid',
    }),
  ),
  'X-Svcd-Project': v.optional(name),
  /** Of the process that asks, and of the one before it on the same home. */
  'X-Svcd-Process': v.optional(
    parameter((text) => (/^[0-9a-f-]{36}( [0-9a-f-]{36})?$/.test(text) ? text : undefined), 'one or two UUIDs', {
      type: 'string',
    }),
  ),
  'X-Svcd-Key': v.optional(v.pipe(v.string(), v.regex(/^[\x21-\x7e]{1,4096}$/, 'must be a Key'))),
});

// What follows is for who looks after the hub, on its own machine.

const SECONDS_MAX = 366 * 24 * 60 * 60;
const seconds = wholeBetween(1, SECONDS_MAX, `a whole number of seconds from 1 to ${SECONDS_MAX}`);
const USES_MAX = 100_000;

/** POST /svcd/hub/invites. */
export const inviteRequestSchema = v.strictObject({
  projects: v.pipe(v.array(name), v.minLength(1, 'must name at least one project'), v.maxLength(50)),
  /** Credits that each of its projects may spend in all; null for no limit, left out to leave it as it is. */
  budget: v.optional(v.nullable(credits)),
  expires_in_s: v.optional(seconds),
  uses: v.optional(wholeBetween(1, USES_MAX, `a whole number of uses from 1 to ${USES_MAX}`)),
  /** How long the token of a machine lives. */
  ephemeral_s: v.optional(seconds),
  only: v.optional(v.picklist(ONLY, (issue) => `must be owned or left out, got ${describe(issue.input)}`)),
  user: v.optional(name),
});
const invite = {
  id: count,
  projects: v.array(v.string()),
  only,
  user: v.nullable(v.string()),
  uses_left: v.nullable(count),
  ephemeral_s: v.nullable(count),
  expires_at: v.nullable(instant),
  created_at: instant,
};
/** The code is told this once. */
export const inviteAnswerSchema = v.object({ code: v.string(), ...invite, addresses: v.array(v.string()) });
export const invitesSchema = v.object({ invites: v.array(v.object(invite)) });
export type InviteAnswer = Told<typeof inviteAnswerSchema>;
export type InviteView = Told<typeof invitesSchema>['invites'][number];

export const machinesQuerySchema = v.strictObject({
  all: v.optional(parameter((text) => (text === '1' ? true : undefined), '1 or left out', { enum: ['1'] })),
});
const machineView = v.object({
  ...machine,
  projects: v.array(v.string()),
  user: v.nullable(v.string()),
  only,
  joined_at: instant,
  expires_at: v.nullable(instant),
  revoked_at: v.nullable(instant),
  last_seen_at: v.nullable(instant),
  /** When two processes that run at once were seen last: a home that was copied. */
  cloned_at: v.nullable(instant),
  /** When a process came after one that was not seen to end: killed, or a home that was moved or restored. */
  replaced_at: v.nullable(instant),
  spent: credits,
  reserved: credits,
});
export const machinesSchema = v.object({ machines: v.array(machineView) });
export type MachineView = Told<typeof machineView>;
export const unseenQuerySchema = v.strictObject({ unseen_s: wholeNumber(1, 100 * SECONDS_MAX) });
export const machinesRemovedSchema = v.object({ removed: v.array(v.object(machine)) });
export const machineRevokedSchema = v.object({ revoked: v.object(machine) });

const PERIODS = ['request', 'day', 'month', 'total'] as const;
const PAYER = 'must be all, project:NAME, user:NAME or machine:NUMBER';
/** Whose limit: the studio's, a project's, a user's, a machine's. */
const payer = v.pipe(
  v.string(),
  v.regex(
    /^(?:all|machine:[1-9]\d{0,15}|(?:project|user):[\p{L}\p{N}][\p{L}\p{N}._@-]{0,63})$/u,
    (issue) => `${PAYER}, got ${describe(issue.input)}`,
  ),
);
/** PUT /svcd/hub/budgets; null removes the limit. */
export const hubBudgetChangeSchema = v.strictObject({
  payer,
  period: v.picklist(PERIODS, (issue) => `must be one of ${PERIODS.join(', ')}, got ${describe(issue.input)}`),
  credits: v.nullable(credits),
});
const budgetView = v.object({
  payer: v.string(),
  period: v.picklist(PERIODS),
  credits,
  /** Credits spent, or reserved for what is under way or of unknown end, in this period; null of a request's. */
  spent: v.nullable(credits),
  reserved: v.nullable(credits),
});
export const hubBudgetsSchema = v.object({
  budgets: v.array(budgetView),
  /** Projects without a limit of their own, and what they took so far. */
  unlimited: v.array(v.object({ payer: v.string(), spent: credits, reserved: credits })),
});
export type HubBudgets = Told<typeof hubBudgetsSchema>;
export type HubBudgetView = Told<typeof budgetView>;

/** GET /svcd/hub/limits, of the machines' listener: what binds a machine besides the studio's own budgets. */
export const limitsQuerySchema = v.strictObject({ project: v.optional(name) });
export const machineLimitsSchema = v.object({ limits: v.array(budgetView) });
export type MachineLimits = Told<typeof machineLimitsSchema>;

export const hubPurchasesQuerySchema = v.strictObject({
  limit: v.optional(wholeNumber(1, 10_000), '100'),
  project: v.optional(name),
  user: v.optional(name),
  machine: v.optional(wholeNumber(1, 999_999_999)),
  since: v.optional(instantParameter),
  /** Older than the purchase of this number: the next page. */
  before: v.optional(wholeNumber(1, Number.MAX_SAFE_INTEGER)),
  state: v.optional(
    parameter((text) => PURCHASE_STATES.find((one) => one === text), `one of ${PURCHASE_STATES.join(', ')}`, {
      type: 'string',
      enum: PURCHASE_STATES,
    }),
  ),
});
const hubPurchase = v.object({
  id: count,
  item: v.string(),
  state: v.picklist(PURCHASE_STATES),
  price: credits,
  cost: v.nullable(credits),
  reason: v.nullable(v.string()),
  /** Whose budgets it counts on. */
  payers: v.array(v.string()),
  machine: v.nullable(v.object(machine)),
  created_at: instant,
  settled_at: v.nullable(instant),
});
export const hubPurchasesSchema = v.object({ purchases: v.array(hubPurchase) });
export type HubPurchaseView = Told<typeof hubPurchase>;

const REPORTED = ['project', 'user', 'machine'] as const;
export type Reported = (typeof REPORTED)[number];
/** GET /svcd/hub/report: what was charged in a month of the studio's time zone, by whom. */
export const reportQuerySchema = v.strictObject({
  month: v.optional(
    parameter((text) => (/^\d{4}-(?:0[1-9]|1[0-2])$/.test(text) ? text : undefined), 'a month such as 2026-11', {
      type: 'string',
    }),
  ),
  by: v.optional(
    parameter(readReported, `one or more of ${REPORTED.join(', ')}, with commas between`, { type: 'string' }),
    'project',
  ),
});
const reportRow = v.object({
  /** Null where nobody of that kind paid, and of what was not asked for. */
  ...v.entriesFromList(REPORTED, v.nullable(v.string())),
  purchases: count,
  credits,
  /** Those that may have been charged besides. */
  unknown: count,
  unknown_credits: credits,
});
export const reportSchema = v.object({
  month: v.string(),
  by: v.array(v.picklist(REPORTED)),
  rows: v.array(reportRow),
});
export type HubReport = Told<typeof reportSchema>;

function readReported(text: string): Reported[] | undefined {
  const typed = text.split(',').map((one) => REPORTED.find((known) => known === one.trim()));
  return typed.some((one) => one === undefined) ? undefined : [...new Set(typed as Reported[])];
}

/** GET /svcd/hub/audit: every line of the budgets, beside what the journal comes to. */
const auditLine = v.object({
  payer: v.string(),
  day: v.string(),
  reserved: credits,
  spent: credits,
  /** The same, counted from the journal. */
  journal: v.object({ reserved: credits, spent: credits }),
  right: v.boolean(),
});
export const auditSchema = v.object({
  right: v.boolean(),
  lines: v.array(auditLine),
  /** Of the journal alone: all purchases by state, and credits. */
  purchases: v.object(v.entriesFromList(PURCHASE_STATES, count)),
  charged: credits,
  unknown: credits,
  /** Those of unknown outcome by whose budget they count on: a project, or `all` where no project asked. */
  unknown_of: v.array(v.object({ payer: v.string(), purchases: count, credits })),
});
export type Audit = Told<typeof auditSchema>;

/** POST /svcd/hub/recover: how many purchases the database had forgotten, and that are `unknown` in it now. */
export const recoveredSchema = v.object({ recovered: count });
export type Recovered = Told<typeof recoveredSchema>;

const WARM_MAX = 20_000;
export const WARM_MAX_BYTES = 4 * 1024 * 1024;
/** POST /svcd/hub/warm: buys the presets of a list, the most wanted first, in the background. */
export const warmRequestSchema = v.strictObject({
  presets: v.pipe(
    v.array(presetText),
    v.minLength(1, 'must name at least one preset'),
    v.maxLength(WARM_MAX, `must name at most ${WARM_MAX} presets`),
  ),
  /** Left out, only the price is told. */
  max_credits: v.optional(credits),
  /** Whose budget counts besides that of all together. */
  project: v.optional(name),
});
export const warmEventSchema = v.variant('event', [
  /** `have` are owned already, `buy` is what the rest comes to. */
  v.object({ event: v.literal('begun'), of: count, have: count, buy: credits }),
  v.object({
    event: v.literal('kept'),
    preset: v.string(),
    cost: v.union([credits, v.literal('unknown')]),
    done: count,
    of: count,
  }),
  v.object({
    event: v.literal('failed'),
    preset: v.string(),
    code: v.string(),
    message: v.string(),
    done: count,
    of: count,
  }),
  v.object({ event: v.literal('ended'), cost: credits, uncertain: v.array(v.string()), failed: count, left: count }),
]);
export type WarmEvent = Told<typeof warmEventSchema>;

/** GET /svcd/hub/status. */
export const hubStatusSchema = v.object({
  url: v.string(),
  addresses: v.array(v.string()),
  pin: v.string(),
  scope: v.string(),
  sandbox: v.boolean(),
  /** `sqlite`, or where the database is, without user and password. */
  database: v.string(),
  certificate: v.object({ own: v.boolean(), expires_at: instant }),
  /** This and what is null with it is known to the database alone, which is away. */
  machines: v.nullable(v.object({ joined: count, seen: count })),
  invites: v.nullable(count),
  waiting: count,
  purchases: v.nullable(v.object({ open: count, unknown: count })),
  spent: v.nullable(v.object({ day: credits, month: credits })),
  /** What the hub finds wrong with itself, and right: of GET /svcd/health, its own rows. */
  checks: v.array(healthRowSchema),
});
export type HubStatus = Told<typeof hubStatusSchema>;
