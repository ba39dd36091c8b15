// The control surface as one table: what the owner of a sandbox may ask of it and do to it, a row an operation.

import type { GenericSchema, InferOutput } from 'valibot';
import * as accounts from '../accounts.js';
import type { KeptRule } from '../faults/fault-rules.js';
import { readFaultRule } from '../faults/fault-kinds.js';
import * as keys from '../key-store.js';
import * as credits from '../money/credit-account.js';
import * as ledger from '../money/ledger.js';
import * as payments from '../money/payments.js';
import * as rewards from '../money/rewards.js';
import { listRequests, type RequestRecord } from '../request-journal.js';
import type { SandboxParts } from '../sandbox-parts.js';
import type { SandboxState } from '../state/sandbox-state.js';
import * as templates from '../templates/template-store.js';
import { check, invalid } from '../wire/check.js';
import { BODIES, requestQuerySchema } from './control-requests.js';

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
    change('POST', 'accounts', BODIES.account, (body) => createAccount(state, body)),
    change('PATCH', 'accounts/:name', BODIES.accountChange, (body, { param }) => {
      accounts.verifyEmail(state, accounts.get(state, param('name')).id, body.email_verified);
      return showAccount(param('name'));
    }),
    change('POST', 'invitations', BODIES.invitation, ({ inviter, account }) => {
      accounts.invite(state, accounts.get(state, inviter), accounts.get(state, account));
      return showAccount(account);
    }),
    ['GET', 'keys', () => ({ keys: keys.list(state).map((key) => viewKey(state, key)) })],
    change('POST', 'keys', BODIES.key, ({ account, permissions = keys.PERMISSIONS, ...rest }) =>
      issueKey(state, { ...rest, account: idOf(account), permissions }),
    ),
    change('PATCH', 'keys/:id', BODIES.keyChange, ({ state: wanted, limits, permissions }, { param }) => {
      const id = numberOf(param('id'));
      if (wanted !== undefined) keys.setState(state, id, wanted);
      if (limits !== undefined) keys.setLimits(state, id, limits);
      if (permissions !== undefined) keys.setPermissions(state, id, permissions);
      return viewKey(state, keys.get(state, id));
    }),
    ['GET', 'ledger', () => ledger.audit(state)],
    ['GET', 'payments', () => ({ payments: payments.list(state).map(showPayment) })],
    change('POST', 'topups', BODIES.topUp, ({ account, amount }) =>
      showPayment(payments.topUp(state, idOf(account), amount)),
    ),
    change('POST', 'purchases', BODIES.purchase, (body) => buyTemplate(state, body)),
    change('PATCH', 'payments/:id', BODIES.judgement, (found, { param }) =>
      showPayment(payments.judge(state, param('id'), found)),
    ),
    ['POST', 'payments/:id/refund', ({ param }) => showPayment(payments.refund(state, param('id')))],
    ['GET', 'templates', () => ({ templates: templates.list(state) })],
    change('POST', 'templates', BODIES.release, (release) => {
      templates.release(state, release);
      return release;
    }),
    change('POST', 'downloads', BODIES.download, (body) => downloadTemplate(state, body)),
    ['GET', 'clock', showClock],
    change('POST', 'clock', BODIES.clock, (move) => {
      clock.advance('to' in move ? Date.parse(move.to) - clock.now() : move.advance_ms);
      return showClock();
    }),
    ['GET', 'capabilities', () => ({ capabilities: switches.list() })],
    change('PUT', 'capabilities/:id', BODIES.capability, ({ enabled }, { param }) =>
      switches.set(param('id'), enabled),
    ),
    ['GET', 'faults', () => ({ seed: seed.value, faults: rules.list().map(viewRule) })],
    ['POST', 'faults', async ({ body }) => viewRule(rules.add(readFaultRule(await body())))],
    ['DELETE', 'faults', () => ({ removed: rules.clear() })],
    ['DELETE', 'faults/:id', ({ param }) => ({ removed: rules.clear(numberOf(param('id'))) })],
    [
      'GET',
      'requests',
      ({ query }) => ({ requests: listRequests(state, check(requestQuerySchema, query)).map(viewRequest) }),
    ],
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
function change<S extends GenericSchema>(
  method: ControlRoute[0],
  path: string,
  schema: S,
  answer: (body: InferOutput<S>, asked: Asked) => unknown,
): ControlRoute {
  return [method, path, async (asked) => answer(check(schema, await asked.body()), asked)];
}

type Body<K extends keyof typeof BODIES> = InferOutput<(typeof BODIES)[K]>;

function createAccount(state: SandboxState, body: Body<'account'>) {
  const inviter = body.invited_by === undefined ? undefined : accounts.get(state, body.invited_by);
  const account = accounts.create(state, body.name, body.email_verified ?? true);
  if (inviter !== undefined) accounts.invite(state, inviter, account);
  const { key } = issueKey(state, { account: account.id, permissions: keys.PERMISSIONS });
  return { ...viewAccount(state, accounts.get(state, body.name)), key };
}

/** Buying a template brings its package, and with it the first Key for `service.key.json`. */
function buyTemplate(state: SandboxState, { account = accounts.MAIN_ACCOUNT, template, amount }: Body<'purchase'>) {
  const { id } = accounts.get(state, account);
  return state.db.transaction(() => ({
    ...viewPayment(state, payments.buyTemplate(state, id, template, amount)),
    key: issueKey(state, { account: id, template, permissions: keys.PERMISSIONS }),
  }));
}

/** A package: as text by path, or as one ZIP file in base64. */
/** Every download brings a Key of its own; those of earlier downloads stay as they are. */
async function downloadTemplate(state: SandboxState, body: Body<'download'>) {
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
    credits: credits.balance(state, id),
    pending_credits: credits.locked(state, id),
    email_verified: account.email_verified === 1,
    invited_by: inviter === null ? null : accounts.getById(state, inviter).name,
    keys: keys.list(state).filter((key) => key.account === id).length,
    created_at: iso(account.created_at),
  };
}

function viewPayment(state: SandboxState, payment: payments.Payment) {
  const { id, kind, template } = payment;
  // Reading a balance settles what is due, so that the rewards are told as they are now.
  const balance = credits.balance(state, payment.account);
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
    balance,
  };
}

function viewRule({ id, rule, seen, fired }: KeptRule) {
  return { id, ...rule, seen, fired };
}

function viewRequest({ at, ...request }: RequestRecord) {
  return { ...request, at: iso(at) };
}

/** What the control surface tells; a Key itself only in the answer that makes it. */
export type AccountView = ReturnType<typeof viewAccount> & { readonly key?: string };
export type KeyView = ReturnType<typeof viewKey> & { readonly key?: string };
export type PaymentView = ReturnType<typeof viewPayment>;
export type FaultView = ReturnType<typeof viewRule>;
export type RequestView = ReturnType<typeof viewRequest>;

function numberOf(id: string): number {
  if (/^\d{1,9}$/.test(id)) return Number(id);
  throw invalid('id: must be a whole number');
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
