-- owned.db as schema 10 left it, with some of everything in it. Kept as it is: it is what users may still have.
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
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
   , token_id INTEGER REFERENCES token (id), superseded_by INTEGER REFERENCES purchase (id) DEFERRABLE INITIALLY DEFERRED, holder TEXT, payers TEXT NOT NULL DEFAULT '["all"]') STRICT;
INSERT INTO purchase VALUES(1,'test','sticker:food/cake','sticker','paid',1,1,NULL,'key-1','2026-11-20',1000,1001,1002,1,NULL,NULL,'["all","token:1"]');
INSERT INTO purchase VALUES(2,'test','sticker:food/bread','sticker','unknown',1,NULL,NULL,'key-1','2026-11-20',2000,2001,NULL,NULL,NULL,NULL,'["all"]');
INSERT INTO purchase VALUES(901,'test','sticker:again','sticker','paid',1,1,NULL,'k','2026-11-01',1000,1001,1002,NULL,902,NULL,'["all"]');
INSERT INTO purchase VALUES(902,'test','sticker:again','sticker','unknown',1,NULL,'timeout','k','2026-11-02',1000,1001,1002,NULL,NULL,NULL,'["all"]');
INSERT INTO purchase VALUES(903,'test','sticker:again','sticker','refused',1,0,'budget','k','2026-11-02',1000,1001,1002,NULL,NULL,NULL,'["all"]');
INSERT INTO purchase VALUES(904,'test','sticker:twice','sticker','unknown',1,NULL,'timeout','k','2026-11-02',1000,1001,1002,1,905,NULL,'["all","token:1"]');
INSERT INTO purchase VALUES(905,'test','sticker:twice','sticker','paid',1,1,NULL,'k','2026-11-03',1000,1001,1002,1,NULL,NULL,'["all","token:1"]');
INSERT INTO purchase VALUES(906,'other','sticker:twice','sticker','paid',1,1,'bytes_lost','k','2026-11-03',1000,1001,1002,NULL,NULL,NULL,'["all"]');
INSERT INTO purchase VALUES(907,'test','sticker:party','sticker','paid',1,1,NULL,'key-1','2026-11-20',1000,1001,1002,NULL,NULL,NULL,'["all","project:promo","user:ann","machine:1"]');
INSERT INTO purchase VALUES(908,'test','sticker:freed','sticker','refused',1,0,'not_charged','key-1','2026-11-20',1000,1001,1002,NULL,NULL,NULL,'["all"]');
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
     brotli BLOB, receipt TEXT, origin TEXT NOT NULL DEFAULT 'bought' CHECK (origin IN ('bought', 'hub', 'given', 'returned')), used_at INTEGER,
     UNIQUE (scope, item)
   ) STRICT;
INSERT INTO owned VALUES(1,'test','sticker:food/cake',1,'application/json','6fe8e6a42f7b9aa201d0c1ef51cbd95050b3ccead7d0a2215b4adb48386ef193',72,1002,X'1f8b0800000000000203ab562a53b25232d533d73350d2512a57b2323430d051ca80d269454a56c6403ab340c90a48e5032933209d9358995a54ac64155dad5452a96465521b5b0b006c0b329048000000',NULL,NULL,'bought',NULL);
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
INSERT INTO set_aside VALUES(1,'test','sticker:food/tea',NULL,'damaged','application/json','00',1003,X'00');
CREATE TABLE saved (
     scope TEXT NOT NULL,
     day TEXT NOT NULL,
     credits INTEGER NOT NULL,
     PRIMARY KEY (scope, day)
   ) STRICT;
INSERT INTO saved VALUES('test','2026-11-20',3);
CREATE TABLE anchor (
     key_id TEXT PRIMARY KEY,
     balance INTEGER NOT NULL,
     purchase_id INTEGER NOT NULL,
     read_at INTEGER NOT NULL
   , low INTEGER) STRICT;
INSERT INTO anchor VALUES('key-1',50,1,1000,48);
CREATE TABLE account (
     key_id TEXT PRIMARY KEY,
     balance INTEGER NOT NULL,
     read_at INTEGER NOT NULL
   ) STRICT;
INSERT INTO account VALUES('key-1',49,1002);
CREATE TABLE last_known (
     key_id TEXT NOT NULL,
     path TEXT NOT NULL,
     body TEXT NOT NULL,
     read_at INTEGER NOT NULL,
     PRIMARY KEY (key_id, path)
   ) STRICT;
INSERT INTO last_known VALUES('key-1','/api/v1/me','{}',1002);
CREATE TABLE registered_default (
     preset TEXT PRIMARY KEY,
     width REAL NOT NULL,
     height REAL NOT NULL,
     sha256 TEXT NOT NULL,
     added_at INTEGER NOT NULL,
     bytes BLOB NOT NULL
   ) STRICT;
INSERT INTO registered_default VALUES('food/cake',100.0,100.0,'6fe8e6a42f7b9aa201d0c1ef51cbd95050b3ccead7d0a2215b4adb48386ef193',1000,X'7b2276223a22352e372e30222c2277223a3130302c2268223a3130302c226672223a33302c226970223a302c226f70223a36302c226c6179657273223a5b7b227479223a347d5d7d');
CREATE TABLE token (
     id INTEGER PRIMARY KEY AUTOINCREMENT,
     name TEXT NOT NULL,
     kind TEXT NOT NULL CHECK (kind IN ('named', 'run')),
     digest BLOB NOT NULL,
     only_for TEXT NOT NULL,
     created_at INTEGER NOT NULL,
     last_used_at INTEGER,
     revoked_at INTEGER
   ) STRICT;
INSERT INTO token VALUES(1,'promo','named',X'00','stickers',1000,1001,NULL);
INSERT INTO token VALUES(2,'all-four','named',X'01','stickers',1000,NULL,NULL);
INSERT INTO token VALUES(3,'none','named',X'02','stickers images',1000,NULL,NULL);
INSERT INTO token VALUES(4,'ended','named',X'03','stickers',1000,NULL,2000);
CREATE TABLE own_sticker (
     preset TEXT PRIMARY KEY,
     metadata TEXT NOT NULL,
     sha256 TEXT NOT NULL,
     size INTEGER NOT NULL,
     added_at INTEGER NOT NULL,
     gzip BLOB NOT NULL
   ) STRICT;
INSERT INTO own_sticker VALUES('own/logo','{"preset":"own/logo","title":"logo"}','aa',2,1000,X'00');
CREATE TABLE purchase_changes (changes INTEGER NOT NULL) STRICT;
INSERT INTO purchase_changes VALUES(25);
CREATE TABLE spending_stop (id INTEGER PRIMARY KEY CHECK (id = 1), since INTEGER NOT NULL) STRICT;
INSERT INTO spending_stop VALUES(1,1000);
CREATE TABLE picture_address (
     address TEXT PRIMARY KEY,
     scope TEXT NOT NULL,
     item TEXT NOT NULL,
     UNIQUE (scope, item)
   ) STRICT, WITHOUT ROWID;
INSERT INTO picture_address VALUES('0123456789abcdef0123456789abcdef','test','image:a');
CREATE TABLE collection (
     scope TEXT NOT NULL,
     name TEXT NOT NULL,
     changed_at INTEGER NOT NULL,
     PRIMARY KEY (scope, name)
   ) STRICT, WITHOUT ROWID;
INSERT INTO collection VALUES('test','favourites',1000);
CREATE TABLE collected (
     scope TEXT NOT NULL,
     name TEXT NOT NULL,
     place INTEGER NOT NULL,
     preset TEXT NOT NULL,
     PRIMARY KEY (scope, name, place),
     UNIQUE (scope, preset, name)
   ) STRICT, WITHOUT ROWID;
INSERT INTO collected VALUES('test','favourites',0,'food/cake');
CREATE TABLE budget_use (
    scope TEXT NOT NULL,
    payer TEXT NOT NULL,
    day TEXT NOT NULL,
    reserved INTEGER NOT NULL CHECK (reserved >= 0),
    spent INTEGER NOT NULL CHECK (spent >= 0),
    PRIMARY KEY (scope, payer, day)
  ) STRICT, WITHOUT ROWID;
INSERT INTO budget_use VALUES('other','all','2026-11-03',0,1);
INSERT INTO budget_use VALUES('test','all','2026-11-01',0,1);
INSERT INTO budget_use VALUES('test','all','2026-11-02',2,0);
INSERT INTO budget_use VALUES('test','all','2026-11-03',0,1);
INSERT INTO budget_use VALUES('test','all','2026-11-20',1,2);
INSERT INTO budget_use VALUES('test','machine:1','2026-11-20',0,1);
INSERT INTO budget_use VALUES('test','project:promo','2026-11-20',0,1);
INSERT INTO budget_use VALUES('test','token:1','2026-11-02',1,0);
INSERT INTO budget_use VALUES('test','token:1','2026-11-03',0,1);
INSERT INTO budget_use VALUES('test','token:1','2026-11-20',0,1);
INSERT INTO budget_use VALUES('test','user:ann','2026-11-20',0,1);
CREATE TABLE join_code (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    digest BLOB NOT NULL UNIQUE,
    projects TEXT NOT NULL,
    user TEXT,
    only_for TEXT NOT NULL,
    uses_left INTEGER NOT NULL CHECK (uses_left >= 0),
    machine_lives_s INTEGER,
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    revoked_at INTEGER
  ) STRICT;
INSERT INTO join_code VALUES(1,X'04','["promo"]',NULL,'stickers',1,NULL,1000,NULL,NULL);
CREATE TABLE machine (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    join_code_id INTEGER REFERENCES join_code (id),
    name TEXT NOT NULL,
    digest BLOB NOT NULL UNIQUE,
    projects TEXT NOT NULL,
    user TEXT,
    only_for TEXT NOT NULL,
    joined_at INTEGER NOT NULL,
    last_used_at INTEGER,
    expires_at INTEGER,
    revoked_at INTEGER
  ) STRICT;
INSERT INTO machine VALUES(1,1,'render-7',X'05','["promo"]',NULL,'stickers',1000,NULL,NULL,NULL);
CREATE TABLE ask (
    machine_id INTEGER NOT NULL REFERENCES machine (id),
    request_id TEXT NOT NULL,
    purchase_id INTEGER NOT NULL REFERENCES purchase (id),
    asked_at INTEGER NOT NULL,
    PRIMARY KEY (machine_id, request_id)
  ) STRICT, WITHOUT ROWID;
INSERT INTO ask VALUES(1,'r-1',907,1000);
CREATE TABLE hub_event (
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    actor TEXT NOT NULL,
    verb TEXT NOT NULL,
    subject TEXT NOT NULL,
    detail TEXT NOT NULL DEFAULT '{}'
  ) STRICT;
INSERT INTO hub_event VALUES(1,1000,'owner','invite','promo','{}');
INSERT INTO hub_event VALUES(2,1000,'owner','budget','project:promo','{}');
CREATE TABLE given (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    machine_id INTEGER NOT NULL REFERENCES machine (id),
    scope TEXT NOT NULL,
    item TEXT NOT NULL,
    content_type TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    size INTEGER NOT NULL,
    gzip BLOB NOT NULL,
    paid INTEGER,
    state TEXT NOT NULL CHECK (state IN ('waiting', 'approved', 'refused')),
    given_at INTEGER NOT NULL,
    decided_at INTEGER,
    UNIQUE (machine_id, scope, item)
  ) STRICT;
CREATE TABLE purchases_elsewhere (
     id INTEGER PRIMARY KEY CHECK (id = 1),
     place TEXT NOT NULL,
     since INTEGER NOT NULL
   ) STRICT;
CREATE TABLE settlement_wait (
    purchase_id INTEGER PRIMARY KEY REFERENCES purchase (id),
    waited_ms INTEGER NOT NULL CHECK (waited_ms >= 0)
  ) STRICT;
INSERT INTO settlement_wait VALUES(2,61000);
CREATE TABLE spending_limit (
    scope TEXT NOT NULL,
    payer TEXT NOT NULL,
    period TEXT NOT NULL CHECK (period IN ('request', 'day', 'month', 'total')),
    credits INTEGER NOT NULL CHECK (credits >= 0),
    PRIMARY KEY (scope, payer, period)
  ) STRICT, WITHOUT ROWID;
INSERT INTO spending_limit VALUES('*','token:1','day',20);
INSERT INTO spending_limit VALUES('*','token:2','day',2);
INSERT INTO spending_limit VALUES('*','token:2','month',3);
INSERT INTO spending_limit VALUES('*','token:2','request',1);
INSERT INTO spending_limit VALUES('*','token:2','total',0);
INSERT INTO spending_limit VALUES('*','token:4','total',9);
INSERT INTO spending_limit VALUES('first key','all','day',100);
INSERT INTO spending_limit VALUES('other','all','day',7);
INSERT INTO spending_limit VALUES('other','machine:1','request',2);
INSERT INTO spending_limit VALUES('test','all','day',20);
INSERT INTO spending_limit VALUES('test','all','month',300);
INSERT INTO spending_limit VALUES('test','all','request',4);
INSERT INTO spending_limit VALUES('test','project:promo','day',50);
INSERT INTO spending_limit VALUES('test','project:promo','total',500);
INSERT INTO spending_limit VALUES('test','user:ann','month',60);
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES('token',4);
INSERT INTO sqlite_sequence VALUES('join_code',1);
INSERT INTO sqlite_sequence VALUES('machine',1);
CREATE INDEX purchase_item ON purchase (scope, item);
CREATE INDEX purchase_day ON purchase (scope, day);
CREATE INDEX purchase_unsettled ON purchase (key_id) WHERE state IN ('intent', 'sent', 'unknown');
CREATE INDEX set_aside_item ON set_aside (scope, item);
CREATE UNIQUE INDEX token_name ON token (name) WHERE revoked_at IS NULL;
CREATE INDEX purchase_token ON purchase (token_id) WHERE token_id IS NOT NULL;
CREATE TRIGGER purchase_added AFTER INSERT ON purchase
     BEGIN UPDATE purchase_changes SET changes = changes + 1; END;
CREATE TRIGGER purchase_changed AFTER UPDATE ON purchase
     BEGIN UPDATE purchase_changes SET changes = changes + 1; END;
CREATE UNIQUE INDEX purchase_counts ON purchase (scope, item) WHERE state <> 'refused' AND superseded_by IS NULL;
CREATE INDEX purchase_superseded ON purchase (superseded_by) WHERE superseded_by IS NOT NULL;
CREATE TRIGGER purchase_kept BEFORE DELETE ON purchase
    BEGIN SELECT raise(ABORT, 'the journal forgets nothing'); END;
CREATE TRIGGER consent_ends AFTER UPDATE OF state ON purchase WHEN NEW.state = 'refused' AND OLD.state <> 'refused' BEGIN
    UPDATE purchase SET superseded_by = NEW.superseded_by WHERE superseded_by = NEW.id;
  END;
CREATE VIEW budget_line AS 
  SELECT scope, json_each.value AS payer, day,
    sum(CASE WHEN state IN ('intent', 'sent', 'unknown') THEN price ELSE 0 END) AS reserved,
    sum(CASE state WHEN 'paid' THEN cost ELSE 0 END) AS spent
  FROM purchase, json_each(purchase.payers)
  GROUP BY scope, payer, day;
CREATE TRIGGER budget_reserved AFTER INSERT ON purchase WHEN NEW.state <> 'refused' BEGIN
    INSERT INTO budget_use (scope, payer, day, reserved, spent)
      SELECT NEW.scope, value, NEW.day, iif(NEW.state = 'paid', 0, NEW.price), iif(NEW.state = 'paid', NEW.cost, 0)
      FROM json_each(NEW.payers) WHERE true
      ON CONFLICT DO UPDATE SET reserved = reserved + excluded.reserved, spent = spent + excluded.spent;
  END;
CREATE TRIGGER budget_moved AFTER UPDATE OF state, cost, day ON purchase
    WHEN (OLD.state, OLD.cost, OLD.day) IS NOT (NEW.state, NEW.cost, NEW.day) BEGIN
    UPDATE budget_use
      SET reserved = reserved - iif(OLD.state IN ('intent', 'sent', 'unknown'), OLD.price, 0),
          spent = spent - iif(OLD.state = 'paid', OLD.cost, 0)
      WHERE scope = OLD.scope AND day = OLD.day AND payer IN (SELECT value FROM json_each(OLD.payers));
    INSERT INTO budget_use (scope, payer, day, reserved, spent)
      SELECT NEW.scope, value, NEW.day,
        iif(NEW.state IN ('intent', 'sent', 'unknown'), NEW.price, 0), iif(NEW.state = 'paid', NEW.cost, 0)
      FROM json_each(NEW.payers) WHERE true
      ON CONFLICT DO UPDATE SET reserved = reserved + excluded.reserved, spent = spent + excluded.spent;
  END;
CREATE INDEX purchase_freed ON purchase (key_id) WHERE state = 'refused' AND reason = 'not_charged';
CREATE TRIGGER purchase_moves BEFORE UPDATE ON purchase BEGIN
    SELECT raise(ABORT, 'a purchase does not change like that') WHERE
      (OLD.id, OLD.scope, OLD.item, OLD.price, OLD.key_id, OLD.payers)
        IS NOT (NEW.id, NEW.scope, NEW.item, NEW.price, NEW.key_id, NEW.payers)
      OR (OLD.state <> NEW.state AND OLD.state || ' ' || NEW.state NOT IN ('intent sent', 'intent refused', 'sent intent',
        'sent paid', 'sent refused', 'sent unknown', 'unknown paid', 'unknown refused', 'refused unknown'))
      OR (OLD.superseded_by IS NULL AND NEW.superseded_by IS NOT NULL AND OLD.state NOT IN ('paid', 'unknown') AND OLD.state || ' ' || NEW.state <> 'refused unknown')
      -- A consent ends with the purchase that was made by it.
      OR (OLD.superseded_by IS NOT NULL AND OLD.superseded_by IS NOT NEW.superseded_by AND NOT EXISTS
        (SELECT 1 FROM purchase AS later
         WHERE later.id = OLD.superseded_by AND later.state = 'refused' AND later.superseded_by IS NEW.superseded_by));
  END
;
CREATE TRIGGER purchase_freed_only BEFORE UPDATE OF state ON purchase
    WHEN OLD.state = 'refused' AND NEW.state = 'unknown' AND OLD.reason IS NOT 'not_charged'
    BEGIN SELECT raise(ABORT, 'a purchase does not change like that'); END;
CREATE TRIGGER token_forgotten AFTER DELETE ON token BEGIN
    DELETE FROM spending_limit WHERE payer = 'token:' || OLD.id;
  END;
CREATE TABLE project (
     scope TEXT NOT NULL,
     id TEXT NOT NULL,
     revision INTEGER NOT NULL,
     changed_at INTEGER NOT NULL,
     body TEXT NOT NULL,
     PRIMARY KEY (scope, id)
   ) STRICT, WITHOUT ROWID;
COMMIT;
PRAGMA user_version = 10;
