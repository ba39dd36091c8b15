// The control surface as one table: what the owner of a sandbox may ask of it and do to it, a row an operation, with the
// body that it takes. It is svcd's own and no part of the service.

import * as v from 'valibot';
import * as accounts from '../accounts.js';
import { readFaultRule } from '../faults/fault-kinds.js';
import * as keys from '../key-store.js';
import { balance, locked } from '../money/credit-account.js';
import * as ledger from '../money/ledger.js';
import * as payments from '../money/payments.js';
import * as rewards from '../money/rewards.js';
import { listRequests } from '../request-journal.js';
import type { SandboxParts } from '../sandbox-parts.js';
import { iso, type SandboxState } from '../state/sandbox-state.js';
import * as templates from '../templates/template-store.js';
import { check, describe, invalid, text, token, whole, wholeInQuery } from '../wire/check.js';

const CREDITS_MAX = 1_000_000_000;
const FEN_MAX = 100_000_000;
const REQUESTS_LISTED = 50;
const REQUESTS_LISTED_MAX = 10_000;

/** CNY, read into whole fen. */
const amountInFen = v.pipe(
  v.union([v.string(), v.number()], 'must be an amount in CNY such as 12.50'),
  v.transform(String),
  v.regex(/^\d{1,7}(\.\d{1,2})?$/, ({ input }) => `must be an amount in CNY such as 12.50, got ${describe(input)}`),
  v.transform((told) => Math.round(Number(told) * 100)),
  v.minValue(1, 'must be more than 0'),
  v.maxValue(FEN_MAX, `must be at most CNY ${FEN_MAX / 100}`),
);
const limit = v.optional(v.nullable(whole(0, CREDITS_MAX)));
const nameText = v.pipe(text(64), token(/^[\p{L}\p{N}][\p{L}\p{N}._-]*$/u, 'a name without spaces or slashes'));

/** What a field of a body may be. */
const may = {
  name: nameText,
  amount: amountInFen,
  account: v.optional(nameText),
  flag: v.optional(v.boolean()),
  limits: v.optional(v.strictObject({ per_request: limit, daily: limit, monthly: limit })),
  permissions: v.optional(v.array(v.picklist(keys.PERMISSIONS))),
  remarks: v.optional(v.array(text(500)), []),
  template: v.pipe(
    text(150),
    token(/^[\p{L}\p{N}][\p{L}\p{N}._-]*@[0-9A-Za-z][0-9A-Za-z.+-]*$/u, '<template_name>@<version>'),
  ),
  /** A template, in its newest version when none is named. */
  templateOrName: v.pipe(
    text(150),
    token(
      /^[\p{L}\p{N}][\p{L}\p{N}._-]*(@[0-9A-Za-z][0-9A-Za-z.+-]*)?$/u,
      '<template_name> or <template_name>@<version>',
    ),
  ),
};

const PURCHASE = v.strictObject({ account: may.account, template: may.template, amount: may.amount });
const ACCOUNT = v.strictObject({ name: may.name, email_verified: may.flag, invited_by: may.account });
/** For the package of a template, or without one a general-purpose Key. */
const KEY = v.strictObject({
  account: may.account,
  template: v.optional(may.template),
  limits: may.limits,
  permissions: may.permissions,
});
const KEY_CHANGE = v.pipe(
  v.strictObject({
    state: v.optional(v.picklist(['active', 'disabled', 'revoked'])),
    limits: may.limits,
    permissions: may.permissions,
  }),
  v.check((given) => Object.keys(given).length > 0, 'give at least one of state, limits and permissions'),
);
const CLOCK = v.union(
  [
    v.strictObject({ advance_ms: whole(0, Number.MAX_SAFE_INTEGER) }),
    v.strictObject({ to: v.pipe(v.string(), v.isoTimestamp()) }),
  ],
  'give either advance_ms (milliseconds) or to (an instant such as 2026-12-05T08:00:00Z)',
);
const DOWNLOAD = v.strictObject({
  account: may.account,
  template: may.templateOrName,
  /** The files by their path, or one ZIP file in base64. */
  form: v.optional(v.picklist(['files', 'zip']), 'files'),
});

const REQUEST_QUERY = v.object({
  limit: v.optional(wholeInQuery(REQUESTS_LISTED_MAX), `${REQUESTS_LISTED}`),
  account: v.optional(v.string()),
  path: v.optional(v.string()),
});

/** One request, read as far as its row wants it. */
export interface Asked {
  /** Of the path, by its name there. */
  param: (name: string) => string;
  query: Readonly<Record<string, string>>;
  /** Reads the JSON body, and only then demands one. Throws as readJsonObject does. */
  body: () => Promise<Record<string, unknown>>;
}

/** Method, path below `/sandbox/`, and the JSON it answers with. */
export type ControlRoute = readonly [
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE',
  path: string,
  answer: (asked: Asked) => unknown,
];

/** Every row; `reset` begins anew with the same seed. */
export function controlRoutes(parts: SandboxParts, reset: () => void): ControlRoute[] {
  const { state, rules, switches } = parts;
  const { clock, seed } = state;
  const idOf = (name = accounts.MAIN_ACCOUNT) => accounts.get(state, name).id;
  const showAccount = (name: string) => viewAccount(state, accounts.get(state, name));
  const showPayment = (payment: payments.Payment) => viewPayment(state, payment);
  const showClock = () => ({ now: iso(clock.now()), ahead_ms: clock.aheadMs });
  return [
    ['GET', 'accounts', () => ({ accounts: accounts.list(state).map((one) => viewAccount(state, one)) })],
    change('POST', 'accounts', ACCOUNT, (body) => createAccount(state, body)),
    change('PATCH', 'accounts/:name', v.strictObject({ email_verified: v.boolean() }), (body, { param }) => {
      accounts.verifyEmail(state, accounts.get(state, param('name')).id, body.email_verified);
      return showAccount(param('name'));
    }),
    change('POST', 'invitations', v.strictObject({ inviter: may.name, account: may.name }), ({ inviter, account }) => {
      accounts.invite(state, accounts.get(state, inviter), accounts.get(state, account));
      return showAccount(account);
    }),
    ['GET', 'keys', () => ({ keys: keys.list(state).map((key) => viewKey(state, key)) })],
    change('POST', 'keys', KEY, ({ account, permissions = keys.PERMISSIONS, ...rest }) =>
      issueKey(state, { ...rest, account: idOf(account), permissions }),
    ),
    change('PATCH', 'keys/:id', KEY_CHANGE, ({ state: wanted, limits, permissions }, { param }) => {
      const id = numberOf(param('id'));
      if (wanted !== undefined) keys.setState(state, id, wanted);
      if (limits !== undefined) keys.setLimits(state, id, limits);
      if (permissions !== undefined) keys.setPermissions(state, id, permissions);
      return viewKey(state, keys.get(state, id));
    }),
    ['GET', 'ledger', () => ledger.audit(state)],
    ['GET', 'payments', () => ({ payments: payments.list(state).map(showPayment) })],
    change('POST', 'topups', v.strictObject({ account: may.account, amount: may.amount }), ({ account, amount }) =>
      showPayment(payments.topUp(state, idOf(account), amount)),
    ),
    change('POST', 'purchases', PURCHASE, (body) => buyTemplate(state, body)),
    change('PATCH', 'payments/:id', v.strictObject({ anomaly: may.flag, verified: may.flag }), (found, { param }) =>
      showPayment(payments.judge(state, param('id'), found)),
    ),
    ['POST', 'payments/:id/refund', ({ param }) => showPayment(payments.refund(state, param('id')))],
    ['GET', 'templates', () => ({ templates: templates.list(state) })],
    change(
      'POST',
      'templates',
      v.strictObject({ template: may.template, known_issues: may.remarks, tips: may.remarks }),
      (release) => {
        templates.release(state, release);
        return release;
      },
    ),
    change('POST', 'downloads', DOWNLOAD, (body) => downloadTemplate(state, body)),
    ['GET', 'clock', showClock],
    change('POST', 'clock', CLOCK, (move) => {
      clock.advance('to' in move ? Date.parse(move.to) - clock.now() : move.advance_ms);
      return showClock();
    }),
    ['GET', 'capabilities', () => ({ capabilities: switches.list() })],
    change('PUT', 'capabilities/:id', v.strictObject({ enabled: v.boolean() }), ({ enabled }, { param }) =>
      switches.set(param('id'), enabled),
    ),
    ['GET', 'faults', () => ({ seed: seed.value, faults: rules.list() })],
    ['POST', 'faults', async ({ body }) => rules.add(readFaultRule(await body()))],
    ['DELETE', 'faults', () => ({ removed: rules.clear() })],
    ['DELETE', 'faults/:id', ({ param }) => ({ removed: rules.clear(numberOf(param('id'))) })],
    ['GET', 'requests', ({ query }) => ({ requests: listRequests(state, check(REQUEST_QUERY, query)) })],
    [
      'POST',
      'reset',
      () => {
        reset();
        return { seed: seed.value, ...showClock() };
      },
    ],
  ];
}

/** A row whose request has a body of this schema. */
function change<S extends v.GenericSchema>(
  method: ControlRoute[0],
  path: string,
  schema: S,
  answer: (body: v.InferOutput<S>, asked: Asked) => unknown,
): ControlRoute {
  return [method, path, async (asked) => answer(check(schema, await asked.body()), asked)];
}

function createAccount(state: SandboxState, body: v.InferOutput<typeof ACCOUNT>) {
  const inviter = body.invited_by === undefined ? undefined : accounts.get(state, body.invited_by);
  const account = accounts.create(state, body.name, body.email_verified ?? true);
  if (inviter !== undefined) accounts.invite(state, inviter, account);
  const { key } = issueKey(state, { account: account.id, permissions: keys.PERMISSIONS });
  return { ...viewAccount(state, accounts.get(state, body.name)), key };
}

/** Buying a template brings its package, and with it the first Key for `service.key.json`. */
function buyTemplate(
  state: SandboxState,
  { account = accounts.MAIN_ACCOUNT, template, amount }: v.InferOutput<typeof PURCHASE>,
) {
  const { id } = accounts.get(state, account);
  return state.db.transaction(() => ({
    ...viewPayment(state, payments.buyTemplate(state, id, template, amount)),
    key: issueKey(state, { account: id, template, permissions: keys.PERMISSIONS }),
  }));
}

/** A package: as text by path, or as one ZIP file in base64. Every download brings a Key of its own; those of earlier downloads stay as they are. */
async function downloadTemplate(state: SandboxState, body: v.InferOutput<typeof DOWNLOAD>) {
  const { id } = accounts.get(state, body.account ?? accounts.MAIN_ACCOUNT);
  const template = templates.getFullName(state, body.template);
  const { motionFiles, packageSha256, zipMotionFiles } = await import('../templates/motion-package.js');
  const key = issueKey(state, { account: id, template, permissions: keys.PERMISSIONS });
  const files = motionFiles(template, key.key);
  const zip = body.form === 'files' ? undefined : Buffer.from(zipMotionFiles(files)).toString('base64');
  return {
    template,
    package_sha256: packageSha256(files),
    key,
    files: zip === undefined ? files : undefined,
    zip,
  };
}

/** A Key with its secret, which only this answer shows. */
function issueKey(state: SandboxState, wanted: keys.NewKey) {
  const { key, secret } = keys.issue(state, wanted);
  return { ...viewKey(state, key), key: secret };
}

function viewKey(state: SandboxState, { id, masked, account, ...rest }: keys.Key) {
  return { id, masked, account: accounts.getById(state, account).name, ...rest };
}

function viewAccount(state: SandboxState, account: accounts.Account) {
  const { id, name, inviter } = account;
  return {
    name,
    credits: balance(state, id),
    pending_credits: locked(state, id),
    email_verified: account.email_verified === 1,
    invited_by: inviter === null ? null : accounts.getById(state, inviter).name,
    keys: keys.list(state).filter((key) => key.account === id).length,
    created_at: iso(account.created_at),
  };
}

function viewPayment(state: SandboxState, payment: payments.Payment) {
  const { id, kind, template } = payment;
  // Reading a balance settles what is due, so that the rewards are told as they are now.
  const left = balance(state, payment.account);
  const rewarded = rewards.ofPayment(state, id).map((reward) => ({
    account: accounts.getById(state, reward.account).name,
    role: reward.role,
    credits: reward.credits,
    state: reward.state,
  }));
  return {
    id,
    account: accounts.getById(state, payment.account).name,
    kind,
    template,
    amount: (payment.amount_fen / 100).toFixed(2),
    credits: payment.credits,
    at: iso(payment.at),
    anomaly: payment.anomaly === 1,
    verified: payment.verified === 1,
    refunded: payment.refunded_at !== null,
    rewards: rewarded,
    balance: left,
  };
}

function numberOf(id: string): number {
  if (/^\d{1,9}$/.test(id)) return Number(id);
  throw invalid('id: must be a whole number');
}
