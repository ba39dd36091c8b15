// The app: routes and refusals. Requests have passed the gate (listen.ts), or come from this very process.

import { Hono, type Context } from 'hono';
import type { AllowedOrigins } from '../actions/allow-origins.js';
import { SvcdError } from '../errors.js';
import type { Log } from '../log.js';
import { keyIdOf, type Spender } from '../spender.js';
import { answerError } from './answer.js';
import type { Bearers } from './bearer.js';
import { comesFromBrowser } from './comes-from-browser.js';
import { addDefaultRoutes, type DefaultActions } from './default-routes.js';
import { addHarvestRoutes } from './harvest-routes.js';
import type { Harvester } from '../actions/harvest-library.js';
import { addLibraryRoutes, type LibraryActions } from './library-routes.js';
import type { Fetch } from './listen.js';
import { addMirroredRoutes, routeOf, type MirroredActions } from './mirrored-routes.js';
import { addOriginRoutes } from './origin-routes.js';
import { addOwnRoutes, type OwnActions } from './own-routes.js';
import { addPurchaseRoutes, type PurchaseActions } from './purchase-routes.js';
import { pathOf } from './read-request.js';

export interface AppOptions {
  readonly mirrored: MirroredActions;
  readonly own: OwnActions;
  readonly defaults: DefaultActions;
  readonly purchases: PurchaseActions;
  readonly library: LibraryActions;
  readonly harvester: Harvester;
  /** What `X-Svcd-Library` says. */
  readonly libraryHeader: () => string;
  readonly origins: AllowedOrigins;
  readonly bearers: Bearers;
  readonly userKey: () => string | undefined;
  readonly findBalance: (keyId: string) => number | undefined;
  readonly deadlineMs: number;
  readonly fallback: boolean;
  readonly log: Log;
}

/** Builds the app; it holds no state but what its actions hold. */
export function createApp(options: AppOptions): { readonly fetch: Fetch } {
  const app = new Hono({ getPath: (request) => routeOf(pathOf(request.url)) });
  const { bearers, log } = options;
  const spenderOf = (c: Context) => spenderIn(bearers, (name) => c.req.header(name));
  const findBalance = createFindBalance(options);
  const balanceOf = (c: Context) => findBalance(c.req.raw);
  const refuse = (error: unknown, request: Request) => answerError(request, error, log, findBalance(request));

  addMirroredRoutes(app, options.mirrored, { ...options, spenderOf, balanceOf });
  const requireToken = (c: Context) => bearers.requireToken(c.req.header('authorization'));
  addOwnRoutes(app, options.own, requireToken);
  addDefaultRoutes(app, options.defaults, requireToken);
  addPurchaseRoutes(app, options.purchases, { ...options, requireToken, spenderOf, balanceOf });
  addLibraryRoutes(app, options.library, requireToken);
  addHarvestRoutes(app, options.harvester, requireToken);
  addOriginRoutes(app, options.origins, requireToken);
  app.notFound((c) => refuse(notFound(), c.req.raw));
  app.onError((error, c) => refuse(error, c.req.raw));
  return { fetch: (request) => app.fetch(request) };
}

/** Whose credits a request may spend: trust without a bearer is for programs, never for what a page sends. */
function spenderIn(bearers: Bearers, header: (name: string) => string | undefined): Spender {
  const authorization = header('authorization');
  const spender = bearers.spenderOf(authorization);
  const isTrusted = authorization === undefined && spender.kind === 'key';
  return isTrusted && comesFromBrowser(header) ? { kind: 'nobody' } : spender;
}

/** The balance of the Key a request shows, else of the user's own, which is told to no page without the token. */
function createFindBalance({ bearers, userKey, findBalance }: AppOptions) {
  // One Key asks nearly always, so its digest is remembered.
  let last = { key: '', keyId: '' };
  return ({ headers }: Request): number | undefined => {
    const spender = spenderIn(bearers, (name) => headers.get(name) ?? undefined);
    if (spender.kind === 'nobody' && headers.get('origin') !== null) return undefined;
    const key = spender.kind === 'key' ? spender.key : userKey();
    if (key === undefined) return undefined;
    if (last.key !== key) last = { key, keyId: keyIdOf(key) };
    return findBalance(last.keyId);
  };
}

function notFound(): SvcdError {
  return new SvcdError('not_found', 'there is nothing at this path', {
    hint: 'The service is below /api/v1/, svcd itself below /svcd/.',
  });
}
