// svcd's own paths for carrying the library and what is owned from one machine to another, as lines of JSON.

import type { IncomingMessage } from 'node:http';
import type { Context, Hono } from 'hono';
import type { TransferLibrary } from '../actions/transfer-library.js';
import type { TransferOwned } from '../actions/transfer-owned.js';
import type { KeepOwnStickers } from '../actions/keep-own-stickers.js';
import { SvcdError } from '../model/errors.js';
import { allowSlowBody } from './client-error-handler.js';
import { requireJson } from '../contract/json-body.js';
import { OWN_STICKER_MAX_BYTES } from '../contract/limits.js';
import { parseOwnSticker } from '../api/own-sticker-request.js';
import { parametersOf, presetBelow, readBody } from './read-request.js';
import { refuseMethod } from './refuse-method.js';

export interface LibraryActions {
  readonly carryLibrary: TransferLibrary;
  readonly carryOwned: TransferOwned;
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
/** How long the rest of a refused body is read. */
const DRAIN_MS = 10_000;

type Reader = ReadableStreamDefaultReader<Uint8Array>;

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
    return c.json(await readToEnd(bodyLines(c), (pieces) => carryLibrary.importLines(pieces, { anyScope })));
  });
  app.all('/svcd/library/import', () => refuseMethod('POST'));

  app.get('/svcd/owned/export', (c) => {
    requireOwner(c);
    return lines(carryOwned.exportLines());
  });
  app.all('/svcd/owned/export', () => refuseMethod('GET'));

  app.post('/svcd/owned/import', async (c) => {
    requireOwner(c);
    return c.json(await readToEnd(bodyLines(c), (pieces) => carryOwned.importLines(pieces)));
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
function bodyLines(c: Context): ReadableStream<Uint8Array> {
  const type = (c.req.header('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase();
  if (type !== NDJSON) {
    throw new SvcdError('unsupported_media_type', `Content-Type must be ${NDJSON}`);
  }
  // Absent where the app is asked in its own process.
  const { incoming } = (c.env ?? {}) as { incoming?: IncomingMessage };
  if (incoming !== undefined) allowSlowBody(incoming);
  return c.req.raw.body ?? new ReadableStream<Uint8Array>({ start: (controller) => controller.close() });
}

/**
 * Works on a body; what refuses it early is told when the rest has come, or after a while: a connection that is closed
 * on a client that still sends loses the answer.
 */
async function readToEnd<T>(
  body: ReadableStream<Uint8Array>,
  work: (pieces: AsyncIterable<Uint8Array>) => Promise<T>,
): Promise<T> {
  const reader = body.getReader();
  try {
    return await work(piecesOf(reader));
  } catch (error) {
    await drain(reader);
    throw error;
  }
}

/** Unlike the stream's own, leaves the rest to be read when it is left early. */
async function* piecesOf(reader: Reader): AsyncGenerator<Uint8Array> {
  for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
}

async function drain(reader: Reader): Promise<void> {
  const patience = setTimeout(() => void reader.cancel().catch(() => undefined), DRAIN_MS);
  try {
    while (!(await reader.read()).done) continue;
  } catch {
    // Whoever hung up needs no answer.
  } finally {
    clearTimeout(patience);
  }
}
