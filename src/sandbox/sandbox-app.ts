// The documented service over HTTP: which path and method leads where, and how a refusal looks. Each check is
// made by whoever knows: gate.ts (Key, rate), wire/ (validity), the rooms (existence, then credits).

import { Hono, type Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { isSvcdError, SvcdError } from '../errors.js';
import type { Log } from '../log.js';
import { DOCUMENTED_CAPABILITIES } from '../wire/capability.js';
import { refusalOf, STATUS_OF } from '../wire/refusal.js';
import type { Account } from './account.js';
import * as answers from './answers.js';
import { withFaults, type Faults } from './fault.js';
import { admit, tellCredits, type KeyRule, type SandboxEnv } from './gate.js';
import type { ImageStudio } from './image-studio.js';
import type { ProductionRegister } from './production-register.js';
import type { RateWindow } from './rate-window.js';
import { meOf, usageOf } from './report-credits.js';
import type { StickerCounter } from './sticker-counter.js';
import type { StickerFinder } from './sticker-finder.js';

/** The rooms behind the routes. */
export interface SandboxRooms {
  account: Account;
  rate: RateWindow;
  finder: StickerFinder;
  counter: StickerCounter;
  studio: ImageStudio;
  register: ProductionRegister;
  faults: Faults;
  log: Log;
}

interface Route {
  methods: readonly string[];
  path: string;
  key: KeyRule;
  answer: answers.Answer;
}

/** HEAD is for what is free: of a paid file it would have to be charged, and would bring nothing. */
const FREE_GET = ['GET', 'HEAD'];
const PAID_GET = ['GET'];
const POST = ['POST'];

/** The app of the documented service. Every refusal is `{code,message}`, with the credits header. */
export function createSandboxApp(rooms: SandboxRooms): Hono<SandboxEnv> {
  // The path stays as it was sent: decoding it is a check of its own, with an answer of its own.
  const app = new Hono<SandboxEnv>({ getPath: (request) => new URL(request.url).pathname });
  app.onError((error, c) => refuse(c, error, rooms.log));
  app.notFound((c) => refuse(c, new SvcdError('not_found', 'There is nothing at this path.'), rooms.log));
  app.use(tellCredits, withFaults(rooms.faults));
  for (const { methods, path, key, answer } of routesOf(rooms)) {
    app.all(path, allowOnly(methods), admit(key, rooms.account, rooms.rate), answer);
  }
  return app;
}

/** The document's table (section 4); `search` and `match` come before the presets, which could be named so. */
function routesOf({ account, finder, counter, studio, register }: SandboxRooms): Route[] {
  const capabilities = { capabilities: DOCUMENTED_CAPABILITIES };
  return [
    route(FREE_GET, 'me', 'needed', (c) => c.json(meOf(account))),
    route(FREE_GET, 'usage', 'needed', (c) => c.json(usageOf(account))),
    route(FREE_GET, 'capabilities', 'ignored', (c) => c.json(capabilities)),
    route(FREE_GET, 'stickers/search', 'needed', answers.answerSearch(finder)),
    route(POST, 'stickers/match', 'needed', answers.answerMatch(finder)),
    route(PAID_GET, 'stickers/:preset{.+}', 'needed', answers.answerSticker(counter, account)),
    route(POST, 'images', 'needed', answers.answerImage(studio, account)),
    route(FREE_GET, 'images/:name', 'needed', answers.answerPng(studio)),
    route(POST, 'productions', 'optional', answers.answerProduction(register)),
  ];
}

function route(methods: readonly string[], path: string, key: KeyRule, answer: answers.Answer): Route {
  return { methods, path: `/api/v1/${path}`, key, answer };
}

/** Refuses every other method, before a Key is asked for. hono shows a HEAD as such, though it routes it as GET. */
function allowOnly(methods: readonly string[]) {
  return async (c: Context, next: () => Promise<void>): Promise<void> => {
    if (methods.includes(c.req.method)) return next();
    const allowed = methods.join(', ');
    c.header('Allow', allowed);
    throw new SvcdError('method_not_allowed', `${c.req.method} is not possible here, only ${allowed}.`);
  };
}

function refuse(c: Context, thrown: Error, log: Log): Response {
  const error = isSvcdError(thrown) ? thrown : unexpected(c, thrown, log);
  if (error.retryAfterS !== undefined) c.header('Retry-After', String(error.retryAfterS));
  return c.json(refusalOf(error), STATUS_OF[error.code] as ContentfulStatusCode);
}

/** What was not foreseen is for the log; whoever asked learns only that it happened. */
function unexpected(c: Context, cause: Error, log: Log): SvcdError {
  log.error('sandbox failed', { method: c.req.method, path: c.req.path, reason: cause.message });
  return new SvcdError('internal', 'Something went wrong inside the sandbox.', { cause });
}
