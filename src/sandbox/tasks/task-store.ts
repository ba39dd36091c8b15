// Quotes, tasks and receipts on disk. A task is written down before anything is done for it, and what was made and
// what it cost are written together, so that neither a crash nor a second request makes or charges it again.

import type { SandboxState } from '../state/sandbox-state.js';
import type { ImageRequest } from '../wire/requests.js';

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
  state: 'queued' | 'running' | 'succeeded' | 'failed';
  created_at: number;
  ended_at: number | null;
  image: string | null;
  code: string | null;
  receipt: string | null;
}

const QUOTE_LASTS_MS = 15 * 60_000;

/** A price that holds for a quarter of an hour. */
export function addQuote(state: SandboxState, account: number, request: ImageRequest, credits: number): Quote {
  const { db, clock, seed } = state;
  const input = JSON.stringify(request);
  const expiresAt = clock.now() + QUOTE_LASTS_MS;
  const row = { id: seed.nextId('quote'), account, input, credits, expires_at: expiresAt };
  db.insert('quote', row);
  return row;
}

/** A quote of an account, or undefined. */
export function findQuote(state: SandboxState, id: string, account: number): Quote | undefined {
  return state.db.get('SELECT * FROM quote WHERE id = ? AND account = ?', id, account);
}

/** A new task of a quote that has none; it spends by the Key of this number. */
export function accept(state: SandboxState, { id: quote, account }: Quote, key: number): Task {
  const { db, clock, seed } = state;
  const id = seed.nextId('task');
  db.insert('task', { id, quote, account, key, state: 'queued', created_at: clock.now() });
  return findTask(state, id, account) as Task;
}

/** The task that a quote became. */
export function findTaskOf(state: SandboxState, quote: string): Task | undefined {
  return state.db.get('SELECT * FROM task WHERE quote = ?', quote);
}

/** A task of an account, or undefined. */
export function findTask(state: SandboxState, id: string, account: number): Task | undefined {
  return state.db.get('SELECT * FROM task WHERE id = ? AND account = ?', id, account);
}

/** An account's tasks, the newest first. */
export function list(state: SandboxState, account: number): Task[] {
  const sql = 'SELECT * FROM task WHERE account = ? ORDER BY created_at DESC, rowid DESC LIMIT 100';
  return state.db.all(sql, account);
}

/** Tasks that were begun and not ended, oldest first: what a restart has to go on with. */
export function listOpen(state: SandboxState): Task[] {
  return state.db.all(`SELECT * FROM task WHERE state IN ('queued', 'running') ORDER BY created_at, rowid`);
}

/** Notes that a task is being done. */
export function start(state: SandboxState, id: string): void {
  state.db.run(`UPDATE task SET state = 'running' WHERE id = ?`, id);
}

/** For the transaction that saves and charges the image. Throws an Error, to undo it, for a task that is gone. */
export function succeed(state: SandboxState, id: string, image: string): void {
  const receipt = state.seed.nextId('receipt');
  const ended = end(state, id, { state: 'succeeded', image, code: null, receipt });
  if (ended === 0) throw new Error(`There is no task ${id} any more.`);
}

/** Ends a task without an image, free of charge. */
export function fail(state: SandboxState, id: string, code: string): void {
  end(state, id, { state: 'failed', image: null, code, receipt: null });
}

function end(state: SandboxState, id: string, what: Pick<Task, 'state' | 'image' | 'code' | 'receipt'>): number {
  const { db, clock } = state;
  db.run('UPDATE quote SET input = NULL WHERE id = (SELECT quote FROM task WHERE id = ?)', id);
  return db.run(
    `UPDATE task SET state = @state, image = @image, code = @code, receipt = @receipt, ended_at = @at
     WHERE id = @id`,
    { ...what, at: clock.now(), id },
  );
}

/** Made in a sandbox that has none: only one that runs with tasks needs them. */
export const TASK_TABLES = `
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
