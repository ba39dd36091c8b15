// Who has an account: its name, whether its email is verified, and who invited it. Its Keys and its credits
// are for others.

import type { Clock } from '../platform/clock.js';
import { SvcdError } from '../model/errors.js';
import type { Database, Statement } from '../platform/open-database.js';

export interface Account {
  id: number;
  name: string;
  emailVerified: boolean;
  /** Id of the account that invited it. */
  inviter: number | null;
  /** Milliseconds since the Unix epoch. */
  createdAt: number;
}

/** The account that every sandbox begins with. */
export const MAIN_ACCOUNT = 'main';

const COLUMNS = 'id, name, email_verified, inviter, created_at';
type Row = {
  id: number;
  name: string;
  email_verified: 0 | 1;
  inviter: number | null;
  created_at: number;
};

/** The accounts of a sandbox. */
export class Accounts {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #byId: Statement<[number], Row>;
  readonly #byName: Statement<[string], Row>;

  constructor(db: Database, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
    this.#byId = db.prepare(`SELECT ${COLUMNS} FROM account WHERE id = ?`);
    this.#byName = db.prepare(`SELECT ${COLUMNS} FROM account WHERE name = ?`);
  }

  /** A new account without Keys and without credits. Throws `invalid_request` when the name is taken. */
  create(name: string, emailVerified: boolean): Account {
    if (this.find(name) !== undefined) {
      throw new SvcdError('invalid_request', `name: there is an account ${JSON.stringify(name)} already`);
    }
    const add = this.#db.prepare<[string, number, number]>(
      'INSERT INTO account (name, email_verified, created_at) VALUES (?, ?, ?)',
    );
    add.run(name, emailVerified ? 1 : 0, this.#clock.now());
    return this.get(name);
  }

  find(name: string): Account | undefined {
    return accountOf(this.#byName.get(name));
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
    const account = accountOf(this.#byId.get(id));
    if (account === undefined) throw new SvcdError('not_found', `there is no account of number ${id}`);
    return account;
  }

  list(): Account[] {
    const rows = this.#db.prepare<[], Row>(`SELECT ${COLUMNS} FROM account ORDER BY id`).all();
    return rows.flatMap((row) => accountOf(row) ?? []);
  }

  verifyEmail(id: number, verified: boolean): void {
    this.#db
      .prepare<[number, number]>('UPDATE account SET email_verified = ? WHERE id = ?')
      .run(verified ? 1 : 0, id);
  }

  /**
   * Says who invited an account; what it pays from now on rewards that one too. Throws `invalid_request` when
   * it was invited already, invites itself, or invited whoever invites it: those are not eligible (our choice).
   */
  invite(inviter: Account, invited: Account): void {
    if (invited.inviter !== null) throw ineligible(`${invited.name} was invited already`);
    for (let one: Account | undefined = inviter; one !== undefined; one = this.#inviterOf(one)) {
      if (one.id === invited.id) throw ineligible(`${invited.name} cannot be invited by itself`);
    }
    this.#db
      .prepare<[number, number]>('UPDATE account SET inviter = ? WHERE id = ?')
      .run(inviter.id, invited.id);
  }

  #inviterOf({ inviter }: Account): Account | undefined {
    return inviter === null ? undefined : this.getById(inviter);
  }
}

function ineligible(message: string): SvcdError {
  return new SvcdError('invalid_request', message);
}

function accountOf(row: Row | undefined): Account | undefined {
  if (row === undefined) return undefined;
  const { id, name, inviter } = row;
  return { id, name, emailVerified: row.email_verified === 1, inviter, createdAt: row.created_at };
}
