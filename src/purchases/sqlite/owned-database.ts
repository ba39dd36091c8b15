// The file that holds what money bought: owned.db. Its schema, and nothing else.

import { SvcdError, isSvcdError } from '../../model/errors.js';
import { openDatabase, type Database } from '../../platform/open-database.js';
import { GUARD, LATE_CHARGES, LIMITS_TABLE, MACHINES, PROCESSES } from './guard-schema.js';

// Purchases and owned bytes are told apart by `scope` too: which remote sold them. A sticker of the sandbox
// is not the sticker of the same name of the real service.
/** `owned.db`, open. */
export type OwnedDatabase = Database;

export const OWNED_MIGRATIONS = [
  `CREATE TABLE purchase (
     id INTEGER PRIMARY KEY,
     scope TEXT NOT NULL,
     item TEXT NOT NULL,
     kind TEXT NOT NULL CHECK (kind IN ('sticker', 'image')),
     state TEXT NOT NULL CHECK (state IN ('intent', 'sent', 'paid', 'refused', 'unknown')),
     price INTEGER NOT NULL,
     cost INTEGER,
     reason TEXT,
     key_id TEXT NOT NULL,
     day TEXT NOT NULL,
     created_at INTEGER NOT NULL,
     sent_at INTEGER,
     settled_at INTEGER
   ) STRICT;
   CREATE UNIQUE INDEX purchase_open ON purchase (scope, item) WHERE state IN ('intent', 'sent');
   CREATE INDEX purchase_item ON purchase (scope, item);
   CREATE INDEX purchase_day ON purchase (scope, day);
   CREATE INDEX purchase_unsettled ON purchase (key_id) WHERE state IN ('intent', 'sent', 'unknown');

   CREATE TABLE owned (
     id INTEGER PRIMARY KEY,
     scope TEXT NOT NULL,
     item TEXT NOT NULL,
     purchase_id INTEGER REFERENCES purchase (id),
     content_type TEXT NOT NULL,
     sha256 TEXT NOT NULL,
     size INTEGER NOT NULL,
     kept_at INTEGER NOT NULL,
     gzip BLOB NOT NULL,
     brotli BLOB,
     UNIQUE (scope, item)
   ) STRICT;

   CREATE TABLE set_aside (
     id INTEGER PRIMARY KEY,
     scope TEXT NOT NULL,
     item TEXT NOT NULL,
     purchase_id INTEGER REFERENCES purchase (id),
     why TEXT NOT NULL,
     content_type TEXT NOT NULL,
     sha256 TEXT NOT NULL,
     set_aside_at INTEGER NOT NULL,
     bytes BLOB NOT NULL
   ) STRICT;
   CREATE INDEX set_aside_item ON set_aside (scope, item);

   CREATE TABLE budget (
     scope TEXT NOT NULL,
     period TEXT NOT NULL CHECK (period IN ('request', 'day', 'month')),
     credits INTEGER NOT NULL CHECK (credits >= 0),
     PRIMARY KEY (scope, period)
   ) STRICT;

   CREATE TABLE saved (
     scope TEXT NOT NULL,
     day TEXT NOT NULL,
     credits INTEGER NOT NULL,
     PRIMARY KEY (scope, day)
   ) STRICT;

   CREATE TABLE anchor (
     key_id TEXT PRIMARY KEY,
     balance INTEGER NOT NULL,
     purchase_id INTEGER NOT NULL,
     read_at INTEGER NOT NULL
   ) STRICT;

   CREATE TABLE account (
     key_id TEXT PRIMARY KEY,
     balance INTEGER NOT NULL,
     read_at INTEGER NOT NULL
   ) STRICT;

   CREATE TABLE last_known (
     key_id TEXT NOT NULL,
     path TEXT NOT NULL,
     body TEXT NOT NULL,
     read_at INTEGER NOT NULL,
     PRIMARY KEY (key_id, path)
   ) STRICT;

   CREATE TABLE registered_default (
     preset TEXT PRIMARY KEY,
     width REAL NOT NULL,
     height REAL NOT NULL,
     sha256 TEXT NOT NULL,
     added_at INTEGER NOT NULL,
     bytes BLOB NOT NULL
   ) STRICT;`,

  // Numbers are never given twice: a purchase that still waits must not spend a later token's budget.
  `CREATE TABLE token (
     id INTEGER PRIMARY KEY AUTOINCREMENT,
     name TEXT NOT NULL,
     kind TEXT NOT NULL CHECK (kind IN ('named', 'run')),
     digest BLOB NOT NULL,
     only_for TEXT NOT NULL,
     per_request INTEGER,
     per_day INTEGER,
     per_month INTEGER,
     in_total INTEGER,
     created_at INTEGER NOT NULL,
     last_used_at INTEGER,
     revoked_at INTEGER
   ) STRICT;
   CREATE UNIQUE INDEX token_name ON token (name) WHERE revoked_at IS NULL;
   ALTER TABLE purchase ADD COLUMN token_id INTEGER REFERENCES token (id);
   CREATE INDEX purchase_token ON purchase (token_id) WHERE token_id IS NOT NULL;`,
  // The user's own stickers: as with their defaults, it does not matter which remote is configured.
  `CREATE TABLE own_sticker (
     preset TEXT PRIMARY KEY,
     metadata TEXT NOT NULL,
     sha256 TEXT NOT NULL,
     size INTEGER NOT NULL,
     added_at INTEGER NOT NULL,
     gzip BLOB NOT NULL
   ) STRICT;`,
  // What the high-water mark is compared with: every change of a purchase counts, whoever makes it.
  `CREATE TABLE purchase_changes (changes INTEGER NOT NULL) STRICT;
   INSERT INTO purchase_changes VALUES (0);
   CREATE TRIGGER purchase_added AFTER INSERT ON purchase
     BEGIN UPDATE purchase_changes SET changes = changes + 1; END;
   CREATE TRIGGER purchase_changed AFTER UPDATE ON purchase
     BEGIN UPDATE purchase_changes SET changes = changes + 1; END;
   CREATE TABLE spending_stop (id INTEGER PRIMARY KEY CHECK (id = 1), since INTEGER NOT NULL) STRICT;

   CREATE TABLE picture_address (
     address TEXT PRIMARY KEY,
     scope TEXT NOT NULL,
     item TEXT NOT NULL,
     UNIQUE (scope, item)
   ) STRICT, WITHOUT ROWID;`,
  // The user's own lists of stickers. They name presets of one remote, and hold no money.
  `CREATE TABLE collection (
     scope TEXT NOT NULL,
     name TEXT NOT NULL,
     changed_at INTEGER NOT NULL,
     PRIMARY KEY (scope, name)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE collected (
     scope TEXT NOT NULL,
     name TEXT NOT NULL,
     place INTEGER NOT NULL,
     preset TEXT NOT NULL,
     PRIMARY KEY (scope, name, place),
     UNIQUE (scope, preset, name)
   ) STRICT, WITHOUT ROWID;`,
  GUARD + MACHINES,
  // Of a hub: where its purchases are, when this file is only the disk cache of a database.
  `CREATE TABLE purchases_elsewhere (
     id INTEGER PRIMARY KEY CHECK (id = 1),
     place TEXT NOT NULL,
     since INTEGER NOT NULL
   ) STRICT;`,
  LATE_CHARGES,
  LIMITS_TABLE,
  // Scripts that a person works on. The body is JSON that was checked.
  `CREATE TABLE project (
     scope TEXT NOT NULL,
     id TEXT NOT NULL,
     revision INTEGER NOT NULL,
     changed_at INTEGER NOT NULL,
     body TEXT NOT NULL,
     PRIMARY KEY (scope, id)
   ) STRICT, WITHOUT ROWID;`,
  PROCESSES,
];

/** Opens owned.db so that a commit survives a power cut. Throws `owned_damaged`; the file is left as it is. */
export function openOwnedDatabase(file: string): Database {
  try {
    const db = openDatabase(file, { migrations: OWNED_MIGRATIONS, durability: 'full', pageSizeBytes: 16_384 });
    // Each commit is copied into the file itself at once: whoever loses or copies the file without its log loses nothing.
    db.pragma('wal_autocheckpoint = 1');
    return db;
  } catch (cause) {
    if (!isSvcdError(cause, 'damaged')) throw cause;
    throw new SvcdError('owned_damaged', cause.message, {
      cause,
      hint: 'It holds what you paid for, and svcd never rebuilds it. Restore a backup with "svcd owned restore FILE", or move the file away to start without it.',
    });
  }
}
