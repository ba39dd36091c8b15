// The app: gate, routes, refusals, in the order a request meets them.

import { Hono, type Context } from 'hono';
import { SvcdError } from '../errors.js';
import type { Log } from '../log.js';
import { keyIdOf } from '../spender.js';
import { answerError } from './answer.js';
import type { Bearers } from './bearer.js';
import { addDefaultRoutes, type DefaultActions } from './default-routes.js';
import { createGate } from './gate.js';
import { addMirroredRoutes, type MirroredActions } from './mirrored-routes.js';
import { addOwnRoutes, type OwnActions } from './own-routes.js';
import { addPurchaseRoutes, type PurchaseActions } from './purchase-routes.js';
import { pathOf } from './read-request.js';

export interface AppOptions {
  readonly mirrored: MirroredActions;
  readonly own: OwnActions;
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
export function createApp(options: AppOptions): Hono {
  const app = new Hono({ getPath: (request) => pathOf(request.url) });
  const { bearers } = options;
  const spenderOf = (c: Context) => bearers.spenderOf(c.req.header('authorization'));
  const balanceOf = createBalanceOf(options, spenderOf);

  app.use(createGate(options.port));
  addMirroredRoutes(app, options.mirrored, { ...options, spenderOf, balanceOf });
  const requireToken = (c: Context) => bearers.requireToken(c.req.header('authorization'));
  addOwnRoutes(app, options.own, requireToken);
  addDefaultRoutes(app, options.defaults, requireToken);
  addPurchaseRoutes(app, options.purchases, { ...options, requireToken, spenderOf, balanceOf });
  app.notFound((c) => answerError(c, notFound(), options.log, balanceOf(c)));
  app.onError((error, c) => answerError(c, error, options.log, balanceOf(c)));
  return app;
}

/** The balance of the Key a request shows, else of the user's own. */
function createBalanceOf(options: AppOptions, spenderOf: (c: Context) => ReturnType<Bearers['spenderOf']>) {
  // One Key asks nearly always, so its digest is remembered.
  let last = { key: '', keyId: '' };
  return (c: Context): number | undefined => {
    const spender = spenderOf(c);
    const key = spender.kind === 'key' ? spender.key : options.userKey();
    if (key === undefined) return undefined;
    if (last.key !== key) last = { key, keyId: keyIdOf(key) };
    return options.findBalance(last.keyId);
  };
}

function notFound(): SvcdError {
  return new SvcdError('not_found', 'there is nothing at this path', {
    hint: 'The service is below /api/v1/, svcd itself below /svcd/.',
  });
}
