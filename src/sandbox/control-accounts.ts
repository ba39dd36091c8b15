// Accounts and Keys on the control surface.

import type { Context } from 'hono';
import { SvcdError } from '../model/errors.js';
import { parseControl, PERMISSIONS } from './control-requests.js';
import { MAIN_ACCOUNT, type Account, type Accounts } from './accounts.js';
import type { ControlRoute } from './control-app.js';
import type { Key, KeyLimits, Keyring } from './keyring.js';
import { maskKey } from './mask-key.js';
import type { Purse } from './purse.js';
import { readJsonObject } from './read-body.js';
import { limitsOf } from './report-credits.js';

export interface AccountRooms {
  accounts: Accounts;
  keyring: Keyring;
  purse: Purse;
}

/** Routes about accounts and Keys. */
export function accountRoutes(rooms: AccountRooms): ControlRoute[] {
  const { accounts, keyring } = rooms;
  return [
    ['GET', '/sandbox/accounts', () => ({ accounts: accounts.list().map((one) => viewAccount(rooms, one)) })],
    ['POST', '/sandbox/accounts', async (c) => createAccount(rooms, await readJsonObject(c.req.raw))],
    [
      'PATCH',
      '/sandbox/accounts/:name',
      async (c) => changeAccount(rooms, c, await readJsonObject(c.req.raw)),
    ],
    ['POST', '/sandbox/invitations', async (c) => invite(rooms, await readJsonObject(c.req.raw))],
    ['GET', '/sandbox/keys', () => ({ keys: keyring.list().map((key) => viewKey(accounts, key)) })],
    ['POST', '/sandbox/keys', async (c) => createKey(rooms, await readJsonObject(c.req.raw))],
    ['PATCH', '/sandbox/keys/:id', async (c) => changeKey(rooms, c, await readJsonObject(c.req.raw))],
  ];
}

/** A Key as it may be shown at any time. */
function viewKey(accounts: Accounts, key: Key) {
  const { id, kind, template, state, permissions } = key;
  const account = accounts.getById(key.account).name;
  return {
    id,
    masked: maskKey(key.lastFour),
    account,
    kind,
    template,
    state,
    limits: limitsOf(key),
    permissions,
  };
}

/** A new Key for an account: general, or for a template's package, which is what downloading it again brings. */
export function issueKey(
  { accounts, keyring }: AccountRooms,
  account: number,
  detail: {
    template?: string | undefined;
    limits?: Partial<KeyLimits>;
    permissions?: Key['permissions'] | undefined;
  } = {},
) {
  const { template, limits = {}, permissions = PERMISSIONS } = detail;
  const { key, secret } = keyring.issue({ account, template, limits, permissions });
  return { ...viewKey(accounts, key), key: secret };
}

function createAccount(rooms: AccountRooms, body: Record<string, unknown>) {
  const { name, email_verified: emailVerified = true, invited_by: inviter } = parseControl('account', body);
  const { accounts } = rooms;
  const by = inviter === undefined ? undefined : accounts.get(inviter);
  const account = accounts.create(name, emailVerified);
  if (by !== undefined) accounts.invite(by, account);
  const key = issueKey(rooms, account.id);
  return { ...viewAccount(rooms, accounts.get(name)), key: key.key };
}

function changeAccount(rooms: AccountRooms, c: Context, body: Record<string, unknown>) {
  const { accounts } = rooms;
  const { id } = accounts.get(decodeURIComponent(c.req.param('name') ?? ''));
  accounts.verifyEmail(id, parseControl('accountChange', body).email_verified);
  return viewAccount(rooms, accounts.getById(id));
}

function invite(rooms: AccountRooms, body: Record<string, unknown>) {
  const { accounts } = rooms;
  const { inviter, account } = parseControl('invitation', body);
  accounts.invite(accounts.get(inviter), accounts.get(account));
  return viewAccount(rooms, accounts.get(account));
}

function createKey(rooms: AccountRooms, body: Record<string, unknown>) {
  const { account = MAIN_ACCOUNT, template, limits = {}, permissions } = parseControl('key', body);
  const detail = { template, limits: limitsFrom(limits), permissions };
  return issueKey(rooms, rooms.accounts.get(account).id, detail);
}

function changeKey({ accounts, keyring }: AccountRooms, c: Context, body: Record<string, unknown>) {
  const id = numberIn(c, 'id');
  const { state, limits, permissions } = parseControl('keyChange', body);
  if (state !== undefined) keyring.setState(id, state);
  if (limits !== undefined) keyring.setLimits(id, limitsFrom(limits));
  if (permissions !== undefined) keyring.setPermissions(id, permissions);
  return viewKey(accounts, keyring.get(id));
}

/** A number in the path. Throws `invalid_request`. */
export function numberIn(c: Context, name: string): number {
  const text = c.req.param(name) ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new SvcdError('invalid_request', `${name}: must be a whole number`);
}

type LimitsTold = {
  per_request?: number | null | undefined;
  daily?: number | null | undefined;
  monthly?: number | null | undefined;
};

/** The limits that were named; null takes one away. */
function limitsFrom({ per_request: perRequest, daily, monthly }: LimitsTold): Partial<KeyLimits> {
  return {
    ...(perRequest === undefined ? {} : { perRequest }),
    ...(daily === undefined ? {} : { daily }),
    ...(monthly === undefined ? {} : { monthly }),
  };
}

function viewAccount({ accounts, keyring, purse }: AccountRooms, account: Account) {
  const { id, name, inviter } = account;
  return {
    name,
    credits: purse.balance(id),
    pending_credits: purse.locked(id),
    email_verified: account.emailVerified,
    invited_by: inviter === null ? null : accounts.getById(inviter).name,
    keys: keyring.list().filter((key) => key.account === id).length,
    created_at: new Date(account.createdAt).toISOString(),
  };
}
