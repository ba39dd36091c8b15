// What svcd stands on, as the doctor checks it: Node.js, SQLite, the clock, the disk, the home folder and its settings.

import { existsSync, readdirSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { loadConfig } from '../config/config.js';
import { systemClock } from '../platform/clock.js';
import { withReadableHome } from '../platform/home-copy.js';
import { isWritable } from '../platform/home-folder.js';
import { findDamage, openDatabase } from '../platform/open-database.js';

export interface Check {
  readonly name: string;
  /** `bad` keeps svcd from working; `warn` from working as well as it could. */
  readonly state: 'ok' | 'warn' | 'bad';
  readonly words: string;
  /** What to do. */
  readonly hint?: string;
}

const DAY_MS = 86_400_000;
const MIB = 1024 * 1024;
const ENOUGH_BYTES = 200 * MIB;
const NEEDED_BYTES = 20 * MIB;

/** Nothing to do. */
export function ok(name: string, words: string): Check {
  return { name, state: 'ok', words };
}

/** svcd works, and could work better. */
export function warn(name: string, words: string, hint: string): Check {
  return { name, state: 'warn', words, hint };
}

/** svcd cannot work until a person follows the hint. */
export function bad(name: string, words: string, hint: string): Check {
  return { name, state: 'bad', words, hint };
}

/** The Node.js that runs this; bin/svcd.js refuses an older one than svcd needs. */
export function checkNode(): Check {
  const { node, modules } = process.versions;
  const words = `Node.js ${node} on ${process.platform} ${process.arch} (ABI ${modules})`;
  return ok('node', words);
}

/** Whether better-sqlite3 can be loaded and used. Throws its error if not. */
export function checkSqlite(): Check {
  const db = openDatabase(':memory:', { migrations: [], durability: 'normal' });
  try {
    const version = db.prepare<[], { version: string }>('SELECT sqlite_version() AS version').get()?.version;
    return ok('better-sqlite3', `works, with SQLite ${version}`);
  } finally {
    db.close();
  }
}

/** Whether the clock is behind the newest file in the home: budgets count days. */
export function checkClock(home: string): Check {
  const now = systemClock.now();
  const files = existsSync(home) ? readdirSync(home) : [];
  const newest = Math.max(0, ...files.map((file) => statSync(join(home, file)).mtimeMs));
  const words = `it is ${new Date(now).toISOString()}`;
  if (now >= newest - DAY_MS) return ok('clock', words);
  return warn(
    'clock',
    `${words}, but files in the home are from ${new Date(newest).toISOString()}`,
    "Set the computer's clock: budgets go on from the latest day that was spent on.",
  );
}

/** Whether there is room for what will be bought. */
export async function checkDisk(home: string): Promise<Check> {
  const { bavail, bsize } = await statfs(existingFolder(home));
  const free = bavail * bsize;
  const words = `${Math.floor(free / MIB)} MiB free for ${home}`;
  // Room in what cannot be written is of no use: the check of the home says so.
  if (free >= ENOUGH_BYTES || !isWritable(existingFolder(home))) return ok('disk', words);
  const state = free < NEEDED_BYTES ? 'bad' : 'warn';
  return { name: 'disk', state, words, hint: 'Make room: what is paid for must be written down.' };
}

function existingFolder(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : existingFolder(dirname(folder));
}

/** Whether other users can read what is in the home. */
export function checkPrivacy(home: string): Check {
  const name = 'home';
  if (!existsSync(home)) {
    if (isWritable(existingFolder(home))) return ok(name, `${home} is not there yet; the first start makes it`);
    return bad(name, `${home} is not there and cannot be made`, 'Give another one with --home DIR or SVCD_HOME.');
  }
  if (process.platform === 'win32') return ok(name, home);
  if (!isWritable(home)) {
    if (!existsSync(join(home, 'owned.db'))) {
      const words = `${home} cannot be written, and there is nothing in it to serve`;
      return bad(name, words, 'Make it writable, or give another one with --home DIR or SVCD_HOME.');
    }
    const words = `${home} cannot be written: svcd serves what is there, and buys nothing`;
    return warn(name, words, 'Make it writable; then "svcd stop" and "svcd start".');
  }
  // In a folder that is closed, the modes of files do not matter.
  if ((statSync(home).mode & 0o077) === 0) return ok(name, `${home} is private`);
  return bad(
    name,
    `other users can look into ${home}, which holds the token and what you bought`,
    `Run: chmod 700 ${home}`,
  );
}

/** Whether a database is sound, by SQLite's own quick check. */
export function checkDatabase(home: string, file: 'owned.db' | 'library.db'): Check {
  const path = join(home, file);
  if (!existsSync(path)) return ok(file, 'is not there yet');
  const damage = withReadableHome(home, isWritable(home), (folder) => findDamage(join(folder, file)));
  if (damage === undefined) return ok(file, 'is sound');
  const hint =
    file === 'library.db'
      ? 'It can be made again: the next start sets it aside and does so.'
      : 'It holds what you paid for and is never rebuilt. Stop svcd and put it back from a backup.';
  return { name: file, state: file === 'library.db' ? 'warn' : 'bad', words: `is damaged: ${damage}`, hint };
}

/** Whether the settings can be read. Throws `invalid_config`. */
export async function checkSettings(home: string): Promise<Check> {
  const { trustLoopback } = await loadConfig({ home });
  if (!trustLoopback) return ok('settings', 'can be read');
  return warn(
    'settings',
    'let any program of any user on this machine spend your credits (trustLoopback)',
    'End it with "svcd config unset trustLoopback", or set a limit with "svcd budget set --day N".',
  );
}
