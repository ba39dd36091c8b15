// The tables of library.db. Everything in them can be had again, so that nothing here is ever worth a repair.
// Every row belongs to a scope, the remote it came from: presets of two remotes have nothing to do with each other.

export const LIBRARY_MIGRATIONS = [
  `CREATE TABLE sticker (
     id INTEGER PRIMARY KEY,
     scope TEXT NOT NULL,
     preset TEXT NOT NULL,
     title TEXT NOT NULL,
     keywords TEXT NOT NULL,
     width REAL, height REAL, aspect REAL, duration REAL, fps REAL, color TEXT, concept TEXT,
     UNIQUE (scope, preset)
   ) STRICT;
   CREATE TABLE import (
     scope TEXT NOT NULL,
     source TEXT NOT NULL,
     stickers INTEGER NOT NULL,
     at INTEGER NOT NULL,
     PRIMARY KEY (scope, source)
   ) STRICT;
   CREATE TABLE state (
     scope TEXT PRIMARY KEY,
     revision INTEGER NOT NULL,
     stickers INTEGER NOT NULL
   ) STRICT;
   CREATE TABLE snapshot (
     scope TEXT PRIMARY KEY,
     revision INTEGER NOT NULL,
     bytes BLOB NOT NULL
   ) STRICT;`,
  // seen_at is when the remote last listed it (0: never; it came from elsewhere), gone_at when it said that there is
  // no such sticker. An original is a candidate as the remote gave it, kept apart by the call that gave it.
  `ALTER TABLE sticker ADD COLUMN first_seen_at INTEGER NOT NULL DEFAULT 0;
   ALTER TABLE sticker ADD COLUMN seen_at INTEGER NOT NULL DEFAULT 0;
   ALTER TABLE sticker ADD COLUMN gone_at INTEGER;
   ALTER TABLE sticker ADD COLUMN whose TEXT NOT NULL DEFAULT 'remote' CHECK (whose IN ('remote', 'user'));
   CREATE INDEX sticker_seen ON sticker (scope, seen_at);
   CREATE INDEX sticker_gone ON sticker (scope, preset) WHERE gone_at IS NOT NULL;
   ALTER TABLE state ADD COLUMN complete_at INTEGER;
   CREATE TABLE original (
     scope TEXT NOT NULL,
     preset TEXT NOT NULL,
     shape TEXT NOT NULL CHECK (shape IN ('search', 'match', 'other')),
     json TEXT NOT NULL,
     PRIMARY KEY (scope, preset, shape)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE envelope (
     scope TEXT NOT NULL,
     shape TEXT NOT NULL,
     json TEXT NOT NULL,
     PRIMARY KEY (scope, shape)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE recall (
     id INTEGER PRIMARY KEY,
     scope TEXT NOT NULL,
     words TEXT NOT NULL,
     stickers TEXT NOT NULL,
     asked_by TEXT NOT NULL CHECK (asked_by IN ('person', 'harvest')),
     whole INTEGER NOT NULL CHECK (whole IN (0, 1)),
     at INTEGER NOT NULL,
     UNIQUE (scope, words)
   ) STRICT;
   CREATE INDEX recall_age ON recall (scope, at);
   CREATE TABLE learned_synonym (
     scope TEXT NOT NULL,
     word TEXT NOT NULL,
     finds TEXT NOT NULL,
     at INTEGER NOT NULL,
     PRIMARY KEY (scope, word, finds)
   ) STRICT, WITHOUT ROWID;`,
  // looked_at is when it was last looked for; one that the remote does not list any more must not stay the oldest.
  `ALTER TABLE sticker ADD COLUMN looked_at INTEGER NOT NULL DEFAULT 0;
   CREATE INDEX sticker_turn ON sticker (scope, max(seen_at, looked_at), id) WHERE whose = 'remote';
   DROP INDEX sticker_seen;`,
  // What filling the library did: one row for each request, written before it leaves and completed together with what
  // was learned from its answer. The words of it are what is needed to go on after a restart; null where the answer
  // taught nothing about words.
  `CREATE TABLE harvest (
     scope TEXT PRIMARY KEY,
     paused INTEGER NOT NULL DEFAULT 0 CHECK (paused IN (0, 1)),
     total REAL, low REAL, high REAL
   ) STRICT;
   CREATE TABLE harvest_request (
     id INTEGER PRIMARY KEY,
     scope TEXT NOT NULL,
     purpose TEXT NOT NULL CHECK (purpose IN ('fill', 'refresh')),
     sent_at INTEGER NOT NULL,
     answered_at INTEGER,
     known INTEGER,
     fresh INTEGER,
     words TEXT
   ) STRICT;
   CREATE INDEX harvest_request_sent ON harvest_request (scope, sent_at);
   CREATE INDEX sticker_listed ON sticker (scope) WHERE seen_at > 0 AND gone_at IS NULL AND whose = 'remote';`,
  `ALTER TABLE sticker ADD COLUMN licence TEXT;
   ALTER TABLE sticker ADD COLUMN attribution TEXT;`,
  'ALTER TABLE sticker ADD COLUMN titles TEXT',
] as const;
