// Rows of the table for a page whose person is signed in: their collections, files taken out of svcd, and what its frame shows
// in one answer that contacts nobody; and the events that say what of it changed.

import * as v from 'valibot';
import * as collections from './collections.js';
import { LIMIT_MAX } from '../contract/limits.js';
import { anybody, page, type Told } from './operation.js';
import { status } from './answers.js';

/** Presets in a query, as many as one search can list. */
export const presetsQuerySchema = v.object({
  preset: v.pipe(
    v.array(v.string()),
    v.check(
      (all) => all.length >= 1 && all.length <= LIMIT_MAX,
      (issue) => `must be given 1 to ${LIMIT_MAX} times, got ${issue.input.length}`,
    ),
  ),
});
/** A whole list of presets of the usual length. */
const COLLECTION_MAX_BYTES = 2 * 1024 * 1024;
const PRESETS_MAX_BYTES = 256 * 1024;

export const PAGE_OPERATIONS = {
  listCollections: page.get('/svcd/collections', collections.collectionsSchema, "The user's lists of stickers."),
  replaceCollection: page.put(
    '/svcd/collections/{collection}',
    collections.collectionSchema,
    'Makes this the content of a collection, in this order.',
    { body: collections.collectionChangeSchema, maxBodyBytes: COLLECTION_MAX_BYTES },
  ),
  removeCollection: page.remove(
    '/svcd/collections/{collection}',
    collections.collectionRemovedSchema,
    'Removes a collection; one that is always there is emptied.',
  ),
  addToCollection: page.put(
    '/svcd/collections/{collection}/{preset}',
    collections.collectionSchema,
    'Puts a sticker at the end of a collection, unless it is in it.',
  ),
  removeFromCollection: page.remove(
    '/svcd/collections/{collection}/{preset}',
    collections.collectionSchema,
    'Takes a sticker out of a collection, if it is in it.',
  ),
  listProjects: page.get('/svcd/projects', collections.projectsSchema, 'Scripts that are kept, the newest first.'),
  showProject: page.get('/svcd/projects/{project}', collections.projectSchema, 'A script with what its lines chose.'),
  keepProject: page.put(
    '/svcd/projects/{project}',
    collections.projectKeptSchema,
    'Keeps a script, unless it was changed since the revision that is named.',
    { body: collections.projectChangeSchema, maxBodyBytes: collections.PROJECT_MAX_BYTES },
  ),
  removeProject: page.remove('/svcd/projects/{project}', collections.projectRemovedSchema, 'Removes a kept script.'),
  copyProject: page.get(
    '/svcd/projects/{project}/copy',
    collections.projectCopySchema,
    'A kept script as `copy.json`.',
  ),
  noteExports: page.post(
    '/svcd/exports',
    collections.exportNotedSchema,
    'Notes what was copied, saved or dragged, for the collection `recent`.',
    { repeatable: true, body: collections.exportNoteSchema, maxBodyBytes: PRESETS_MAX_BYTES },
  ),
  putIntoFolder: page.post(
    '/svcd/folder',
    collections.folderAnswerSchema,
    'Writes owned files into the folder of the setting `folder`, never over another file.',
    { repeatable: true, body: collections.folderRequestSchema, maxBodyBytes: PRESETS_MAX_BYTES },
  ),
  revealFolder: page.post(
    '/svcd/folder/reveal',
    collections.revealedSchema,
    "Shows that folder, or the one of a script in it, in the system's file window.",
    { repeatable: true, query: collections.projectFolderSchema },
  ),
  setUsualFolder: page.post(
    '/svcd/folder/default',
    collections.folderSchema,
    "Makes `svcd` in the system's folder of videos and sets it as `folder`, unless one is set.",
    { repeatable: true },
  ),
  putMade: page.put(
    '/svcd/folder/made',
    collections.madeSchema,
    'Writes a piece of at most 4 MiB of a file that the page made into that folder, never over another file.',
    { query: collections.madeQuerySchema, upload: 'application/octet-stream' },
  ),
  zipOwned: anybody.get(
    '/svcd/owned.zip',
    'application/zip',
    'Files that are owned, your own or shipped, as one zip; never buys.',
    { query: presetsQuerySchema },
  ),
} as const;

const credits = v.number();
const instant = v.string();

/** GET /svcd/summary */
export const summarySchema = v.object({
  version: v.string(),
  /** Whose account it is: null without a Key. */
  balance: v.nullable(v.object({ credits, as_of: v.nullable(instant), stale: v.boolean() })),
  price: v.object({ sticker: credits, image: credits }),
  budgets: v.array(
    v.object({
      period: v.picklist(['request', 'day', 'month']),
      limit: v.nullable(credits),
      spent: v.nullable(credits),
    }),
  ),
  remote: v.object({
    address: v.nullable(v.string()),
    sandbox: v.boolean(),
    offline: v.boolean(),
    /** Whether the user wants to be offline. */
    forced: v.boolean(),
    since: v.nullable(instant),
    why: v.nullable(v.string()),
  }),
  /** The hub that this home belongs to, which is its remote then; null for none. */
  hub: status.entries.hub,
  key: v.object({
    source: status.entries.key_source,
    last_four: v.nullable(v.string()),
    /** What is wrong with it, as an error code of the service: `invalid_key`, `key_disabled`, `key_limit_exceeded`. */
    problem: v.nullable(v.string()),
  }),
  spending_stopped: status.entries.spending_stopped,
  purchases: v.object({ unknown: v.number(), under_way: v.number() }),
  library: v.object({
    known: v.number(),
    complete: v.boolean(),
    estimate: v.nullable(v.object({ total: v.number(), low: v.number(), high: v.number() })),
    seconds_left: v.nullable(v.number()),
    paused: v.boolean(),
    /** Whether its file was damaged since svcd was started, and another took its place. */
    set_aside: v.boolean(),
  }),
  owned: v.number(),
  /** The home folder, where commands have to name it by --home; null for the usual one. */
  home: v.nullable(v.string()),
  /** Whether the setting `folder` names one. */
  folder: v.boolean(),
});
export type Summary = Told<typeof summarySchema>;
