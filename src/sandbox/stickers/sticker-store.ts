// The catalogue as rows of SQLite: filled once from the catalogue's file, then read by preset and by word, so that
// opening a sandbox parses nothing and 12,000 stickers are never in memory together.

import { type CatalogueEntry, attributionOfArt } from '../../catalogue/catalogue.js';
import type { Sticker } from '../../model/sticker.js';
import type { SandboxDatabase } from '../state/sandbox-database.js';
import type { SandboxState } from '../state/sandbox-state.js';

/** In the column `field` of a word's place. */
export const FIELD_TITLE = 0;
const FIELD_KEYWORDS = 1;

const PAGE = 500;

interface Source {
  /** Changes when the entries do; cheap to ask. */
  readonly stamp: string;
  entries(): Iterable<CatalogueEntry>;
}

/** Fills the rows from the catalogue, unless they are of this very one. */
export function fillFrom(source: Source, { db }: Pick<SandboxState, 'db'>): void {
  if (db.get<{ stamp: string }>('SELECT stamp FROM seeded')?.stamp !== source.stamp) fill(db, source);
}

/** The entry of a preset, or undefined. */
export function findEntry({ db }: SandboxState, preset: string): CatalogueEntry | undefined {
  return entryOf(db.get('SELECT entry FROM sticker WHERE preset = ?', preset));
}

/** The entry of a row number, which the word index speaks of. */
export function findById({ db }: SandboxState, id: number): CatalogueEntry | undefined {
  return entryOf(db.get('SELECT entry FROM sticker WHERE id = ?', id));
}

/** All entries in the catalogue's order, read page by page: a cursor left open would block every write. */
function* listEntries({ db }: Pick<SandboxState, 'db'>): Generator<CatalogueEntry> {
  for (let last: number | undefined = 0; last !== undefined;) {
    const rows: { id: number; entry: string }[] = db.all(
      'SELECT id, entry FROM sticker WHERE id > ? ORDER BY id LIMIT ?',
      last,
      PAGE,
    );
    for (const { entry } of rows) yield JSON.parse(entry) as CatalogueEntry;
    last = rows.at(-1)?.id;
  }
}

/** The same as svcd's library takes them, with the credit line, for which the documented answers have no field. */
export function* listStickers(state: Pick<SandboxState, 'db'>): Generator<Sticker> {
  for (const entry of listEntries(state)) {
    const attribution = attributionOfArt(entry);
    yield attribution === undefined ? entry : { ...entry, attribution };
  }
}

/** A word as the index has it, so that full-width, half-width, upper and lower case are one. */
export function normaliseWord(text: string): string {
  return text.normalize('NFKC').toLowerCase().trim();
}

function fill(db: SandboxDatabase, source: Source): void {
  const wordIds = new Map<string, number>();
  const idOf = (text: string): number => {
    const id = wordIds.get(text) ?? db.insert('word', { text });
    wordIds.set(text, id);
    return id;
  };
  const place = (text: string, sticker: number, field: number) =>
    db.run(
      'INSERT OR IGNORE INTO placed (word, sticker, field) VALUES (?, ?, ?)',
      idOf(normaliseWord(text)),
      sticker,
      field,
    );
  db.transaction(() => {
    db.exec('DELETE FROM placed; DELETE FROM word; DELETE FROM sticker; DELETE FROM seeded');
    for (const entry of source.entries()) {
      const id = db.insert('sticker', { preset: entry.preset, entry: JSON.stringify(entry) });
      place(entry.title, id, FIELD_TITLE);
      for (const keyword of entry.keywords) place(keyword, id, FIELD_KEYWORDS);
    }
    db.insert('seeded', { stamp: source.stamp });
  });
}

function entryOf(row: { entry: string } | undefined): CatalogueEntry | undefined {
  return row === undefined ? undefined : (JSON.parse(row.entry) as CatalogueEntry);
}
