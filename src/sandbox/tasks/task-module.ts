// Durable generation tasks over HTTP: a quote says what something will cost, accepting it makes a task, a task that
// succeeded has a receipt. The document describes them and shows no path: every path and field is our choice.

import { SvcdError } from '../../model/errors.js';
import * as keys from '../key-store.js';
import { callerOf } from '../sandbox-env.js';
import type { SandboxModule } from '../sandbox-module.js';
import type { SandboxParts } from '../sandbox-parts.js';
import { FREE_GET, imageAddress, POST, type Ask, type Route } from '../service-routes.js';
import type { Answer } from '../wire/answer-schemas.js';
import { check } from '../wire/check.js';
import { PRICES } from '../wire/limits.js';
import { readJsonObject } from '../wire/read-body.js';
import { imageRequestSchema, quoteRequestSchema, taskRequestSchema } from '../wire/requests.js';
import { createTaskRunner, type MakeImage } from './task-runner.js';
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

/** Quotes, tasks, receipts and providers; opening it goes on with the tasks that are open. */
export const tasks: SandboxModule = {
  name: 'tasks',
  // They make what images.generate makes, and are switched off with it.
  capabilities: [],
  routes: (parts) => {
    const { state } = parts;
    state.db.exec(store.TASK_TABLES);
    const enqueue = createTaskRunner(parts, makeWith(parts));
    const taskIn = (c: Ask) => found(store.findTask(state, c.req.param('task') ?? '', callerOf(c).account), 'task');
    const list = (c: Ask) => store.list(state, callerOf(c).account).map((task) => taskView(c, task));
    const quote = async (c: Ask) => {
      const { input } = check(quoteRequestSchema, await readJsonObject(c.req.raw));
      const request = check(imageRequestSchema, input);
      return c.json(quoteView(store.addQuote(state, callerOf(c).account, request, PRICES.image)), 201);
    };
    const accept = async (c: Ask) => {
      const { account, id: key } = callerOf(c);
      const { quote_id: id } = check(taskRequestSchema, await readJsonObject(c.req.raw));
      const quoted = found(store.findQuote(state, id, account), 'quote');
      const known = store.findTaskOf(state, id);
      if (known !== undefined) return c.json(taskView(c, known), 202);
      requireCurrent(quoted, state.clock.now());
      const task = store.accept(state, quoted, key);
      enqueue(task);
      return c.json(taskView(c, task), 202);
    };
    return [
      route(FREE_GET, 'providers', (c) => c.json({ providers: PROVIDERS })),
      route(POST, 'quotes', quote),
      route([...FREE_GET, ...POST], 'tasks', (c) => (c.req.method === 'POST' ? accept(c) : c.json({ tasks: list(c) }))),
      route(FREE_GET, 'tasks/:task', (c) => c.json(taskView(c, taskIn(c)))),
      route(FREE_GET, 'tasks/:task/receipt', (c) => c.json(receiptView(taskIn(c)))),
    ];
  },
};

function route(methods: readonly string[], path: string, answer: Route['answer']): Route {
  return { methods, path, key: 'needed', capability: CAPABILITY, answer };
}

/** Charges the Key that accepted the quote, as it is when the task's turn comes. */
function makeWith({ images, state }: SandboxParts): MakeImage {
  return async (request, id, alongside) => {
    const key = keys.get(state, id);
    if (key.state !== 'active') {
      throw new SvcdError('key_disabled', 'The Key of this task is no longer active.');
    }
    await images.generate(request, key, undefined, alongside);
  };
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
    result: image === null ? undefined : { url: imageAddress(c, image) },
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

function iso(at: number): string {
  return new Date(at).toISOString();
}
