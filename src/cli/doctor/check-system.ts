// What svcd stands on: Node.js, SQLite, the clock, the disk.

import { existsSync, readdirSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { systemClock } from '../../platform/clock.js';
import { openDatabase } from '../../platform/open-database.js';
import type { Check } from './check.js';

const DAY_MS = 86_400_000;
const ROOMY_BYTES = 200 * 1024 * 1024;
const NEEDED_BYTES = 20 * 1024 * 1024;

/** The Node.js that runs this. An older one than svcd needs never comes this far. */
export function checkNode(): Check {
  const { node, modules } = process.versions;
  const words = `Node.js ${node} on ${process.platform} ${process.arch} (ABI ${modules})`;
  return { name: 'node', state: 'ok', words };
}

/** Whether better-sqlite3 can be loaded and used. Throws what it says if not. */
export function checkSqlite(): Check {
  const db = openDatabase(':memory:', { migrations: [], durability: 'normal' });
  try {
    const version = db.prepare<[], { version: string }>('SELECT sqlite_version() AS version').get()?.version;
    return { name: 'better-sqlite3', state: 'ok', words: `works, with SQLite ${version}` };
  } finally {
    db.close();
  }
}

/** Budgets count days, so a clock behind what the home has seen is worth a word. */
export function checkClock(home: string): Check {
  const now = systemClock.now();
  const newest = Math.max(0, ...filesIn(home).map((file) => statSync(file).mtimeMs));
  const words = `it is ${new Date(now).toISOString()}`;
  if (now >= newest - DAY_MS) return { name: 'clock', state: 'ok', words };
  return {
    name: 'clock',
    state: 'warn',
    words: `${words}, but files in the home are from ${new Date(newest).toISOString()}`,
    hint: "Set the computer's clock: budgets go on from the latest day that was spent on.",
  };
}

/** Whether there is room for what will be bought. */
export async function checkDisk(home: string): Promise<Check> {
  const { bavail, bsize } = await statfs(existing(home));
  const free = bavail * bsize;
  const words = `${Math.floor(free / 1024 / 1024)} MiB free for ${home}`;
  if (free >= ROOMY_BYTES) return { name: 'disk', state: 'ok', words };
  const state = free < NEEDED_BYTES ? 'bad' : 'warn';
  return { name: 'disk', state, words, hint: 'Make room: what is paid for must be written down.' };
}

function filesIn(home: string): string[] {
  if (!existsSync(home)) return [];
  return readdirSync(home).map((name) => join(home, name));
}

function existing(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : existing(dirname(folder));
}
