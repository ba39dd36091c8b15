// What a person keeps: lists of stickers (`favourites`, `wanted`, `recent`, and those people make), and projects, a script with
// what each of its lines chose. They belong to the home, not to a browser, and go with what is owned.

import * as v from 'valibot';
import { describe, text } from '../contract/json-body.js';
import { MATCH_TEXT_MAX } from '../contract/limits.js';
import { wholeNumber } from '../contract/read-query.js';
import { copySchema, presetText } from './slot.js';
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

/** One part of a path: nothing that any system reads more into, and no mark that hides an ending. */
const folderName = v.pipe(
  text(120),
  v.check(
    (name) => name.normalize('NFC') === name && PLAIN_NAME.test(name) && !DEVICE.test(name),
    ({ input }) => `must be a name that every system takes, got ${describe(input)}`,
  ),
);
const PLAIN_NAME = /^(?![.\s])[^\\/:*?"<>|\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+(?<![.\s])$/u;
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)(?=\.|$)/i;
/** Of one file that the page made, and of the piece of it that one request brings. */
const MADE_MAX_BYTES = 512 * 1024 * 1024;
export const MADE_PIECE_MAX_BYTES = 4 * 1024 * 1024;

/** PUT /svcd/folder/made: the next piece of a file that the page made; the last one names length and digest of the whole. */
export const madeQuerySchema = v.strictObject({
  file: folderName,
  /** Folders in the person's: of the script, and in it of a sequence of pictures. */
  project: v.exactOptional(folderName),
  sequence: v.exactOptional(folderName),
  offset: wholeNumber(0, MADE_MAX_BYTES),
  bytes: v.exactOptional(wholeNumber(1, MADE_MAX_BYTES)),
  sha256: v.exactOptional(v.pipe(v.string(), v.regex(/^[\da-f]{64}$/, 'must be 64 digits of 0-9a-f'))),
});
export type MadePiece = v.InferOutput<typeof madeQuerySchema>;
/** `path` once it is whole; `there` was there already with the same bytes. */
export const madeSchema = v.object({ path: v.nullable(v.string()), there: v.boolean() });
export const projectFolderSchema = v.strictObject({ project: v.exactOptional(folderName) });
export const folderSchema = v.object({ folder: v.string() });

/** A project is called by what its page threw for it. */
export const PROJECT_ID = /^[\w-]{1,64}$/;
export const PROJECTS_MAX = 200;
export const PROJECT_MAX_BYTES = 256 * 1024;
const WORDS_MAX = 500;

/** What a project holds. */
export const projectContentSchema = v.strictObject({
  version: v.pipe(
    v.number(),
    v.check(
      (version) => version === 1,
      ({ input }) =>
        input > 1 ? 'was written by a newer svcd: update this one to open it' : `must be 1, got ${input}`,
    ),
  ),
  /** Empty for a draft: of too many the oldest makes way. */
  name: v.union([v.literal(''), collectionName]),
  script: text(MATCH_TEXT_MAX),
  lines: v.pipe(
    v.array(
      v.strictObject({
        text: text(MATCH_TEXT_MAX),
        preset: v.nullable(presetText),
        /** What it is searched by, in place of its own words. */
        q: v.exactOptional(text(WORDS_MAX)),
        locked: v.exactOptional(v.boolean()),
      }),
    ),
    v.maxLength(MATCH_TEXT_MAX),
  ),
  /** Of `/svcd/tiles`, by their names. */
  filters: v.record(v.picklist(['color', 'aspect', 'max_duration', 'style']), text(WORDS_MAX)),
});
export type ProjectContent = v.InferOutput<typeof projectContentSchema>;

/** PUT /svcd/projects/{project}: `revision` is the one that it was made from, 0 for a new project. */
export const projectChangeSchema = v.strictObject({
  revision: v.pipe(v.number(), v.integer(), v.minValue(0)),
  content: projectContentSchema,
});

const projectHead = { id: v.string(), name: v.string(), revision: v.number(), changed_at: v.string() };
export const projectsSchema = v.object({ projects: v.array(v.object(projectHead)) });
export const projectSchema = v.object({ ...projectHead, content: projectContentSchema });
/** Where another tab was faster nothing is written, and `project` is what that wrote. */
export const projectKeptSchema = v.object({ kept: v.boolean(), project: projectSchema });
export const projectRemovedSchema = v.object({ removed: v.string() });
/** A project as `svcd plan --copy` reads it. */
export const projectCopySchema = copySchema;
export type Project = Told<typeof projectSchema>;
export type ProjectKept = Told<typeof projectKeptSchema>;
export type ProjectHead = Projects['projects'][number];
export type Projects = Told<typeof projectsSchema>;
