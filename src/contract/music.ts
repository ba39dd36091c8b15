// Background music, as we read it. The document describes searching, previews, whole tracks and selecting, all for 0 credits, and
// shows no path and no field (sections 1 and 4): what stands here is our choice, and all that another reading would change.

import * as v from 'valibot';
import type { Credit } from '../model/credit.js';
import { isRecord } from '../platform/json.js';
import { readCredit } from './read-candidates.js';
import { readNumber, readText } from './read-field.js';

export const MUSIC_WORD_MAX = 60;
export const MUSIC_PATHS = {
  search: ({ duration_s: seconds, ...words }: MusicWish) => {
    const asked = { ...words, ...(seconds !== undefined && { duration: `${Math.ceil(seconds)}` }) };
    return `/api/v1/music/search?${new URLSearchParams(asked).toString()}`;
  },
  part: (track: string, part: 'preview' | 'file' | 'select') =>
    `/api/v1/music/tracks/${encodeURIComponent(track)}/${part}`,
};

/** Words as the service has them, and how long it should last. */
export interface MusicWish {
  readonly purpose?: string;
  readonly mood?: string;
  readonly style?: string;
  readonly duration_s?: number;
}

export interface MusicTrack extends Credit {
  readonly track: string;
  readonly title: string;
  readonly duration_s: number;
}

/** One segment of a path. */
export const trackId = v.pipe(
  v.string(),
  v.regex(/^[\p{L}\p{N}][\p{L}\p{N}._~-]{0,99}$/u, 'must be the name of a track, such as happy-piano-30'),
);

/** The tracks of an answer, in its order. What costs anything is left out: only what is free is taken without a journal. */
export function readTracks(answer: unknown): MusicTrack[] {
  const list: unknown = isRecord(answer) ? Object.values(answer).find(Array.isArray) : answer;
  return (Array.isArray(list) ? list : []).filter(isRecord).flatMap((one) => {
    const track = one['track'] ?? one['track_id'] ?? one['id'];
    const seconds = readNumber(one['duration'] ?? one['duration_s']);
    if (!v.is(trackId, track) || seconds === undefined || !isFree(one)) return [];
    const title = readText(one['title'] ?? one['name']) ?? track;
    return { track, title, duration_s: seconds, ...readCredit(one, title) };
  });
}

/** Whether a track or the capability asks for no credits. */
export function isFree({ cost, price }: Readonly<Record<string, unknown>>): boolean {
  return Number(cost ?? price ?? 0) === 0;
}
