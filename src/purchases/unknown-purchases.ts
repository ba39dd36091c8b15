// How many purchases are of unknown end, and for how long the oldest: as the doctor of a home tells it, and that of a hub.

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

/** What was counted, unless that is nothing. */
export function someOf(found: Partial<UnknownPurchases> | undefined): UnknownPurchases | undefined {
  return (found?.purchases ?? 0) === 0 ? undefined : (found as UnknownPurchases);
}

/** Whole minutes; 0 where a clock was set back. */
export function minutesOpen({ since }: Pick<UnknownPurchases, 'since'>, now: number): number {
  return Math.max(0, Math.floor((now - since) / 60_000));
}
