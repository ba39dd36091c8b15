// svcd's own paths for carrying the library and what is owned from one machine to another, as lines of JSON.

import type { IncomingMessage } from 'node:http';
import type { Context, Hono } from 'hono';
import type { CarryLibrary } from '../actions/carry-library.js';
import type { CarryOwned } from '../actions/carry-owned.js';
import { SvcdError } from '../errors.js';
import { allowSlowBody } from './refuse-garbage.js';
import { parametersOf } from './read-request.js';
import { refuseMethod } from './refuse-method.js';

export interface LibraryActions {
  readonly carryLibrary: CarryLibrary;
  readonly carryOwned: CarryOwned;
}

/** Path and method of every route here; the README's table is compared with it. */
export const LIBRARY_ROUTES = [
  ['GET', '/svcd/library/export'],
  ['POST', '/svcd/library/import'],
  ['GET', '/svcd/owned/export'],
  ['POST', '/svcd/owned/import'],
] as const;

const NDJSON = 'application/x-ndjson';

/** Adds the routes; all need the local token. */
export function addLibraryRoutes(
  app: Hono,
  actions: LibraryActions,
  requireToken: (c: Context) => void,
): void {
  const { carryLibrary, carryOwned } = actions;
  const lines = (stream: ReadableStream<Uint8Array>) =>
    new Response(stream, { headers: { 'Content-Type': NDJSON, 'Cache-Control': 'no-store' } });

  app.get('/svcd/library/export', (c) => {
    requireToken(c);
    return lines(carryLibrary.exportLines());
  });
  app.all('/svcd/library/export', () => refuseMethod('GET'));

  app.post('/svcd/library/import', async (c) => {
    requireToken(c);
    const anyScope = parametersOf(c).get('any_remote') === '1';
    return c.json(await carryLibrary.importLines(bodyLines(c), { anyScope }));
  });
  app.all('/svcd/library/import', () => refuseMethod('POST'));

  app.get('/svcd/owned/export', (c) => {
    requireToken(c);
    return lines(carryOwned.exportLines());
  });
  app.all('/svcd/owned/export', () => refuseMethod('GET'));

  app.post('/svcd/owned/import', async (c) => {
    requireToken(c);
    return c.json(await carryOwned.importLines(bodyLines(c)));
  });
  app.all('/svcd/owned/import', () => refuseMethod('POST'));
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
