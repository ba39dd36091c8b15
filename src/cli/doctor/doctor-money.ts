// The databases as the doctor checks them: whether they are sound, and of owned.db purchases that it lacks, such as a wrong
// clock dated in the future, and such as were paid for in vain.

import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { loadConfig } from '../../config/config.js';
import { findBelonging } from '../../config/membership.js';
import { markFilesOf } from '../../config/find-home.js';
import { systemClock } from '../../platform/clock.js';
import { silentLog } from '../../platform/log.js';
import { withReadableHome } from '../../platform/files/home-copy.js';
import { isWritable } from '../../platform/files/home-folder.js';
import { findDamage, openReadOnly, type Database } from '../../platform/open-database.js';
import { findPaidInVain } from '../../purchases/journal.js';
import { createCalendar } from '../../purchases/calendar.js';
import { findFutureDated, redateFutureDated } from '../../purchases/future-dates.js';
import { openHighWaterMark, type MarkFiles } from '../../purchases/high-water-mark.js';
import { inspectBackup } from '../../purchases/owned-backup.js';
import { openOwnedDatabase } from '../../purchases/owned-database.js';
import { findUnknown, minutesOpen } from '../../purchases/unknown-purchases.js';
import { type Finding, findingsOf, quote, svcd } from './doctor-finding.js';

/** Whether a database is sound, by SQLite's own quick check. `running` says whether a daemon uses it. */
export function checkDatabase(home: string, name: 'owned.db' | 'library.db', running: boolean): Finding {
  const { ok, warn, bad } = findingsOf(name);
  const path = join(home, name);
  if (!existsSync(path)) return ok('database_none', []);
  const damage = withReadableHome(home, isWritable(home), (folder) => findDamage(join(folder, name)));
  if (damage === undefined) return ok('database_ok', []);
  // Any command that asks the library opens it as a start does.
  if (name === 'library.db') return warn('library_damaged', [damage], svcd(running ? 'restart' : 'library status'));
  const stop = running ? `${svcd('stop')} && ` : '';
  const copy = soundCopies(home)[0];
  if (copy !== undefined) {
    return bad('owned_damaged_backup', [damage, copy], `${stop}${svcd(`owned restore ${quote(copy)}`)}`);
  }
  const aside = `${path}.damaged`;
  const move = `for f in ${['', '-wal', '-shm'].map((end) => quote(`${path}${end}`)).join(' ')}; do [ ! -e "$f" ] || mv "$f" "$f.damaged"; done`;
  return bad('owned_no_backup', [damage, aside], `${stop}${move}`);
}

/** Copies of owned.db in the home that are sound, the newest first: svcd makes one before a migration, and where it restores. */
function soundCopies(home: string): string[] {
  return readdirSync(home)
    .filter((name) => name.startsWith('owned.db.'))
    .map((name) => join(home, name))
    .filter((path) => isSound(path))
    .toSorted((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
}

function isSound(path: string): boolean {
  try {
    inspectBackup(path);
    return true;
  } catch {
    return false;
  }
}

/** Whether a purchase is dated later than any day there is yet; with `mend` it is dated today. */
export async function checkDates(home: string, mend: boolean): Promise<Finding> {
  const { ok, warn } = findingsOf('dates');
  const file = join(home, 'owned.db');
  if (!existsSync(file)) return ok('dates_none', []);
  const now = systemClock.now();
  const found = reading(file, (db) => findFutureDated(db, now));
  if (found === undefined) return ok('dates_ok', []);
  const { purchases, credits, latestDay } = found;
  if (!mend) return warn('dates_future', [purchases, credits, latestDay], svcd('doctor --mend-dates'));
  const { timeZone } = await loadConfig({ home });
  const today = createCalendar(systemClock, timeZone).today();
  const mended = using(openOwnedDatabase(file), (db) => redateFutureDated(db, now, today));
  return ok('dates_mended', [mended, latestDay]);
}

/** Whether the user stopped all spending: easily forgotten. */
export function checkSpending(home: string): Finding {
  const { ok, warn } = findingsOf('spending');
  const file = join(home, 'owned.db');
  const found = existsSync(file) ? reading(file, stoppedSince) : undefined;
  if (found === undefined) return ok('spending_ok', []);
  return warn('spending_stopped', [new Date(found).toISOString()], svcd('budget resume'));
}

function stoppedSince(db: Database): number | undefined {
  if (db.prepare(`SELECT 1 FROM sqlite_master WHERE name = 'spending_stop'`).get() === undefined) return undefined;
  return db.prepare<[], { since: number }>('SELECT since FROM spending_stop').get()?.since;
}

/** Whether owned.db lacks purchases that were made with this home; with `accept` it is taken as it is. */
export async function checkLoss(home: string, accept: boolean): Promise<Finding> {
  const { ok, bad } = findingsOf('purchases');
  const loss = await findLoss(home);
  if (loss === undefined) return ok('loss_none', []);
  if (!accept) return bad('loss', [loss], svcd('doctor --accept-loss'));
  const marks = await markFilesOf(home);
  using(openOwnedDatabase(join(home, 'owned.db')), (db) =>
    openHighWaterMark({ db, ...marks, log: silentLog }).acceptLoss(),
  );
  return ok('loss_accepted', [loss]);
}

/** Whether something of the remote in use was paid for of which nothing is owned. */
export function checkPaid(home: string, remote: string): Finding {
  const { ok, warn } = findingsOf('paid');
  const file = join(home, 'owned.db');
  const lost = existsSync(file) ? reading(file, (db) => findPaidInVain(db, remote)) : [];
  const [first] = lost;
  if (first === undefined) return ok('paid_ok', []);
  if (first.item.startsWith('image:')) return warn('paid_image_in_vain', [first.id, lost.length]);
  return warn('paid_in_vain', [first.id, lost.length], svcd(`purchases retry ${first.id}`));
}

/** Whether nobody knows yet of purchases whether they were charged. */
export function checkUnsettled(home: string, remote: string): Finding {
  const { ok, warn } = findingsOf('unsettled');
  const file = join(home, 'owned.db');
  const found = existsSync(file) ? reading(file, (db) => unknownOf(db, remote)) : undefined;
  if (found === undefined) return ok('unsettled_none', []);
  const minutes = minutesOpen(found, systemClock.now());
  if (findBelonging(home).kind === 'hub') return warn('unsettled_at_hub', [found.purchases, minutes]);
  return warn('unsettled', [found.purchases, minutes], svcd(`purchases settle ${found.id}`));
}

function unknownOf(db: Database, remote: string) {
  const isThere = db.prepare(`SELECT 1 FROM sqlite_master WHERE name = 'purchase'`).get() !== undefined;
  return isThere ? findUnknown(db, remote) : undefined;
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
