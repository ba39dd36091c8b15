// svcd's own paths, below /svcd/.

import type { Context, Hono } from 'hono';
import { SvcdError } from '../errors.js';
import { IMAGE_SIZES, LIMIT_MAX, type ImageSize } from '../wire/limits.js';
import { bodyOf } from './answer.js';
import { refuseMethod } from './refuse-method.js';

export interface OwnActions {
  /** What anybody on this machine may know. */
  readonly showStatus: () => object;
  /** Which of these presets cost nothing any more: bought before, or shipped with svcd. */
  readonly listFree: (presets: readonly string[]) => { owned: string[]; shipped: string[] };
  /** PNG of a default picture. */
  readonly readDefaultImage: (size: ImageSize) => Promise<Uint8Array>;
  /** Stops the daemon after the answer has left. */
  readonly stop: () => void;
}

/** Path and method of every route of our own; the README's table is compared with it. */
export const OWN_ROUTES = [
  ['GET', '/svcd/status'],
  ['GET', '/svcd/owned'],
  ['POST', '/svcd/stop'],
  ['GET', '/svcd/defaults/images/{size}.png'],
] as const;

/** As many as one search can list. */
const ASKED_MAX = LIMIT_MAX;

/** Adds svcd's own routes; `requireToken` throws unless the request carries the local token. */
export function addOwnRoutes(app: Hono, actions: OwnActions, requireToken: (c: Context) => void): void {
  app.get('/', (c) => c.json({ name: 'svcd', status: '/svcd/status', search: '/api/v1/stickers/search?q=' }));

  app.get('/svcd/status', (c) => c.json(actions.showStatus()));
  app.all('/svcd/status', () => refuseMethod('GET, HEAD'));

  // No token: a HEAD of the sticker tells anybody the same.
  app.get('/svcd/owned', (c) => c.json(actions.listFree(askedPresets(c))));
  app.all('/svcd/owned', () => refuseMethod('GET, HEAD'));

  app.post('/svcd/stop', (c) => {
    requireToken(c);
    actions.stop();
    return c.json({ stopping: true });
  });
  app.all('/svcd/stop', () => refuseMethod('POST'));

  app.get('/svcd/defaults/images/:file', async (c) => {
    const size = IMAGE_SIZES.find((one) => `${one}.png` === c.req.param('file'));
    if (size === undefined)
      throw new SvcdError('not_found', `default images are ${IMAGE_SIZES.join('.png, ')}.png`);
    const bytes = await actions.readDefaultImage(size);
    return c.body(bodyOf(bytes), 200, { 'Content-Type': 'image/png', 'Cache-Control': 'no-store' });
  });
}

function askedPresets(c: Context): string[] {
  const presets = c.req.queries('preset') ?? [];
  if (presets.length >= 1 && presets.length <= ASKED_MAX) return presets;
  throw new SvcdError(
    'invalid_request',
    `preset: must be given 1 to ${ASKED_MAX} times, got ${presets.length}`,
  );
}
