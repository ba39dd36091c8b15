// The user's own lists of stickers: `favourites`, `wanted`, `recent`, and those people make. They belong to the home, not
// to a browser, and go with what is owned.

import * as v from 'valibot';
import { presetText } from './slot.js';
import type { Told } from './operation.js';

const COLLECTION_NAME_MAX = 60;
export const COLLECTIONS_MAX = 200;
export const COLLECTED_MAX = 5000;
/** What was exported last; older ones are left out. */
export const RECENT_MAX = 200;

/** Any text on one line; white space around it is no part of it. */
export const collectionName = v.pipe(
  v.string(),
  v.transform((name) => name.normalize('NFC').trim()),
  v.check(
    (name) => name !== '' && Array.from(name).length <= COLLECTION_NAME_MAX && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name),
    `must be a name of 1 to ${COLLECTION_NAME_MAX} characters on one line`,
  ),
);

/** Where a collection is named: in a path, in a line of an export. */
export const collectionNamedSchema = v.object({ collection: collectionName });

const collection = v.object({
  name: v.string(),
  presets: v.array(v.string()),
  changed_at: v.nullable(v.string()),
});
export const collectionsSchema = v.object({ collections: v.array(collection) });
export const collectionSchema = collection;
export type Collection = Told<typeof collection>;
export type Collections = Told<typeof collectionsSchema>;
export const collectionRemovedSchema = v.object({ removed: v.string() });

/** PUT /svcd/collections/{collection}: the whole list, in its order. */
export const collectionChangeSchema = v.strictObject({
  presets: v.pipe(
    v.array(presetText),
    v.maxLength(COLLECTED_MAX, (issue) => `has ${issue.input.length} entries, at most ${COLLECTED_MAX} are allowed`),
  ),
});

/** POST /svcd/exports: what was copied, saved or dragged, for `recent`. */
export const exportNoteSchema = v.strictObject({
  presets: v.pipe(v.array(presetText), v.minLength(1), v.maxLength(200)),
});
export const exportNotedSchema = v.object({ noted: v.number() });

/** POST /svcd/folder: writes owned files into the folder of the setting `folder`, never over another file. */
export const folderRequestSchema = v.strictObject({
  presets: v.pipe(v.array(presetText), v.minLength(1), v.maxLength(200)),
});
export const folderAnswerSchema = v.object({
  folder: v.string(),
  /** `there` was there already with the same bytes. */
  files: v.array(v.object({ preset: v.string(), path: v.string(), there: v.boolean() })),
  failed: v.array(v.object({ preset: v.string(), code: v.string(), message: v.string() })),
});
export type FolderAnswer = Told<typeof folderAnswerSchema>;
export const revealedSchema = v.object({ revealed: v.string() });
