// The control surface as one table: what the owner of a sandbox may ask of it and do to it, a row an operation.

import type { GenericSchema, InferOutput } from 'valibot';
import { MAIN_ACCOUNT, type Account } from '../accounts.js';
import type { KeptRule } from '../faults/fault-rules.js';
import { readFaultRule } from '../faults/fault-kinds.js';
import { PERMISSIONS, type Key, type NewKey } from '../key-store.js';
import type { Payment } from '../money/payments.js';
import type { RequestRecord } from '../request-journal.js';
import type { SandboxParts } from '../sandbox-parts.js';
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
  const { accounts, keys, ledger, payments, templates, rules, switches, requests } = parts;
  const { clock, seed } = parts.state;
  const idOf = (name = MAIN_ACCOUNT) => accounts.get(name).id;
  const showAccount = (name: string) => viewAccount(parts, accounts.get(name));
  const showPayment = (payment: Payment) => viewPayment(parts, payment);
  const showClock = () => ({ now: iso(clock.now()), ahead_ms: clock.aheadMs });
  return [
    ['GET', 'accounts', () => ({ accounts: accounts.list().map((one) => viewAccount(parts, one)) })],
    change('POST', 'accounts', BODIES.account, (body) => createAccount(parts, body)),
    change('PATCH', 'accounts/:name', BODIES.accountChange, (body, { param }) => {
      accounts.verifyEmail(accounts.get(param('name')).id, body.email_verified);
      return showAccount(param('name'));
    }),
    change('POST', 'invitations', BODIES.invitation, ({ inviter, account }) => {
      accounts.invite(accounts.get(inviter), accounts.get(account));
      return showAccount(account);
    }),
    ['GET', 'keys', () => ({ keys: keys.list().map((key) => viewKey(parts, key)) })],
    change('POST', 'keys', BODIES.key, ({ account, permissions = PERMISSIONS, ...rest }) =>
      issueKey(parts, { ...rest, account: idOf(account), permissions }),
    ),
    change('PATCH', 'keys/:id', BODIES.keyChange, ({ state, limits, permissions }, { param }) => {
      const id = numberOf(param('id'));
      if (state !== undefined) keys.setState(id, state);
      if (limits !== undefined) keys.setLimits(id, limits);
      if (permissions !== undefined) keys.setPermissions(id, permissions);
      return viewKey(parts, keys.get(id));
    }),
    ['GET', 'ledger', () => ledger.audit()],
    ['GET', 'payments', () => ({ payments: payments.list().map(showPayment) })],
    change('POST', 'topups', BODIES.topUp, ({ account, amount }) =>
      showPayment(payments.topUp(idOf(account), amount)),
    ),
    change('POST', 'purchases', BODIES.purchase, (body) => buyTemplate(parts, body)),
    change('PATCH', 'payments/:id', BODIES.judgement, (found, { param }) =>
      showPayment(payments.judge(param('id'), found)),
    ),
    ['POST', 'payments/:id/refund', ({ param }) => showPayment(payments.refund(param('id')))],
    ['GET', 'templates', () => ({ templates: templates.list() })],
    change('POST', 'templates', BODIES.release, (release) => {
      templates.release(release);
      return release;
    }),
    change('POST', 'downloads', BODIES.download, (body) => downloadTemplate(parts, body)),
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
      ({ query }) => ({ requests: requests.list(check(requestQuerySchema, query)).map(viewRequest) }),
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

function createAccount(parts: SandboxParts, body: Body<'account'>) {
  const { accounts } = parts;
  const inviter = body.invited_by === undefined ? undefined : accounts.get(body.invited_by);
  const account = accounts.create(body.name, body.email_verified ?? true);
  if (inviter !== undefined) accounts.invite(inviter, account);
  const { key } = issueKey(parts, { account: account.id, permissions: PERMISSIONS });
  return { ...viewAccount(parts, accounts.get(body.name)), key };
}

/** Buying a template brings its package, and with it the first Key for `service.key.json`. */
function buyTemplate(parts: SandboxParts, { account = MAIN_ACCOUNT, template, amount }: Body<'purchase'>) {
  const { id } = parts.accounts.get(account);
  return parts.state.db.transaction(() => ({
    ...viewPayment(parts, parts.payments.buyTemplate(id, template, amount)),
    key: issueKey(parts, { account: id, template, permissions: PERMISSIONS }),
  }));
}

/** Every download brings a Key of its own; those of earlier downloads stay as they are. */
async function downloadTemplate(parts: SandboxParts, body: Body<'download'>) {
  const { id } = parts.accounts.get(body.account ?? MAIN_ACCOUNT);
  const template = parts.templates.getFullName(body.template);
  const { motionFiles, packageSha256, zipMotionFiles } = await import('../templates/motion-package.js');
  const key = issueKey(parts, { account: id, template, permissions: PERMISSIONS });
  const files = motionFiles(template, key.key);
  const told = { template, package_sha256: packageSha256(files), key };
  if (body.form === 'files') return { ...told, files };
  return { ...told, zip: Buffer.from(zipMotionFiles(files)).toString('base64') };
}

function issueKey(parts: SandboxParts, wanted: NewKey) {
  const { key, secret } = parts.keys.issue(wanted);
  return { ...viewKey(parts, key), key: secret };
}

function viewKey({ accounts }: SandboxParts, { id, masked, account, ...rest }: Key) {
  return { id, masked, account: accounts.getById(account).name, ...rest };
}

function viewAccount({ accounts, keys, credits }: SandboxParts, account: Account) {
  const { id, name, inviter } = account;
  return {
    name,
    credits: credits.balance(id),
    pending_credits: credits.locked(id),
    email_verified: account.email_verified === 1,
    invited_by: inviter === null ? null : accounts.getById(inviter).name,
    keys: keys.list().filter((key) => key.account === id).length,
    created_at: iso(account.created_at),
  };
}

function viewPayment({ accounts, payments, credits }: SandboxParts, payment: Payment) {
  const { id, kind, template } = payment;
  // Reading a balance settles what is due, so that the rewards are told as they are now.
  const balance = credits.balance(payment.account);
  const rewards = payments.rewardsOf(id).map((reward) => ({
    account: accounts.getById(reward.account).name,
    role: reward.role,
    credits: reward.credits,
    state: reward.state,
  }));
  return {
    id,
    account: accounts.getById(payment.account).name,
    kind,
    template,
    amount: (payment.amount_fen / 100).toFixed(2),
    credits: payment.credits,
    at: iso(payment.at),
    anomaly: payment.anomaly === 1,
    verified: payment.verified === 1,
    refunded: payment.refunded_at !== null,
    rewards,
    balance,
  };
}

function viewRule({ id, rule, seen, fired }: KeptRule) {
  return { id, ...rule, seen, fired };
}

function viewRequest({ at, ...request }: RequestRecord) {
  return { ...request, at: iso(at) };
}

function numberOf(id: string): number {
  if (/^\d{1,9}$/.test(id)) return Number(id);
  throw invalid('id: must be a whole number');
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
