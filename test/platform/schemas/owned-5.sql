-- owned.db as schema 3 left it, with some of everything in it. Kept as it is: it is what users may still have.
CREATE TABLE purchase (
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
   ) STRICT;
INSERT INTO purchase VALUES (1, 'test', 'sticker:food/cake', 'sticker', 'paid', 1, 1, NULL, 'key-1', '2026-11-20', 1000, 1001, 1002);
INSERT INTO purchase VALUES (2, 'test', 'sticker:food/bread', 'sticker', 'unknown', 1, NULL, NULL, 'key-1', '2026-11-20', 2000, 2001, NULL);
INSERT INTO owned VALUES (1, 'test', 'sticker:food/cake', 1, 'application/json', '6fe8e6a42f7b9aa201d0c1ef51cbd95050b3ccead7d0a2215b4adb48386ef193', 72, 1002, x'1f8b0800000000000203ab562a53b25232d533d73350d2512a57b2323430d051ca80d269454a56c6403ab340c90a48e5032933209d9358995a54ac64155dad5452a96465521b5b0b006c0b329048000000', NULL);
INSERT INTO set_aside VALUES (1, 'test', 'sticker:food/tea', NULL, 'damaged', 'application/json', '00', 1003, x'00');
INSERT INTO budget VALUES ('test', 'day', 20);
INSERT INTO saved VALUES ('test', '2026-11-20', 3);
INSERT INTO anchor VALUES ('key-1', 50, 1, 1000);
INSERT INTO account VALUES ('key-1', 49, 1002);
INSERT INTO last_known VALUES ('key-1', '/api/v1/me', '{}', 1002);
INSERT INTO registered_default VALUES ('food/cake', 100, 100, '6fe8e6a42f7b9aa201d0c1ef51cbd95050b3ccead7d0a2215b4adb48386ef193', 1000, x'7b2276223a22352e372e30222c2277223a3130302c2268223a3130302c226672223a33302c226970223a302c226f70223a36302c226c6179657273223a5b7b227479223a347d5d7d');
CREATE TABLE token (
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
   CREATE INDEX purchase_token ON purchase (token_id) WHERE token_id IS NOT NULL;
INSERT INTO token VALUES (1, 'promo', 'named', x'00', 'stickers', NULL, 20, NULL, NULL, 1000, 1001, NULL);
UPDATE purchase SET token_id = 1 WHERE id = 1;
CREATE TABLE own_sticker (
     preset TEXT PRIMARY KEY,
     metadata TEXT NOT NULL,
     sha256 TEXT NOT NULL,
     size INTEGER NOT NULL,
     added_at INTEGER NOT NULL,
     gzip BLOB NOT NULL
   ) STRICT;
INSERT INTO own_sticker VALUES ('own/logo', '{"preset":"own/logo","title":"logo"}', 'aa', 2, 1000, x'00');
CREATE TABLE purchase_changes (changes INTEGER NOT NULL) STRICT;
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
   ) STRICT, WITHOUT ROWID;
UPDATE purchase_changes SET changes = 7;
INSERT INTO spending_stop VALUES (1, 1000);
INSERT INTO picture_address VALUES ('0123456789abcdef0123456789abcdef', 'test', 'image:a');
CREATE TABLE collection (
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
   ) STRICT, WITHOUT ROWID;
INSERT INTO collection VALUES ('test', 'favourites', 1000);
INSERT INTO collected VALUES ('test', 'favourites', 0, 'food/cake');
-- Paid again by consent, twice; the last try was refused. Of another the first may have been charged. One was paid in vain.
INSERT INTO purchase (id, scope, item, kind, state, price, cost, reason, key_id, day, created_at, sent_at, settled_at, token_id) VALUES
  (901, 'test', 'sticker:again', 'sticker', 'paid', 1, 1, NULL, 'k', '2026-11-01', 1000, 1001, 1002, NULL),
  (902, 'test', 'sticker:again', 'sticker', 'unknown', 1, NULL, 'timeout', 'k', '2026-11-02', 1000, 1001, 1002, NULL),
  (903, 'test', 'sticker:again', 'sticker', 'refused', 1, 0, 'budget', 'k', '2026-11-02', 1000, 1001, 1002, NULL),
  (904, 'test', 'sticker:twice', 'sticker', 'unknown', 1, NULL, 'timeout', 'k', '2026-11-02', 1000, 1001, 1002, 1),
  (905, 'test', 'sticker:twice', 'sticker', 'paid', 1, 1, NULL, 'k', '2026-11-03', 1000, 1001, 1002, 1),
  (906, 'other', 'sticker:twice', 'sticker', 'paid', 1, 1, 'bytes_lost', 'k', '2026-11-03', 1000, 1001, 1002, NULL);
PRAGMA user_version = 5;
