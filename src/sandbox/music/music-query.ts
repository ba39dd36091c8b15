// GET /api/v1/music/search: its query. The document names what tracks are chosen by (purpose, mood, style,
// duration) and shows no path and no parameter: all of this file is our choice.

import * as v from 'valibot';
import { check, wholeInQuery } from '../wire/check.js';
import { LIMITS } from '../wire/limits.js';

export const PURPOSES = ['vlog', 'product', 'celebration', 'education', 'story', 'news'] as const;
export const MOODS = ['happy', 'calm', 'sad', 'epic', 'tense', 'romantic'] as const;
export const STYLES = ['piano', 'electronic', 'folk', 'ambient', 'marimba'] as const;
/** Seconds. */
export const DURATION_MAX = 600;

export type Purpose = (typeof PURPOSES)[number];
export type Mood = (typeof MOODS)[number];
export type Style = (typeof STYLES)[number];

const schema = v.object({
  purpose: v.optional(v.picklist(PURPOSES)),
  mood: v.optional(v.picklist(MOODS)),
  style: v.optional(v.picklist(STYLES)),
  /** Seconds that the track should last. */
  duration: v.optional(wholeInQuery(DURATION_MAX)),
  limit: v.optional(wholeInQuery(LIMITS.results), `${LIMITS.resultsByDefault}`),
});
export type MusicQuery = v.InferOutput<typeof schema>;

/** Reads which tracks are wanted; without a word all of them are. Throws `invalid_request`. */
export function readMusicQuery(parameters: URLSearchParams): MusicQuery {
  // Of a parameter that is given twice the first counts.
  return check(schema, Object.fromEntries([...parameters].toReversed()));
}
