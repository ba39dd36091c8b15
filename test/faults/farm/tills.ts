// The purchases of a hub or of a svcd alone, read past all of svcd's own reading: from its SQLite file, or by SQL.

import { readHome } from '../read-home.js';
import type { JournalRow } from './oracle.js';

export interface Till {
  readonly journal: readonly JournalRow[];
  readonly owned: ReadonlySet<string>;
}

/** Of a home whose process is gone. */
export function readSqliteTill(home: string): Till {
  const { journal, owned, integrity } = readHome(home);
  for (const [file, found] of Object.entries(integrity)) if (found !== 'ok') throw new Error(`${file}: ${found}`);
  return { journal, owned: new Set([...owned.keys()].filter((item) => !item.startsWith('file:'))) };
}

/** Runs a statement; rows of it. */
export type Sql = <R extends object>(text: string) => Promise<R[]>;

/** Of a database of PostgreSQL. */
export async function readPostgresTill(sql: Sql): Promise<Till> {
  const rows = await sql<{ id: string; item: string; state: JournalRow['state'] }>(
    'SELECT id, item, state FROM purchase ORDER BY id',
  );
  const owned = await sql<{ item: string }>(`SELECT item FROM owned WHERE item NOT LIKE 'file:%'`);
  return {
    journal: rows.map((row) => ({ ...row, id: Number(row.id) })),
    owned: new Set(owned.map(({ item }) => item)),
  };
}
