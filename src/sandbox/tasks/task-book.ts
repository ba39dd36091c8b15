// Quotes, tasks and receipts on disk. A task is written down before anything is done for it, and what was made and
// what it cost are written together, so that neither a crash nor a second request makes or charges it again.

import type { Clock } from '../../platform/clock.js';
import type { Database, Statement } from '../../platform/open-database.js';
import type { ImageRequest } from '../../contract/image-request.js';
import type { Seed } from '../seed.js';

export type TaskState = 'queued' | 'running' | 'succeeded' | 'failed';

export interface Quote {
  id: string;
  account: number;
  /** The request as JSON; emptied when its task has ended, because it holds a prompt. */
  input: string | null;
  credits: number;
  /** Milliseconds since the Unix epoch. */
  expires_at: number;
}

/** A task with what became of it; a quote has one at most. */
export interface Task {
  id: string;
  quote: string;
  account: number;
  /** Number of the Key that accepted the quote. */
  key: number;
  state: TaskState;
  created_at: number;
  ended_at: number | null;
  image: string | null;
  code: string | null;
  receipt: string | null;
}

const QUOTE_LASTS_MS = 15 * 60_000;

/** Keeps quotes and tasks. */
export class TaskBook {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #seed: Seed;
  readonly #quote: Statement<[string, number], Quote>;
  readonly #task: Statement<[string, number], Task>;

  /** Makes its tables in a sandbox that has none: only one that runs with tasks needs them. */
  constructor(db: Database, clock: Clock, seed: Seed) {
    this.#db = db;
    this.#clock = clock;
    this.#seed = seed;
    db.exec(TABLES);
    this.#quote = db.prepare('SELECT * FROM quote WHERE id = ? AND account = ?');
    this.#task = db.prepare('SELECT * FROM task WHERE id = ? AND account = ?');
  }

  /** A price that holds for a quarter of an hour. */
  quote(account: number, input: ImageRequest, credits: number): Quote {
    const id = this.#seed.nextId('quote');
    this.#db
      .prepare('INSERT INTO quote (id, account, input, credits, expires_at) VALUES (?, ?, ?, ?, ?)')
      .run(id, account, JSON.stringify(input), credits, this.#clock.now() + QUOTE_LASTS_MS);
    return this.findQuote(id, account) as Quote;
  }

  findQuote(id: string, account: number): Quote | undefined {
    return this.#quote.get(id, account);
  }

  /** A new task of a quote that has none; it spends by the Key of this number. */
  accept({ id: quote, account }: Quote, key: number): Task {
    const id = this.#seed.nextId('task');
    this.#db
      .prepare(
        `INSERT INTO task (id, quote, account, key, state, created_at) VALUES (?, ?, ?, ?, 'queued', ?)`,
      )
      .run(id, quote, account, key, this.#clock.now());
    return this.findTask(id, account) as Task;
  }

  /** The task that a quote became. */
  findTaskOf(quote: string): Task | undefined {
    return this.#db.prepare<[string], Task>('SELECT * FROM task WHERE quote = ?').get(quote);
  }

  findTask(id: string, account: number): Task | undefined {
    return this.#task.get(id, account);
  }

  /** An account's tasks, the newest first. */
  list(account: number): Task[] {
    return this.#db
      .prepare<[number], Task>(
        'SELECT * FROM task WHERE account = ? ORDER BY created_at DESC, rowid DESC LIMIT 100',
      )
      .all(account);
  }

  /** Tasks that were begun and not ended, oldest first: what a restart has to go on with. */
  open(): Task[] {
    return this.#db
      .prepare<[], Task>(`SELECT * FROM task WHERE state IN ('queued', 'running') ORDER BY created_at, rowid`)
      .all();
  }

  start(id: string): void {
    this.#db.prepare(`UPDATE task SET state = 'running' WHERE id = ?`).run(id);
  }

  /** For the transaction that saves and charges the image. Throws an Error, to undo it, for a task that is gone. */
  succeed(id: string, image: string): void {
    const receipt = this.#seed.nextId('receipt');
    const ended = this.#end(id, { state: 'succeeded', image, code: null, receipt });
    if (ended === 0) throw new Error(`There is no task ${id} any more.`);
  }

  fail(id: string, code: string): void {
    this.#end(id, { state: 'failed', image: null, code, receipt: null });
  }

  #end(id: string, what: Pick<Task, 'state' | 'image' | 'code' | 'receipt'>): number {
    const { changes } = this.#db
      .prepare('UPDATE task SET state = ?, image = ?, code = ?, receipt = ?, ended_at = ? WHERE id = ?')
      .run(what.state, what.image, what.code, what.receipt, this.#clock.now(), id);
    this.#db
      .prepare('UPDATE quote SET input = NULL WHERE id = (SELECT quote FROM task WHERE id = ?)')
      .run(id);
    return changes;
  }
}

const TABLES = `
  CREATE TABLE IF NOT EXISTS quote (
    id         TEXT PRIMARY KEY,
    account    INTEGER NOT NULL,
    input      TEXT,
    credits    INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS task (
    id         TEXT PRIMARY KEY,
    quote      TEXT NOT NULL UNIQUE REFERENCES quote,
    account    INTEGER NOT NULL,
    key        INTEGER NOT NULL,
    state      TEXT NOT NULL CHECK (state IN ('queued', 'running', 'succeeded', 'failed')),
    created_at INTEGER NOT NULL,
    ended_at   INTEGER,
    image      TEXT,
    code       TEXT,
    receipt    TEXT
  ) STRICT;
`;
