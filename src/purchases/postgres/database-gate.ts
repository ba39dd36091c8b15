// The database as the rest of this room uses it: refused until it was there and its checks were made, which may be long after the
// hub has started. What was refused is told to each who asks, so that a purchase, the status and the doctor say the same.

import { isSvcdError, type SvcdError } from '../../model/errors.js';
import { databaseAway } from '../../platform/postgres/errors.js';
import type { Postgres } from '../../platform/postgres/transaction.js';

export interface DatabaseGate {
  /** Throws `database_away` for everything until it is open. */
  readonly db: Postgres;
  /** Makes the checks unless they were made; throws what they throw. */
  open(): Promise<void>;
}

/** The gate before `db`; `checks` are made over that one itself. */
export function createDatabaseGate(db: Postgres, checks: () => Promise<void>): DatabaseGate {
  let isOpen = false;
  let why: unknown;
  let opening: Promise<void> | undefined;

  const check = async () => {
    try {
      await checks();
      isOpen = true;
    } catch (error) {
      why = error;
      throw error;
    } finally {
      opening = undefined;
    }
  };
  const asOne = (): SvcdError => {
    if (isSvcdError(why, 'database_away')) return why;
    return databaseAway(db.label, isSvcdError(why) ? why.message : 'its checks were not made yet', why);
  };
  const whenOpen = <T>(ask: () => Promise<T>): Promise<T> => (isOpen ? ask() : Promise.reject(asOne()));

  return {
    open: () => (isOpen ? Promise.resolve() : (opening ??= check())),
    db: {
      label: db.label,
      all: (...asked) => whenOpen(() => db.all(...asked)),
      one: (...asked) => whenOpen(() => db.one(...asked)),
      run: (...asked) => whenOpen(() => db.run(...asked)),
      transaction: (...asked) => whenOpen(() => db.transaction(...asked)),
      close: () => db.close(),
    },
  };
}
