// svcd's own paths for carrying the library and what is owned from one machine to another, as lines of JSON.

import type { IncomingMessage } from 'node:http';
import type { Context, Hono } from 'hono';
import type { CarryLibrary } from '../actions/carry-library.js';
import type { CarryOwned } from '../actions/carry-owned.js';
import type { KeepOwnStickers } from '../actions/keep-own-stickers.js';
import { SvcdError } from '../errors.js';
import { allowSlowBody } from './refuse-garbage.js';
import { requireJson } from '../wire/json-body.js';
import { OWN_STICKER_MAX_BYTES } from '../wire/limits.js';
import { parseOwnSticker } from '../wire/own-sticker-request.js';
import { parametersOf, presetBelow, readBody } from './read-request.js';
import { refuseMethod } from './refuse-method.js';

export interface LibraryActions {
  readonly carryLibrary: CarryLibrary;
  readonly carryOwned: CarryOwned;
  readonly keepOwnStickers: KeepOwnStickers;
}

/** Path and method of every route here; the README's table is compared with it. */
export const LIBRARY_ROUTES = [
  ['GET', '/svcd/library/export'],
  ['POST', '/svcd/library/import'],
  ['GET', '/svcd/owned/export'],
  ['POST', '/svcd/owned/import'],
  ['GET', '/svcd/library/stickers'],
  ['PUT', '/svcd/library/stickers/{preset}'],
  ['DELETE', '/svcd/library/stickers/{preset}'],
] as const;

const STICKERS = '/svcd/library/stickers';
const NDJSON = 'application/x-ndjson';

/** Adds the routes; all need the home's own token. */
export function addLibraryRoutes(
  app: Hono,
  actions: LibraryActions,
  requireOwner: (c: Context) => void,
): void {
  const { carryLibrary, carryOwned } = actions;
  const lines = (stream: ReadableStream<Uint8Array>) =>
    new Response(stream, { headers: { 'Content-Type': NDJSON, 'Cache-Control': 'no-store' } });

  app.get('/svcd/library/export', (c) => {
    requireOwner(c);
    return lines(carryLibrary.exportLines());
  });
  app.all('/svcd/library/export', () => refuseMethod('GET'));

  app.post('/svcd/library/import', async (c) => {
    requireOwner(c);
    const anyScope = parametersOf(c).get('any_remote') === '1';
    return c.json(await carryLibrary.importLines(bodyLines(c), { anyScope }));
  });
  app.all('/svcd/library/import', () => refuseMethod('POST'));

  app.get('/svcd/owned/export', (c) => {
    requireOwner(c);
    return lines(carryOwned.exportLines());
  });
  app.all('/svcd/owned/export', () => refuseMethod('GET'));

  app.post('/svcd/owned/import', async (c) => {
    requireOwner(c);
    return c.json(await carryOwned.importLines(bodyLines(c)));
  });
  app.all('/svcd/owned/import', () => refuseMethod('POST'));
  addOwnStickerRoutes(app, actions.keepOwnStickers, requireOwner);
}

function addOwnStickerRoutes(app: Hono, keep: KeepOwnStickers, requireOwner: (c: Context) => void): void {
  app.get(STICKERS, (c) => {
    requireOwner(c);
    return c.json({ stickers: keep.list() });
  });
  app.all(STICKERS, () => refuseMethod('GET, HEAD'));

  app.put(`${STICKERS}/*`, async (c) => {
    requireOwner(c);
    requireJson(c.req.header('content-type'));
    const preset = presetBelow(c, `${STICKERS}/`);
    return c.json(await keep.add(preset, parseOwnSticker(await readBody(c, OWN_STICKER_MAX_BYTES))));
  });
  app.delete(`${STICKERS}/*`, (c) => {
    requireOwner(c);
    const preset = presetBelow(c, `${STICKERS}/`);
    keep.remove(preset);
    return c.json({ removed: preset });
  });
  app.all(`${STICKERS}/*`, () => refuseMethod('PUT, DELETE'));
}

/** The body, however large and slow: it is read line by line. Throws `unsupported_media_type`. */
function bodyLines(c: Context): AsyncIterable<Uint8Array> {
  const type = (c.req.header('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase();
  if (type !== NDJSON) {
    throw new SvcdError('unsupported_media_type', `Content-Type must be ${NDJSON}`);
  }
  // Absent where the app is asked in its own process.
  const { incoming } = (c.env ?? {}) as { incoming?: IncomingMessage };
  if (incoming !== undefined) allowSlowBody(incoming);
  return c.req.raw.body ?? new ReadableStream<Uint8Array>({ start: (controller) => controller.close() });
}
