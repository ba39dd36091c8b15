// Credits as a double-entry ledger. Every movement has postings that add up to nothing: what an account gets, the
// house gives. Three books for each account: `spendable`, `locked` (rewards that wait) and `house` (the other
// side of both). Balances are kept by a trigger and are never written. Why something moves is decided elsewhere.

import type { SandboxState } from '../state/sandbox-state.js';

export type Book = 'spendable' | 'locked' | 'house';

export interface Movement {
  reason: 'top_up' | 'reward_locked' | 'reward_released' | 'reward_reversed' | 'refund' | 'charge' | 'adjustment';
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

/** Writes a movement; postings of 0 are left out, and a movement of nothing too. Throws an Error when they do not add up to nothing. */
export function record(state: SandboxState, what: Movement, postings: readonly Posting[]): void {
  const sum = postings.reduce((total, [, , credits]) => total + credits, 0);
  if (sum !== 0) throw new Error(`A ${what.reason} of ${sum} credits from nowhere`);
  const moved = postings.filter(([, , credits]) => credits !== 0);
  if (moved.length === 0) return;
  const { db, clock } = state;
  db.transaction(() => {
    const movement = db.insert('movement', { at: clock.now(), ...what });
    for (const [book, account, credits] of moved) {
      db.insert('posting', { movement, book, account, credits });
    }
  });
}

/** Credits in a book of an account; spendable ones can be below 0 after a refund. */
export function balance(state: SandboxState, account: number, book: Book = 'spendable'): number {
  const sql = 'SELECT credits FROM balance WHERE book = ? AND account = ?';
  return state.db.get<{ credits: number }>(sql, book, account)?.credits ?? 0;
}

/** Credits that a Key spent at or after an instant. */
export function spentSince(state: SandboxState, key: number, at: number): number {
  const spent = state.db.get<{ credits: number }>(
    `SELECT coalesce(-sum(credits), 0) AS credits FROM movement JOIN posting ON movement = movement.id
     WHERE key = ? AND at >= ? AND reason = 'charge' AND book = 'spendable'`,
    key,
    at,
  );
  return spent?.credits ?? 0;
}

/** Whether it all adds up, counted anew from every posting. */
export function audit(state: SandboxState): Audit {
  const count = (from: string) => state.db.get<{ n: number }>(`SELECT count(*) AS n FROM ${from}`)?.n ?? 0;
  return {
    movements: count('movement'),
    unbalanced: count('(SELECT 1 FROM posting GROUP BY movement HAVING sum(credits) <> 0)'),
    wrong_balances: count(
      `balance AS told WHERE credits <> (SELECT coalesce(sum(credits), 0)
       FROM posting WHERE posting.book = told.book AND posting.account = told.account)`,
    ),
  };
}
