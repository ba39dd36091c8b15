// What lies in a home when nobody runs on it: read straight from the files, past all of svcd's own reading.

import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type Database, inDatabase } from '../support/sqlite.js';

export interface JournalRow {
  readonly id: number;
  readonly item: string;
  readonly state: 'intent' | 'sent' | 'paid' | 'refused' | 'unknown';
  readonly price: number;
  readonly cost: number | null;
  readonly reason: string | null;
}

export interface HomeContents {
  readonly journal: readonly JournalRow[];
  /** Text of each owned item; one whose digest is wrong is missing. */
  readonly owned: ReadonlyMap<string, string>;
  /** What SQLite's own check says of each database: `ok`. */
  readonly integrity: Readonly<Record<string, string>>;
}

/** Reads a home whose daemon is gone. */
export function readHome(home: string): HomeContents {
  const files = ['owned.db', 'library.db'].filter((file) => existsSync(join(home, file)));
  return {
    ...inDatabase(join(home, 'owned.db'), (db) => ({ journal: journalOf(db), owned: ownedOf(db) })),
    integrity: Object.fromEntries(files.map((file) => [file, inDatabase(join(home, file), check)])),
  };
}

function check(db: Database): string {
  return String(db.pragma('integrity_check', { simple: true }));
}

function journalOf(db: Database): JournalRow[] {
  const rows = db.prepare<[], JournalRow>('SELECT id, item, state, price, cost, reason FROM purchase ORDER BY id');
  return rows.all();
}

function ownedOf(db: Database): Map<string, string> {
  const rows = db.prepare<[], { item: string; sha256: string; gzip: Buffer }>('SELECT item, sha256, gzip FROM owned');
  const read = rows.all().map((row) => ({ ...row, bytes: gunzipSync(row.gzip) }));
  const sound = read.filter(({ bytes, sha256 }) => createHash('sha256').update(bytes).digest('hex') === sha256);
  return new Map(sound.map(({ item, bytes }) => [item, bytes.toString()]));
}
