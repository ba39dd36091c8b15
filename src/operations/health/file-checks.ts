// The files of a home: settings and log, dates, and the databases: whether they are sound, and of owned.db purchases that it
// lacks, such as a wrong clock dated in the future, and such as were paid for in vain.

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig, settleSettings } from '../../config/config.js';
import { markFilesOf } from '../../config/find-home.js';
import { findBelonging } from '../../config/membership.js';
import { SETTINGS } from '../../config/settings.js';
import { findSettingFaults, type SettingFault } from '../../config/setting-faults.js';
import { isSvcdError } from '../../model/errors.js';
import { systemClock } from '../../platform/clock.js';
import { withReadableHome } from '../../platform/files/home-copy.js';
import { isWritable } from '../../platform/files/home-folder.js';
import { hideUserFolder } from '../../platform/files/user-folder.js';
import { parseJsonRecord } from '../../platform/json.js';
import { silentLog } from '../../platform/log.js';
import { nearestName } from '../../platform/nearest-name.js';
import { type Database, findDamage, openReadOnly } from '../../platform/open-database.js';
import { createCalendar } from '../../purchases/calendar.js';
import { findFutureDated, redateFutureDated } from '../../purchases/sqlite/future-dates.js';
import { openHighWaterMark } from '../../purchases/sqlite/high-water-mark.js';
import { minutesOpen } from '../../purchases/journal.js';
import { inspectBackup } from '../../purchases/sqlite/owned-backup.js';
import { openOwnedDatabase } from '../../purchases/sqlite/owned-database.js';
import { bad, ok, type Told, warn } from './finding.js';
import { shellWord } from '../../platform/files/shell-word.js';
import { statOf } from '../../platform/files/safe-home.js';
import type { HomePlace } from './place.js';
import { findUnknown } from '../../purchases/sqlite/sqlite-journal.js';
import { findPaidInVain } from '../../purchases/sqlite/sqlite-journal.js';

const DAY_MS = 86_400_000;
const MIB = 1024 * 1024;
/** Three logs of 5 MB, and one that is being written. */
const LOG_BYTES = 20 * MIB;
const MOST_NAMED = 5;

/** All that is wrong with the settings, each with what mends it. */
export async function checkSettings({ home }: Pick<HomePlace, 'home'>): Promise<Told[]> {
  const faults = findSettingFaults(home).map(describeFault);
  if (faults.length > 0) return faults;
  let trustLoopback: boolean;
  try {
    ({ trustLoopback } = await loadConfig({ home }));
  } catch (error) {
    // The proxy's variables are not svcd's own settings, and are read with them.
    const message = isSvcdError(error, 'invalid_config') ? error.message : '';
    const [variable] = /^(?:https?|all)_proxy(?= )/i.exec(message) ?? [];
    if (variable === undefined) throw error;
    return [bad('settings_variable_wrong', [message], `unset ${variable}`)];
  }
  if (!trustLoopback) return [ok('settings_ok')];
  return [warn('trust_loopback', [], await endSetting(home, 'trustLoopback'))];
}

function describeFault({ kind, where, name, message }: SettingFault): Told {
  if (kind === 'file') return bad('settings_file', [message], `mv ${shellWord(name)} ${shellWord(`${name}.broken`)}`);
  const isFile = where === 'file';
  const command = isFile ? `svcd config unset ${shellWord(name)}` : `unset ${name}`;
  const known = isFile ? SETTINGS.flatMap(({ file }) => file ?? []) : SETTINGS.map(({ env }) => env);
  const meant = nearestName(name, known) ?? '';
  if (kind === 'value') return bad(isFile ? 'settings_wrong' : 'settings_variable_wrong', [message], command);
  return warn(isFile ? 'settings_unknown' : 'settings_variable', [name, meant], command);
}

/** The command that ends a setting, wherever it was made. */
export async function endSetting(home: string, name: string): Promise<string> {
  const one = (await settleSettings({ home })).find(({ setting }) => setting.name === name);
  return one?.from === 'environment' ? `unset ${one.setting.env}` : `svcd config unset ${name}`;
}

/** How much the log takes, and whether the daemon ended by a crash. */
export function checkLog({ home }: HomePlace): Told[] {
  const names = existsSync(home) ? readdirSync(home).filter((name) => /^svcd\.(?:log|err)/.test(name)) : [];
  const files = names.map((name) => {
    const { size = 0, mtimeMs: at = 0 } = statOf(join(home, name)) ?? {};
    return { path: join(home, name), size, at };
  });
  if (files.length === 0) return [ok('none_yet')];
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  const [largest] = files.toSorted((a, b) => b.size - a.size);
  const mib = (bytes / MIB).toFixed(1);
  const found: Told[] = [];
  if (bytes > LOG_BYTES && largest !== undefined) {
    found.push(warn('log_large', [mib, largest.path], `: > ${shellWord(largest.path)}`));
  }
  // The one of the daemon that runs, or of the one before it; a daemon that came up since, or stopped in order, wrote runtime.json.
  const since = statOf(join(home, 'runtime.json'))?.mtimeMs ?? 0;
  const crash = files.find(({ path, size, at }) => /\.err(?:\.1)?$/.test(path) && size > 0 && at > since);
  if (crash !== undefined) {
    found.push(warn('log_crash', [crash.path, firstLineOf(crash.path)], `rm ${shellWord(crash.path)}`));
  }
  return found.length === 0 ? [ok('log_ok', [mib])] : found;
}

const LINE_MAX = 160;

/** The line of a crash that says why; Node.js prints the place of the code before it. */
function firstLineOf(path: string): string {
  const lines = readFileSync(path, 'utf8').split('\n');
  const told = lines.map((one) => parseJsonRecord(one)?.['message']).find((one) => typeof one === 'string');
  const line = told ?? lines.find((one) => /error/i.test(one)) ?? lines.find((one) => one.trim() !== '') ?? '';
  return hideUserFolder(line.trim()).slice(0, LINE_MAX);
}

/** Whether the clock is behind the newest file in the home: budgets count days. */
export function checkFileDates({ home }: HomePlace): Told {
  const now = systemClock.now();
  const shown = new Date(now).toISOString();
  const files = existsSync(home) ? readdirSync(home).map((name) => join(home, name)) : [];
  const late = files.flatMap((path) => {
    const at = statOf(path)?.mtimeMs ?? 0;
    return at > now + DAY_MS ? [{ path, at }] : [];
  });
  if (late.length === 0) return ok('clock_ok', [shown]);
  const newest = new Date(Math.max(...late.map(({ at }) => at))).toISOString();
  const command = `touch ${late.map(({ path }) => shellWord(path)).join(' ')}`;
  return warn('clock_behind', [shown, newest], command);
}

/** Whether a database is sound, by SQLite's own quick check. */
export function checkDatabase({ home, isRunning }: HomePlace, name: 'owned.db' | 'library.db'): Told {
  const path = join(home, name);
  if (!existsSync(path)) return ok('none_yet');
  const damage = withReadableHome(home, isWritable(home), (folder) => findDamage(join(folder, name)));
  if (damage === undefined) return ok('database_ok');
  // Any command that asks the library opens it as a start does.
  if (name === 'library.db')
    return warn('library_damaged', [damage], `svcd ${isRunning ? 'restart' : 'library status'}`);
  const stop = isRunning ? 'svcd stop && ' : '';
  const copy = soundCopies(home)[0];
  if (copy !== undefined) {
    return bad('owned_damaged_backup', [damage, copy], `${stop}svcd owned restore ${shellWord(copy)}`);
  }
  const aside = `${path}.damaged`;
  const move = `for f in ${['', '-wal', '-shm'].map((end) => shellWord(`${path}${end}`)).join(' ')}; do [ ! -e "$f" ] || mv "$f" "$f.damaged"; done`;
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

/** Whether a purchase is dated later than any day there is yet; if the user wants it, it is dated today. */
export async function checkDates({ home, mends }: HomePlace): Promise<Told> {
  const now = systemClock.now();
  const found = inOwned(home, (db) => findFutureDated(db, now));
  if (found === undefined) return ok('dates_ok');
  const { purchases, credits, latestDay } = found;
  if (!mends.mendDates) return warn('dates_future', [purchases, credits, latestDay], 'svcd doctor --mend-dates');
  const { timeZone } = await loadConfig({ home });
  const today = createCalendar(systemClock, timeZone).today();
  const mended = using(openOwnedDatabase(join(home, 'owned.db')), (db) => redateFutureDated(db, now, today));
  return ok('dates_mended', [mended, latestDay]);
}

/** Whether anything keeps svcd from buying: that the user stopped all spending is easily forgotten. */
export function checkSpending({ home, stop }: HomePlace): Told {
  if (stop?.by === 'read_only' || stop?.by === 'disk_full') return bad('spending_home');
  if (stop !== undefined && stop.by !== 'user') return bad('spending_held', [stop.why, stop.hint]);
  const found = inOwned(home, (db) =>
    hasTable(db, 'spending_stop')
      ? db.prepare<[], { since: number }>('SELECT since FROM spending_stop').get()?.since
      : undefined,
  );
  if (found === undefined) return ok('spending_ok');
  return warn('spending_stopped', [new Date(found).toISOString()], 'svcd budget resume');
}

/** Whether owned.db lacks purchases that were made with this home; if the user wants it, it is taken as it is. */
export async function checkLoss({ home, mends }: HomePlace): Promise<Told> {
  const loss = await findLoss(home);
  if (loss === undefined) return ok('loss_none');
  if (!mends.acceptLoss) return bad('loss', [loss], 'svcd doctor --accept-loss');
  const marks = await markFilesOf(home);
  using(openOwnedDatabase(join(home, 'owned.db')), (db) =>
    openHighWaterMark({ db, ...marks, log: silentLog }).acceptLoss(),
  );
  return ok('loss_accepted', [loss]);
}

/** What of the remote in use was paid for of which nothing is owned: the latest such purchases. */
export function checkPaid({ home, remote = 'none' }: HomePlace): Told[] {
  const lost = inOwned(home, (db) => findPaidInVain(db, remote)) ?? [];
  if (lost.length === 0) return [ok('paid_ok')];
  return lost.slice(0, MOST_NAMED).map(({ id, item }) => {
    // What is asked for again by its prompt alone has no command.
    if (item.startsWith('image:')) return warn('paid_in_vain', [id, '@same_request']);
    return warn('paid_in_vain', [id, '@the_command'], `svcd purchases retry ${id}`);
  });
}

/** Whether nobody knows yet of purchases whether they were charged. */
export function checkUnsettled({ home, remote = 'none' }: HomePlace): Told {
  const found = inOwned(home, (db) => (hasTable(db, 'purchase') ? findUnknown(db, remote) : undefined));
  if (found === undefined) return ok('unsettled_none');
  const values = [found.purchases, minutesOpen(found, systemClock.now())];
  if (findBelonging(home).kind === 'hub') return warn('unsettled_at_hub', [...values, found.id]);
  return warn('unsettled', values, `svcd purchases settle ${found.id}`);
}

/** What owned.db lacks of what was bought with this home; undefined when nothing. Changes nothing. */
export async function findLoss(home: string): Promise<string | undefined> {
  const marks = await markFilesOf(home);
  const file = join(home, 'owned.db');
  if (!existsSync(file))
    return Object.values(marks).some((mark) => mark !== undefined && existsSync(mark))
      ? `${file} is missing`
      : undefined;
  return inOwned(home, (db) =>
    // Where an older svcd made it there is no mark of it: the next start brings it to the present form.
    hasTable(db, 'purchase_changes') ? openHighWaterMark({ db, ...marks, log: silentLog }).findLoss() : undefined,
  );
}

/** What is found in owned.db, as it is; undefined where there is none. */
export function inOwned<T>(home: string, work: (db: Database) => T): T | undefined {
  if (!existsSync(join(home, 'owned.db'))) return undefined;
  return withReadableHome(home, isWritable(home), (folder) => using(openReadOnly(join(folder, 'owned.db')), work));
}

export function hasTable(db: Database, name: string): boolean {
  return db.prepare('SELECT 1 FROM sqlite_master WHERE name = ?').get(name) !== undefined;
}

function using<T>(db: Database, work: (db: Database) => T): T {
  try {
    return work(db);
  } finally {
    db.close();
  }
}
