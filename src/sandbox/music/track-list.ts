// The tracks of the sandbox: every mood in every style at three lengths, each with the purposes its mood suits.
// What they sound like is composed elsewhere, from the same few words.

import { MOODS, STYLES, type Mood, type MusicQuery, type Purpose, type Style } from './music-query.js';

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

const SUITS: Record<Mood, readonly Purpose[]> = {
  happy: ['vlog', 'celebration', 'product'],
  calm: ['vlog', 'education', 'story'],
  sad: ['story'],
  epic: ['product', 'celebration', 'news'],
  tense: ['news', 'story'],
  romantic: ['celebration', 'story', 'vlog'],
};
const MOOD_TITLES: Record<Mood, string> = {
  happy: '欢快',
  calm: '平静',
  sad: '忧伤',
  epic: '史诗',
  tense: '紧张',
  romantic: '浪漫',
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
      title: `${MOOD_TITLES[mood]}${STYLE_TITLES[style]} ${duration} 秒`,
      purposes: SUITS[mood],
      mood,
      style,
      duration,
    })),
  ),
);

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
