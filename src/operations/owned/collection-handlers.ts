// Handlers of the user's collections, and of files taken out of svcd: into the folder, as a zip. None of them spends.

import type { Context } from 'hono';
import { collectionNamedSchema } from '../../api/collections.js';
import { OPERATIONS } from '../../api/operations.js';
import { parseWith } from '../../contract/json-body.js';
import { presetOf } from '../../http/read-request.js';
import type { Handlers } from '../../http/router.js';
import type { Verbs } from '../open-verbs.js';
import type { Rooms } from '../rooms.js';

const ZIP_HEADERS = {
  'Content-Type': 'application/zip',
  'Content-Disposition': 'attachment; filename="svcd-stickers.zip"',
  'Cache-Control': 'no-store',
};

export function createCollectionHandlers({ collections }: Rooms, { folder, zipOwned }: Verbs) {
  return {
    listCollections: () => ({ collections: collections.list() }),
    replaceCollection: ({ c, body }) => collections.replace(nameIn(c), body.presets),
    removeCollection: ({ c }) => {
      const name = nameIn(c);
      collections.drop(name);
      return { removed: name };
    },
    addToCollection: ({ c }) => collections.add(nameIn(c), presetOf(c, OPERATIONS.addToCollection)),
    removeFromCollection: ({ c }) => collections.remove(nameIn(c), presetOf(c, OPERATIONS.removeFromCollection)),
    noteExports: ({ body: { presets } }) => {
      collections.noteExported(presets);
      return { noted: presets.length };
    },
    putIntoFolder: ({ body: { presets } }) => folder.put(presets),
    revealFolder: async () => ({ revealed: await folder.reveal() }),
    zipOwned: ({ c, query: { preset } }) => {
      const bytes = zipOwned(preset);
      return new Response(c.req.method === 'HEAD' ? null : ReadableStream.from(bytes), { headers: ZIP_HEADERS });
    },
  } satisfies Partial<Handlers>;
}

/** Throws `invalid_request`. */
function nameIn(c: Context): string {
  return parseWith(collectionNamedSchema, { collection: c.req.param('collection') }).collection;
}
