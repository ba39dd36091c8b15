// SQLite as the daemon loads it, for tests that look into its files or damage them.

import { join } from 'node:path';
import { loadSqlite } from '../../src/platform/load-sqlite.js';
import type { Database } from '../../src/platform/open-database.js';

export type { Database } from '../../src/platform/open-database.js';

export const Sqlite = loadSqlite();

/** Opens a file for as long as the work takes. */
export function inDatabase<T>(file: string, work: (db: Database) => T): T {
  const db = new Sqlite(file);
  try {
    return work(db);
  } finally {
    db.close();
  }
}

/** Changes owned.db as no svcd would. */
export function changeOwned({ home }: { readonly home: string }, sql: string): void {
  inDatabase(join(home, 'owned.db'), (db) => db.exec(sql));
}
