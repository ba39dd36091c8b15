// The one SQLite file of a sandbox. A statement is prepared the first time its text is used and kept, so that the
// stores can write their SQL where they use it.

import { openDatabase, type Database, type Statement } from '../../platform/open-database.js';

type Maybe<T> = T | undefined;

/** Reads and writes rows. `Row` is what the caller's SQL selects. */
export class SandboxDatabase {
  readonly #db: Database;
  readonly #statements = new Map<string, Statement>();

  /** Opens or makes the file, or `:memory:`. Throws `damaged`, `newer_file`. Must be closed. */
  constructor(file: string, migrations: readonly string[]) {
    // Play money: a power cut may cost the last charge, a killed process never does.
    this.#db = openDatabase(file, { migrations, durability: 'normal' });
  }

  get isOpen(): boolean {
    return this.#db.open;
  }

  /** The first row, or undefined. */
  get<Row>(sql: string, ...values: readonly unknown[]): Maybe<Row> {
    return this.#statement(sql).get(...values) as Maybe<Row>;
  }

  all<Row>(sql: string, ...values: readonly unknown[]): Row[] {
    return this.#statement(sql).all(...values) as Row[];
  }

  /** How many rows it changed. */
  run(sql: string, ...values: readonly unknown[]): number {
    return this.#statement(sql).run(...values).changes;
  }

  /** Adds a row, given by its columns, and returns its number. */
  insert(table: string, row: Readonly<Record<string, unknown>>): number {
    const columns = Object.keys(row);
    const sql = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`;
    return Number(this.#statement(sql).run(...Object.values(row)).lastInsertRowid);
  }

  /** Runs statements that take no values. */
  exec(sql: string): void {
    this.#db.exec(sql);
  }

  /** Runs `work` in one transaction, or in the one that is open already. */
  transaction<T>(work: () => T): T {
    return this.#db.transaction(work).immediate();
  }

  close(): void {
    this.#db.close();
  }

  #statement(sql: string): Statement {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#db.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}
