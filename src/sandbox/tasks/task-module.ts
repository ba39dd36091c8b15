// Durable generation tasks over HTTP: a quote says what something will cost, accepting it makes a task, a task that
// succeeded has a receipt. The document describes them and shows no path: every path and field is our choice. A task is written
// down before anything is done for it, and what was made and what it cost are written together, so that neither a crash nor a
// second request makes or charges it again.

import { type ErrorCode, isSvcdError, SvcdError } from '../../model/errors.js';
import * as keys from '../key-store.js';
import type { SandboxParts } from '../sandbox-parts.js';
import { iso, type SandboxState } from '../state/sandbox-state.js';
import { addressOf, callerOf, listOf, route, type Ask, type SandboxModule } from '../service-route.js';
import type { Answer } from '../wire/answer-schemas.js';
import { check } from '../wire/check.js';
import { PRICES } from '../wire/limits.js';
import { imageRequestSchema, type ImageRequest } from '../wire/requests.js';

const CAPABILITY = 'images.generate';

/** Who makes images; the second is to show that a new one stays off until all four are there. */
const PROVIDERS = [
  { id: 'sandbox', capability: CAPABILITY, enabled: true, waiting_for: [] },
  {
    id: 'next',
    capability: CAPABILITY,
    enabled: false,
    waiting_for: ['configuration', 'rights', 'price', 'verification'],
  },
] as const;

const PROVIDERS_SCHEMA = { type: 'object', properties: { providers: { type: 'array', items: { type: 'object' } } } };

/** Quotes, tasks, receipts and providers; opening it goes on with the tasks that are open. */
export const tasks: SandboxModule = {
  name: 'tasks',
  // They make what images.generate makes, and are switched off with it.
  capabilities: [],
  routes: (parts) => {
    const { state } = parts;
    state.db.exec(TASK_TABLES);
    const enqueue = createTaskRunner(parts);
    const taskIn = (c: Ask) => found(findTask(state, c.req.param('task') ?? '', callerOf(c).account), 'task');
    const quote = (c: Ask, input: object) => {
      const request = check(imageRequestSchema, input);
      return quoteView(addQuote(state, callerOf(c).account, request, PRICES.image));
    };
    const accept = (c: Ask, id: string) => {
      const { account, id: key } = callerOf(c);
      const quoted = found(findQuote(state, id, account), 'quote');
      const known = findTaskOf(state, id);
      if (known !== undefined) return known;
      requireCurrent(quoted, state.clock.now());
      const task = acceptQuote(state, quoted, key);
      enqueue(task);
      return task;
    };
    return [
      route(
        'GET providers',
        ['listProviders', 'Who generates, and what a new one still waits for'],
        { ...ofImages(), answer: PROVIDERS_SCHEMA },
        () => ({ providers: PROVIDERS }),
      ),
      route(
        'POST quotes',
        ['quote', 'What a generation will cost'],
        { ...ofImages('not_enabled'), body: 'QuoteRequest', answer: 'Quote', status: 201 },
        (c, { input }) => quote(c, input),
      ),
      route(
        'GET tasks',
        ['listTasks', 'The tasks of the account, the newest first'],
        { ...ofImages(), answer: listOf('tasks', 'Task') },
        (c) => ({ tasks: listTasks(state, callerOf(c).account).map((task) => taskView(c, task)) }),
      ),
      route(
        'POST tasks',
        ['acceptQuote', 'Accept a quote; the same quote is always the same task'],
        { ...ofImages('not_found', 'not_enabled'), body: 'TaskRequest', answer: 'Task', status: 202 },
        (c, { quote_id: id }) => taskView(c, accept(c, id)),
      ),
      route('GET tasks/{task}', ['getTask', 'A task'], { ...ofImages('not_found'), answer: 'Task' }, (c) =>
        taskView(c, taskIn(c)),
      ),
      route(
        'GET tasks/{task}/receipt',
        ['getReceipt', 'What a task was charged'],
        { ...ofImages('not_found'), answer: 'Receipt' },
        (c) => receiptView(taskIn(c)),
      ),
    ];
  },
};

function ofImages(...errors: readonly ErrorCode[]) {
  return { capability: CAPABILITY, errors };
}

/**
 * Does tasks, one after another, and goes on after a restart where it stopped: what it returns does a task after those that
 * it was given before; the open ones are the first. Charged is the Key that accepted the quote, as it is by then.
 */
function createTaskRunner({ state, images, log }: SandboxParts): (task: Task) => void {
  let last: Promise<void> = Promise.resolve();
  const run = async ({ id, quote, account, key: keyId }: Task) => {
    const stage = findTask(state, id, account)?.state;
    const input = findQuote(state, quote, account)?.input;
    // After a reset the same seed gives the same ids again: a task may have gone, or ended under another turn.
    if ((stage !== 'queued' && stage !== 'running') || input === undefined || input === null) return;
    state.db.run(`UPDATE task SET state = 'running' WHERE id = ?`, id);
    try {
      const key = keys.get(state, keyId);
      if (key.state !== 'active') {
        throw new SvcdError('key_disabled', 'The Key of this task is no longer active.');
      }
      const request = JSON.parse(input) as ImageRequest;
      await images.generate(request, key, undefined, (image) => succeed(state, id, image));
    } catch (error) {
      // The sandbox began anew: a task of this id is another one.
      if (isSvcdError(error, 'interrupted')) return;
      end(state, id, {
        state: 'failed',
        image: null,
        code: isSvcdError(error) ? error.code : 'internal',
        receipt: null,
      });
    }
  };
  const enqueue = (task: Task) => {
    last = last
      .then(() => run(task))
      .catch((error: Error) => log.error('sandbox task failed', { reason: error.message }));
  };
  for (const task of listOpen(state)) enqueue(task);
  return enqueue;
}

function requireCurrent({ expires_at: expiresAt }: Quote, now: number): void {
  if (expiresAt > now) return;
  throw new SvcdError('invalid_request', 'quote_id: this quote has expired', { hint: 'Ask for a new one.' });
}

function found<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new SvcdError('not_found', `There is no such ${what}.`);
  return value;
}

function quoteView({ id, credits, expires_at: expiresAt }: Quote): Answer<'Quote'> {
  return {
    quote_id: id,
    capability: CAPABILITY,
    provider: 'sandbox',
    credits,
    expires_at: iso(expiresAt),
  };
}

function taskView(c: Ask, task: Task): Answer<'Task'> {
  const { id, quote, state, ended_at: endedAt, image, code, receipt } = task;
  return {
    task_id: id,
    quote_id: quote,
    state,
    created_at: iso(task.created_at),
    ended_at: endedAt === null ? undefined : iso(endedAt),
    result: image === null ? undefined : { url: addressOf(c, `images/${image}.png`) },
    error: code === null ? undefined : { code },
    receipt_id: receipt ?? undefined,
  };
}

function receiptView({ id, receipt, ended_at: endedAt }: Task): Answer<'Receipt'> {
  if (receipt === null || endedAt === null) {
    throw new SvcdError('not_found', 'This task has no receipt: nothing was charged for it.');
  }
  return {
    receipt_id: receipt,
    task_id: id,
    capability: CAPABILITY,
    credits: PRICES.image,
    charged_at: iso(endedAt),
  };
}

interface Quote {
  id: string;
  account: number;
  /** The request as JSON; emptied when its task has ended, because it holds a prompt. */
  input: string | null;
  credits: number;
  /** Milliseconds since the Unix epoch. */
  expires_at: number;
}

/** A task with what became of it; a quote has one at most. */
interface Task {
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
function addQuote(state: SandboxState, account: number, request: ImageRequest, credits: number): Quote {
  const { db, clock, seed } = state;
  const input = JSON.stringify(request);
  const expiresAt = clock.now() + QUOTE_LASTS_MS;
  const row = { id: seed.nextId('quote'), account, input, credits, expires_at: expiresAt };
  db.insert('quote', row);
  return row;
}

function findQuote(state: SandboxState, id: string, account: number): Quote | undefined {
  return state.db.get('SELECT * FROM quote WHERE id = ? AND account = ?', id, account);
}

/** A new task of a quote that has none; it spends by the Key of this number. */
function acceptQuote(state: SandboxState, { id: quote, account }: Quote, key: number): Task {
  const { db, clock, seed } = state;
  const id = seed.nextId('task');
  db.insert('task', { id, quote, account, key, state: 'queued', created_at: clock.now() });
  return findTask(state, id, account) as Task;
}

function findTaskOf(state: SandboxState, quote: string): Task | undefined {
  return state.db.get('SELECT * FROM task WHERE quote = ?', quote);
}

function findTask(state: SandboxState, id: string, account: number): Task | undefined {
  return state.db.get('SELECT * FROM task WHERE id = ? AND account = ?', id, account);
}

/** An account's tasks, the newest first. */
function listTasks(state: SandboxState, account: number): Task[] {
  const sql = 'SELECT * FROM task WHERE account = ? ORDER BY created_at DESC, rowid DESC LIMIT 100';
  return state.db.all(sql, account);
}

/** Tasks that were begun and not ended, oldest first: what a restart has to go on with. */
function listOpen(state: SandboxState): Task[] {
  return state.db.all(`SELECT * FROM task WHERE state IN ('queued', 'running') ORDER BY created_at, rowid`);
}

/** For the transaction that saves and charges the image. Throws an Error, to undo it, for a task that is gone. */
function succeed(state: SandboxState, id: string, image: string): void {
  const receipt = state.seed.nextId('receipt');
  const ended = end(state, id, { state: 'succeeded', image, code: null, receipt });
  if (ended === 0) throw new Error(`There is no task ${id} any more.`);
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
const TASK_TABLES = `
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
