// The documented service over HTTP: which path and method leads where, and how a refusal looks. Each check is
// made by whoever knows: gate.ts (Key, rate), the switches (enabled), wire/ (validity), the rooms (existence, then
// limits and credits).

import { Hono, type Context, type MiddlewareHandler } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { isSvcdError, SvcdError } from '../model/errors.js';
import type { Log } from '../platform/log.js';
import { VERSION } from '../platform/version.js';
import type { Extra } from './openapi.js';
import { refusalOf, STATUS_OF } from '../api/refusal.js';
import * as answers from './answers.js';
import type { CapabilitySwitches } from './capability-switches.js';
import { chooseFault, sendAsFaulted, withFaults, type Fault, type FaultRequest } from './fault.js';
import { admit, callerOf, identify, tellCredits, type KeyRule, type SandboxEnv } from './gate.js';
import type { ImageStudio } from './image-studio.js';
import type { Keyring } from './keyring.js';
import type { ProductionRegister } from './production-register.js';
import type { Purse } from './purse.js';
import type { RateLimit } from './rate-window.js';
import { meOf, usageOf } from './report-credits.js';
import type { RequestJournal } from './request-journal.js';
import type { StickerCounter } from './sticker-counter.js';
import type { StickerFinder } from './sticker-finder.js';

/** The rooms behind the routes. */
export interface SandboxRooms {
  keyring: Keyring;
  purse: Purse;
  rate: RateLimit;
  switches: CapabilitySwitches;
  finder: StickerFinder;
  counter: StickerCounter;
  studio: ImageStudio;
  register: ProductionRegister;
  requests: RequestJournal;
  chooseFault: (request: FaultRequest) => Fault | undefined;
  /** What the document only describes, where it is switched on. */
  moreRoutes: readonly Route[];
  /** Its names in the OpenAPI document. */
  extras: readonly Extra[];
  /** Aborts when the sandbox is about to close. */
  closing: AbortSignal;
  log: Log;
}

export interface Route {
  methods: readonly string[];
  /** Below `/api/v1/`. */
  path: string;
  key: KeyRule;
  /** The capability it belongs to: 503 `not_enabled` where that is switched off. */
  capability: string | undefined;
  answer: answers.Answer;
}

/** HEAD is for what is free: of a paid file it would have to be charged, and would bring nothing. */
const FREE_GET = ['GET', 'HEAD'];
const PAID_GET = ['GET'];
const POST = ['POST'];

/** The app of the documented service. Every refusal is `{code,message}`, with the credits header. */
export function createSandboxApp(rooms: SandboxRooms): Hono<SandboxEnv> {
  const { keyring, purse, rate, switches, log } = rooms;
  // The path stays as it was sent: decoding it is a check of its own, with an answer of its own.
  const app = new Hono<SandboxEnv>({ getPath: (request) => new URL(request.url).pathname });
  app.onError((error, c) => refuse(c, error, log));
  app.notFound((c) => refuse(c, new SvcdError('not_found', 'There is nothing at this path.'), log));
  app.use(identify(keyring), rooms.requests.record(), sendAsFaulted(rooms.closing), tellCredits(purse));
  app.use(chooseFault(rooms.chooseFault), withFaults);
  app.get('/openapi.json', async (c) => {
    // Of no use to a render: what it needs is loaded when somebody looks.
    const { openApiOf } = await import('./openapi.js');
    return c.json(openApiOf({ origin: new URL(c.req.url).origin, version: VERSION, extras: rooms.extras }));
  });
  for (const { methods, path, key, capability, answer } of [...routesOf(rooms), ...rooms.moreRoutes]) {
    app.all(`/api/v1/${path}`, allowOnly(methods), admit(key, rate), enabled(switches, capability), answer);
  }
  return app;
}

/** Answers a refusal; what was not foreseen is for the log, and whoever asked learns only that it happened. */
export function refuse(c: Context<SandboxEnv>, thrown: Error, log: Log): Response {
  const error = isSvcdError(thrown) ? thrown : unexpected(c, thrown, log);
  c.set('code', error.code);
  if (error.retryAfterS !== undefined) c.header('Retry-After', String(error.retryAfterS));
  return c.json(refusalOf(error), STATUS_OF[error.code] as ContentfulStatusCode);
}

/** Refuses every other method, before a Key is asked for. hono shows a HEAD as such, though it routes it as GET. */
export function allowOnly(methods: readonly string[]): MiddlewareHandler<SandboxEnv> {
  return async (c, next) => {
    if (methods.includes(c.req.method)) return next();
    const allowed = methods.join(', ');
    c.header('Allow', allowed);
    throw new SvcdError('method_not_allowed', `${c.req.method} is not possible here, only ${allowed}.`);
  };
}

/** The document's table (section 4); `search` and `match` come before the presets, which could be named so. */
function routesOf({ purse, switches, finder, counter, studio, register }: SandboxRooms): Route[] {
  const me: answers.Answer = (c) => c.json(meOf(callerOf(c), purse));
  const usage: answers.Answer = (c) => c.json(usageOf(callerOf(c), purse, switches.list()));
  const capabilities: answers.Answer = (c) => c.json({ capabilities: switches.list() });
  return [
    route(FREE_GET, 'me', 'needed', undefined, me),
    route(FREE_GET, 'usage', 'needed', 'usage.read', usage),
    route(FREE_GET, 'capabilities', 'ignored', undefined, capabilities),
    route(FREE_GET, 'stickers/search', 'needed', 'stickers.search', answers.answerSearch(finder)),
    route(POST, 'stickers/match', 'needed', 'stickers.match', answers.answerMatch(finder)),
    route(PAID_GET, 'stickers/:preset{.+}', 'needed', 'stickers.file', answers.answerSticker(counter)),
    route(POST, 'images', 'needed', 'images.generate', answers.answerImage(studio)),
    // What was paid for stays, also when no more are made.
    route(FREE_GET, 'images/:name', 'needed', undefined, answers.answerPng(studio)),
    route(POST, 'productions', 'optional', 'productions.register', answers.answerProduction(register)),
  ];
}

function route(
  methods: readonly string[],
  path: string,
  key: KeyRule,
  capability: string | undefined,
  answer: answers.Answer,
): Route {
  return { methods, path, key, capability, answer };
}

function enabled(
  switches: CapabilitySwitches,
  capability: string | undefined,
): MiddlewareHandler<SandboxEnv> {
  return async (_c, next) => {
    if (capability !== undefined) switches.require(capability);
    await next();
  };
}

function unexpected(c: Context, cause: Error, log: Log): SvcdError {
  log.error('sandbox failed', { method: c.req.method, path: c.req.path, reason: cause.message });
  return new SvcdError('internal', 'Something went wrong inside the sandbox.', { cause });
}
