// What one line is of the answers that are lines of JSON. A reader skips empty lines: they keep a connection alive.

import * as v from 'valibot';
import { projectContentSchema } from './collections.js';
import { libraryStatusSchema } from './library.js';

const status = libraryStatusSchema.entries;
const count = v.number();
/** ISO 8601. */
const instant = v.string();

/** POST /svcd/library/sync: what filling the library does, until it is done. */
export const syncEventSchema = v.variant('event', [
  v.object({ event: v.literal('begun'), ...status }),
  v.object({ event: v.literal('waiting'), ...status }),
  v.object({
    event: v.literal('asked'),
    purpose: v.picklist(['fill', 'refresh']),
    words: v.array(v.string()),
    listed: count,
    fresh: count,
    changed: count,
    ...status,
  }),
  v.object({ event: v.literal('ended'), asked: count, fresh: count, ...status }),
]);

/** POST /svcd/tokens/lease: its first line. The token lives until the reader hangs up. */
export const leaseLineSchema = v.object({ name: v.string(), token: v.string() });

const header = { version: v.number(), exported_at: instant };
const gzip = v.pipe(v.string(), v.metadata({ json: { contentEncoding: 'base64' } }));

/** GET /svcd/library/export: a header, stickers, what the remote listed for words, its synonyms, an end. */
export const libraryLineSchema = v.union([
  v.object({
    format: v.literal('svcd-library'),
    ...header,
    scope: v.string(),
    stickers: count,
    complete: v.boolean(),
  }),
  v.looseObject({
    preset: v.string(),
    title: v.string(),
    keywords: v.array(v.string()),
    /** Milliseconds since the epoch. */
    seen: v.exactOptional(v.object({ first: count, last: count, gone: v.exactOptional(count) })),
    /** As the remote told it, by the form of its answer. */
    originals: v.exactOptional(v.record(v.string(), v.unknown())),
  }),
  v.object({ recall: v.string(), presets: v.array(v.string()), whole: v.exactOptional(v.literal(true)) }),
  v.object({ synonym: v.string(), finds: v.string() }),
  v.object({ end: v.literal(true), stickers: count }),
]);

/** GET /svcd/owned/export: a header, files with their digests, the user's collections and projects, an end. */
export const ownedLineSchema = v.union([
  v.object({
    format: v.literal('svcd-owned'),
    version: v.number(),
    scope: v.string(),
    collection: v.string(),
    presets: v.array(v.string()),
    changed_at: instant,
  }),
  v.object({
    format: v.literal('svcd-owned'),
    version: v.number(),
    scope: v.string(),
    /** A script that is kept. */
    project: v.string(),
    content: projectContentSchema,
    changed_at: instant,
  }),
  v.object({ format: v.literal('svcd-owned'), ...header }),
  v.object({
    /** The remote that sold it. */
    scope: v.string(),
    /** Its kind and name. */
    item: v.string(),
    content_type: v.string(),
    sha256: v.string(),
    kept_at: instant,
    /** What proves that a hub paid for it. */
    receipt: v.exactOptional(v.string()),
    gzip,
  }),
  v.object({
    own: v.looseObject({ preset: v.string(), title: v.string(), keywords: v.array(v.string()) }),
    sha256: v.string(),
    added_at: instant,
    gzip,
  }),
  v.object({ end: v.literal(true), items: count }),
]);
