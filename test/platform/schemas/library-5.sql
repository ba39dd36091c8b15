-- library.db as schema 5 left it, with some of everything in it. Kept as it is: it is what users may still have.
CREATE TABLE sticker (
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
   ) STRICT;
ALTER TABLE sticker ADD COLUMN first_seen_at INTEGER NOT NULL DEFAULT 0;
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
   ) STRICT, WITHOUT ROWID;
ALTER TABLE sticker ADD COLUMN looked_at INTEGER NOT NULL DEFAULT 0;
   CREATE INDEX sticker_turn ON sticker (scope, max(seen_at, looked_at), id) WHERE whose = 'remote';
   DROP INDEX sticker_seen;
INSERT INTO sticker (id, scope, preset, title, keywords, width, height, aspect, duration, fps, color, concept)
VALUES (1, 'test', 'food/cake', '蛋糕', '["生日","甜点"]', 512, 512, 1, 2, 30, '#ff0000', 'cake'),
       (2, 'test', 'food/bread', '面包', '["早餐"]', NULL, NULL, NULL, NULL, NULL, NULL, NULL),
       (3, 'elsewhere', 'food/cake', 'another cake', '[]', NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO import VALUES ('test', 'a file', 2, 1000);
INSERT INTO state (scope, revision, stickers) VALUES ('test', 1, 2), ('elsewhere', 1, 1);
INSERT INTO snapshot VALUES ('test', 1, x'00010203');
UPDATE sticker SET first_seen_at = 1000, seen_at = 2000 WHERE id = 1;
UPDATE sticker SET gone_at = 3000 WHERE id = 2;
UPDATE state SET complete_at = 4000 WHERE scope = 'test';
INSERT INTO original VALUES ('test', 'food/cake', 'search', '{"preset":"food/cake","mood":"happy"}');
INSERT INTO envelope VALUES ('test', 'search', '{"answer":{"items":[]},"listPath":["items"]}');
INSERT INTO recall VALUES (1, 'test', '快乐', '[2,1]', 'harvest', 1, 2000);
INSERT INTO learned_synonym VALUES ('test', '糕点', '蛋糕', 2000);
UPDATE sticker SET looked_at = 5000 WHERE id = 2;
CREATE TABLE harvest (
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
CREATE INDEX sticker_listed ON sticker (scope) WHERE seen_at > 0 AND gone_at IS NULL AND whose = 'remote';
ALTER TABLE sticker ADD COLUMN licence TEXT;
ALTER TABLE sticker ADD COLUMN attribution TEXT;
UPDATE sticker SET licence = 'CC-BY-4.0', attribution = 'A baker' WHERE id = 1;
PRAGMA user_version = 5;
