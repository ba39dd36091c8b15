// The stickers of one remote in library.db, and the stored form of their index. Finding by words is for others.

import { existsSync, renameSync } from 'node:fs';
import type { Clock } from '../../platform/clock.js';
import type { Credit } from '../../model/credit.js';
import { isSvcdError, SvcdError, systemCode } from '../../model/errors.js';
import { aspectOf, type Sticker, type Titles } from '../../model/sticker.js';
import { parseJson } from '../../platform/json.js';
import { isDamage, openDatabase, type Database, type Statement } from '../../platform/open-database.js';
import type { FactRow } from '../search-index/facts.js';
import { namesOf, type Indexable } from '../search-index/sticker-terms.js';
import { OPTIONAL } from './export-record.js';
import { isStorable, mergeSticker } from './merge-sticker.js';
import { LIBRARY_MIGRATIONS } from './sticker-schema.js';

export interface ImportResult {
  added: number;
  changed: number;
  unchanged: number;
  /** Records without a usable preset or title. */
  refused: number;
}

interface Row {
  id: number;
  preset: string;
  title: string;
  keywords: string;
  width: number | null;
  height: number | null;
  aspect: number | null;
  duration: number | null;
  fps: number | null;
  color: string | null;
  concept: string | null;
  licence: string | null;
  attribution: string | null;
  titles: string | null;
}

export type SortableRow = Pick<Row, 'id' | 'title' | 'duration' | 'color'>;
type FactColumns = Pick<Row, 'id' | 'preset' | 'aspect' | 'width' | 'height' | 'duration' | 'color'>;

export class StickerStore {
  revision = 0;
  size = 0;
  readonly db: Database;
  readonly scope: string;
  private readonly byId: Statement<[number], Row>;
  private readonly byPreset: Statement<[string, string], Row>;
  private readonly creditOfPreset: Statement<[string, string], Pick<Row, 'licence' | 'attribution'>>;
  private readonly rowOfPreset: Statement<[string, string], Pick<Row, 'id'>>;
  private readonly put: Statement;
  private readonly changed = new Set<string>();

  constructor(db: Database, scope: string) {
    this.db = db;
    this.scope = scope;
    this.byId = db.prepare<[number], Row>('SELECT * FROM sticker WHERE id = ?');
    this.byPreset = db.prepare<[string, string], Row>('SELECT * FROM sticker WHERE scope = ? AND preset = ?');
    this.creditOfPreset = db.prepare('SELECT licence, attribution FROM sticker WHERE scope = ? AND preset = ?');
    this.rowOfPreset = db.prepare('SELECT id FROM sticker WHERE scope = ? AND preset = ?');
    this.put = db.prepare(
      `INSERT INTO sticker (scope, preset, title, keywords, width, height, aspect, duration, fps, color, concept,
         licence, attribution, titles)
       VALUES (@scope, @preset, @title, @keywords, @width, @height, @aspect, @duration, @fps, @color, @concept,
         @licence, @attribution, @titles)
       ON CONFLICT (scope, preset) DO UPDATE SET title = @title, keywords = @keywords, width = @width, height = @height,
         aspect = @aspect, duration = @duration, fps = @fps, color = @color, concept = @concept,
         licence = @licence, attribution = @attribution, titles = @titles`,
    );
    this.readState();
  }

  /** The sticker in this row. Throws `library_damaged` when the row cannot be read. */
  get(rowid: number): Sticker {
    const row = guard(() => this.byId.get(rowid));
    if (row === undefined) throw damaged(`row ${rowid} is missing`);
    return stickerOf(row);
  }

  /** The sticker with this preset, if the library has it. */
  find(preset: string): Sticker | undefined {
    const row = guard(() => this.byPreset.get(this.scope, preset));
    return row && stickerOf(row);
  }

  /** What is known of the licence of the sticker with this preset; undefined when the library does not have it. */
  findCredit(preset: string): Credit | undefined {
    const row = guard(() => this.creditOfPreset.get(this.scope, preset));
    return row && creditIn(row);
  }

  /** What is to be indexed, in preset order: so many behind a preset. */
  listIndexable(after: string, limit: number): (Indexable & { readonly preset: string })[] {
    const rows = this.db.prepare<[string, string, number], Row>(
      'SELECT id, preset, title, keywords, concept, titles FROM sticker WHERE scope = ? AND preset > ? ORDER BY preset LIMIT ?',
    );
    return guard(() => rows.all(this.scope, after, limit)).map((row) => ({ ...indexableOf(row), preset: row.preset }));
  }

  /** What is to be indexed of one sticker, if it is known. */
  findIndexable(preset: string): Indexable | undefined {
    const row = guard(() => this.byPreset.get(this.scope, preset));
    return row && indexableOf(row);
  }

  /** The rows of all stickers, in preset order. */
  listRows(): Uint32Array {
    const rows = this.db.prepare<[string]>('SELECT id FROM sticker WHERE scope = ? ORDER BY preset').pluck();
    return Uint32Array.from(guard(() => rows.all(this.scope) as number[]));
  }

  /** Shape, length, color and style of every sticker. */
  listFacts(): FactRow[] {
    const rows = this.db.prepare<[string], FactColumns>(
      'SELECT id, preset, aspect, width, height, duration, color FROM sticker WHERE scope = ?',
    );
    return guard(() => rows.all(this.scope)).map(factsOf);
  }

  /** What stickers are put in order by: those of the rows after this one, a few thousand at a time. */
  listSortable(after: number, limit: number): SortableRow[] {
    const rows = this.db.prepare<[string, number, number], SortableRow>(
      'SELECT id, title, duration, color FROM sticker WHERE scope = ? AND id > ? ORDER BY id LIMIT ?',
    );
    return guard(() => rows.all(this.scope, after, limit));
  }

  /** The same of one sticker, which must be known. */
  getFacts(preset: string): FactRow {
    const row = guard(() => this.byPreset.get(this.scope, preset));
    if (row === undefined) throw damaged(`${preset} is missing`);
    return factsOf(row);
  }

  /** The row of the sticker with this preset, if the library has it. */
  findRow(preset: string): number | undefined {
    return guard(() => this.rowOfPreset.get(this.scope, preset))?.id;
  }

  /** Adds or completes stickers in one transaction and remembers that the source was read. */
  import(stickers: Iterable<Sticker>, source: string, at: number): ImportResult {
    const result: ImportResult = { added: 0, changed: 0, unchanged: 0, refused: 0 };
    const write = this.db.transaction(() => {
      for (const sticker of stickers) result[this.merge(sticker)]++;
      this.noteSource(source, result.added + result.changed, at);
      this.countIn(result);
    });
    guard(() => write.immediate());
    this.readState();
    return result;
  }

  /**
   * Adds or completes one sticker, the record being newer than what is known unless it is said to be older. For use
   * inside a transaction, which ends with `countIn`.
   */
  merge(sticker: Sticker, isOlder = false): keyof ImportResult {
    const row = this.byPreset.get(this.scope, sticker.preset);
    const known = row === undefined ? sticker : stickerOf(row);
    const merged = isOlder ? mergeSticker(sticker, known) : mergeSticker(known, sticker);
    if (!isStorable(merged)) return 'refused';
    const next = rowOf(merged);
    if (row !== undefined && isSame(row, next)) return 'unchanged';
    this.put.run({ ...next, scope: this.scope });
    this.changed.add(sticker.preset);
    return row === undefined ? 'added' : 'changed';
  }

  /** Presets added or changed since this was asked last; a failed transaction may have taken some back. */
  takeChanged(): ReadonlySet<string> {
    const presets = new Set(this.changed);
    this.changed.clear();
    return presets;
  }

  /** Steps the revision on if anything was added or changed. */
  countIn({ added, changed }: Pick<ImportResult, 'added' | 'changed'>): void {
    const step = added + changed !== 0 ? 1 : 0;
    this.db
      .prepare(
        `INSERT INTO state (scope, revision, stickers) VALUES (@scope, @step, @added)
         ON CONFLICT (scope) DO UPDATE SET revision = revision + @step, stickers = stickers + @added`,
      )
      .run({ scope: this.scope, step, added });
  }

  /** Whether a source of exactly this name was imported before. */
  hasImported(source: string): boolean {
    const query = this.db.prepare('SELECT 1 FROM import WHERE scope = ? AND source = ?');
    return guard(() => query.get(this.scope, source)) !== undefined;
  }

  /** Notes that what this source has in this state was read, in place of any state before. */
  noteState(source: string, state: string, at: number): void {
    const forget = this.db.prepare(`DELETE FROM import WHERE scope = ? AND substr(source, 1, length(?)) = ?`);
    const write = this.db.transaction(() => {
      forget.run(this.scope, source, source);
      this.noteSource(`${source} ${state}`, 0, at);
    });
    guard(() => write.immediate());
  }

  /** What `noteState` noted last, and when. */
  findState(source: string): { readonly state: string; readonly at: number } | undefined {
    const query = this.db.prepare<[string, string, string], { source: string; at: number }>(
      `SELECT source, at FROM import WHERE scope = ? AND substr(source, 1, length(?)) = ?`,
    );
    const row = guard(() => query.get(this.scope, `${source} `, `${source} `));
    return row && { state: row.source.slice(source.length + 1), at: row.at };
  }

  /** Bytes kept by `saveSnapshot` for the present revision, if any. */
  findSnapshot(): Uint8Array | undefined {
    const query = this.db.prepare<[string, number], { bytes: Uint8Array }>(
      'SELECT bytes FROM snapshot WHERE scope = ? AND revision = ?',
    );
    return guard(() => query.get(this.scope, this.revision))?.bytes;
  }

  /** Keeps the stored form of the index for a revision (if not given, the present one), in place of an older one. */
  saveSnapshot(bytes: Uint8Array, revision = this.revision): void {
    const write = this.db.prepare('INSERT OR REPLACE INTO snapshot VALUES (?, ?, ?)');
    guard(() => write.run(this.scope, revision, bytes));
  }

  close(): void {
    this.db.close();
  }

  private noteSource(source: string, stickers: number, at: number): void {
    this.db.prepare('INSERT OR REPLACE INTO import VALUES (?, ?, ?, ?)').run(this.scope, source, stickers, at);
  }

  /** Reads revision and size again, after a transaction that another part of the library made. */
  readState(): void {
    const query = this.db.prepare<[string], { revision: number; stickers: number }>(
      'SELECT revision, stickers FROM state WHERE scope = ?',
    );
    const state = guard(() => query.get(this.scope));
    this.revision = state?.revision ?? 0;
    this.size = state?.stickers ?? 0;
  }
}

export interface OpenedStore {
  store: StickerStore;
  /** Where a damaged file was moved to, if one was found. */
  setAside: string | undefined;
}

/** Opens or creates the store; a damaged file is renamed, never deleted, and an empty one takes its place. */
export function openStickerStore(file: string, scope: string, clock: Clock): OpenedStore {
  try {
    return { store: openAt(file, scope), setAside: undefined };
  } catch (error) {
    if (!isSvcdError(error, 'damaged') && !isSvcdError(error, 'library_damaged')) throw error;
    const setAside = setFileAside(file, clock);
    return { store: openAt(file, scope), setAside };
  }
}

/** Renames a database with what belongs to it; where it lies now. */
export function setFileAside(file: string, clock: Clock): string {
  const setAside = `${file}.damaged-${clock.now()}`;
  for (const suffix of ['', '-wal', '-shm']) {
    if (existsSync(file + suffix)) renameSync(file + suffix, setAside + suffix);
  }
  return setAside;
}

function openAt(file: string, scope: string): StickerStore {
  try {
    const db = openDatabase(file, {
      migrations: LIBRARY_MIGRATIONS,
      durability: 'normal',
      // The snapshot is one value of several megabytes: larger pages read it faster.
      pageSizeBytes: 16_384,
    });
    return openOn(db, scope);
  } catch (error) {
    // A sound database of another program, or of a version that never was released.
    if (systemCode(error) === 'SQLITE_ERROR') throw damaged('its tables are not those of a library', error);
    throw error;
  }
}

function openOn(db: Database, scope: string): StickerStore {
  try {
    return guard(() => new StickerStore(db, scope));
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Runs what reads or writes library.db; damage is thrown as `library_damaged`. */
export function guard<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (isDamage(cause)) throw damaged((cause as Error).message, cause);
    throw cause;
  }
}

function damaged(problem: string, cause?: unknown): SvcdError {
  return new SvcdError('library_damaged', `The library is damaged: ${problem}`, {
    cause,
    hint: 'Start svcd again: the damaged file is set aside and the library is rebuilt.',
  });
}

function rowOf(sticker: Sticker): Omit<Row, 'id'> {
  const { preset, title, keywords, titles } = sticker;
  const told = OPTIONAL.map((name) => [name, sticker[name] ?? null]);
  return {
    preset,
    title,
    keywords: JSON.stringify(keywords),
    ...(Object.fromEntries(told) as Pick<Row, (typeof OPTIONAL)[number]>),
    titles: titles === undefined ? null : JSON.stringify(titles),
  };
}

type IndexableRow = Pick<Row, 'id' | 'preset' | 'title' | 'keywords' | 'concept' | 'titles'>;

function indexableOf({ id: rowid, preset, title, keywords, concept, titles }: IndexableRow): Indexable {
  const names = namesOf({ preset, titles: readTitles(titles) });
  return { rowid, title, keywords: readKeywords(keywords), concept: concept ?? undefined, names };
}

/** Throws `library_damaged`: a row that cannot be read is damage like a broken page, and healed like one. */
function readKeywords(text: string): string[] {
  const value = parseJson(text);
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value;
  throw damaged('the keywords of a sticker cannot be read');
}

function readTitles(text: string | null): Titles | undefined {
  return text === null ? undefined : (parseJson(text) as Titles | undefined);
}

function factsOf({ id, preset, duration, color, ...shape }: FactColumns): FactRow {
  return {
    rowid: id,
    preset,
    aspect: aspectOf(shape),
    duration: duration ?? undefined,
    color: color ?? undefined,
  };
}

function isSame(row: Row, next: Omit<Row, 'id'>): boolean {
  return Object.entries(next).every(([name, value]) => row[name as keyof Row] === value);
}

function stickerOf(row: Row): Sticker {
  const { preset, title, keywords } = row;
  const titles = readTitles(row.titles);
  const told = OPTIONAL.flatMap((name) => (row[name] === null ? [] : [[name, row[name]] as const]));
  return {
    preset,
    title,
    keywords: readKeywords(keywords),
    ...Object.fromEntries(told),
    ...(titles !== undefined && { titles }),
  };
}

function creditIn({ licence, attribution }: Pick<Row, 'licence' | 'attribution'>): Credit {
  return { ...(licence !== null && { licence }), ...(attribution !== null && { attribution }) };
}
