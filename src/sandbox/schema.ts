// The sandbox's own tables. Nothing else of svcd reads or writes them.
// Money is a ledger whose sum is the balance; the catalogue rows are a copy that can be made again.

export const SANDBOX_MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE account (
    id         INTEGER PRIMARY KEY,
    credits    INTEGER NOT NULL CHECK (credits >= 0),
    created_at INTEGER NOT NULL
  ) STRICT;

  -- Keys are kept readable: they spend play money, and the owner must be able to see his again.
  CREATE TABLE key (
    secret  TEXT PRIMARY KEY,
    account INTEGER NOT NULL REFERENCES account,
    kind    TEXT NOT NULL CHECK (kind IN ('general', 'template')),
    state   TEXT NOT NULL CHECK (state IN ('active', 'disabled'))
  ) STRICT;

  CREATE TABLE ledger (
    id         INTEGER PRIMARY KEY,
    account    INTEGER NOT NULL REFERENCES account,
    at         INTEGER NOT NULL,
    reason     TEXT NOT NULL CHECK (reason IN ('top_up', 'adjustment', 'charge')),
    credits    INTEGER NOT NULL,
    capability TEXT,
    subject    TEXT,
    CHECK ((reason = 'charge') = (capability IS NOT NULL AND subject IS NOT NULL))
  ) STRICT;

  CREATE TABLE image (
    id      TEXT PRIMARY KEY,
    account INTEGER NOT NULL REFERENCES account,
    at      INTEGER NOT NULL,
    bytes   BLOB NOT NULL
  ) STRICT;

  CREATE TABLE production (
    id      TEXT PRIMARY KEY,
    account INTEGER REFERENCES account,
    at      INTEGER NOT NULL,
    record  TEXT NOT NULL
  ) STRICT;

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
];
