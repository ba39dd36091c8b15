// Durable generation tasks over HTTP: a quote says what something will cost, accepting it makes a task, a task that
// succeeded has a receipt. The document describes them and shows no path: every path and field is our choice.

import { type ErrorCode, isSvcdError, SvcdError } from '../../model/errors.js';
import * as keys from '../key-store.js';
import type { SandboxParts } from '../sandbox-parts.js';
import { iso } from '../state/sandbox-state.js';
import { addressOf, callerOf, listOf, route, type Ask, type SandboxModule } from '../service-route.js';
import type { Answer } from '../wire/answer-schemas.js';
import { check } from '../wire/check.js';
import { PRICES } from '../wire/limits.js';
import { imageRequestSchema, type ImageRequest } from '../wire/requests.js';
import * as store from './task-store.js';

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
    state.db.exec(store.TASK_TABLES);
    const enqueue = createTaskRunner(parts);
    const taskIn = (c: Ask) => found(store.findTask(state, c.req.param('task') ?? '', callerOf(c).account), 'task');
    const quote = (c: Ask, input: object) => {
      const request = check(imageRequestSchema, input);
      return quoteView(store.addQuote(state, callerOf(c).account, request, PRICES.image));
    };
    const accept = (c: Ask, id: string) => {
      const { account, id: key } = callerOf(c);
      const quoted = found(store.findQuote(state, id, account), 'quote');
      const known = store.findTaskOf(state, id);
      if (known !== undefined) return known;
      requireCurrent(quoted, state.clock.now());
      const task = store.accept(state, quoted, key);
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
        (c) => ({ tasks: store.list(state, callerOf(c).account).map((task) => taskView(c, task)) }),
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
function createTaskRunner({ state, images, log }: SandboxParts): (task: store.Task) => void {
  let last: Promise<void> = Promise.resolve();
  const run = async ({ id, quote, account, key: keyId }: store.Task) => {
    const stage = store.findTask(state, id, account)?.state;
    const input = store.findQuote(state, quote, account)?.input;
    // After a reset the same seed gives the same ids again: a task may have gone, or ended under another turn.
    if ((stage !== 'queued' && stage !== 'running') || input === undefined || input === null) return;
    store.start(state, id);
    try {
      const key = keys.get(state, keyId);
      if (key.state !== 'active') {
        throw new SvcdError('key_disabled', 'The Key of this task is no longer active.');
      }
      const request = JSON.parse(input) as ImageRequest;
      await images.generate(request, key, undefined, (image) => store.succeed(state, id, image));
    } catch (error) {
      // The sandbox began anew: a task of this id is another one.
      if (isSvcdError(error, 'interrupted')) return;
      store.fail(state, id, isSvcdError(error) ? error.code : 'internal');
    }
  };
  const enqueue = (task: store.Task) => {
    last = last
      .then(() => run(task))
      .catch((error: Error) => log.error('sandbox task failed', { reason: error.message }));
  };
  for (const task of store.listOpen(state)) enqueue(task);
  return enqueue;
}

function requireCurrent({ expires_at: expiresAt }: store.Quote, now: number): void {
  if (expiresAt > now) return;
  throw new SvcdError('invalid_request', 'quote_id: this quote has expired', { hint: 'Ask for a new one.' });
}

function found<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new SvcdError('not_found', `There is no such ${what}.`);
  return value;
}

function quoteView({ id, credits, expires_at: expiresAt }: store.Quote): Answer<'Quote'> {
  return {
    quote_id: id,
    capability: CAPABILITY,
    provider: 'sandbox',
    credits,
    expires_at: iso(expiresAt),
  };
}

function taskView(c: Ask, task: store.Task): Answer<'Task'> {
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

function receiptView({ id, receipt, ended_at: endedAt }: store.Task): Answer<'Receipt'> {
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
