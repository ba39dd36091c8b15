// The catalogue as rows: filled once from the catalogue's file, then read by preset and by word, so that
// opening a sandbox parses nothing and 12,000 stickers are never in memory together.

import type { Database, Statement } from '../platform/open-database.js';
import type { CatalogueEntry } from '../catalogue/catalogue.js';

export const FIELD_TITLE = 0;
const FIELD_KEYWORDS = 1;

const PAGE = 500;

/** What the shelf is filled from. */
export interface ShelfSource {
  /** Changes when the entries do; cheap to ask. */
  readonly stamp: string;
  entries(): Iterable<CatalogueEntry>;
}

/** The stickers of the sandbox. */
export class Shelf {
  readonly #db: Database;
  readonly #byPreset: Statement<[string], { entry: string }>;
  readonly #byId: Statement<[number], { entry: string }>;

  constructor(db: Database, source: ShelfSource) {
    this.#db = db;
    this.#byPreset = db.prepare('SELECT entry FROM sticker WHERE preset = ?');
    this.#byId = db.prepare('SELECT entry FROM sticker WHERE id = ?');
    if (this.#stamp() !== source.stamp) this.#fill(source);
  }

  findEntry(preset: string): CatalogueEntry | undefined {
    return parseEntry(this.#byPreset.get(preset));
  }

  /** The entry of a row number, as the word index speaks of it. */
  findById(id: number): CatalogueEntry | undefined {
    return parseEntry(this.#byId.get(id));
  }

  /** All entries in the catalogue's order, read page by page: a cursor left open would block every write. */
  *entries(): Generator<CatalogueEntry> {
    const page = this.#db.prepare<[number, number], { id: number; entry: string }>(
      'SELECT id, entry FROM sticker WHERE id > ? ORDER BY id LIMIT ?',
    );
    for (let rows = page.all(0, PAGE); rows.length > 0; rows = page.all(rows.at(-1)?.id ?? Infinity, PAGE)) {
      for (const { entry } of rows) yield JSON.parse(entry) as CatalogueEntry;
    }
  }

  #stamp(): string | undefined {
    return this.#db.prepare<[], { stamp: string }>('SELECT stamp FROM seeded').get()?.stamp;
  }

  #fill(source: ShelfSource): void {
    this.#db
      .transaction(() => {
        this.#db.exec('DELETE FROM placed; DELETE FROM word; DELETE FROM sticker; DELETE FROM seeded');
        const place = placeWords(this.#db);
        const add = this.#db.prepare('INSERT INTO sticker (preset, entry) VALUES (?, ?)');
        for (const entry of source.entries()) {
          const { lastInsertRowid } = add.run(entry.preset, JSON.stringify(entry));
          place(Number(lastInsertRowid), entry);
        }
        this.#db.prepare('INSERT INTO seeded (stamp) VALUES (?)').run(source.stamp);
      })
      .immediate();
  }
}

/** A word as the index has it, so that full-width, half-width, upper and lower case are one. */
export function normaliseWord(text: string): string {
  return text.normalize('NFKC').toLowerCase().trim();
}

function placeWords(db: Database): (id: number, entry: CatalogueEntry) => void {
  const ids = new Map<string, number>();
  const addWord = db.prepare('INSERT INTO word (text) VALUES (?)');
  const addPlace = db.prepare('INSERT OR IGNORE INTO placed (word, sticker, field) VALUES (?, ?, ?)');
  const idOf = (word: string): number => {
    const id = ids.get(word) ?? Number(addWord.run(word).lastInsertRowid);
    ids.set(word, id);
    return id;
  };
  return (id, { title, keywords }) => {
    addPlace.run(idOf(normaliseWord(title)), id, FIELD_TITLE);
    for (const keyword of keywords) addPlace.run(idOf(normaliseWord(keyword)), id, FIELD_KEYWORDS);
  };
}

function parseEntry(row: { entry: string } | undefined): CatalogueEntry | undefined {
  return row === undefined ? undefined : (JSON.parse(row.entry) as CatalogueEntry);
}
