// What the doctor says of owned.db beyond its soundness: purchases that it lacks, and such
// as a wrong clock dated in the future.

import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { loadConfig, markFilesOf } from '../config/config.js';
import { systemClock } from '../platform/clock.js';
import { silentLog } from '../platform/log.js';
import { withReadableHome } from '../platform/home-copy.js';
import { isWritable } from '../platform/home-folder.js';
import { openReadOnly, type Database } from '../platform/open-database.js';
import { createCalendar } from '../purchases/calendar.js';
import { findFutureDated, redateFutureDated } from '../purchases/future-dates.js';
import { openHighWaterMark, type MarkFiles } from '../purchases/high-water-mark.js';
import { openOwnedDatabase } from '../purchases/owned-database.js';
import { bad, ok, warn, type Check } from './doctor-system.js';

/** Whether a purchase is dated later than any day there is yet; with `mend` it is dated today. */
export async function checkDates(home: string, mend: boolean): Promise<Check> {
  const name = 'dates';
  const file = join(home, 'owned.db');
  if (!existsSync(file)) return ok(name, 'nothing was bought yet');
  const now = systemClock.now();
  const found = reading(file, (db) => findFutureDated(db, now));
  if (found === undefined) return ok(name, 'no purchase is dated in the future');
  const which = `${found.purchases} of the purchases, ${found.credits} credits, dated up to ${found.latestDay}`;
  if (mend) {
    const { timeZone } = await loadConfig({ home });
    const today = createCalendar(systemClock, timeZone).today();
    const mended = using(openOwnedDatabase(file), (db) => redateFutureDated(db, now, today));
    return ok(name, `${mended} now count as spent today: ${which}`);
  }
  return warn(
    name,
    `the clock was once ahead: ${which}`,
    'When the clock is right, count them as spent today with "svcd doctor --mend-dates".',
  );
}

/** Whether owned.db lacks purchases that were made with this home; with `accept` it is taken as it is. */
export async function checkLoss(home: string, accept: boolean): Promise<Check> {
  const name = 'purchases';
  const loss = await findLoss(home);
  if (loss === undefined) return ok(name, 'owned.db lacks none that was made with this home');
  if (accept) {
    const marks = await markFilesOf(home);
    using(openOwnedDatabase(join(home, 'owned.db')), (db) =>
      openHighWaterMark({ db, ...marks, log: silentLog }).acceptLoss(),
    );
    return ok(name, `accepted: ${loss}`);
  }
  return bad(
    name,
    `nothing is bought: ${loss}`,
    'Run "svcd stop", then "svcd owned restore FILE" with a backup; or accept it and pay again: "svcd doctor --accept-loss".',
  );
}

/** What owned.db lacks of what was bought with this home; undefined when nothing. Changes nothing. */
export async function findLoss(home: string): Promise<string | undefined> {
  const marks = await markFilesOf(home);
  const file = join(home, 'owned.db');
  if (existsSync(file)) return reading(file, (db) => findLossIn(db, marks));
  return Object.values(marks).some((mark) => existsSync(mark)) ? `${file} is missing` : undefined;
}

function findLossIn(db: Database, marks: MarkFiles): string | undefined {
  // An older svcd made it, and no mark of it: the next start brings it to the present form.
  const counted = db.prepare(`SELECT 1 FROM sqlite_master WHERE name = 'purchase_changes'`).get();
  return counted === undefined ? undefined : openHighWaterMark({ db, ...marks, log: silentLog }).findLoss();
}

function reading<T>(file: string, work: (db: Database) => T): T {
  const home = dirname(file);
  const read = (folder: string) => using(openReadOnly(join(folder, basename(file))), work);
  return withReadableHome(home, isWritable(home), read);
}

function using<T>(db: Database, work: (db: Database) => T): T {
  try {
    return work(db);
  } finally {
    db.close();
  }
}
