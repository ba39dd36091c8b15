// notes.db, a second witness on the hub's own disk: what is about to be sent, before it is, and answers that PostgreSQL did
// not take. After a restore from a backup, or the promotion of a standby that lagged, it tells what is missing there.

import { randomUUID } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { openDatabase } from '../../platform/open-database.js';
import type { Clock } from '../../platform/clock.js';
import type { PurchaseKind } from '../journal.js';
import type { ItemFile } from '../owned-store.js';

/** A call that is about to leave. */
export interface Note {
  readonly id: number;
  readonly scope: string;
  readonly item: string;
  readonly keyId: string;
  readonly price: number;
  readonly payers: readonly string[];
}

/** What is known here of a call that was noted. */
export interface Noted extends Note {
  /** Whether PostgreSQL confirmed that it was sent; undefined when svcd ended before it could tell. */
  readonly isSent: boolean | undefined;
}

/** An answer that could not be written down where it belongs. */
export interface SpilledAnswer extends Pick<Note, 'id' | 'item'> {
  /** Why it cost nothing; undefined for bytes. */
  readonly refused: string | undefined;
  readonly cost: number;
  readonly file: ItemFile | undefined;
}

/** What is known of machines by the digests of their tokens, as text: a hub that starts while the database is away knows them. */
export interface MachineMemory {
  find(digest: Buffer): string | undefined;
  keep(digest: Buffer, text: string): void;
}

export interface HubNotes {
  /** A number of this home, made once. */
  readonly home: string;
  /** Committed when it returns. */
  note(note: Note): void;
  /** Whether it was sent, as far as is known here. */
  tell(id: number, isSent: boolean): void;
  /** Keeps bytes until `settled`; committed when it returns. */
  spill(id: number, cost: number, file: ItemFile): void;
  /** Keeps that it was refused for free, until `settled`. */
  end(id: number, reason: string): void;
  /** PostgreSQL has it. */
  settled(id: number): void;
  listSpilled(): SpilledAnswer[];
  /** Those that may have been charged, as far as this hub knows. */
  listNoted(): Noted[];
  /** The highest number that PostgreSQL has had from here; 0 for none. */
  newestSettled(): number;
  /** The history of the database that was last found to lack nothing. */
  timeline(): string | undefined;
  setTimeline(timeline: string): void;
  /** Machines that this hub has served. */
  readonly machines: MachineMemory;
  close(): void;
}

const MIGRATIONS = [
  `CREATE TABLE fact (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
   CREATE TABLE note (
     id INTEGER PRIMARY KEY,
     scope TEXT NOT NULL,
     item TEXT NOT NULL,
     key_id TEXT NOT NULL,
     price INTEGER NOT NULL,
     payers TEXT NOT NULL,
     noted_at INTEGER NOT NULL,
     refused TEXT,
     cost INTEGER,
     content_type TEXT,
     receipt TEXT,
     size INTEGER,
     bytes BLOB,
     settled_at INTEGER
   ) STRICT;
   CREATE INDEX note_unsettled ON note (id) WHERE settled_at IS NULL;`,
  `CREATE TABLE machine (digest BLOB PRIMARY KEY, row TEXT NOT NULL) STRICT, WITHOUT ROWID;`,
];
/** Longer than anybody restores a backup for. */
const KEPT_MS = 400 * 24 * 60 * 60_000;

interface NoteRow extends Omit<Note, 'payers'> {
  readonly payers: string;
  readonly settledAt: number | null;
  readonly refused: string | null;
  readonly cost: number | null;
  readonly contentType: string | null;
  readonly receipt: string | null;
  readonly size: number | null;
  readonly bytes: Buffer | null;
}

/** Opens the notes of a hub; each of them survives a power cut. */
export function openHubNotes(file: string, clock: Clock): HubNotes {
  const db = openDatabase(file, { migrations: MIGRATIONS, durability: 'full' });
  /** Not worth a sync to disk each: after a kill it is not known, and read with care. */
  const told = new Map<number, boolean>();
  const findFact = db.prepare<[string], { value: string }>('SELECT value FROM fact WHERE name = ?');
  const putFact = db.prepare(
    'INSERT INTO fact (name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
  );
  // A number that a database gave twice, because it had forgotten the first time, is the newer purchase's.
  const put = db.prepare(
    `INSERT INTO note (id, scope, item, key_id, price, payers, noted_at) VALUES (@id, @scope, @item, @keyId, @price, @payers, @now)
     ON CONFLICT DO UPDATE SET scope = excluded.scope, item = excluded.item, key_id = excluded.key_id, price = excluded.price, payers = excluded.payers,
       noted_at = excluded.noted_at, refused = NULL, settled_at = NULL`,
  );
  const spill = db.prepare(
    `UPDATE note SET cost = ?, content_type = ?, receipt = ?, size = ?, bytes = ?, refused = NULL, settled_at = NULL WHERE id = ?`,
  );
  const end = db.prepare('UPDATE note SET refused = ?, settled_at = NULL WHERE id = ?');
  const settle = db.prepare('UPDATE note SET settled_at = ?, bytes = NULL WHERE id = ?');
  const COLUMNS = `id, scope, item, key_id AS keyId, price, payers, refused, cost, settled_at AS settledAt, content_type AS contentType, receipt, size, bytes`;
  const spilled = db.prepare<[], NoteRow>(
    `SELECT ${COLUMNS} FROM note WHERE settled_at IS NULL AND (bytes IS NOT NULL OR refused IS NOT NULL) ORDER BY id`,
  );
  const noted = db.prepare<[], NoteRow>(`SELECT ${COLUMNS} FROM note WHERE refused IS NULL ORDER BY id`);
  const newest = db.prepare<[], { id: number }>(
    'SELECT id FROM note WHERE settled_at IS NOT NULL AND refused IS NULL ORDER BY id DESC LIMIT 1',
  );
  const findMachine = db.prepare<[Buffer], { row: string }>('SELECT row FROM machine WHERE digest = ?');
  const putMachine = db.prepare(
    'INSERT INTO machine (digest, row) VALUES (?, ?) ON CONFLICT DO UPDATE SET row = excluded.row WHERE row <> excluded.row',
  );
  db.prepare('DELETE FROM note WHERE settled_at < ?').run(clock.now() - KEPT_MS);
  const home = findFact.get('home')?.value ?? randomUUID();
  putFact.run('home', home);

  return {
    home,
    note: (note) => {
      told.delete(note.id);
      put.run({ ...note, payers: JSON.stringify(note.payers), now: clock.now() });
    },
    tell: (id, isSent) => void told.set(id, isSent),
    spill: (id, cost, { bytes, contentType, receipt = null }) =>
      void spill.run(cost, contentType, receipt, bytes.byteLength, gzipSync(bytes), id),
    end: (id, reason) => void end.run(reason, id),
    settled: (id) => {
      told.delete(id);
      settle.run(clock.now(), id);
    },
    listSpilled: () => spilled.all().map(answerOf),
    listNoted: () =>
      noted.all().map(({ id, scope, item, keyId, price, payers, settledAt }) => {
        const isSent = told.get(id) ?? (settledAt === null ? undefined : true);
        return { id, scope, item, keyId, price, payers: JSON.parse(payers) as string[], isSent };
      }),
    newestSettled: () => newest.get()?.id ?? 0,
    timeline: () => findFact.get('timeline')?.value,
    setTimeline: (timeline) => void putFact.run('timeline', timeline),
    machines: {
      find: (digest) => findMachine.get(digest)?.row,
      keep: (digest, text) => void putMachine.run(digest, text),
    },
    close: () => void db.close(),
  };
}

function answerOf({ id, item, price, refused, cost, contentType, receipt, size, bytes }: NoteRow): SpilledAnswer {
  const unpacked = bytes === null ? undefined : gunzipSync(bytes, { maxOutputLength: Math.max(1, size ?? 1) });
  const file = unpacked && {
    item,
    bytes: unpacked,
    contentType: contentType ?? 'application/octet-stream',
    ...(receipt !== null && { receipt }),
  };
  return { id, item, refused: refused ?? undefined, cost: cost ?? price, file };
}

/** A sticker's name begins so; everything else that is bought is an image. */
export function kindOf(item: string): PurchaseKind {
  return item.startsWith('sticker:') ? 'sticker' : 'image';
}
