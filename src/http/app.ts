// The app: routes and refusals. Requests have passed the gate (listen.ts), or come from this very process.

import { Hono, type Context } from 'hono';
import { TrieRouter } from 'hono/router/trie-router';
import type { AllowedOrigins } from '../actions/allow-origins.js';
import type { Finders } from '../actions/search-with-remote.js';
import type { Harvester } from '../harvest/harvester.js';
import { SvcdError } from '../model/errors.js';
import type { Log } from '../platform/log.js';
import { keyIdOf, type Permission } from '../model/spender.js';
import { plainRefusal, toResponse } from './answer.js';
import { createBearers, type BearerOptions, type FindSpender } from '../auth/authorization.js';
import { addDefaultRoutes, type DefaultActions } from './default-routes.js';
import { createFindAnswers } from './find-answers.js';
import { addFindRoutes, type FindActions } from './find-routes.js';
import { addHarvestRoutes } from './harvest-routes.js';
import type { HeaderReader } from '../auth/header-reader.js';
import { createLongLivedResponses } from './long-lived-responses.js';
import { addLibraryRoutes, type LibraryActions } from './library-routes.js';
import type { Fetch } from './listen.js';
import { addMirroredRoutes, routeOf, type MirroredActions } from './mirrored-routes.js';
import { addOriginRoutes } from './origin-routes.js';
import { addAdminRoutes, type OwnActions } from './admin-routes.js';
import { addPurchaseRoutes, type PurchaseActions } from './purchase-routes.js';
import { createPageSessions } from '../auth/page-sessions.js';
import { createTakeFinding, type TakeRequest } from './take-finding.js';
import { pathOf } from './read-request.js';
import { addTokenRoutes, type TokenActions } from './token-routes.js';

export interface AppOptions {
  readonly finders: Finders;
  readonly mirrored: MirroredActions;
  readonly own: OwnActions;
  readonly find: FindActions;
  readonly defaults: DefaultActions;
  readonly purchases: PurchaseActions;
  readonly tokens: TokenActions;
  readonly library: LibraryActions;
  readonly harvester: Harvester;
  /** What `X-Svcd-Library` says. */
  readonly libraryHeader: () => string;
  readonly origins: AllowedOrigins;
  readonly bearers: Omit<BearerOptions, 'hasSession'>;
  /** Milliseconds on a clock that only grows. */
  readonly monotonic: () => number;
  /** Where the daemon is, as `http://127.0.0.1:PORT`; known once it listens. */
  readonly origin: () => string;
  readonly findBalance: (keyId: string) => number | undefined;
  readonly deadlineMs: number;
  readonly fallback: boolean;
  readonly log: Log;
}

export interface App {
  readonly fetch: Fetch;
  /** Answers those requests itself for which the way through `fetch` is too long. */
  readonly take: TakeRequest;
  /** Every route as `METHOD /path`, so that each can be checked. */
  readonly routes: readonly string[];
  /** Ends the answers that would go on for ever. */
  close(): void;
}

/** Builds the app; it holds no state but what its actions hold, and the sessions of pages. */
export function createApp(options: AppOptions): App {
  const app = new Hono({
    getPath: (request) => routeOf(pathOf(request.url)),
    // What hono chooses for these routes, after the first request has tried the other one.
    router: new TrieRouter(),
  });
  const { log, origin } = options;
  // Cookies know no ports: two daemons of one machine must not overwrite each other's.
  const sessionCookie = () => `svcd_session_${origin().split(':').at(-1)}`;
  const held = createLongLivedResponses();
  const sessions = createPageSessions(options.monotonic, sessionCookie);
  const bearers = createBearers({ ...options.bearers, hasSession: (headers) => sessions.has(headers) });
  const spenderOf = (c: Context, need?: Permission) => bearers.judge(c.req.raw.headers)(need);
  const requireToken = (c: Context, need?: Permission) => bearers.requireToken(c.req.raw.headers, need);
  const requireOwner = (c: Context) => bearers.requireOwner(c.req.raw.headers);
  const findBalance = createFindBalance(options.findBalance);
  const balanceOf = (c: Context) => findBalance(bearers.judge(c.req.raw.headers));
  const refuse = (error: unknown, method: string, headers: HeaderReader) =>
    plainRefusal(error, method, log, findBalance(bearers.judge(headers)));
  const answerError = (error: unknown, { method, headers }: Request) =>
    toResponse(refuse(error, method, headers));
  const find = createFindAnswers({ ...options, bearers, findBalance });

  addMirroredRoutes(app, options.mirrored, { ...options, find, spenderOf, balanceOf });
  addAdminRoutes(app, options.own, requireToken, requireOwner);
  addFindRoutes(app, options.find);
  addDefaultRoutes(app, options.defaults, requireToken);
  addPurchaseRoutes(app, options.purchases, { ...options, requireToken, spenderOf, balanceOf });
  addLibraryRoutes(app, options.library, requireOwner);
  addHarvestRoutes(app, options.harvester, requireOwner);
  addOriginRoutes(app, options.origins, requireOwner);
  addTokenRoutes(app, options.tokens, { requireOwner, sessions, held, sessionCookie, origin });
  app.notFound((c) => answerError(notFound(), c.req.raw));
  app.onError((error, c) => answerError(error, c.req.raw));
  const routes = app.routes.map(({ method, path }) => `${method} ${path}`);
  return {
    fetch: (request, bindings = {}) => app.fetch(request, bindings),
    take: createTakeFinding(find, refuse),
    routes: Array.from(new Set(routes)),
    close: () => held.closeAll(),
  };
}

/** The balance of the account whose Key a request shows, or may see by its token. */
function createFindBalance(findBalance: (keyId: string) => number | undefined) {
  // One Key asks nearly always, so its digest is remembered.
  let last = { key: '', keyId: '' };
  return (findSpender: FindSpender): number | undefined => {
    const spender = findSpender('account');
    if (spender.kind === 'nobody') return undefined;
    const { key } = spender;
    if (last.key !== key) last = { key, keyId: keyIdOf(key) };
    return findBalance(last.keyId);
  };
}

function notFound(): SvcdError {
  return new SvcdError('not_found', 'there is nothing at this path', {
    hint: 'The service is below /api/v1/, svcd itself below /svcd/.',
  });
}
