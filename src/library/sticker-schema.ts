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
] as const;
