// Handlers of the user's collections and projects, and of files taken out of svcd: into the folder, as a zip. None of them spends.

import type { Context } from 'hono';
import { collectionNamedSchema, MADE_PIECE_MAX_BYTES, PROJECT_ID, type Project } from '../../api/collections.js';
import { type Copy, copySchema, SLOTS_MAX, type Slot } from '../../api/slot.js';
import { OPERATIONS } from '../../api/operations.js';
import { describe, invalid, parseWith } from '../../contract/json-body.js';
import { presetOf, readBody } from '../../http/read-request.js';
import type { Handlers } from '../../http/router.js';
import type { Verbs } from '../open-verbs.js';
import type { Rooms } from '../rooms.js';

const ZIP_HEADERS = {
  'Content-Type': 'application/zip',
  'Content-Disposition': 'attachment; filename="svcd-stickers.zip"',
  'Cache-Control': 'no-store',
};

export function createCollectionHandlers({ collections, projects }: Rooms, { folder, zipOwned }: Verbs) {
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
    listProjects: () => ({ projects: projects.list() }),
    showProject: ({ c }) => projects.find(idIn(c)),
    keepProject: ({ c, body: { revision, content } }) => projects.keep(idIn(c), revision, content),
    removeProject: ({ c }) => {
      projects.drop(idIn(c));
      return { removed: idIn(c) };
    },
    copyProject: ({ c }) => copyOf(projects.find(idIn(c))),
    noteExports: ({ body: { presets } }) => {
      collections.noteExported(presets);
      return { noted: presets.length };
    },
    putIntoFolder: ({ body: { presets } }) => folder.put(presets),
    revealFolder: async ({ query: { project } }) => ({ revealed: await folder.reveal(project) }),
    setUsualFolder: async () => ({ folder: await folder.setUsual() }),
    putMade: async ({ c, query }) => folder.putMade(query, await readBody(c, MADE_PIECE_MAX_BYTES)),
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

/** Throws `invalid_request`. */
function idIn(c: Context): string {
  const id = c.req.param('project') ?? '';
  if (PROJECT_ID.test(id)) return id;
  throw invalid(`a project is called by 1 to 64 letters, digits, dashes or underscores, got ${describe(id)}`);
}

/** Its lines as slots, numbered as they are; a line without text or sticker takes no place. */
function copyOf({ content: { lines } }: Project): Copy {
  const said = lines.filter(({ text, preset }) => text.trim() !== '' || preset !== null);
  if (said.length > SLOTS_MAX)
    throw invalid(`a plan has at most ${SLOTS_MAX} slots, and this script has ${said.length} lines: split it in two`);
  const slots = said.map(({ text, preset }, nth): Slot => {
    return { id: `line-${String(nth + 1).padStart(2, '0')}`, text, ...(preset !== null && { preset }) };
  });
  return parseWith(copySchema, { slots });
}
