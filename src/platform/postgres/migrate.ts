// Brings a database to the schema of this svcd: each step once, all missing ones in one transaction, one hub at a time.
// A role of its own may own the tables; the role of the hub then may only use them.

import { SvcdError } from '../../model/errors.js';
import { NO_RIGHTS, sqlStateOf } from './errors.js';
import type { Postgres, Transaction } from './transaction.js';

export interface Migration {
  readonly steps: readonly string[];
  /** Rights that a role besides the owner needs, with `$role` in place of its name. */
  readonly grants: string;
}

/** Number of the lock that one hub holds while it migrates; `pg_advisory_xact_lock` ends with the transaction. */
const LOCK = 7_825_001;
const LIMIT_MS = 60_000;

/**
 * Throws `database_newer`; `database_unsafe` when tables are missing and the role may not make them. `owner` is another
 * connection whose role makes the tables and grants the use of them to the role of `db`.
 */
export async function migrate(db: Postgres, { steps, grants }: Migration, owner: Postgres = db): Promise<void> {
  const done = await versionOf(db);
  if (done > steps.length) throw writtenByNewer(db, done, steps.length);
  if (done === steps.length && owner === db) return;
  const role = await db.one<{ name: string }>('SELECT quote_ident(current_user) AS name');
  await owner
    .transaction(async (tx) => {
      await tx.run('SELECT pg_advisory_xact_lock($1)', [LOCK]);
      await tx.run(MAKE_VERSION);
      const found = await versionOf(tx);
      for (const step of steps.slice(found)) await tx.run(step);
      if (found < steps.length) await tx.run(SET_VERSION, [steps.length]);
      if (owner !== db && role !== undefined) await tx.run(grants.replaceAll('$role', role.name));
    }, LIMIT_MS)
    .catch((cause: unknown) => {
      if (cause instanceof SvcdError && sqlStateOf(cause) === NO_RIGHTS) throw noRights(owner, cause);
      throw cause;
    });
}

const MAKE_VERSION =
  'CREATE TABLE IF NOT EXISTS svcd_schema (only_row boolean PRIMARY KEY CHECK (only_row), version int NOT NULL)';
const SET_VERSION =
  'INSERT INTO svcd_schema (only_row, version) VALUES (true, $1) ON CONFLICT (only_row) DO UPDATE SET version = excluded.version';

/** How many steps were made; 0 for a database without tables of svcd. */
async function versionOf(tx: Pick<Transaction, 'one'>): Promise<number> {
  const exists = await tx.one<{ is: boolean }>(`SELECT to_regclass('svcd_schema') IS NOT NULL AS is`);
  if (exists?.is !== true) return 0;
  return (await tx.one<{ version: number }>('SELECT version FROM svcd_schema'))?.version ?? 0;
}

function writtenByNewer({ label }: Postgres, schema: number, own: number): SvcdError {
  return new SvcdError(
    'database_newer',
    `${label} was written by a newer svcd (its schema is ${schema}, this svcd knows up to ${own})`,
    { hint: 'Update svcd on this machine. The database was not changed.' },
  );
}

function noRights({ label }: Postgres, cause: SvcdError): SvcdError {
  return new SvcdError('database_unsafe', `the user of ${label} may not make the tables that this svcd needs`, {
    cause,
    hint: 'Start a hub with --database-owner postgres://…, whose user may make tables; it grants the use of them to this one.',
  });
}
