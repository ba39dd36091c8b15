// Opening a SQLite file: the pragmas, the migrations, and what to say of a damaged file.

import { closeSync, existsSync, fsyncSync, openSync, readSync, renameSync, rmSync, statSync } from 'node:fs';
import type BetterSqlite3 from 'better-sqlite3';
import { SvcdError, systemCode } from '../model/errors.js';
import { createNew } from './files/files.js';
import { loadSqlite } from './load-sqlite.js';

export type Database = BetterSqlite3.Database;
export type Statement<P extends unknown[] = unknown[], R = unknown> = BetterSqlite3.Statement<P, R>;

export interface DatabaseOptions {
  /** Each entry is run once, in order, all missing ones in one transaction; `user_version` counts them. */
  migrations: readonly string[];
  /** `full` for what money bought: a commit survives a power cut. `normal` for what can be rebuilt. */
  durability: 'full' | 'normal';
  /** `delete` for a file that serves as a lock only; `wal` (the default) for data. */
  journal?: 'wal' | 'delete';
  /** How long to wait for another process that holds the file; 5 s if not given. */
  busyTimeoutMs?: number;
  /** Page size in bytes for a new file. */
  pageSizeBytes?: number;
}

const BUSY_TIMEOUT_MS = 5000;
const PAGES_PER_CHECKPOINT = 128;

/** Opens or creates a database, mode 0600. Throws `damaged` when the file is not a sound database, `newer_file`. */
export function openDatabase(file: string, options: DatabaseOptions): Database {
  const Sqlite = loadSqlite();
  createPrivate(file);
  const db = new Sqlite(file, { timeout: options.busyTimeoutMs ?? BUSY_TIMEOUT_MS });
  try {
    prepare(db, options);
    return db;
  } catch (cause) {
    db.close();
    if (isDamage(cause)) throw new SvcdError('damaged', `${file} is damaged: ${(cause as Error).message}`, { cause });
    throw cause;
  }
}

/** What SQLite's quick check says is broken in a file that may be in use; undefined when nothing is. */
export function findDamage(file: string): string | undefined {
  const Sqlite = loadSqlite();
  const db = new Sqlite(file, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
  try {
    const said = String(db.pragma('quick_check(1)', { simple: true }));
    return said === 'ok' ? undefined : said;
  } catch (error) {
    if (isDamage(error)) return (error as Error).message;
    throw error;
  } finally {
    db.close();
  }
}

/** Opens a database to read from it only, also while another process writes to it. Throws `damaged`. */
export function openReadOnly(file: string): Database {
  const Sqlite = loadSqlite();
  try {
    const db = new Sqlite(file, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
    db.prepare('SELECT count(*) FROM sqlite_master').get();
    return db;
  } catch (cause) {
    if (isDamage(cause)) throw new SvcdError('damaged', `${file} is damaged: ${(cause as Error).message}`, { cause });
    throw cause;
  }
}

/** Whether an error of SQLite says that the file's content is broken. */
export function isDamage(error: unknown): boolean {
  const code = systemCode(error) ?? '';
  return code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB';
}

function createPrivate(file: string): void {
  if (file === ':memory:' || existsSync(file)) return;
  try {
    closeSync(createNew(file));
  } catch (error) {
    // Another process was first. A link that leads nowhere is not followed: there is no file to open then.
    if (systemCode(error) !== 'EEXIST') throw error;
    if (existsSync(file)) return;
    throw new SvcdError('home_not_writable', `${file} is a link to a file that does not exist`, {
      cause: error,
      hint: 'Restore the file it points to, or remove the link.',
    });
  }
}

function prepare(db: Database, options: DatabaseOptions): void {
  const done = Number(db.pragma('user_version', { simple: true }));
  // Before anything is changed in it.
  if (done > options.migrations.length) throw writtenByNewer(db.name, done, options.migrations.length);
  if (options.pageSizeBytes !== undefined) db.pragma(`page_size = ${options.pageSizeBytes}`);
  db.pragma(`journal_mode = ${options.journal ?? 'wal'}`);
  // A reopened WAL database starts at NORMAL whatever it was before.
  db.pragma(`synchronous = ${options.durability === 'full' ? 'FULL' : 'NORMAL'}`);
  // The pages of a checkpoint are written in one go, in the commit that makes it due; small ones are soon over.
  if (options.durability === 'normal') db.pragma(`wal_autocheckpoint = ${PAGES_PER_CHECKPOINT}`);
  // A container may have no folder for temporary files that can be written, and a purchase would fail (SQLITE_IOERR_GETTEMPPATH).
  db.pragma('temp_store = MEMORY');
  db.pragma('foreign_keys = ON');
  migrate(db, done, options.migrations);
}

const VERSION_AT = 60;

/** Whether opening this file will bring it to a later schema, which takes a while; by its header (sqlite.org/fileformat2.html). */
export function isOlderFile(file: string, { length }: readonly string[]): boolean {
  let handle: number | undefined;
  try {
    handle = openSync(file, 'r');
    const version = Buffer.alloc(4);
    const isWhole = readSync(handle, version, 0, 4, VERSION_AT) === 4;
    return isWhole && version.readUInt32BE() > 0 && version.readUInt32BE() < length;
  } catch {
    // Whoever opens it says why it cannot be read.
    return false;
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

function migrate(db: Database, done: number, migrations: readonly string[]): void {
  if (done === migrations.length) return;
  // A whole copy, in place of the one of an earlier migration.
  if (done > 0) copyDatabase(db, `${db.name}${BACKUP}`);
  // All steps or none: a kill in between leaves the file as it was, and the backup is of that state.
  db.transaction(() => {
    for (const sql of migrations.slice(done)) db.exec(sql);
    db.pragma(`user_version = ${migrations.length}`);
  }).immediate();
}

function writtenByNewer(file: string, schema: number, own: number): SvcdError {
  return new SvcdError(
    'newer_file',
    `${file} was written by a newer svcd (its schema is ${schema}, this svcd knows up to ${own})`,
    {
      hint:
        'Update svcd, or use another home with --home DIR. The file was not changed; ' +
        `${file}${BACKUP}, if it exists, is the copy from before the update.`,
    },
  );
}

/** Of a copy that is made before a migration. */
const BACKUP = '.before-migration';
const BACKUP_KEPT_MS = 30 * 24 * 60 * 60_000;

/** Where the copy of a file from before an update lies; undefined where opening it will not bring one. */
export function copyOfOlder(file: string, migrations: readonly string[]): string | undefined {
  return isOlderFile(file, migrations) ? `${file}${BACKUP}` : undefined;
}

/** Removes the copy from before an update that was made long ago, unless the file is damaged now; its name where there was one. */
export function forgetOldCopy(file: string, now: number): string | undefined {
  const copy = `${file}${BACKUP}`;
  const madeAt = statSync(copy, { throwIfNoEntry: false })?.mtimeMs;
  if (madeAt === undefined || now - madeAt < BACKUP_KEPT_MS || findDamage(file) !== undefined) return undefined;
  rmSync(copy, { force: true });
  return copy;
}

/** Writes a whole copy of an open database, mode 0600, in place of `target`: there entirely or not at all. */
export function copyDatabase(db: Database, target: string): void {
  const part = `${target}.part`;
  // What a killed process left behind would stand in the way.
  rmSync(part, { force: true });
  try {
    createPrivate(part);
    copyInto(db, part);
    const handle = openSync(part, 'r+');
    fsyncSync(handle);
    closeSync(handle);
    renameSync(part, target);
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
}

/** Fills a file that is empty with a whole copy of an open database. Throws `damaged` for one that cannot be read. */
export function copyInto(db: Database, empty: string): void {
  try {
    db.prepare('VACUUM INTO ?').run(empty);
  } catch (cause) {
    if (!isDamage(cause)) throw cause;
    throw new SvcdError('damaged', `${db.name} is damaged: ${(cause as Error).message}`, { cause });
  }
}
