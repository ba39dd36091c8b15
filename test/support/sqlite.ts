// SQLite as the daemon loads it, for tests that look into its files or damage them.

import { loadSqlite } from '../../src/store/usable-binary.js';

export type { Database } from '../../src/store/open-database.js';

export const Sqlite = loadSqlite();
