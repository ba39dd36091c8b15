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

/** The accounts of a sandbox. */
export class Accounts {
  readonly #state: SandboxState;

  constructor(state: SandboxState) {
    this.#state = state;
  }

  /** A new account without Keys and without credits. Throws `invalid_request` when the name is taken. */
  create(name: string, emailVerified: boolean): Account {
    if (this.find(name) !== undefined) {
      throw invalid(`name: there is an account ${JSON.stringify(name)} already`);
    }
    const { db, clock } = this.#state;
    return this.getById(
      db.insert('account', { name, email_verified: Number(emailVerified), created_at: clock.now() }),
    );
  }

  find(name: string): Account | undefined {
    return this.#state.db.get('SELECT * FROM account WHERE name = ?', name);
  }

  /** Throws `not_found`. */
  get(name: string): Account {
    const account = this.find(name);
    if (account !== undefined) return account;
    throw new SvcdError('not_found', `there is no account ${JSON.stringify(name)}`, {
      hint: '"svcd sandbox accounts" lists them.',
    });
  }

  /** Throws `not_found`. */
  getById(id: number): Account {
    const account = this.#state.db.get<Account>('SELECT * FROM account WHERE id = ?', id);
    if (account === undefined) throw new SvcdError('not_found', `there is no account of number ${id}`);
    return account;
  }

  list(): Account[] {
    return this.#state.db.all('SELECT * FROM account ORDER BY id');
  }

  verifyEmail(id: number, verified: boolean): void {
    this.#state.db.run('UPDATE account SET email_verified = ? WHERE id = ?', Number(verified), id);
  }

  /**
   * Says who invited an account; what it pays from now on rewards that one too. Throws `invalid_request` when
   * it was invited already, invites itself, or invited its inviter, directly or not: those are not eligible (our
   * choice).
   */
  invite(inviter: Account, invited: Account): void {
    if (invited.inviter !== null) throw invalid(`${invited.name} was invited already`);
    for (let one: Account | undefined = inviter; one !== undefined; one = this.#inviterOf(one)) {
      if (one.id === invited.id) throw invalid(`${invited.name} cannot be invited by itself`);
    }
    this.#state.db.run('UPDATE account SET inviter = ? WHERE id = ?', inviter.id, invited.id);
  }

  #inviterOf({ inviter }: Account): Account | undefined {
    return inviter === null ? undefined : this.getById(inviter);
  }
}
