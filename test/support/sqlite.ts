// SQLite as the daemon loads it, for tests that look into its files or damage them.

import { loadSqlite } from '../../src/platform/load-sqlite.js';

export type { Database } from '../../src/platform/open-database.js';

export const Sqlite = loadSqlite();
