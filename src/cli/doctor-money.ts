// What the doctor says of owned.db beyond its soundness: purchases that it lacks, such as a wrong clock dated in the
// future, and such as were paid for in vain.

import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { loadConfig } from '../config/config.js';
import { markFilesOf } from '../config/mark-files.js';
import { chooseRemote } from '../config/remote-choice.js';
import { systemClock } from '../platform/clock.js';
import { silentLog } from '../platform/log.js';
import { withReadableHome } from '../platform/home-copy.js';
import { isWritable } from '../platform/home-folder.js';
import { openReadOnly, type Database } from '../platform/open-database.js';
import { findPaidInVain } from '../purchases/journal.js';
import { createCalendar } from '../purchases/calendar.js';
import { findFutureDated, redateFutureDated } from '../purchases/future-dates.js';
import { openHighWaterMark, type MarkFiles } from '../purchases/high-water-mark.js';
import { openOwnedDatabase } from '../purchases/owned-database.js';
import { bad, ok, warn, type Check } from './doctor-system.js';
import { findRunningDaemon, remoteOf } from './running-daemon.js';

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

/** Whether the user stopped all spending: easily forgotten. */
export function checkSpending(home: string): Check {
  const name = 'spending';
  const file = join(home, 'owned.db');
  const found = existsSync(file) ? reading(file, stoppedSince) : undefined;
  if (found === undefined) return ok(name, 'is allowed, within the budgets');
  const since = new Date(found).toISOString();
  return warn(name, `is stopped since ${since}: nothing is bought`, 'Allow it again with "svcd stop-spending --lift".');
}

function stoppedSince(db: Database): number | undefined {
  if (db.prepare(`SELECT 1 FROM sqlite_master WHERE name = 'spending_stop'`).get() === undefined) return undefined;
  return db.prepare<[], { since: number }>('SELECT since FROM spending_stop').get()?.since;
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

/** Whether something of the remote in use was paid for of which nothing is owned. */
export async function checkPaid(home: string): Promise<Check> {
  const name = 'paid';
  const file = join(home, 'owned.db');
  const running = await findRunningDaemon(home);
  const remote = running === undefined ? (await chooseRemote({ home })).remote : remoteOf(running.status);
  const lost = existsSync(file) ? reading(file, (db) => findPaidInVain(db, remote)) : [];
  const [first] = lost;
  if (first === undefined) return ok(name, 'all that was paid for is owned');
  const which = lost.length === 1 ? `purchase ${first.id} was` : `${lost.length} purchases were`;
  return warn(
    name,
    `${which} paid for and nothing of it is owned`,
    first.item.startsWith('image:')
      ? '"svcd purchases" lists it; the same request with the header "X-Svcd-Allow-Repay: 1" buys it again.'
      : `"svcd purchases" lists it; "svcd purchases retry ${first.id}" buys it again.`,
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
