// The audio of a track as a WAV file (one channel of 16 bits, the form that everything plays), made on request; the
// last few are kept.

import { setImmediate as turn } from 'node:timers/promises';
import { keepRecent } from '../../platform/keep-recent.js';
import { composeTrack } from './compose.js';
import { SAMPLE_RATE, synthesise } from './synthesise.js';
import type { Track } from './track-list.js';

/** Seconds of a preview. */
export const PREVIEW_S = 8;
const KEPT = 6;

const HEADER_BYTES = 44;
const SAMPLE_BYTES = 2;
const FULL = 32_767;
const SAMPLES_PER_TURN = 100_000;

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
    if (at % SAMPLES_PER_TURN === SAMPLES_PER_TURN - 1) await turn();
  }
  return file;
}
