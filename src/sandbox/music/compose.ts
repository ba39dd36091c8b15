// The notes of a track: chords that suit the mood, a bass, and a tune that walks over them. The same track has the
// same notes on every machine.

import { createHash } from 'node:crypto';
import type { Mood, Track } from './track-list.js';

export interface Note {
  /** Seconds from the beginning. */
  at: number;
  lasts: number;
  /** Hertz. */
  pitch: number;
  /** 0 to 1. */
  loudness: number;
}

interface Temper {
  beatsPerMinute: number;
  /** Semitones of the scale. */
  scale: readonly number[];
  /** Degrees of the scale that the chords stand on, a bar each. */
  chords: readonly number[];
  /** Notes of the tune in a beat. */
  liveliness: number;
  /** MIDI number of the lowest note of the scale. */
  root: number;
}

const MAJOR = [0, 2, 4, 5, 7, 9, 11];
const MINOR = [0, 2, 3, 5, 7, 8, 10];
const BEATS_IN_BAR = 4;

const TEMPERS: Record<Mood, Temper> = {
  happy: { beatsPerMinute: 124, scale: MAJOR, chords: [0, 4, 5, 3], liveliness: 2, root: 60 },
  calm: { beatsPerMinute: 72, scale: MAJOR, chords: [0, 3, 0, 4], liveliness: 1, root: 57 },
  sad: { beatsPerMinute: 66, scale: MINOR, chords: [0, 5, 3, 4], liveliness: 1, root: 57 },
  epic: { beatsPerMinute: 96, scale: MINOR, chords: [0, 5, 2, 6], liveliness: 2, root: 50 },
  tense: { beatsPerMinute: 138, scale: MINOR, chords: [0, 0, 1, 0], liveliness: 2, root: 48 },
  romantic: { beatsPerMinute: 80, scale: MAJOR, chords: [0, 5, 1, 4], liveliness: 1, root: 62 },
};

/** The notes that begin within `seconds`, by time. */
export function composeTrack({ mood, style }: Track, seconds: number): Note[] {
  const temper = TEMPERS[mood];
  const chance = createHash('sha256').update(`${mood} ${style}`).digest();
  const bars = Math.ceil(seconds / ((60 / temper.beatsPerMinute) * BEATS_IN_BAR));
  return Array.from({ length: bars }, (_, bar) => barOf(temper, bar, chance))
    .flat()
    .filter(({ at }) => at < seconds)
    .toSorted((a, b) => a.at - b.at);
}

/** A chord, two notes of bass, and the tune: on the beat a note of the chord, between beats a step away from it. */
function barOf(temper: Temper, bar: number, chance: Buffer): Note[] {
  const { chords, liveliness } = temper;
  const beat = 60 / temper.beatsPerMinute;
  const start = bar * beat * BEATS_IN_BAR;
  const degree = chords[bar % chords.length] ?? 0;
  const pitch = (step: number) => pitchOf(temper, degree + step);
  const notes: Note[] = [0, 2, 4].map((third) => ({
    at: start,
    lasts: beat * BEATS_IN_BAR,
    pitch: pitch(third),
    loudness: 0.22,
  }));
  for (const at of [0, 2]) {
    notes.push({ at: start + at * beat, lasts: beat * 2, pitch: pitch(0) / 4, loudness: 0.4 });
  }
  const [places, lasts] = [BEATS_IN_BAR * liveliness, beat / liveliness];
  for (let place = 0; place < places; place++) {
    // Four bars come round again.
    const draw = chance[((bar % 4) * places + place) % chance.length] ?? 0;
    const rests = place > 0 && draw % 7 === 0;
    const step = place % liveliness === 0 ? (draw % 3) * 2 : (draw % 5) - 1;
    if (rests) continue;
    notes.push({ at: start + place * lasts, lasts: lasts * 1.6, pitch: pitch(step) * 2, loudness: 0.5 });
  }
  return notes;
}

function pitchOf({ scale, root }: Temper, degree: number): number {
  const octave = Math.floor(degree / scale.length);
  const semitone = scale[degree - octave * scale.length] ?? 0;
  return 440 * 2 ** ((root + octave * 12 + semitone - 69) / 12);
}
