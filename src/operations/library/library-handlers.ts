// Handlers of svcd's own paths about the library: finding in it, filling it, moving it and what is owned from one machine to
// another as lines of JSON, and the user's own stickers and defaults.

import { OPERATIONS } from '../../api/operations.js';
import { requireJson } from '../../contract/json-body.js';
import { IMAGE_SIZES, REGISTERED_MAX_BYTES } from '../../contract/limits.js';
import type { Harvester } from '../../harvest/harvester.js';
import { bodyOf } from '../../http/answer.js';
import { bodyLines, linesOf, readToEnd } from '../../http/json-lines.js';
import { presetOf, readBody } from '../../http/read-request.js';
import type { Handlers } from '../../http/router.js';
import { SvcdError } from '../../model/errors.js';
import type { Rooms } from '../rooms.js';
import type { Verbs } from '../open-verbs.js';
import { createKeepDefaults, createKeepOwnStickers } from './keep-files.js';

export function createLibraryHandlers(rooms: Rooms, { finders, listRelated, transferOwned }: Verbs) {
  const { library, harvester, transferLibrary, defaults } = rooms;
  const ownStickers = createKeepOwnStickers(rooms.own, library);
  const keepDefaults = createKeepDefaults(rooms.registered);
  return {
    findStickers: ({ query, caller }) => finders.find(query, caller.spender()),
    completeWord: ({ query: { q, limit } }) => ({ query: q, completions: library.complete(q, limit) }),
    listRelated: ({ c, query }) => listRelated(presetOf(c, OPERATIONS.listRelated), query),

    showLibrary: () => harvester.status(),
    syncLibrary: ({ query }) => linesOf(syncEvents(harvester, query.max_requests)),
    pauseLibrary: () => harvester.pause(),
    resumeLibrary: () => harvester.resume(),

    exportLibrary: () => linesOf(transferLibrary.exportLines()),
    importLibrary: ({ c, query }) =>
      readToEnd(bodyLines(c), (pieces) => transferLibrary.importLines(pieces, { anyScope: query.any_remote === '1' })),
    exportOwned: ({ query: { sha256, projects } }) =>
      linesOf(transferOwned.exportLines(sha256.length === 0 ? undefined : new Set(sha256), projects !== 'false')),
    importOwned: ({ c }) => readToEnd(bodyLines(c), (pieces) => transferOwned.importLines(pieces)),

    listOwnStickers: () => ({ stickers: ownStickers.list() }),
    addOwnSticker: ({ c, body }) => ownStickers.add(presetOf(c, OPERATIONS.addOwnSticker), body),
    removeOwnSticker: ({ c }) => {
      const preset = presetOf(c, OPERATIONS.removeOwnSticker);
      ownStickers.remove(preset);
      return { removed: preset };
    },

    showDefaultImage: async ({ c }) => {
      const size = IMAGE_SIZES.find((one) => `${one}.png` === c.req.param('size'));
      if (size === undefined) {
        throw new SvcdError('not_found', `default images are ${IMAGE_SIZES.join('.png, ')}.png`);
      }
      const headers = { 'Content-Type': 'image/png', 'Cache-Control': 'no-store' };
      return new Response(bodyOf(await defaults.readImage(size)), { headers });
    },
    listDefaults: () => ({ defaults: keepDefaults.list() }),
    addDefault: async ({ c }) => {
      requireJson(c.req.header('content-type'));
      const preset = presetOf(c, OPERATIONS.addDefault);
      return keepDefaults.add(preset, await readBody(c, REGISTERED_MAX_BYTES));
    },
    removeDefault: async ({ c }) => {
      const preset = presetOf(c, OPERATIONS.removeDefault);
      await keepDefaults.remove(preset);
      return { removed: preset };
    },
  } satisfies Partial<Handlers>;
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
