// Joins every row of the table of operations to its handler. What all have in common is done here, once for each
// request: who asks is judged, methods and callers are refused, parameters and body are read by their schemas.

import type { IncomingMessage } from 'node:http';
import { Hono, type Context } from 'hono';
import type { Result } from 'hono/router';
import { TrieRouter } from 'hono/router/trie-router';
import type { AnswerOf, BodyOf, HeadersOf, Operation, QueryOf } from '../api/operation.js';
import { type Operations, OPERATIONS } from '../api/operations.js';
import type { Authorization, Caller } from '../auth/authorization.js';
import { parseWith } from '../contract/json-body.js';
import { readHeaders, readQuery, refuseUnknown } from '../contract/read-query.js';
import { SvcdError } from '../model/errors.js';
import { trustBody } from './bound-connections.js';
import { parametersOf, pathOf, readJson } from './read-request.js';
import { readPath, WHOLE_PATHS } from '../api/path-reading.js';

/** A request that may be answered. */
export interface Call<O> {
  readonly c: Context;
  readonly caller: Caller;
  readonly query: QueryOf<O>;
  readonly headers: HeadersOf<O>;
  readonly body: BodyOf<O>;
}

/** A response, or what is told as JSON. */
type Reply<O> = Response | AnswerOf<O>;
type Handler<O> = (call: Call<O>) => Reply<O> | Promise<Reply<O>>;

/** A handler for every operation of a table. */
export type HandlersOf<T> = { readonly [N in keyof T]: Handler<T[N]> };
export type Handlers = HandlersOf<Operations>;
export type Table = Readonly<Record<string, Operation>>;

export interface RouterOptions {
  readonly authorization: Authorization;
  /** The response that an error stands for. */
  readonly refuse: (error: unknown, method: string, caller: Caller) => Response;
  /** Throws what is said of a path that has no row. */
  readonly nothingHere?: () => never;
}

interface Row {
  readonly operation: Operation;
  readonly handle: Handler<Operation>;
}

/** An app that answers every operation of a table, and elsewhere what `nothingHere` says. */
export function createRouter<T extends Table>(
  table: T,
  handlers: HandlersOf<T>,
  { authorization, refuse, nothingHere = refuseNothingHere }: RouterOptions,
): Hono {
  const app = new Hono({
    getPath: (request) => routeOf(pathOf(request.url)),
    router: new WholePathsFirst(),
  });
  const answerWith = (answer: (c: Context, caller: Caller) => Response | Promise<Response>) => (c: Context) => {
    const caller = authorization(c.req.raw);
    if (caller.known) letTakeTime(c);
    const fail = (error: unknown) => refuse(error, c.req.method, caller);
    try {
      const response = answer(c, caller);
      return response instanceof Promise ? response.catch(fail) : response;
    } catch (error) {
      return fail(error);
    }
  };
  // One handler for all methods of a path: hono calls a path's only handler directly and chains two in promises.
  for (const [path, rows] of rowsByPath(table, handlers)) {
    const allowed = [...rows.keys()].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
    const route = (c: Context, caller: Caller) => {
      const { method } = c.req;
      const row = rows.get(method === 'HEAD' ? 'GET' : method) ?? rows.get('any');
      return row === undefined ? refuseMethod(allowed) : run(row, c, caller);
    };
    app.all(patternOf(path), answerWith(route));
  }
  app.notFound(answerWith(nothingHere));
  return app;
}

/** The body of a caller with a token may come as slowly as any request. In its own process the app has no connection. */
function letTakeTime({ req: { method }, env }: Context): void {
  const { incoming } = (env ?? {}) as { incoming?: IncomingMessage };
  if (method !== 'GET' && method !== 'HEAD' && incoming !== undefined) trustBody(incoming);
}

/** A path without variables is looked up; hono's own routers would walk it, a twentieth of a search. */
class WholePathsFirst<T> extends TrieRouter<T> {
  readonly #whole = new Map<string, Result<T>>();

  override add(method: string, path: string, handler: T): void {
    if (/[:*]/.test(path)) super.add(method, path, handler);
    else this.#whole.set(path, [[[handler, {}]]]);
  }

  override match(method: string, path: string): Result<T> {
    return this.#whole.get(path) ?? super.match(method, path);
  }
}

/** Throws `method_not_allowed`, naming what is allowed. */
export function refuseMethod(allowed: readonly string[]): never {
  const allow = allowed.join(', ');
  throw new SvcdError('method_not_allowed', `this path answers ${allow} only`, { allow });
}

function rowsByPath<T extends Table>(table: T, handlers: HandlersOf<T>): Map<string, Map<string, Row>> {
  const paths = new Map<string, Map<string, Row>>();
  for (const [name, operation] of Object.entries(table)) {
    const rows = paths.get(operation.path) ?? new Map<string, Row>();
    paths.set(operation.path, rows);
    rows.set(operation.method, { operation, handle: handlers[name] as Handler<Operation> });
  }
  return paths;
}

function run({ operation, handle }: Row, c: Context, caller: Caller): Response | Promise<Response> {
  if (operation.cost !== 0) refuseGuess(c.req.raw.headers);
  caller.require(operation.who);
  const query = operation.query && readQuery(operation.query, parametersOf(c));
  if (takesNone(operation)) refuseUnknown({}, parametersOf(c));
  const headers = operation.headers && readHeaders(operation.headers, c.req.raw.headers);
  const answer = (body: unknown) => {
    const reply = handle({ c, caller, query, headers, body } as Call<Operation>);
    return reply instanceof Promise ? reply.then((late) => responseOf(late, operation)) : responseOf(reply, operation);
  };
  const { body: schema } = operation;
  if (schema === undefined) return answer(undefined);
  return readJson(c, operation.maxBodyBytes, operation.maxBodyValues).then((body) => answer(parseWith(schema, body)));
}

/** Own paths refuse what they do not know; an address of a file may have a parameter for caches, or one of the remote. */
function takesNone({ path, query, answer }: Operation): boolean {
  return query === undefined && path.startsWith('/svcd/') && answer !== '*/*';
}

/**
 * Throws `not_permitted` for what a browser fetches in case a person wants it (Sec-Purpose, and what came before it): that
 * must never cost, whoever asks.
 */
function refuseGuess(headers: Headers): void {
  const purpose = GUESS_HEADERS.map((name) => headers.get(name) ?? '').join();
  if (!/prefetch|prerender|preview/i.test(purpose)) return;
  throw new SvcdError('not_permitted', 'a prefetch or prerender may not ask for what can cost credits', {
    hint: 'Ask when the file is needed: owned files arrive in about a millisecond.',
  });
}

const GUESS_HEADERS = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'] as const;

function responseOf(reply: object, { status = 200 }: Operation): Response {
  if (reply instanceof Response) return reply;
  return new Response(JSON.stringify(reply), { status, headers: { 'Content-Type': 'application/json' } });
}

function refuseNothingHere(): never {
  throw new SvcdError('not_found', 'there is nothing at this path', {
    hint: 'The service is below /api/v1/, svcd itself below /svcd/.',
  });
}

// Which operation of the service a path names. A path that a remote might read as one of ours, and we do not, is 404:
// passed through it would buy there without a journal.

const API = '/api/v1/';
const STICKERS = '/api/v1/stickers/';
// No URL holds a brace, so no request can name these itself.
const ANYTHING_ELSE = '/api/v1/{else}';
const NOWHERE = '/{nowhere}';

/** The route of a row's path, in hono's words. */
function patternOf(path: string): string {
  if (path === OPERATIONS.downloadSticker.path) return path;
  if (path === OPERATIONS.passThrough.path) return ANYTHING_ELSE;
  return path.replace('{preset}', '*').replaceAll(/\{(\w+)\}[^/]*/g, ':$1');
}

/**
 * The one route a path belongs to: its own, else that of stickers, else that of the rest of the service. Routes that
 * overlap would do as well, but hono chains their handlers in promises, and search would pay for that.
 */
function routeOf(path: string): string {
  if (WHOLE_PATHS.has(path) || !`${path}/`.startsWith(API)) return path;
  const isSticker = path.startsWith(STICKERS) && path.length > STICKERS.length && path[STICKERS.length] !== '/';
  if (isSticker) return OPERATIONS.downloadSticker.path;
  return readPath(path) === 'api' ? ANYTHING_ELSE : NOWHERE;
}
