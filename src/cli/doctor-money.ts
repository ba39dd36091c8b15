// What the doctor says of owned.db beyond its soundness: purchases that a wrong clock dated in the future.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '../config/config.js';
import { systemClock } from '../platform/clock.js';
import type { Database } from '../platform/open-database.js';
import { createCalendar } from '../purchases/calendar.js';
import { findFutureDated, redateFutureDated } from '../purchases/future-dates.js';
import { openOwnedDatabase } from '../purchases/owned-database.js';
import { ok, warn, type Check } from './doctor-system.js';

/** Whether a purchase is dated later than any day there is yet; with `mend` it is dated today. */
export async function checkDates(home: string, mend: boolean): Promise<Check> {
  const name = 'dates';
  const file = join(home, 'owned.db');
  if (!existsSync(file)) return ok(name, 'nothing was bought yet');
  const now = systemClock.now();
  const db = openOwnedDatabase(file);
  try {
    const found = findFutureDated(db, now);
    if (found === undefined) return ok(name, 'no purchase is dated in the future');
    const which = `${found.purchases} of the purchases, ${found.credits} credits, dated up to ${found.latestDay}`;
    if (mend) return ok(name, `${await redate(db, now, home)} now count as spent today: ${which}`);
    return warn(
      name,
      `the clock was once ahead: ${which}`,
      'When the clock is right, count them as spent today with "svcd doctor --mend-dates".',
    );
  } finally {
    db.close();
  }
}

async function redate(db: Database, now: number, home: string): Promise<number> {
  const { timeZone } = await loadConfig({ home });
  return redateFutureDated(db, now, createCalendar(systemClock, timeZone).today());
}
