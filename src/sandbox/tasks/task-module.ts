// Durable generation tasks over HTTP: a quote says what something will cost, accepting it makes a task, a task that
// succeeded has a receipt. The document describes them and shows no path: every path and field is our choice.

import type { Context } from 'hono';
import { SvcdError } from '../../model/errors.js';
import { IMAGE_PRICE } from '../../contract/limits.js';
import { parseQuoteRequest, parseTaskRequest } from './task-request.js';
import { callerOf, type SandboxEnv } from '../gate.js';
import type { Key } from '../keyring.js';
import { readJsonObject } from '../read-body.js';
import type { Route } from '../sandbox-app.js';
import type { ModuleRooms, SandboxModule } from '../sandbox-module.js';
import { TaskBook, type Quote, type Task } from './task-book.js';
import { TaskRunner } from './task-runner.js';

type Ask = Context<SandboxEnv>;

/** Who makes images; the second is to show that a new one stays off until all four are there. */
const PROVIDERS = [
  { id: 'sandbox', capability: 'images.generate', enabled: true, waiting_for: [] },
  {
    id: 'next',
    capability: 'images.generate',
    enabled: false,
    waiting_for: ['configuration', 'rights', 'price', 'verification'],
  },
] as const;

/** Quotes, tasks, receipts and providers; opening it goes on with the tasks that are open. */
export const tasks: SandboxModule = {
  name: 'tasks',
  // They make what images.generate makes, and are switched off with it.
  capabilities: [],
  routes: (rooms) => {
    const book = new TaskBook(rooms.db, rooms.clock, rooms.seed);
    const runner = new TaskRunner(book, makeWith(rooms), rooms.log);
    const taskIn = (c: Ask) => found(book.findTask(c.req.param('task') ?? '', callerOf(c).account), 'task');
    return [
      route(['GET', 'HEAD'], 'providers', (c) => c.json({ providers: PROVIDERS })),
      route(['POST'], 'quotes', async (c) => {
        const { input } = parseQuoteRequest(await readJsonObject(c.req.raw));
        return c.json(quoteView(book.quote(callerOf(c).account, input, IMAGE_PRICE)), 201);
      }),
      route(['GET', 'HEAD', 'POST'], 'tasks', (c) =>
        c.req.method === 'POST' ? accept(c, book, runner, rooms) : listTasks(c, book),
      ),
      route(['GET', 'HEAD'], 'tasks/:task', (c) => c.json(taskView(c, taskIn(c)))),
      route(['GET', 'HEAD'], 'tasks/:task/receipt', (c) => c.json(receiptView(taskIn(c)))),
    ];
  },
};

function route(methods: readonly string[], path: string, answer: Route['answer']): Route {
  return { methods, path, key: 'needed', capability: 'images.generate', answer };
}

/** Charges the Key that accepted the quote, as it is when the task's turn comes. */
function makeWith({ studio, keyring }: ModuleRooms) {
  return async (
    request: Parameters<typeof studio.generate>[0],
    id: number,
    alongside: (image: string) => void,
  ) => {
    const key: Key = keyring.get(id);
    if (key.state !== 'active')
      throw new SvcdError('key_disabled', 'The Key of this task is no longer active.');
    await studio.generate(request, key, undefined, alongside);
  };
}

async function accept(c: Ask, book: TaskBook, runner: TaskRunner, { clock }: ModuleRooms): Promise<Response> {
  const { account, id: key } = callerOf(c);
  const quote = found(book.findQuote(parseTaskRequest(await readJsonObject(c.req.raw)), account), 'quote');
  const known = book.findTaskOf(quote.id);
  if (known !== undefined) return c.json(taskView(c, known), 202);
  if (quote.expires_at <= clock.now()) {
    throw new SvcdError('invalid_request', 'quote_id: this quote has expired', {
      hint: 'Ask for a new one.',
    });
  }
  const task = book.accept(quote, key);
  runner.enqueue(task);
  return c.json(taskView(c, task), 202);
}

function listTasks(c: Ask, book: TaskBook): Response {
  return c.json({ tasks: book.list(callerOf(c).account).map((task) => taskView(c, task)) });
}

function found<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new SvcdError('not_found', `There is no such ${what}.`);
  return value;
}

function quoteView({ id, credits, expires_at: expiresAt }: Quote): object {
  return {
    quote_id: id,
    capability: 'images.generate',
    provider: 'sandbox',
    credits,
    expires_at: iso(expiresAt),
  };
}

function taskView(c: Ask, task: Task): object {
  const { id, quote, state, created_at: createdAt, ended_at: endedAt, image, code, receipt } = task;
  const url = `${new URL(c.req.url).origin}/api/v1/images/${image ?? ''}.png`;
  return {
    task_id: id,
    quote_id: quote,
    state,
    created_at: iso(createdAt),
    ...(endedAt === null ? {} : { ended_at: iso(endedAt) }),
    ...(image === null ? {} : { result: { url } }),
    ...(code === null ? {} : { error: { code } }),
    ...(receipt === null ? {} : { receipt_id: receipt }),
  };
}

function receiptView({ id, receipt, ended_at: endedAt }: Task): object {
  if (receipt === null || endedAt === null) {
    throw new SvcdError('not_found', 'This task has no receipt: nothing was charged for it.');
  }
  return {
    receipt_id: receipt,
    task_id: id,
    capability: 'images.generate',
    credits: IMAGE_PRICE,
    charged_at: iso(endedAt),
  };
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
