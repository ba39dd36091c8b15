// The tracks of the sandbox: every mood in every style at three lengths, each with the purposes its mood suits.
// What they sound like is composed elsewhere, from the same few words. The document names what tracks are chosen by
// (purpose, mood, style, duration) and shows no path and no parameter: all of this file is our choice.

import * as v from 'valibot';
import { check, wholeInQuery } from '../wire/check.js';
import { LIMITS } from '../wire/limits.js';
import { inQuery, LIMIT_PARAMETER } from '../wire/requests.js';

const PURPOSES = ['vlog', 'product', 'celebration', 'education', 'story', 'news'] as const;
const MOODS = ['happy', 'calm', 'sad', 'epic', 'tense', 'romantic'] as const;
const STYLES = ['piano', 'electronic', 'folk', 'ambient', 'marimba'] as const;
/** Seconds. */
const DURATION_MAX = 600;

type Purpose = (typeof PURPOSES)[number];
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
type MusicQuery = v.InferOutput<typeof schema>;

/** Reads which tracks are wanted; without a word all of them are. Throws `invalid_request`. */
export function readMusicQuery(parameters: URLSearchParams): MusicQuery {
  // Of a parameter that is given twice the first counts.
  return check(schema, Object.fromEntries([...parameters].toReversed()));
}

/** The same for the OpenAPI document. */
export const MUSIC_PARAMETERS = [
  ...Object.entries({ purpose: PURPOSES, mood: MOODS, style: STYLES }).map(([name, words]) =>
    inQuery(name, { type: 'string', enum: words }),
  ),
  inQuery('duration', { type: 'integer', minimum: 1, maximum: DURATION_MAX }),
  inQuery('limit', LIMIT_PARAMETER),
];

export interface Track {
  /** As in `happy-piano-30`. */
  id: string;
  title: string;
  purposes: readonly Purpose[];
  mood: Mood;
  style: Style;
  /** Seconds. */
  duration: number;
}

const DURATIONS = [15, 30, 60] as const;

const BY_MOOD: Record<Mood, { title: string; purposes: readonly Purpose[] }> = {
  happy: { title: '欢快', purposes: ['vlog', 'celebration', 'product'] },
  calm: { title: '平静', purposes: ['vlog', 'education', 'story'] },
  sad: { title: '忧伤', purposes: ['story'] },
  epic: { title: '史诗', purposes: ['product', 'celebration', 'news'] },
  tense: { title: '紧张', purposes: ['news', 'story'] },
  romantic: { title: '浪漫', purposes: ['celebration', 'story', 'vlog'] },
};
const STYLE_TITLES: Record<Style, string> = {
  piano: '钢琴',
  electronic: '电子',
  folk: '民谣',
  ambient: '氛围',
  marimba: '马林巴',
};

const TRACKS: readonly Track[] = MOODS.flatMap((mood) =>
  STYLES.flatMap((style) =>
    DURATIONS.map((duration) => ({
      id: `${mood}-${style}-${duration}`,
      title: `${BY_MOOD[mood].title}${STYLE_TITLES[style]} ${duration} 秒`,
      purposes: BY_MOOD[mood].purposes,
      mood,
      style,
      duration,
    })),
  ),
);

/** The track of this id, or undefined. */
export function findTrack(id: string): Track | undefined {
  return TRACKS.find((track) => track.id === id);
}

/** The tracks that have the purpose, mood and style asked for, the nearest in length first; and how many there are. */
export function chooseTracks(query: MusicQuery): { total: number; tracks: Track[] } {
  const { purpose, mood, style, duration, limit } = query;
  const suited = TRACKS.filter(
    (track) =>
      (purpose === undefined || track.purposes.includes(purpose)) &&
      (mood === undefined || track.mood === mood) &&
      (style === undefined || track.style === style),
  );
  const distance = (track: Track) => (duration === undefined ? 0 : Math.abs(track.duration - duration));
  const nearest = suited.toSorted((a, b) => distance(a) - distance(b));
  return { total: suited.length, tracks: nearest.slice(0, limit) };
}
