-- library.db as schema 1 left it, with some of everything in it. Kept as it is: it is what users may still have.
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
INSERT INTO sticker (id, scope, preset, title, keywords, width, height, aspect, duration, fps, color, concept)
VALUES (1, 'test', 'food/cake', '蛋糕', '["生日","甜点"]', 512, 512, 1, 2, 30, '#ff0000', 'cake'),
       (2, 'test', 'food/bread', '面包', '["早餐"]', NULL, NULL, NULL, NULL, NULL, NULL, NULL),
       (3, 'elsewhere', 'food/cake', 'another cake', '[]', NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO import VALUES ('test', 'a file', 2, 1000);
INSERT INTO state (scope, revision, stickers) VALUES ('test', 1, 2), ('elsewhere', 1, 1);
INSERT INTO snapshot VALUES ('test', 1, x'00010203');
PRAGMA user_version = 1;
