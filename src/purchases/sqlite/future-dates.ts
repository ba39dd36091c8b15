// Purchases that a wrong clock dated in the future: found and dated anew, by the doctor.

import type { Database } from '../../platform/open-database.js';

export interface FutureDated {
  readonly purchases: number;
  /** Credits that they spent or reserved. */
  readonly credits: number;
  /** `YYYY-MM-DD` */
  readonly latestDay: string;
}

/** Time zones are at most 26 hours apart, so a day later than this was not reached anywhere. */
const AHEAD_MS = 48 * 60 * 60_000;

/** The purchases of all remotes that are dated later than any day there is on Earth; undefined when there is none. */
export function findFutureDated(db: Database, now: number): FutureDated | undefined {
  const found = db
    .prepare<[string], FutureDated>(
      `SELECT count(*) AS purchases, max(day) AS latestDay,
         coalesce(sum(CASE state WHEN 'refused' THEN 0 WHEN 'paid' THEN cost ELSE price END), 0) AS credits
       FROM purchase WHERE day > ?`,
    )
    .get(firstFutureDay(now));
  return found === undefined || found.purchases === 0 ? undefined : found;
}

/** Dates them today, so that they count once and against a budget that begins anew tomorrow; returns how many. */
export function redateFutureDated(db: Database, now: number, today: string): number {
  return db
    .prepare(`UPDATE purchase SET day = ?, created_at = min(created_at, ?) WHERE day > ?`)
    .run(today, now, firstFutureDay(now)).changes;
}

function firstFutureDay(now: number): string {
  return new Date(now + AHEAD_MS).toISOString().slice(0, 10);
}
