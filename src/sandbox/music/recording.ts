// The audio of a track: composed, played and written as WAV when somebody asks; the last few are kept.

import { composeTrack } from './compose.js';
import { encodeWav } from './encode-wav.js';
import { SAMPLE_RATE, synthesise } from './synthesise.js';
import type { Track } from './track-list.js';

/** Seconds of a preview. */
export const PREVIEW_S = 8;
const KEPT = 6;

export type Recorder = (track: Track, part: 'preview' | 'full') => Promise<Buffer>;

/** Makes WAV files; whoever asks for the same one at the same time shares the making. */
export function createRecorder(): Recorder {
  const kept = new Map<string, Promise<Buffer>>();
  return (track, part) => {
    const name = `${track.id} ${part}`;
    const audio = kept.get(name) ?? play(track, part === 'preview' ? PREVIEW_S : track.duration);
    kept.delete(name);
    kept.set(name, audio);
    audio.catch(() => kept.delete(name));
    const oldest = kept.keys().next().value;
    if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest);
    return audio;
  };
}

async function play(track: Track, seconds: number): Promise<Buffer> {
  return encodeWav(await synthesise(composeTrack(track, seconds), track.style, seconds), SAMPLE_RATE);
}
