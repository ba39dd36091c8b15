// The app: gate, routes, refusals, in the order a request meets them.

import { Hono, type Context } from 'hono';
import { SvcdError } from '../errors.js';
import type { Log } from '../log.js';
import { keyIdOf } from '../spender.js';
import { answerError } from './answer.js';
import type { Bearers } from './bearer.js';
import { addDefaultRoutes, type DefaultActions } from './default-routes.js';
import { addFindRoutes, type FindActions } from './find-routes.js';
import { behindGate, type Refuse } from './gate.js';
import type { Fetch } from './listen.js';
import { addMirroredRoutes, routeOf, type MirroredActions } from './mirrored-routes.js';
import { addOwnRoutes, type OwnActions } from './own-routes.js';
import { addPurchaseRoutes, type PurchaseActions } from './purchase-routes.js';
import { pathOf } from './read-request.js';

export interface AppOptions {
  readonly mirrored: MirroredActions;
  readonly own: OwnActions;
  readonly find: FindActions;
  readonly defaults: DefaultActions;
  readonly purchases: PurchaseActions;
  readonly bearers: Bearers;
  readonly userKey: () => string | undefined;
  readonly findBalance: (keyId: string) => number | undefined;
  readonly port: () => number;
  readonly deadlineMs: number;
  readonly fallback: boolean;
  readonly log: Log;
}

/** Builds the app; it holds no state but what its actions hold. */
export function createApp(options: AppOptions): { readonly fetch: Fetch } {
  const app = new Hono({ getPath: (request) => routeOf(pathOf(request.url)) });
  const { bearers, log } = options;
  const spenderOf = (c: Context) => bearers.spenderOf(c.req.header('authorization'));
  const findBalance = createFindBalance(options);
  const balanceOf = (c: Context) => findBalance(c.req.raw);
  const refuse: Refuse = (error, request) => answerError(request, error, log, findBalance(request));

  addMirroredRoutes(app, options.mirrored, { ...options, spenderOf, balanceOf });
  const requireToken = (c: Context) => bearers.requireToken(c.req.header('authorization'));
  addOwnRoutes(app, options.own, requireToken);
  addFindRoutes(app, options.find);
  addDefaultRoutes(app, options.defaults, requireToken);
  addPurchaseRoutes(app, options.purchases, { ...options, requireToken, spenderOf, balanceOf });
  app.notFound((c) => refuse(notFound(), c.req.raw));
  app.onError((error, c) => refuse(error, c.req.raw));
  return { fetch: behindGate((request) => app.fetch(request), options.port, refuse) };
}

/** The balance of the Key a request shows, else of the user's own. */
function createFindBalance({ bearers, userKey, findBalance }: AppOptions) {
  // One Key asks nearly always, so its digest is remembered.
  let last = { key: '', keyId: '' };
  return ({ headers }: Request): number | undefined => {
    const spender = bearers.spenderOf(headers.get('authorization') ?? undefined);
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
