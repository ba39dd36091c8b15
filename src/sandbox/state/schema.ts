// The sandbox's own tables. Nothing else of svcd reads or writes them.
// Money is a double-entry ledger; the catalogue rows are a copy that can be made again.

/** In order; what modules add, they make by themselves. */
export const SANDBOX_MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE seeded (stamp TEXT NOT NULL) STRICT;

  CREATE TABLE sticker (
    id     INTEGER PRIMARY KEY,
    preset TEXT NOT NULL UNIQUE,
    entry  TEXT NOT NULL
  ) STRICT;

  CREATE TABLE word (
    id   INTEGER PRIMARY KEY,
    text TEXT NOT NULL UNIQUE
  ) STRICT;

  CREATE TABLE placed (
    word    INTEGER NOT NULL,
    sticker INTEGER NOT NULL,
    field   INTEGER NOT NULL,
    PRIMARY KEY (word, sticker, field)
  ) STRICT, WITHOUT ROWID;
  `,
  // Several accounts and Keys: the play money of the one account that the first schema had is not carried over.
  `
  DROP TABLE IF EXISTS ledger;
  DROP TABLE IF EXISTS image;
  DROP TABLE IF EXISTS production;
  DROP TABLE IF EXISTS key;
  DROP TABLE IF EXISTS account;

  CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

  -- How often the seed was drawn from for a purpose.
  CREATE TABLE drawn (purpose TEXT PRIMARY KEY, count INTEGER NOT NULL) STRICT, WITHOUT ROWID;

  CREATE TABLE account (
    id             INTEGER PRIMARY KEY,
    name           TEXT NOT NULL UNIQUE,
    email_verified INTEGER NOT NULL CHECK (email_verified IN (0, 1)),
    inviter        INTEGER REFERENCES account,
    created_at     INTEGER NOT NULL,
    CHECK (inviter IS NULL OR inviter <> id)
  ) STRICT;

  CREATE TABLE key (
    id          INTEGER PRIMARY KEY,
    digest      TEXT NOT NULL UNIQUE,
    last_four   TEXT NOT NULL,
    account     INTEGER NOT NULL REFERENCES account,
    kind        TEXT NOT NULL CHECK (kind IN ('general', 'template')),
    template    TEXT,
    state       TEXT NOT NULL CHECK (state IN ('active', 'disabled', 'revoked')),
    per_request INTEGER,
    daily       INTEGER,
    monthly     INTEGER,
    permissions TEXT NOT NULL,
    created_at  INTEGER NOT NULL,
    CHECK ((kind = 'template') = (template IS NOT NULL))
  ) STRICT;

  CREATE TABLE payment (
    id          TEXT PRIMARY KEY,
    number      INTEGER NOT NULL UNIQUE,
    account     INTEGER NOT NULL REFERENCES account,
    kind        TEXT NOT NULL CHECK (kind IN ('top_up', 'template')),
    template    TEXT,
    amount_fen  INTEGER NOT NULL CHECK (amount_fen > 0),
    credits     INTEGER NOT NULL CHECK (credits >= 0),
    at          INTEGER NOT NULL,
    anomaly     INTEGER NOT NULL DEFAULT 0 CHECK (anomaly IN (0, 1)),
    verified    INTEGER NOT NULL DEFAULT 1 CHECK (verified IN (0, 1)),
    refunded_at INTEGER,
    CHECK ((kind = 'template') = (template IS NOT NULL))
  ) STRICT;

  CREATE TABLE reward (
    id          INTEGER PRIMARY KEY,
    payment     TEXT NOT NULL REFERENCES payment,
    account     INTEGER NOT NULL REFERENCES account,
    role        TEXT NOT NULL CHECK (role IN ('buyer', 'inviter')),
    credits     INTEGER NOT NULL CHECK (credits > 0),
    state       TEXT NOT NULL CHECK (state IN ('locked', 'released', 'reversed')),
    locked_at   INTEGER NOT NULL,
    changed_at  INTEGER NOT NULL,
    UNIQUE (payment, role)
  ) STRICT;
  CREATE INDEX reward_locked ON reward (locked_at) WHERE state = 'locked';

  -- What happened, and what it moved: the postings of a movement add up to nothing.
  CREATE TABLE movement (
    id         INTEGER PRIMARY KEY,
    at         INTEGER NOT NULL,
    reason     TEXT NOT NULL,
    payment    TEXT REFERENCES payment,
    key        INTEGER REFERENCES key,
    capability TEXT,
    subject    TEXT,
    CHECK ((reason = 'charge') = (key IS NOT NULL AND capability IS NOT NULL AND subject IS NOT NULL))
  ) STRICT;
  CREATE INDEX movement_of_key ON movement (key, at) WHERE reason = 'charge';

  CREATE TABLE posting (
    movement INTEGER NOT NULL REFERENCES movement,
    book     TEXT NOT NULL CHECK (book IN ('spendable', 'locked', 'house')),
    account  INTEGER NOT NULL REFERENCES account,
    credits  INTEGER NOT NULL CHECK (credits <> 0),
    PRIMARY KEY (movement, book, account)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE balance (
    book    TEXT NOT NULL,
    account INTEGER NOT NULL REFERENCES account,
    credits INTEGER NOT NULL,
    PRIMARY KEY (book, account)
  ) STRICT, WITHOUT ROWID;

  -- Written here and nowhere else, so that no balance can part from its postings.
  CREATE TRIGGER posted AFTER INSERT ON posting BEGIN
    INSERT INTO balance (book, account, credits) VALUES (NEW.book, NEW.account, NEW.credits)
    ON CONFLICT (book, account) DO UPDATE SET credits = credits + NEW.credits;
  END;
  CREATE TRIGGER posting_stays BEFORE UPDATE ON posting BEGIN
    SELECT RAISE(ABORT, 'a posting is never changed');
  END;

  CREATE TABLE image (
    id      TEXT PRIMARY KEY,
    account INTEGER NOT NULL REFERENCES account,
    at      INTEGER NOT NULL,
    bytes   BLOB NOT NULL
  ) STRICT;

  CREATE TABLE template (
    name         TEXT NOT NULL,
    version      TEXT NOT NULL,
    known_issues TEXT NOT NULL,
    tips         TEXT NOT NULL,
    PRIMARY KEY (name, version)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE production (
    id      TEXT PRIMARY KEY,
    account INTEGER REFERENCES account,
    at      INTEGER NOT NULL,
    record  TEXT NOT NULL
  ) STRICT;

  CREATE TABLE switched_off (capability TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;

  CREATE TABLE fault (
    id    INTEGER PRIMARY KEY,
    rule  TEXT NOT NULL,
    seen  INTEGER NOT NULL DEFAULT 0,
    fired INTEGER NOT NULL DEFAULT 0
  ) STRICT;

  CREATE TABLE request (
    id      INTEGER PRIMARY KEY,
    at      INTEGER NOT NULL,
    method  TEXT NOT NULL,
    path    TEXT NOT NULL,
    status  INTEGER,
    code    TEXT,
    key     TEXT,
    account TEXT,
    cost    INTEGER NOT NULL,
    left    INTEGER NOT NULL,
    fault   TEXT,
    took_ms REAL NOT NULL
  ) STRICT;
  `,
];
