// The journal: one row a paid call, `intent → sent → paid | refused | unknown`.
// A row is committed before the step it speaks of, so that a kill at any moment leaves the truth or `unknown`.

import type { Clock } from '../clock.js';
import type { Database } from '../store/open-database.js';

export type PurchaseKind = 'sticker' | 'image';
export type PurchaseState = 'intent' | 'sent' | 'paid' | 'refused' | 'unknown';

export interface Order {
  /** What is bought, such as `sticker:heart`. */
  readonly item: string;
  readonly kind: PurchaseKind;
  /** Credits expected. */
  readonly price: number;
  /** Short digest of the Key that pays; tells accounts apart without naming one. */
  readonly keyId: string;
}

export interface Purchase {
  readonly id: number;
  readonly item: string;
  readonly kind: PurchaseKind;
  readonly state: PurchaseState;
  /** Credits expected. */
  readonly price: number;
  /** Credits charged, once known. */
  readonly cost: number | null;
  /** Code of the refusal, or why the end is unknown. */
  readonly reason: string | null;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly sentAt: number | null;
  readonly settledAt: number | null;
}

export interface Journal {
  /** Writes the intent; returns the row's number. */
  intend(order: Order): Promise<number>;
  /** Says that bytes may now leave. */
  send(id: number): Promise<void>;
  /** Says that nothing was charged. */
  refuse(id: number, reason: string): Promise<void>;
  /** Says that it cannot be known whether it was charged. */
  lose(id: number, reason: string): Promise<void>;
  /** The latest purchase of this item that was charged or may have been, if there is one. */
  findDoubt(item: string): Promise<Purchase | undefined>;
  list(limit: number): Promise<Purchase[]>;
}

const COLUMNS = `id, item, kind, state, price, cost, reason,
  created_at AS createdAt, sent_at AS sentAt, settled_at AS settledAt`;

/**
 * Opens the journal of one scope and closes what a dead process left open: an intent sent nothing, so it is
 * refused; what was sent is unknown.
 */
export function openJournal(db: Database, scope: string, clock: Clock): Journal {
  const insert = db.prepare(
    `INSERT INTO purchase (scope, item, kind, state, price, key_id, day, created_at)
     VALUES (@scope, @item, @kind, 'intent', @price, @keyId, @day, @now)`,
  );
  const markSent = db.prepare(
    `UPDATE purchase SET state = 'sent', sent_at = ? WHERE id = ? AND state = 'intent'`,
  );
  const end = db.prepare(
    `UPDATE purchase SET state = ?, reason = ?, cost = ?, settled_at = ?
     WHERE id = ? AND state IN ('intent', 'sent')`,
  );
  const doubt = db.prepare<[string, string], Purchase>(
    `SELECT ${COLUMNS} FROM purchase
     WHERE scope = ? AND item = ? AND state IN ('sent', 'paid', 'unknown') ORDER BY id DESC LIMIT 1`,
  );
  const recent = db.prepare<[string, number], Purchase>(
    `SELECT ${COLUMNS} FROM purchase WHERE scope = ? ORDER BY id DESC LIMIT ?`,
  );
  recover(db, clock.now());
  return {
    intend: async (order) => {
      const now = clock.now();
      return Number(insert.run({ ...order, scope, now, day: localDay(now) }).lastInsertRowid);
    },
    send: async (id) => void markSent.run(clock.now(), id),
    refuse: async (id, reason) => void end.run('refused', reason, 0, clock.now(), id),
    lose: async (id, reason) => void end.run('unknown', reason, null, clock.now(), id),
    findDoubt: async (item) => doubt.get(scope, item),
    list: async (limit) => recent.all(scope, limit),
  };
}

function recover(db: Database, now: number): void {
  const close = db.prepare(
    `UPDATE purchase SET state = ?, reason = 'interrupted', settled_at = ? WHERE state = ?`,
  );
  db.transaction(() => {
    close.run('refused', now, 'intent');
    close.run('unknown', now, 'sent');
  }).immediate();
}

/** The local calendar day of an instant, `YYYY-MM-DD`. */
function localDay(now: number): string {
  const date = new Date(now);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
