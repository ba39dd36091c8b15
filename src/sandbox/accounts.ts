// Who has an account: its name, whether its email is verified, and who invited it. Its Keys and its credits
// are for other stores.

import { SvcdError } from '../model/errors.js';
import type { SandboxState } from './state/sandbox-state.js';
import { invalid } from './wire/check.js';

export interface Account {
  id: number;
  name: string;
  email_verified: 0 | 1;
  /** Id of the account that invited it. */
  inviter: number | null;
  /** Milliseconds since the Unix epoch. */
  created_at: number;
}

/** The account that every sandbox begins with. */
export const MAIN_ACCOUNT = 'main';

/** A new account without Keys and without credits. Throws `invalid_request` when the name is taken. */
export function create(state: SandboxState, name: string, emailVerified: boolean): Account {
  if (find(state, name) !== undefined) {
    throw invalid(`name: there is an account ${JSON.stringify(name)} already`);
  }
  const { db, clock } = state;
  return getById(state, db.insert('account', { name, email_verified: Number(emailVerified), created_at: clock.now() }));
}

/** The account of a name, or undefined. */
export function find(state: SandboxState, name: string): Account | undefined {
  return state.db.get('SELECT * FROM account WHERE name = ?', name);
}

/** Throws `not_found`. */
export function get(state: SandboxState, name: string): Account {
  const account = find(state, name);
  if (account !== undefined) return account;
  throw new SvcdError('not_found', `there is no account ${JSON.stringify(name)}`, {
    hint: '"svcd sandbox accounts" lists them.',
  });
}

/** Throws `not_found`. */
export function getById(state: SandboxState, id: number): Account {
  const account = state.db.get<Account>('SELECT * FROM account WHERE id = ?', id);
  if (account === undefined) throw new SvcdError('not_found', `there is no account of number ${id}`);
  return account;
}

/** Every account, the first made first. */
export function list(state: SandboxState): Account[] {
  return state.db.all('SELECT * FROM account ORDER BY id');
}

/** Says whether the email of an account is verified. */
export function verifyEmail(state: SandboxState, id: number, verified: boolean): void {
  state.db.run('UPDATE account SET email_verified = ? WHERE id = ?', Number(verified), id);
}

/**
 * Says who invited an account; what it pays from now on rewards that one too. Throws `invalid_request` when
 * it was invited already, invites itself, or invited its inviter, directly or not: those are not eligible (our
 * choice).
 */
export function invite(state: SandboxState, inviter: Account, invited: Account): void {
  if (invited.inviter !== null) throw invalid(`${invited.name} was invited already`);
  for (let one: Account | undefined = inviter; one !== undefined; one = inviterOf(state, one)) {
    if (one.id === invited.id) throw invalid(`${invited.name} cannot be invited by itself`);
  }
  state.db.run('UPDATE account SET inviter = ? WHERE id = ?', inviter.id, invited.id);
}

function inviterOf(state: SandboxState, { inviter }: Account): Account | undefined {
  return inviter === null ? undefined : getById(state, inviter);
}
