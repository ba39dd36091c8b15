// How many purchases are of unknown end, and for how long the oldest: as the doctor of a home tells it, that of a hub, and who
// joins one.

import type { Database } from '../platform/open-database.js';

export interface UnknownPurchases {
  /** The one that was begun first. */
  readonly id: number;
  readonly purchases: number;
  /** When that was; milliseconds since the epoch. */
  readonly since: number;
}

/** Those of one scope in owned.db; undefined where there are none. */
export function findUnknown(db: Database, scope: string): UnknownPurchases | undefined {
  // Written so that the index of what is not settled serves it.
  const found = db.prepare<[string], Partial<UnknownPurchases>>(
    `SELECT min(id) AS id, count(*) AS purchases, min(created_at) AS since FROM purchase
     WHERE scope = ? AND state IN ('intent', 'sent', 'unknown') AND state = 'unknown'`,
  );
  return someOf(found.get(scope));
}

/**
 * How many items of one scope may have been paid for, as a file says that may be of an older version: those whose last purchase
 * was sent, and is not known to have been charged or free.
 */
export function countUndecided(db: Database, scope: string): number {
  const found = db.prepare<[string], { items: number }>(
    `SELECT count(*) AS items FROM purchase AS last WHERE scope = ? AND state IN ('sent', 'unknown') AND NOT EXISTS
       (SELECT 1 FROM purchase AS later
        WHERE later.scope = last.scope AND later.item = last.item AND later.id > last.id AND later.state IN ('sent', 'paid', 'unknown'))`,
  );
  return found.get(scope)?.items ?? 0;
}

/** What was counted, unless that is nothing. */
export function someOf(found: Partial<UnknownPurchases> | undefined): UnknownPurchases | undefined {
  return (found?.purchases ?? 0) === 0 ? undefined : (found as UnknownPurchases);
}

/** Whole minutes; 0 where a clock was set back. */
export function minutesOpen({ since }: Pick<UnknownPurchases, 'since'>, now: number): number {
  return Math.max(0, Math.floor((now - since) / 60_000));
}
