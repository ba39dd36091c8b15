// Handlers of svcd's own paths about the library: finding in it, filling it, and moving it and what is owned from one
// machine to another as lines of JSON.

import type { IncomingMessage } from 'node:http';
import type { Context } from 'hono';
import { OPERATIONS } from '../../api/operations.js';
import type { ListRelated } from '../search/find-stickers.js';
import type { Finders } from '../search/search.js';
import type { KeepOwnStickers } from './keep-own-stickers.js';
import type { TransferLibrary } from './transfer-library.js';
import type { TransferOwned } from '../owned/transfer-owned.js';
import type { Harvester } from '../../harvest/harvester.js';
import type { Library } from '../../library/library.js';
import { SvcdError } from '../../model/errors.js';
import { allowSlowBody } from '../../http/client-error-handler.js';
import { presetOf } from '../../http/read-request.js';
import type { Handlers } from '../../http/router.js';

export interface LibraryParts {
  readonly finders: Pick<Finders, 'find'>;
  readonly library: Pick<Library, 'complete'>;
  readonly listRelated: ListRelated;
  readonly harvester: Harvester;
  readonly transferLibrary: TransferLibrary;
  readonly transferOwned: TransferOwned;
  readonly ownStickers: KeepOwnStickers;
}

const NDJSON = 'application/x-ndjson';
/** How long the rest of a refused body is read. */
const DRAIN_MS = 10_000;

type Reader = ReadableStreamDefaultReader<Uint8Array>;

export function createLibraryHandlers(parts: LibraryParts) {
  const { harvester, transferLibrary, transferOwned, ownStickers } = parts;
  return {
    findStickers: ({ query, caller }) => parts.finders.find(query, caller.spender()),
    completeWord: ({ query: { q, limit } }) => ({ query: q, completions: parts.library.complete(q, limit) }),
    listRelated: ({ c, query }) => parts.listRelated(presetOf(c, OPERATIONS.listRelated), query),

    showLibrary: () => harvester.status(),
    syncLibrary: ({ query }) => linesOf(syncEvents(harvester, query.max_requests)),
    pauseLibrary: () => harvester.pause(),
    resumeLibrary: () => harvester.resume(),

    exportLibrary: () => linesOf(transferLibrary.exportLines()),
    importLibrary: ({ c, query }) =>
      readToEnd(bodyLines(c), (pieces) => transferLibrary.importLines(pieces, { anyScope: query.any_remote === '1' })),
    exportOwned: ({ query: { sha256 } }) =>
      linesOf(transferOwned.exportLines(sha256.length === 0 ? undefined : new Set(sha256))),
    importOwned: ({ c }) => readToEnd(bodyLines(c), (pieces) => transferOwned.importLines(pieces)),

    listOwnStickers: () => ({ stickers: ownStickers.list() }),
    addOwnSticker: ({ c, body }) => ownStickers.add(presetOf(c, OPERATIONS.addOwnSticker), body),
    removeOwnSticker: ({ c }) => {
      const preset = presetOf(c, OPERATIONS.removeOwnSticker);
      ownStickers.remove(preset);
      return { removed: preset };
    },
  } satisfies Partial<Handlers>;
}

/** Lines of JSON as a response. */
export function linesOf(stream: ReadableStream<Uint8Array>): Response {
  return new Response(stream, { headers: { 'Content-Type': NDJSON, 'Cache-Control': 'no-store' } });
}

/** A run's events as lines; a client that hangs up ends the run. */
function syncEvents(harvester: Harvester, maxRequests: number | undefined): ReadableStream<Uint8Array> {
  const gone = new AbortController();
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>({
    start: (controller) => {
      const tell = (event: object) => {
        if (!gone.signal.aborted) controller.enqueue(encoder.encode(`${JSON.stringify(event)}\n`));
      };
      const end = () => {
        if (!gone.signal.aborted) controller.close();
      };
      harvester.sync({ maxRequests, signal: gone.signal, tell }).then(end, end);
    },
    cancel: () => gone.abort(),
  });
}

/** The body, however large and slow: it is read line by line. Throws `unsupported_media_type`. */
export function bodyLines(c: Context): ReadableStream<Uint8Array> {
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
 * Works on a body. A refusal before its end is sent when the rest has come, or after a while: a connection that is
 * closed on a client that still sends loses the answer.
 */
export async function readToEnd<T>(
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
    // The client hung up, and needs no answer.
  } finally {
    clearTimeout(patience);
  }
}
