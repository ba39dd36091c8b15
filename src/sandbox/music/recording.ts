// The audio of a track as a WAV file (one channel of 16 bits, the form that everything plays), made on request; the last few
// are kept. All tracks are one melody: a mood gives its tempo and scale, a style its timbre. It is made in short pieces, so that a
// minute of it does not hold up other requests.

import { setImmediate as turn } from 'node:timers/promises';
import { keepRecent } from '../../platform/keep-recent.js';
import type { Mood, Style, Track } from './track-list.js';

/** Seconds of a preview. */
export const PREVIEW_S = 8;
const KEPT = 6;

const HEADER_BYTES = 44;
const SAMPLE_BYTES = 2;
const FULL = 32_767;
/** Samples a second: enough for a bed of music, and half the bytes of a compact disc. */
const SAMPLE_RATE = 22_050;
const SAMPLES_PER_TURN = 20_000;
const FADE_S = 0.4;

/** Degrees of the scale, one a beat. */
const MELODY = [0, 2, 4, 2, 5, 4, 2, 1];
const MAJOR = [0, 2, 4, 5, 7, 9, 11];
const MINOR = [0, 2, 3, 5, 7, 8, 10];
/** Beats a minute, and the scale. */
const MOODS: Record<Mood, readonly [number, readonly number[]]> = {
  happy: [124, MAJOR],
  calm: [72, MAJOR],
  sad: [66, MINOR],
  epic: [96, MINOR],
  tense: [138, MINOR],
  romantic: [80, MAJOR],
};
/** Loudness of the first multiples of the pitch; together at most 1. */
const STYLES: Record<Style, readonly number[]> = {
  piano: [0.6, 0.3, 0.1],
  electronic: [0.6, 0, 0.25],
  folk: [0.4, 0.3, 0.2],
  ambient: [0.9],
  marimba: [0.7, 0, 0, 0.25],
};

export type Recorder = (track: Track, part: 'preview' | 'full') => Promise<Buffer>;

/** Makes WAV files; requests for the same one at the same time share the making. */
export function createRecorder(): Recorder {
  const recent = keepRecent<Buffer>(KEPT);
  return (track, part) =>
    recent(`${track.id} ${part}`, () => record(track, part === 'preview' ? PREVIEW_S : track.duration));
}

async function record({ mood, style }: Track, seconds: number): Promise<Buffer> {
  const [beatsPerMinute, scale] = MOODS[mood];
  const beatS = 60 / beatsPerMinute;
  const samples = Math.round(seconds * SAMPLE_RATE);
  const file = wavOf(samples);
  for (let at = 0; at < samples; at++) {
    const time = at / SAMPLE_RATE;
    const sinceBeat = time % beatS;
    // A third of a beat from one to the next, and silence at the end.
    const loudness = 0.8 * Math.exp(-sinceBeat / beatS) * Math.min(1, (seconds - time) / FADE_S);
    const pitch = 220 * 2 ** (scale[MELODY[Math.floor(time / beatS) % MELODY.length]!]! / 12);
    let value = 0;
    for (const [nth, share] of STYLES[style].entries())
      value += share * Math.sin(2 * Math.PI * pitch * (nth + 1) * sinceBeat);
    file.writeInt16LE(Math.round(loudness * value * FULL), HEADER_BYTES + at * SAMPLE_BYTES);
    if (at % SAMPLES_PER_TURN === 0) await turn();
  }
  return file;
}

/** A WAV file of so many samples, all silent. */
function wavOf(samples: number): Buffer {
  const file = Buffer.alloc(HEADER_BYTES + samples * SAMPLE_BYTES);
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
  file.writeUInt32LE(samples * SAMPLE_BYTES, 40);
  return file;
}
