// svcd's own paths, below /svcd/.

import type { Context, Hono } from 'hono';
import { SvcdError } from '../model/errors.js';
import { LIMIT_MAX } from '../contract/limits.js';
import { parseOfflineRequest } from '../api/admin-requests.js';
import { FRONT_PAGE } from './front-page.js';
import { PAGE_HEADERS } from './security-headers.js';
import { readJson } from './read-request.js';
import { refuseMethod } from './refuse-method.js';

export interface OwnActions {
  /** What anybody on this machine may know. */
  readonly showStatus: () => object;
  /** Which of these presets cost nothing any more: bought before, or shipped with svcd. */
  readonly listFree: (presets: readonly string[]) => { owned: string[]; shipped: string[] };
  /** Lets nothing leave for the remote any more, or lets it again. */
  readonly switchOffline: (offline: boolean) => object;
  /** Stops the daemon after the answer has left. */
  readonly stop: () => void;
}

/** Path and method of every route of our own; the README's table is compared with it. */
export const OWN_ROUTES = [
  ['GET', '/'],
  ['GET', '/svcd/status'],
  ['GET', '/svcd/owned'],
  ['POST', '/svcd/offline'],
  ['POST', '/svcd/stop'],
] as const;

const SIGNPOST = { name: 'svcd', status: '/svcd/status', search: '/api/v1/stickers/search?q=' };

/** As many as one search can list. */
const ASKED_MAX = LIMIT_MAX;

/** Adds svcd's own routes; `requireToken` throws unless the request carries a token that will do, `requireOwner` unless it is the home's own. */
export function addAdminRoutes(
  app: Hono,
  actions: OwnActions,
  requireToken: (c: Context) => void,
  requireOwner: (c: Context) => void,
): void {
  app.get('/', (c) => {
    const wantsPage = c.req.header('accept')?.includes('text/html') === true;
    return wantsPage ? c.body(FRONT_PAGE, 200, PAGE_HEADERS) : c.json(SIGNPOST);
  });
  app.all('/', () => refuseMethod('GET, HEAD'));

  app.get('/svcd/status', (c) => c.json(actions.showStatus()));
  app.all('/svcd/status', () => refuseMethod('GET, HEAD'));

  // No token: a HEAD of the sticker tells anybody the same.
  app.get('/svcd/owned', (c) => c.json(actions.listFree(askedPresets(c))));
  app.all('/svcd/owned', () => refuseMethod('GET, HEAD'));

  app.post('/svcd/offline', async (c) => {
    requireToken(c);
    return c.json(actions.switchOffline(parseOfflineRequest(await readJson(c))));
  });
  app.all('/svcd/offline', () => refuseMethod('POST'));

  app.post('/svcd/stop', (c) => {
    requireOwner(c);
    actions.stop();
    return c.json({ stopping: true });
  });
  app.all('/svcd/stop', () => refuseMethod('POST'));
}

function askedPresets(c: Context): string[] {
  const presets = c.req.queries('preset') ?? [];
  if (presets.length >= 1 && presets.length <= ASKED_MAX) return presets;
  throw new SvcdError(
    'invalid_request',
    `preset: must be given 1 to ${ASKED_MAX} times, got ${presets.length}`,
  );
}
