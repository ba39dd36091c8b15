// How full the library is and what is done about it, as GET /svcd/library tells it.

import * as v from 'valibot';
import type { Told } from './operation.js';

const stateSchema = v.picklist([
  // Nothing runs, and nothing is left to do for now.
  'complete',
  'filling',
  // Looking again at what was seen longest ago.
  'refreshing',
  // Something is in the way that passes by itself.
  'waiting',
  // The user wants it so.
  'paused',
  'off',
  // A person has to mend something first.
  'stopped',
]);

/** The answer of GET /svcd/library, and part of each event of a sync. */
export const libraryStatusSchema = v.object({
  state: stateSchema,
  why: v.nullable(v.string()),
  complete: v.boolean(),
  /** Stickers the remote listed so far. */
  known: v.number(),
  /** Stickers of the remote in all; between low and high in about 19 of 20 cases. Null while that cannot be said. */
  estimate: v.nullable(v.object({ total: v.number(), low: v.number(), high: v.number() })),
  /** Known of all, 0 to 1. */
  coverage: v.nullable(v.number()),
  requests: v.object({ sent: v.number(), answered: v.number() }),
  last_sync_at: v.nullable(v.string()),
  /** The hub whose library this is a copy of, and when it was last taken; null where the service is asked. */
  hub: v.nullable(v.object({ address: v.string(), taken_at: v.nullable(v.string()) })),
  background: v.boolean(),
  allowed_per_minute: v.number(),
  seconds_left: v.nullable(v.number()),
});

/** What filling the library is doing. */
export type LibraryState = v.InferOutput<typeof stateSchema>;
export type LibraryStatus = Told<typeof libraryStatusSchema>;
