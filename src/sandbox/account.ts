// The account, its Key and its money: who may call, what is left, what was charged.
// Which call costs what is decided by the callers; HTTP is elsewhere.

import { randomBytes } from 'node:crypto';
import type { Clock } from '../clock.js';
import { SvcdError } from '../errors.js';
import type { Database, Statement } from '../store/open-database.js';

export type KeyState = 'active' | 'disabled';
type PaidCapability = 'stickers.file' | 'images.generate';

/** One paid call. */
export interface Charge {
  /** Milliseconds since the Unix epoch. */
  at: number;
  capability: PaidCapability;
  /** The preset, or the image's id: never what the user wrote. */
  subject: string;
  credits: number;
}

const ACCOUNT = 1;

/** The one account of the sandbox, created with its Key and a first top-up when the database is new. */
export class Account {
  readonly id = ACCOUNT;
  readonly key: string;
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #keyState: Statement<[string], { state: KeyState }>;
  readonly #credits: Statement<[], { credits: number }>;
  readonly #move: Statement<[number]>;
  readonly #enter: Statement<[number, string, number, string | null, string | null]>;

  constructor(db: Database, clock: Clock, openingCredits: number) {
    this.#db = db;
    this.#clock = clock;
    this.#keyState = db.prepare<[string], { state: KeyState }>('SELECT state FROM key WHERE secret = ?');
    this.#credits = db.prepare<[], { credits: number }>(`SELECT credits FROM account WHERE id = ${ACCOUNT}`);
    this.#move = db.prepare<[number]>(`UPDATE account SET credits = credits + ? WHERE id = ${ACCOUNT}`);
    this.#enter = db.prepare(
      `INSERT INTO ledger (account, at, reason, credits, capability, subject) VALUES (${ACCOUNT}, ?, ?, ?, ?, ?)`,
    );
    this.key = this.#findKey() ?? this.#create(openingCredits);
  }

  /** State of a presented Key; undefined when it is not one of ours. */
  findKeyState(secret: string): KeyState | undefined {
    return this.#keyState.get(secret)?.state;
  }

  /** Credits that can be spent now. */
  credits(): number {
    return this.#credits.get()?.credits ?? 0;
  }

  /** Throws `insufficient_credits` when fewer than `needed` are left. Nothing is reserved. */
  requireCredits(needed: number): void {
    const left = this.credits();
    if (left >= needed) return;
    throw new SvcdError('insufficient_credits', `This call costs ${needed} credits, ${left} are left.`);
  }

  /**
   * Takes the credits and writes the ledger row in one transaction, together with what `alongside` writes.
   * Throws `insufficient_credits`, and then none of it happened.
   */
  charge(what: Omit<Charge, 'at'>, alongside: () => void = () => {}): void {
    this.#together(() => {
      this.requireCredits(what.credits);
      alongside();
      this.#move.run(-what.credits);
      this.#enter.run(this.#clock.now(), 'charge', -what.credits, what.capability, what.subject);
    });
  }

  /** Every charge so far, oldest first. */
  charges(): Charge[] {
    return this.#db
      .prepare<[], Charge>(
        `SELECT at, capability, subject, -credits AS credits FROM ledger WHERE reason = 'charge' ORDER BY id`,
      )
      .all();
  }

  /** Sets the balance, by a ledger row that makes up the difference. */
  setCredits(credits: number): void {
    this.#together(() => {
      const difference = credits - this.credits();
      this.#move.run(difference);
      this.#enter.run(this.#clock.now(), 'adjustment', difference, null, null);
    });
  }

  setKeyState(state: KeyState): void {
    this.#db.prepare<[KeyState, string]>('UPDATE key SET state = ? WHERE secret = ?').run(state, this.key);
  }

  #together(work: () => void): void {
    this.#db.transaction(work).immediate();
  }

  #findKey(): string | undefined {
    return this.#db
      .prepare<[], { secret: string }>(`SELECT secret FROM key WHERE account = ${ACCOUNT} LIMIT 1`)
      .get()?.secret;
  }

  #create(openingCredits: number): string {
    const secret = `sk-sandbox-${randomBytes(24).toString('base64url')}`;
    const at = this.#clock.now();
    this.#together(() => {
      this.#db.prepare('INSERT INTO account (id, credits, created_at) VALUES (?, 0, ?)').run(ACCOUNT, at);
      this.#db
        .prepare(`INSERT INTO key (secret, account, kind, state) VALUES (?, ?, 'general', 'active')`)
        .run(secret, ACCOUNT);
      this.#move.run(openingCredits);
      // Not a gift, of which the service has none: the account begins as one that was topped up.
      this.#enter.run(at, 'top_up', openingCredits, null, null);
    });
    return secret;
  }
}
