// Rows of owned bytes: written whole, moved aside when damaged; the caller opens the transaction. And copies of another database's.

import type { Database } from '../../platform/open-database.js';
import { ownTurn } from '../../platform/steps.js';
import type { Clock } from '../../platform/clock.js';
import type { Log } from '../../platform/log.js';
import { LARGE_BYTES, type OwnedCopy, type OwnedCopies } from '../owned-store.js';

/**
 * Commits. What is large is copied into the file by a checkpoint in a turn of its own: that holds the loop for as long as the
 * commit did.
 */
export function commit(db: Database, size: number, work: () => void): void {
  if (size <= LARGE_BYTES) return db.transaction(work).immediate();
  const usual = Number(db.pragma('wal_autocheckpoint', { simple: true }));
  db.pragma('wal_autocheckpoint = 0');
  try {
    db.transaction(work).immediate();
  } finally {
    db.pragma(`wal_autocheckpoint = ${usual}`);
  }
  const checkpoint = async () => {
    await ownTurn();
    try {
      if (db.open) db.pragma('wal_checkpoint(PASSIVE)');
    } catch {
      // A full disk: the log keeps what was committed, and the next commit tries again.
    }
  };
  void checkpoint();
}

/** Statements that write rows of `owned`. */
export function prepareOwnedRows(db: Database) {
  // A number is never given twice, for what was read is told from what is new by it: what was set aside has its own at least.
  const insert = db.prepare(
    `INSERT INTO owned (id, scope, item, purchase_id, content_type, sha256, size, kept_at, gzip, brotli, receipt, origin)
     VALUES (1 + max(coalesce((SELECT max(id) FROM owned), 0), coalesce((SELECT max(id) FROM set_aside), 0)),
       @scope, @item, @purchaseId, @contentType, @sha256, @size, @keptAt, @gzip, @brotli, @receipt, @origin)
     ON CONFLICT (scope, item) DO NOTHING`,
  );
  const copy = db.prepare(
    `INSERT INTO set_aside (id, scope, item, purchase_id, why, content_type, sha256, set_aside_at, bytes)
     SELECT max(id, 1 + coalesce((SELECT max(id) FROM set_aside), 0)), scope, item, purchase_id, 'damaged', content_type, sha256, ?, gzip
     FROM owned WHERE id = ?`,
  );
  const remove = db.prepare(`DELETE FROM owned WHERE id = ?`);
  return {
    /** Adds a row; one that is there already stays. */
    insert: (row: object) => void insert.run({ receipt: null, origin: 'bought', ...row }),
    /** Keeps a damaged row as evidence, out of the way of a sound one. */
    setAside: (id: number, at: number) => {
      copy.run(at, id);
      remove.run(id);
    },
  };
}

/** The rows of a file that is the disk cache of a database. */
export function openOwnedCopies(db: Database, scope: string, clock: Clock, log: Log): OwnedCopies {
  const rows = prepareOwnedRows(db);
  const find = db.prepare<[string, string], { id: number }>('SELECT id FROM owned WHERE scope = ? AND item = ?');
  const list = db.prepare<[string], Pick<OwnedCopy, 'item' | 'receipt'>>(
    'SELECT item, receipt FROM owned WHERE scope = ?',
  );
  const put = (row: OwnedCopy) => {
    const damaged = find.get(scope, row.item);
    if (damaged !== undefined) rows.setAside(damaged.id, clock.now());
    rows.insert({ ...row, scope, purchaseId: null });
  };
  return {
    put: (row) => {
      try {
        commit(db, row.gzip.byteLength, () => put(row));
      } catch (error) {
        log.warn('an owned file could not be copied to this hub', { item: row.item, why: String(error) });
      }
    },
    list: () => list.all(scope),
  };
}
