// svcd's own paths about defaults: the shipped pictures, and the stickers the user registered.

import type { Context, Hono } from 'hono';
import type { KeepDefaults } from '../actions/keep-defaults.js';
import { SvcdError } from '../model/errors.js';
import { requireJson } from '../contract/json-body.js';
import { IMAGE_SIZES, REGISTERED_MAX_BYTES, type ImageSize } from '../contract/limits.js';
import { bodyOf } from './answer.js';
import { presetBelow, readBody } from './read-request.js';
import { refuseMethod } from './refuse-method.js';

export interface DefaultActions {
  /** PNG of a default picture. */
  readonly readDefaultImage: (size: ImageSize) => Promise<Uint8Array>;
  readonly keepDefaults: KeepDefaults;
}

/** Path and method of every route about defaults; the README's table is compared with it. */
export const DEFAULT_ROUTES = [
  ['GET', '/svcd/defaults/images/{size}.png'],
  ['GET', '/svcd/defaults/stickers'],
  ['PUT', '/svcd/defaults/stickers/{preset}'],
  ['DELETE', '/svcd/defaults/stickers/{preset}'],
] as const;

const STICKERS = '/svcd/defaults/stickers';

/** Adds the routes about defaults; `requireToken` throws unless the request carries the local token. */
export function addDefaultRoutes(
  app: Hono,
  actions: DefaultActions,
  requireToken: (c: Context) => void,
): void {
  app.get('/svcd/defaults/images/:file', async (c) => {
    const bytes = await actions.readDefaultImage(sizeOf(c));
    return c.body(bodyOf(bytes), 200, { 'Content-Type': 'image/png', 'Cache-Control': 'no-store' });
  });
  app.all('/svcd/defaults/images/:file', () => refuseMethod('GET, HEAD'));

  app.get(STICKERS, (c) => c.json({ defaults: actions.keepDefaults.list() }));
  app.all(STICKERS, () => refuseMethod('GET, HEAD'));

  app.put(`${STICKERS}/*`, async (c) => {
    requireToken(c);
    requireJson(c.req.header('content-type'));
    const preset = presetBelow(c, `${STICKERS}/`);
    return c.json(await actions.keepDefaults.add(preset, await readBody(c, REGISTERED_MAX_BYTES)));
  });
  app.delete(`${STICKERS}/*`, async (c) => {
    requireToken(c);
    const preset = presetBelow(c, `${STICKERS}/`);
    await actions.keepDefaults.remove(preset);
    return c.json({ removed: preset });
  });
  app.all(`${STICKERS}/*`, () => refuseMethod('PUT, DELETE'));
}

function sizeOf(c: Context): ImageSize {
  const size = IMAGE_SIZES.find((one) => `${one}.png` === c.req.param('file'));
  if (size !== undefined) return size;
  throw new SvcdError('not_found', `default images are ${IMAGE_SIZES.join('.png, ')}.png`);
}
