// Whole copies of owned.db: made while svcd runs, checked, and put back when it does not.

import { existsSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { SvcdError } from '../../model/errors.js';
import { replaceFile } from '../../platform/files/files.js';
import { asHomeTrouble } from '../../platform/files/home-folder.js';
import { copyDatabase, copyInto, findDamage, openReadOnly } from '../../platform/open-database.js';
import { findElsewhere } from './cache-of-database.js';
import { openOwnedDatabase, OWNED_MIGRATIONS } from './owned-database.js';

/** What is in a copy. */
export interface BackupFacts {
  readonly purchases: number;
  /** Owned files. */
  readonly owned: number;
}

/** How the money of a hub on PostgreSQL is backed up, and how svcd is told that it was. */
export const DUMP = 'pg_dump --format=custom --file=FILE postgres://… && svcd hub backup-done';

/** Writes a copy of the owned.db at `file` to a file that is empty. Throws `damaged`, `owned_damaged`, `invalid_argument`. */
export function backUpOwned(file: string, empty: string): BackupFacts {
  const place = findPlace(file);
  if (place !== undefined) {
    // A file that is only a cache would be taken for a backup of what it does not hold.
    const message = `the purchases of this home are in ${place}, and owned.db is only its cache`;
    throw new SvcdError('invalid_argument', message, { hint: `Back up the database: "${DUMP}".` });
  }
  const db = openReadOnly(file);
  try {
    copyInto(db, empty);
  } finally {
    db.close();
  }
  return inspectBackup(empty);
}

/** The database that holds the purchases in place of the owned.db at `file`; undefined where that holds them itself. */
export function findPlace(file: string): string | undefined {
  const db = openReadOnly(file);
  try {
    const hasTable = db.prepare(`SELECT 1 FROM sqlite_master WHERE name = 'purchases_elsewhere'`).get() !== undefined;
    return hasTable ? findElsewhere(db) : undefined;
  } finally {
    db.close();
  }
}

/** Checks a copy. Throws `owned_damaged` when it is damaged, is no owned.db, or was written by a newer svcd. */
export function inspectBackup(file: string): BackupFacts {
  const damage = findDamage(file);
  if (damage !== undefined) throw new SvcdError('owned_damaged', `${file} is damaged: ${damage}`);
  const db = openReadOnly(file);
  try {
    const tables = db.prepare(`SELECT count(*) AS n FROM sqlite_master WHERE name IN ('purchase', 'owned')`);
    const version = Number(db.pragma('user_version', { simple: true }));
    if ((tables.get() as { n: number }).n !== 2) {
      throw new SvcdError('owned_damaged', `${file} is not an owned.db`, {
        hint: 'Name a file of "svcd owned backup".',
      });
    }
    if (version > OWNED_MIGRATIONS.length) throw new SvcdError('newer_file', `${file} was written by a newer svcd`);
    const count = (table: string) => (db.prepare(`SELECT count(*) AS n FROM ${table}`).get() as { n: number }).n;
    return { purchases: count('purchase'), owned: count('owned') };
  } finally {
    db.close();
  }
}

/**
 * Puts a copy in the place of the owned.db at `file` and keeps what lay there under another name, which it returns. No
 * other process may have the file open. Throws as inspectBackup does, before anything is changed.
 */
export function restoreOwned(file: string, source: string, now: number): string | undefined {
  inspectBackup(source);
  const part = `${file}.restored`;
  const db = openReadOnly(source);
  try {
    copyDatabase(db, part);
  } finally {
    db.close();
  }
  const aside = `${file}.replaced-${new Date(now).toISOString().replaceAll(':', '')}`;
  const had = existsSync(file);
  // With its log, so that it can still be opened; a log that stayed would be taken for one of the copy.
  for (const end of ['', '-wal', '-shm']) if (existsSync(file + end)) renameSync(file + end, aside + end);
  renameSync(part, file);
  openOwnedDatabase(file).close();
  return had ? aside : undefined;
}

/** When a backup was made of the home last. Beside the file and not in it: that would be one more change to back up. */
const LAST_BACKUP = 'last-backup.json';

/** Notes that a backup was made of a home. Throws `home_not_writable`, `disk_full`. */
export function noteBackup(home: string, at: number): void {
  try {
    replaceFile(join(home, LAST_BACKUP), `${JSON.stringify({ at })}\n`);
  } catch (error) {
    throw asHomeTrouble(home, error);
  }
}

/** When that was; undefined where none is known of. */
export function readLastBackup(home: string): number | undefined {
  try {
    const { at } = JSON.parse(readFileSync(join(home, LAST_BACKUP), 'utf8')) as { readonly at?: unknown };
    return typeof at === 'number' ? at : undefined;
  } catch {
    return undefined;
  }
}
