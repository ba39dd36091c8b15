// The tables of money in PostgreSQL, with what keeps a thing from being paid for twice in the database itself: whichever hub
// writes, one purchase of an item counts, states change one way, and budgets are lines beside the journal. As in owned.db
// (guard-schema.ts), whose names they bear. Times are milliseconds since the epoch, by the database's clock.

import type { Migration } from '../../platform/postgres/migrate.js';

/** How purchases may change; and what more may since a later step. */
const purchaseMoves = (
  create: string,
  moves: string,
  supersedes: string,
) => `${create} FUNCTION purchase_moves() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF TG_OP <> 'UPDATE' THEN RAISE 'the journal forgets nothing'; END IF;
    IF (OLD.id, OLD.scope, OLD.item, OLD.price, OLD.key_id, OLD.payers, OLD.day)
        IS DISTINCT FROM (NEW.id, NEW.scope, NEW.item, NEW.price, NEW.key_id, NEW.payers, NEW.day)
      OR (OLD.state <> NEW.state AND (OLD.state, NEW.state) NOT IN (('intent', 'sent'), ('intent', 'refused'),
        ('sent', 'intent'), ('sent', 'paid'), ('sent', 'refused'), ('sent', 'unknown'), ('unknown', 'paid'), ('unknown', 'refused')${moves}))
      OR (OLD.state = NEW.state AND OLD.cost IS DISTINCT FROM NEW.cost)
      OR (OLD.superseded_by IS NULL AND NEW.superseded_by IS NOT NULL AND OLD.state NOT IN ('paid', 'unknown')${supersedes})
      -- A consent ends with the purchase that was made by it.
      OR (OLD.superseded_by IS NOT NULL AND OLD.superseded_by IS DISTINCT FROM NEW.superseded_by AND NOT EXISTS
        (SELECT 1 FROM purchase AS later WHERE later.id = OLD.superseded_by AND later.state = 'refused'
          AND later.superseded_by IS NOT DISTINCT FROM NEW.superseded_by))
      THEN RAISE 'a purchase does not change like that'; END IF;
    RETURN NEW; END $$;`;

// One row a purchase is locked before any line of a budget, lines in the order of their keys: so no two writers wait for
// each other. Lines are therefore moved by a trigger of the whole statement, after its last row.
const JOURNAL = `
  -- In one place, so that a test can move the clock.
  CREATE FUNCTION svcd_ms() RETURNS bigint LANGUAGE sql VOLATILE AS
    $$ SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint $$;
  CREATE TABLE studio (only_row boolean PRIMARY KEY CHECK (only_row), id uuid NOT NULL, time_zone text NOT NULL, stopped_at bigint);
  -- A row for each start of a process; home tells which hub it is of.
  CREATE TABLE holder (
    id uuid PRIMARY KEY, home uuid NOT NULL, name text NOT NULL, version text NOT NULL, address text,
    started_at bigint NOT NULL DEFAULT svcd_ms(), seen_at bigint NOT NULL DEFAULT svcd_ms(), stopped_at bigint);
  -- key_id is a digest, never the Key. left_at: its last departures; departures: how many there were, by which quiet is judged.
  CREATE TABLE service_key (
    key_id text PRIMARY KEY, scope text NOT NULL, departures bigint NOT NULL DEFAULT 0, left_at bigint[] NOT NULL DEFAULT '{}',
    blocked_until bigint NOT NULL DEFAULT 0, paused_at bigint NOT NULL DEFAULT 0, paused_until bigint NOT NULL DEFAULT 0,
    anchor_balance bigint, anchor_departure bigint, anchor_at bigint);
  CREATE TABLE machine (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, join_code_id bigint, name text NOT NULL, digest bytea NOT NULL UNIQUE,
    projects text NOT NULL, "user" text, only_for text NOT NULL, joined_at bigint NOT NULL DEFAULT svcd_ms(),
    last_used_at bigint, expires_at bigint, revoked_at bigint);
  CREATE TABLE join_code (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, digest bytea NOT NULL UNIQUE, projects text NOT NULL, "user" text,
    only_for text NOT NULL, uses_left int NOT NULL CHECK (uses_left >= 0), machine_lives_s bigint,
    created_at bigint NOT NULL DEFAULT svcd_ms(), expires_at bigint, revoked_at bigint);
  ALTER TABLE machine ADD FOREIGN KEY (join_code_id) REFERENCES join_code;
  CREATE SEQUENCE purchase_id;
  CREATE TABLE purchase (
    id bigint PRIMARY KEY DEFAULT nextval('purchase_id'), scope text NOT NULL, item text NOT NULL,
    kind text NOT NULL CHECK (kind IN ('sticker', 'image')),
    state text NOT NULL CHECK (state IN ('intent', 'sent', 'paid', 'refused', 'unknown')),
    price int NOT NULL CHECK (price >= 0), cost int CHECK (cost >= 0), reason text,
    key_id text NOT NULL REFERENCES service_key, holder uuid NOT NULL REFERENCES holder, machine_id bigint REFERENCES machine,
    token text, payers text[] NOT NULL, day date NOT NULL, departure bigint,
    superseded_by bigint REFERENCES purchase DEFERRABLE INITIALLY DEFERRED,
    created_at bigint NOT NULL DEFAULT svcd_ms(), sent_at bigint, settled_at bigint,
    CHECK ((state IN ('paid', 'refused')) = (cost IS NOT NULL)), CHECK (state <> 'refused' OR cost = 0));
  -- What is open, paid or unknown counts, and only one may count. No look before buying, isolation level or forgotten lock gets past this.
  CREATE UNIQUE INDEX purchase_counts ON purchase (scope, item) WHERE state <> 'refused' AND superseded_by IS NULL;
  CREATE INDEX purchase_item ON purchase (scope, item);
  CREATE INDEX purchase_open ON purchase (holder) WHERE state IN ('intent', 'sent');
  CREATE INDEX purchase_unsettled ON purchase (key_id, departure) WHERE state IN ('sent', 'unknown');
  CREATE INDEX purchase_departed ON purchase (key_id, departure);
  CREATE INDEX purchase_superseded ON purchase (superseded_by) WHERE superseded_by IS NOT NULL;

  ${purchaseMoves('CREATE', '', '')}
  CREATE TRIGGER purchase_moves BEFORE UPDATE OR DELETE ON purchase FOR EACH ROW EXECUTE FUNCTION purchase_moves();
  CREATE TRIGGER purchase_kept BEFORE TRUNCATE ON purchase EXECUTE FUNCTION purchase_moves();
  CREATE FUNCTION consent_ends() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    UPDATE purchase SET superseded_by = NEW.superseded_by WHERE superseded_by = NEW.id;
    RETURN NULL; END $$;
  CREATE TRIGGER consent_ends AFTER UPDATE OF state ON purchase FOR EACH ROW
    WHEN (NEW.state = 'refused' AND OLD.state <> 'refused') EXECUTE FUNCTION consent_ends();
`;

const BUDGETS = `
  CREATE TABLE hub_budget (
    scope text, payer text, period text CHECK (period IN ('request', 'day', 'month', 'total')),
    credits bigint NOT NULL CHECK (credits >= 0), PRIMARY KEY (scope, payer, period));
  CREATE TABLE budget_use (
    scope text, payer text, period text, starts_on date, reserved bigint NOT NULL CHECK (reserved >= 0),
    spent bigint NOT NULL CHECK (spent >= 0), PRIMARY KEY (scope, payer, period, starts_on)) WITH (fillfactor = 50);
  CREATE FUNCTION budget_starts(period text, day date) RETURNS date LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE period WHEN 'day' THEN day WHEN 'month' THEN date_trunc('month', day)::date ELSE date '-infinity' END $$;
  -- What the lines must be, by the journal alone.
  CREATE VIEW budget_line AS
    SELECT scope, payer, period, budget_starts(period, day) AS starts_on,
      sum(CASE WHEN state IN ('intent', 'sent', 'unknown') THEN price ELSE 0 END)::bigint AS reserved,
      sum(CASE state WHEN 'paid' THEN cost ELSE 0 END)::bigint AS spent
    FROM purchase, unnest(payers) AS payer, unnest(ARRAY['day', 'month', 'total']) AS period GROUP BY 1, 2, 3, 4;
  CREATE FUNCTION budget_reserved() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO budget_use (scope, payer, period, starts_on, reserved, spent)
      SELECT scope, payer, period, budget_starts(period, day),
        sum(CASE WHEN state IN ('intent', 'sent', 'unknown') THEN price ELSE 0 END), sum(CASE state WHEN 'paid' THEN cost ELSE 0 END)
      FROM added, unnest(payers) AS payer, unnest(ARRAY['day', 'month', 'total']) AS period
      WHERE state <> 'refused' GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
      ON CONFLICT (scope, payer, period, starts_on) DO UPDATE
        SET reserved = budget_use.reserved + excluded.reserved, spent = budget_use.spent + excluded.spent;
    RETURN NULL; END $$;
  CREATE TRIGGER budget_reserved AFTER INSERT ON purchase REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION budget_reserved();
  CREATE FUNCTION budget_moved() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE line record; BEGIN
    FOR line IN
      SELECT scope, payer, period, budget_starts(period, day) AS starts_on, sum(reserved) AS reserved, sum(spent) AS spent FROM (
        SELECT n.scope, n.day, n.payers,
          CASE WHEN n.state IN ('intent', 'sent', 'unknown') THEN n.price ELSE 0 END
            - CASE WHEN o.state IN ('intent', 'sent', 'unknown') THEN o.price ELSE 0 END AS reserved,
          CASE n.state WHEN 'paid' THEN n.cost ELSE 0 END - CASE o.state WHEN 'paid' THEN o.cost ELSE 0 END AS spent
        FROM after AS n JOIN before AS o USING (id)) AS moved,
        unnest(payers) AS payer, unnest(ARRAY['day', 'month', 'total']) AS period
      GROUP BY 1, 2, 3, 4 HAVING sum(reserved) <> 0 OR sum(spent) <> 0 ORDER BY 1, 2, 3, 4
    LOOP
      UPDATE budget_use AS u SET reserved = u.reserved + line.reserved, spent = u.spent + line.spent
        WHERE u.scope = line.scope AND u.payer = line.payer AND u.period = line.period AND u.starts_on = line.starts_on;
    END LOOP;
    RETURN NULL; END $$;
  CREATE TRIGGER budget_moved AFTER UPDATE ON purchase REFERENCING OLD TABLE AS before NEW TABLE AS after
    FOR EACH STATEMENT EXECUTE FUNCTION budget_moved();
  -- The studio's day. A clock that was set back opens no day again; one that was once far ahead closes none until then.
  CREATE FUNCTION svcd_today(of_scope text) RETURNS date LANGUAGE sql VOLATILE AS $$
    SELECT greatest((now.at AT TIME ZONE (SELECT time_zone FROM studio))::date,
      (SELECT max(starts_on) FROM budget_use WHERE scope = of_scope AND payer = 'all' AND period = 'day'
        AND (reserved > 0 OR spent > 0) AND starts_on <= (now.at + interval '40 days')::date))
    FROM (SELECT to_timestamp(svcd_ms() / 1000.0) AS at) AS now $$;
`;

const OWNED = `
  CREATE TABLE owned (
    scope text, item text, purchase_id bigint REFERENCES purchase, content_type text NOT NULL, sha256 text NOT NULL,
    size int NOT NULL, gzip bytea NOT NULL, brotli bytea, receipt text,
    origin text NOT NULL CHECK (origin IN ('bought', 'hub', 'given', 'returned')),
    kept_at bigint NOT NULL DEFAULT svcd_ms(), PRIMARY KEY (scope, item));
  -- Compressed already.
  ALTER TABLE owned ALTER gzip SET STORAGE EXTERNAL, ALTER brotli SET STORAGE EXTERNAL;
  CREATE INDEX owned_kept_at ON owned (kept_at);
  CREATE TABLE set_aside (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, scope text NOT NULL, item text NOT NULL,
    purchase_id bigint REFERENCES purchase, why text NOT NULL, content_type text NOT NULL, sha256 text NOT NULL,
    set_aside_at bigint NOT NULL DEFAULT svcd_ms(), bytes bytea NOT NULL);
  -- What a machine asked for by a name of its own: asked again, it is the same purchase.
  CREATE TABLE ask (
    machine_id bigint REFERENCES machine, request_id text, purchase_id bigint NOT NULL REFERENCES purchase,
    asked_at bigint NOT NULL DEFAULT svcd_ms(), PRIMARY KEY (machine_id, request_id));
  CREATE TABLE hub_event (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, at bigint NOT NULL DEFAULT svcd_ms(),
    actor text NOT NULL, verb text NOT NULL, subject text NOT NULL, detail text NOT NULL DEFAULT '{}');
  CREATE FUNCTION event_stays() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'an event does not change'; END $$;
  CREATE TRIGGER event_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON hub_event EXECUTE FUNCTION event_stays();
  CREATE TABLE given (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, machine_id bigint NOT NULL REFERENCES machine, scope text NOT NULL,
    item text NOT NULL, content_type text NOT NULL, sha256 text NOT NULL, size int NOT NULL, gzip bytea NOT NULL, paid bigint,
    state text NOT NULL CHECK (state IN ('waiting', 'approved', 'refused')), given_at bigint NOT NULL DEFAULT svcd_ms(),
    decided_at bigint, UNIQUE (machine_id, scope, item));
`;

// New images of a Key wait while they would keep it busy; when that began last, and until when.
const IMAGES_WAIT = `
  ALTER TABLE service_key ADD COLUMN images_held_at bigint NOT NULL DEFAULT 0, ADD COLUMN images_held_until bigint NOT NULL DEFAULT 0;
`;

// What was settled as free may turn out to have been charged late.
const LATE_CHARGES = `
  ALTER TABLE service_key ADD COLUMN anchor_low bigint;
  CREATE INDEX purchase_freed ON purchase (key_id) WHERE state = 'refused' AND reason = 'not_charged';
  ${purchaseMoves('CREATE OR REPLACE', ", ('refused', 'unknown')", " AND NOT (OLD.state = 'refused' AND NEW.state = 'unknown')")}
  CREATE FUNCTION purchase_freed_only() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    RAISE 'a purchase does not change like that'; END $$;
  CREATE TRIGGER purchase_freed_only BEFORE UPDATE OF state ON purchase FOR EACH ROW
    WHEN (OLD.state = 'refused' AND NEW.state = 'unknown' AND OLD.reason IS DISTINCT FROM 'not_charged')
    EXECUTE FUNCTION purchase_freed_only();
`;

// The table that owned.db has, too, by the same name. Hubs of an earlier version that run still use it by its old one.
const LIMITS_TABLE = `
  ALTER TABLE hub_budget RENAME TO spending_limit;
  CREATE VIEW hub_budget AS SELECT scope, payer, period, credits FROM spending_limit;
`;

// Which process of a machine asks, by which a copied home is seen.
const PROCESSES = `
  ALTER TABLE machine ADD COLUMN process text, ADD COLUMN process_at bigint, ADD COLUMN other_at bigint,
    ADD COLUMN cloned_at bigint, ADD COLUMN replaced_at bigint;
`;

/** The schema, and what a role needs that does not own it: rows of the journal and events can be added, not removed. */
export const PURCHASES: Migration = {
  steps: [JOURNAL + BUDGETS + OWNED, IMAGES_WAIT, LATE_CHARGES, LIMITS_TABLE, PROCESSES],
  grants: `
    GRANT SELECT, INSERT, UPDATE ON studio, holder, service_key, machine, join_code, purchase, budget_use, owned, ask, given TO $role;
    GRANT SELECT, INSERT, UPDATE, DELETE ON spending_limit, hub_budget TO $role; GRANT DELETE ON owned, ask TO $role;
    GRANT SELECT, INSERT ON hub_event, set_aside TO $role; GRANT SELECT ON svcd_schema, budget_line TO $role;
    GRANT USAGE, SELECT, UPDATE ON ALL SEQUENCES IN SCHEMA public TO $role;`,
};
