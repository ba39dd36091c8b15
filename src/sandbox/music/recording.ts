// The audio of a track as a WAV file (one channel of 16 bits, the form that everything plays), made on request; the last few
// are kept. Each style is an instrument of a few partials, with its own attack and decay. The sound is made in short pieces,
// so that a minute of it does not hold up other requests.

import { setImmediate as turn } from 'node:timers/promises';
import { keepRecent } from '../../platform/keep-recent.js';
import type { Style, Track, Mood } from './track-list.js';
import { createHash } from 'node:crypto';

/** Seconds of a preview. */
export const PREVIEW_S = 8;
const KEPT = 6;

const HEADER_BYTES = 44;
const SAMPLE_BYTES = 2;
const FULL = 32_767;

/** Samples a second: enough for a bed of music, and half the bytes of a compact disc. */
const SAMPLE_RATE = 22_050;

interface Instrument {
  /** Loudness of the first, second, … multiple of the pitch. */
  partials: readonly number[];
  attackS: number;
  /** Seconds in which a note falls to a third. */
  decayS: number;
}

const INSTRUMENTS: Record<Style, Instrument> = {
  piano: { partials: [1, 0.5, 0.22, 0.1], attackS: 0.005, decayS: 0.7 },
  electronic: { partials: [1, 0, 0.34, 0, 0.2, 0, 0.14], attackS: 0.01, decayS: 1.4 },
  folk: { partials: [1, 0.7, 0.45, 0.3, 0.2], attackS: 0.003, decayS: 0.4 },
  ambient: { partials: [1, 0.25, 0.08], attackS: 0.35, decayS: 3 },
  marimba: { partials: [1, 0, 0, 0.35], attackS: 0.002, decayS: 0.25 },
};
const FADE_S = 0.4;
const RELEASE_S = 0.02;
const SAMPLES_PER_TURN = 200_000;
const PEAK = 0.8;

export type Recorder = (track: Track, part: 'preview' | 'full') => Promise<Buffer>;

/** Makes WAV files; requests for the same one at the same time share the making. */
export function createRecorder(): Recorder {
  const recent = keepRecent<Buffer>(KEPT);
  return (track, part) =>
    recent(`${track.id} ${part}`, () => play(track, part === 'preview' ? PREVIEW_S : track.duration));
}

async function play(track: Track, seconds: number): Promise<Buffer> {
  return writeWav(await synthesise(composeTrack(track, seconds), track.style, seconds));
}

/** The WAV file of samples from -1 to 1. */
async function writeWav(samples: Float32Array): Promise<Buffer> {
  const dataBytes = samples.length * SAMPLE_BYTES;
  const file = Buffer.alloc(HEADER_BYTES + dataBytes);
  file.write('RIFF', 0, 'latin1');
  file.writeUInt32LE(file.length - 8, 4);
  file.write('WAVEfmt ', 8, 'latin1');
  // Length of the format, PCM, one channel, samples and bytes a second, bytes and bits of a sample.
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(SAMPLE_RATE, 24);
  file.writeUInt32LE(SAMPLE_RATE * SAMPLE_BYTES, 28);
  file.writeUInt16LE(SAMPLE_BYTES, 32);
  file.writeUInt16LE(SAMPLE_BYTES * 8, 34);
  file.write('data', 36, 'latin1');
  file.writeUInt32LE(dataBytes, 40);
  const data = new DataView(file.buffer, file.byteOffset + HEADER_BYTES, dataBytes);
  for (const [at, sample] of samples.entries()) {
    data.setInt16(at * SAMPLE_BYTES, Math.round(Math.max(-1, Math.min(1, sample)) * FULL), true);
    // A minute of sound is written a little at a time: others get their turn in between.
    if (at % SAMPLES_PER_TURN === 0) await turn();
  }
  return file;
}

/** The sound of the notes, `seconds` long, from -1 to 1, its loudest place at 0.8, faded out at its end. */
async function synthesise(notes: readonly Note[], style: Style, seconds: number): Promise<Float32Array> {
  const sound = new Float32Array(Math.round(seconds * SAMPLE_RATE));
  // A piece has a few dozen notes that come again and again: each is played once and then copied in.
  const played = new Map<string, Float32Array>();
  let added = 0;
  for (const note of notes) {
    const name = `${note.pitch} ${note.lasts} ${note.loudness}`;
    const known = played.get(name);
    const tone = known ?? playNote(note, INSTRUMENTS[style]);
    played.set(name, tone);
    const start = Math.round(note.at * SAMPLE_RATE);
    const length = Math.min(tone.length, sound.length - start);
    for (let i = 0; i < length; i++) sound[start + i]! += tone[i]!;
    added += tone.length;
    if (known !== undefined && added < SAMPLES_PER_TURN) continue;
    added = 0;
    await turn();
  }
  let loudest = 0;
  await inPieces(sound, (part) => {
    for (const value of part) loudest = Math.max(loudest, Math.abs(value));
  });
  const gain = loudest === 0 ? 0 : PEAK / loudest;
  await inPieces(sound, (part) => {
    for (let i = 0; i < part.length; i++) part[i]! *= gain;
  });
  fadeOut(sound, FADE_S);
  return sound;
}

function playNote(note: Note, { partials, attackS, decayS }: Instrument): Float32Array {
  const tone = new Float32Array(Math.round((note.lasts + decayS) * SAMPLE_RATE));
  for (const [at, share] of partials.entries()) {
    const pitch = note.pitch * (at + 1);
    if (share > 0 && pitch <= SAMPLE_RATE / 2.5) {
      addPartial(tone, pitch, note.loudness * share, decayS / (at + 1));
    }
  }
  const rise = attackS * SAMPLE_RATE;
  for (let i = 0; i < Math.min(rise, tone.length); i++) tone[i]! *= i / rise;
  fadeOut(tone, RELEASE_S);
  return tone;
}

/** A turning pointer instead of a sine for every sample: four multiplications, which lose loudness as they turn. */
function addPartial(tone: Float32Array, pitch: number, loudness: number, decayS: number): void {
  const angle = (2 * Math.PI * pitch) / SAMPLE_RATE;
  const fall = Math.exp(-1 / (decayS * SAMPLE_RATE));
  const [cos, sin] = [Math.cos(angle) * fall, Math.sin(angle) * fall];
  let x = loudness;
  let y = 0;
  for (let i = 0; i < tone.length; i++) {
    tone[i]! += y;
    const turned = x * cos - y * sin;
    y = x * sin + y * cos;
    x = turned;
  }
}

function fadeOut(sound: Float32Array, seconds: number): void {
  const fade = seconds * SAMPLE_RATE;
  for (let i = 1; i <= Math.min(fade, sound.length); i++) sound[sound.length - i]! *= i / fade;
}

/** Does something with the whole sound, a little at a time: others get their turn in between. */
async function inPieces(sound: Float32Array, work: (part: Float32Array) => void): Promise<void> {
  for (let at = 0; at < sound.length; at += SAMPLES_PER_TURN) {
    work(sound.subarray(at, at + SAMPLES_PER_TURN));
    await turn();
  }
}

interface Note {
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

/**
 * The notes that begin within `seconds`, by time: chords that suit the mood, a bass, and a tune that walks over them. The same
 * track has the same notes on every machine.
 */
function composeTrack({ mood, style }: Track, seconds: number): Note[] {
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
