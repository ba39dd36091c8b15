// Rows of the table for a page whose person is signed in: their collections, and files taken out of svcd.

import * as v from 'valibot';
import { LIMIT_MAX } from '../contract/limits.js';
import * as collections from './collections.js';
import { anybody, page } from './operation.js';

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
    "Shows that folder in the system's file window.",
    { repeatable: true },
  ),
  zipOwned: anybody.get(
    '/svcd/owned.zip',
    'application/zip',
    'Files that are owned, your own or shipped, as one zip; never buys.',
    { query: presetsQuerySchema },
  ),
} as const;
