// The tracks of the sandbox: every mood in every style at three lengths, each with the purposes its mood suits.
// What they sound like is composed elsewhere, from the same few words.

import type { Mood, MusicQuery, Purpose, Style } from './music-query.js';

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

const MOODS: Record<Mood, { title: string; purposes: readonly Purpose[] }> = {
  happy: { title: '欢快', purposes: ['vlog', 'celebration', 'product'] },
  calm: { title: '平静', purposes: ['vlog', 'education', 'story'] },
  sad: { title: '忧伤', purposes: ['story'] },
  epic: { title: '史诗', purposes: ['product', 'celebration', 'news'] },
  tense: { title: '紧张', purposes: ['news', 'story'] },
  romantic: { title: '浪漫', purposes: ['celebration', 'story', 'vlog'] },
};
const STYLES: Record<Style, string> = {
  piano: '钢琴',
  electronic: '电子',
  folk: '民谣',
  ambient: '氛围',
  marimba: '马林巴',
};

const TRACKS: readonly Track[] = (Object.keys(MOODS) as Mood[]).flatMap((mood) =>
  (Object.keys(STYLES) as Style[]).flatMap((style) =>
    DURATIONS.map((duration) => ({
      id: `${mood}-${style}-${duration}`,
      title: `${MOODS[mood].title}${STYLES[style]} ${duration} 秒`,
      purposes: MOODS[mood].purposes,
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
