// The sixth schema of owned.db: what keeps a thing from being paid for twice is held by the file itself, whoever writes to it.
// One purchase of an item counts, states change one way, and what budgets are judged by is kept beside the journal.

/** Credits that purchases take from each payer on each day, by the journal: what `budget_use` must agree with. */
const LINES = `
  SELECT scope, json_each.value AS payer, day,
    sum(CASE WHEN state IN ('intent', 'sent', 'unknown') THEN price ELSE 0 END) AS reserved,
    sum(CASE state WHEN 'paid' THEN cost ELSE 0 END) AS spent
  FROM purchase, json_each(purchase.payers)
  GROUP BY scope, payer, day`;

/** How purchases may change; and what more may since a later schema. */
const purchaseMoves = (moves: string, supersedes: string) => `
  CREATE TRIGGER purchase_moves BEFORE UPDATE ON purchase BEGIN
    SELECT raise(ABORT, 'a purchase does not change like that') WHERE
      (OLD.id, OLD.scope, OLD.item, OLD.price, OLD.key_id, OLD.payers)
        IS NOT (NEW.id, NEW.scope, NEW.item, NEW.price, NEW.key_id, NEW.payers)
      OR (OLD.state <> NEW.state AND OLD.state || ' ' || NEW.state NOT IN ('intent sent', 'intent refused', 'sent intent',
        'sent paid', 'sent refused', 'sent unknown', 'unknown paid', 'unknown refused'${moves}))
      OR (OLD.superseded_by IS NULL AND NEW.superseded_by IS NOT NULL AND OLD.state NOT IN ('paid', 'unknown')${supersedes})
      -- A consent ends with the purchase that was made by it.
      OR (OLD.superseded_by IS NOT NULL AND OLD.superseded_by IS NOT NEW.superseded_by AND NOT EXISTS
        (SELECT 1 FROM purchase AS later
         WHERE later.id = OLD.superseded_by AND later.state = 'refused' AND later.superseded_by IS NEW.superseded_by));
  END;
`;

export const GUARD = `
  -- The later purchase that was made of the same item because somebody consented to pay again.
  ALTER TABLE purchase ADD COLUMN superseded_by INTEGER REFERENCES purchase (id) DEFERRABLE INITIALLY DEFERRED;
  -- The process that holds it as long as it is open.
  ALTER TABLE purchase ADD COLUMN holder TEXT;
  -- Whose budgets it takes from: a JSON array of texts.
  ALTER TABLE purchase ADD COLUMN payers TEXT NOT NULL DEFAULT '["all"]';
  UPDATE purchase SET cost = price WHERE state = 'paid' AND cost IS NULL;
  UPDATE purchase SET payers = json_array('all', 'token:' || token_id) WHERE token_id IS NOT NULL;
  -- Older versions looked before they bought, and let an item be bought again by consent without a word of it.
  UPDATE purchase SET superseded_by =
    (SELECT min(later.id) FROM purchase AS later
     WHERE later.scope = purchase.scope AND later.item = purchase.item AND later.id > purchase.id AND later.state <> 'refused')
  WHERE state <> 'refused';

  DROP INDEX purchase_open;
  CREATE UNIQUE INDEX purchase_counts ON purchase (scope, item) WHERE state <> 'refused' AND superseded_by IS NULL;
  CREATE INDEX purchase_superseded ON purchase (superseded_by) WHERE superseded_by IS NOT NULL;

  CREATE TRIGGER purchase_kept BEFORE DELETE ON purchase
    BEGIN SELECT raise(ABORT, 'the journal forgets nothing'); END;
${purchaseMoves('', '')}  CREATE TRIGGER consent_ends AFTER UPDATE OF state ON purchase WHEN NEW.state = 'refused' AND OLD.state <> 'refused' BEGIN
    UPDATE purchase SET superseded_by = NEW.superseded_by WHERE superseded_by = NEW.id;
  END;

  CREATE TABLE budget_use (
    scope TEXT NOT NULL,
    payer TEXT NOT NULL,
    day TEXT NOT NULL,
    reserved INTEGER NOT NULL CHECK (reserved >= 0),
    spent INTEGER NOT NULL CHECK (spent >= 0),
    PRIMARY KEY (scope, payer, day)
  ) STRICT, WITHOUT ROWID;
  CREATE VIEW budget_line AS ${LINES};
  INSERT INTO budget_use (scope, payer, day, reserved, spent)
    SELECT scope, payer, day, reserved, spent FROM budget_line WHERE reserved > 0 OR spent > 0;
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

  -- What proves that a hub once paid for it, and how it came here: bought by this svcd, had of a hub, given by a machine
  -- that joined, or given back by one.
  ALTER TABLE owned ADD COLUMN receipt TEXT;
  ALTER TABLE owned ADD COLUMN origin TEXT NOT NULL DEFAULT 'bought' CHECK (origin IN ('bought', 'hub', 'given', 'returned'));
  ALTER TABLE owned ADD COLUMN used_at INTEGER;
`;

/** What a hub knows of the machines that have joined it. */
export const MACHINES = `
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
  CREATE TABLE hub_budget (
    scope TEXT NOT NULL,
    payer TEXT NOT NULL,
    period TEXT NOT NULL CHECK (period IN ('request', 'day', 'month', 'total')),
    credits INTEGER NOT NULL CHECK (credits >= 0),
    PRIMARY KEY (scope, payer, period)
  ) STRICT, WITHOUT ROWID;
  -- What a machine asked for by a name of its own: asked again, it is the same purchase.
  CREATE TABLE ask (
    machine_id INTEGER NOT NULL REFERENCES machine (id),
    request_id TEXT NOT NULL,
    purchase_id INTEGER NOT NULL REFERENCES purchase (id),
    asked_at INTEGER NOT NULL,
    PRIMARY KEY (machine_id, request_id)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE hub_event (
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    actor TEXT NOT NULL,
    verb TEXT NOT NULL,
    subject TEXT NOT NULL,
    detail TEXT NOT NULL DEFAULT '{}'
  ) STRICT;
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
`;

/** The eighth: what was settled as free may turn out to have been charged late, and how long was waited outlives a restart. */
export const LATE_CHARGES = `
  ALTER TABLE anchor ADD COLUMN low INTEGER;
  CREATE TABLE settlement_wait (
    purchase_id INTEGER PRIMARY KEY REFERENCES purchase (id),
    waited_ms INTEGER NOT NULL CHECK (waited_ms >= 0)
  ) STRICT;
  CREATE INDEX purchase_freed ON purchase (key_id) WHERE state = 'refused' AND reason = 'not_charged';
  DROP TRIGGER purchase_moves;
${purchaseMoves(", 'refused unknown'", " AND OLD.state || ' ' || NEW.state <> 'refused unknown'")}
  CREATE TRIGGER purchase_freed_only BEFORE UPDATE OF state ON purchase
    WHEN OLD.state = 'refused' AND NEW.state = 'unknown' AND OLD.reason IS NOT 'not_charged'
    BEGIN SELECT raise(ABORT, 'a purchase does not change like that'); END;
`;

/**
 * The ninth schema: limits of all together, of tokens, and of projects, users and machines of a hub lay in three places, and are
 * one table. Those of a token hold with any remote (`*`), as its columns did. `first key` is no remote (`openFirstBudget`).
 */
export const LIMITS_TABLE = `
  CREATE TABLE spending_limit (
    scope TEXT NOT NULL,
    payer TEXT NOT NULL,
    period TEXT NOT NULL CHECK (period IN ('request', 'day', 'month', 'total')),
    credits INTEGER NOT NULL CHECK (credits >= 0),
    PRIMARY KEY (scope, payer, period)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO spending_limit (scope, payer, period, credits)
    SELECT scope, 'all', period, credits FROM budget
    -- What stood here of all together bound nobody: theirs were in the other table.
    UNION ALL SELECT scope, payer, period, credits FROM hub_budget WHERE payer <> 'all'
    UNION ALL SELECT '*', 'token:' || id, period, max(0, credits) FROM (
      SELECT id, 'request' AS period, per_request AS credits FROM token
      UNION ALL SELECT id, 'day', per_day FROM token
      UNION ALL SELECT id, 'month', per_month FROM token
      UNION ALL SELECT id, 'total', in_total FROM token) WHERE credits IS NOT NULL;
  DROP TABLE budget;
  DROP TABLE hub_budget;
  ALTER TABLE token DROP COLUMN per_request;
  ALTER TABLE token DROP COLUMN per_day;
  ALTER TABLE token DROP COLUMN per_month;
  ALTER TABLE token DROP COLUMN in_total;
  CREATE TRIGGER token_forgotten AFTER DELETE ON token BEGIN
    DELETE FROM spending_limit WHERE payer = 'token:' || OLD.id;
  END;
`;

/** Which process of a machine asks, by which a copied home is seen. */
export const PROCESSES = `
  ALTER TABLE machine ADD COLUMN process TEXT;
  ALTER TABLE machine ADD COLUMN process_at INTEGER;
  ALTER TABLE machine ADD COLUMN other_at INTEGER;
  ALTER TABLE machine ADD COLUMN cloned_at INTEGER;
  ALTER TABLE machine ADD COLUMN replaced_at INTEGER;
`;
