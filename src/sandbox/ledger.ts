// Credits as a double-entry ledger. Every movement has postings that add up to nothing: what an account gets, the
// house gives. Three books for each account: `spendable`, `locked` (rewards that wait) and `house` (the other
// side of both). Balances are kept by a trigger and are never written. Why something moves is decided elsewhere.

import type { Clock } from '../platform/clock.js';
import type { Database, Statement } from '../platform/open-database.js';

export type Book = 'spendable' | 'locked' | 'house';

export interface Movement {
  reason:
    'top_up' | 'reward_locked' | 'reward_released' | 'reward_reversed' | 'refund' | 'charge' | 'adjustment';
  /** Id of the payment it is about. */
  payment?: string;
  /** Id of the Key that was charged. */
  key?: number;
  capability?: string;
  /** The preset, or the image's id: never what the user wrote. */
  subject?: string;
}

export type Posting = readonly [book: Book, account: number, credits: number];

export interface Audit {
  movements: number;
  /** Movements whose postings do not add up to nothing. */
  unbalanced: number;
  /** Balances that are not the sum of their postings. */
  wrong_balances: number;
}

/** The credits of every account. */
export class Ledger {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #enter: Statement<[number, string, string | null, number | null, string | null, string | null]>;
  readonly #post: Statement<[number | bigint, Book, number, number]>;
  readonly #balance: Statement<[Book, number], { credits: number }>;
  readonly #spent: Statement<[number, number], { credits: number }>;

  constructor(db: Database, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
    this.#enter = db.prepare(
      'INSERT INTO movement (at, reason, payment, key, capability, subject) VALUES (?, ?, ?, ?, ?, ?)',
    );
    this.#post = db.prepare('INSERT INTO posting (movement, book, account, credits) VALUES (?, ?, ?, ?)');
    this.#balance = db.prepare('SELECT credits FROM balance WHERE book = ? AND account = ?');
    this.#spent = db.prepare(
      `SELECT coalesce(-sum(credits), 0) AS credits FROM movement JOIN posting ON movement = movement.id
       WHERE key = ? AND at >= ? AND reason = 'charge' AND book = 'spendable'`,
    );
  }

  /** Writes a movement; postings of 0 are left out, and a movement of nothing too. Throws an Error when they do not add up to nothing. */
  record(what: Movement, postings: readonly Posting[]): void {
    const sum = postings.reduce((total, [, , credits]) => total + credits, 0);
    if (sum !== 0) throw new Error(`A ${what.reason} of ${sum} credits from nowhere`);
    const moved = postings.filter(([, , credits]) => credits !== 0);
    if (moved.length === 0) return;
    this.together(() => {
      const { payment = null, key = null, capability = null, subject = null } = what;
      const { lastInsertRowid } = this.#enter.run(
        this.#clock.now(),
        what.reason,
        payment,
        key,
        capability,
        subject,
      );
      for (const [book, account, credits] of moved) {
        this.#post.run(lastInsertRowid, book, account, credits);
      }
    });
  }

  /** Credits in a book of an account; spendable ones can be fewer than none after a refund. */
  balance(account: number, book: Book = 'spendable'): number {
    return this.#balance.get(book, account)?.credits ?? 0;
  }

  /** Credits that a Key spent at or after an instant. */
  spentSince(key: number, at: number): number {
    return this.#spent.get(key, at)?.credits ?? 0;
  }

  /** Whether it all adds up, counted anew from every posting. */
  audit(): Audit {
    const count = (sql: string) => this.#db.prepare<[], { n: number }>(sql).get()?.n ?? 0;
    return {
      movements: count('SELECT count(*) AS n FROM movement'),
      unbalanced: count(
        'SELECT count(*) AS n FROM (SELECT 1 FROM posting GROUP BY movement HAVING sum(credits) <> 0)',
      ),
      wrong_balances: count(
        `SELECT count(*) AS n FROM balance AS told WHERE credits <> (SELECT coalesce(sum(credits), 0)
         FROM posting WHERE posting.book = told.book AND posting.account = told.account)`,
      ),
    };
  }

  /** Runs `work` in one transaction, or in the one that is open already. */
  together<T>(work: () => T): T {
    return this.#db.transaction(work).immediate();
  }
}
