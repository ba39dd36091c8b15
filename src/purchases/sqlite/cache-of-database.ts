// Which database holds the purchases of a home whose owned.db is only its disk cache (a hub on PostgreSQL). Without that database
// nothing is bought here: owned.db does not know what was paid for, and would pay again.

import { SvcdError } from '../../model/errors.js';
import type { Database } from '../../platform/open-database.js';

/** Where the purchases are, without a password, as `postgres://user@host/name`; undefined where they are in owned.db. */
export function findElsewhere(db: Database): string | undefined {
  return db.prepare<[], { place: string }>(`SELECT place FROM purchases_elsewhere`).get()?.place;
}

/**
 * Writes down that the purchases are in a database from now on. Throws `unsettled` for a home that bought by itself what the
 * database cannot know: purchases of unknown outcome, and files that were paid for and are not here.
 */
export function noteElsewhere(db: Database, place: string, now: number): void {
  const set = db.prepare(
    `INSERT INTO purchases_elsewhere VALUES (1, ?, ?) ON CONFLICT (id) DO UPDATE SET place = excluded.place`,
  );
  const unknown = db.prepare<[], { count: number }>(
    `SELECT count(*) AS count FROM purchase WHERE superseded_by IS NULL AND (state IN ('intent', 'sent', 'unknown')
       OR state = 'paid' AND NOT EXISTS
         (SELECT 1 FROM owned WHERE owned.scope = purchase.scope AND owned.item = purchase.item))`,
  );
  db.transaction(() => {
    const count = findElsewhere(db) === undefined ? (unknown.get()?.count ?? 0) : 0;
    if (count > 0) throw ownPurchases(count, place);
    set.run(place, now);
  }).immediate();
}

/** A hub that would begin anew, while its purchases and machines are in a database. */
export function elsewhereError(place: string): SvcdError {
  return new SvcdError(
    'invalid_config',
    `the purchases and machines of this hub are in ${place}, and no database is named`,
    {
      hint: `Start it with --database postgres://…, or name it once for all: svcd config set hubDatabase postgres://…`,
    },
  );
}

/** Questions about the hub of a home that is not opened with its database: owned.db knows neither machines nor purchases. */
export function hubElsewhere(place: string): SvcdError {
  const message = `the purchases and machines of this hub are in ${place}, and the hub does not run with it`;
  return new SvcdError('not_running', message, {
    hint: 'Start it with "svcd hub start", and --database postgres://… unless the setting hubDatabase names it.',
  });
}

function ownPurchases(count: number, place: string): SvcdError {
  const what = count === 1 ? '1 purchase is' : `${count} purchases are`;
  return new SvcdError(
    'unsettled',
    `this home bought by itself: ${what} of unknown outcome or without its file, which ${place} would not know and pay again`,
    {
      hint: 'Settle them first ("svcd purchases", "svcd purchases settle"; both work without --database), or begin the hub in another folder: --home DIR.',
    },
  );
}
