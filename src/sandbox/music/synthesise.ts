// From notes to sound: each style is an instrument of a few partials, with its own attack and decay. The sound is
// made in short pieces, so that a minute of it does not hold up whoever else is waiting.

import { setImmediate as turn } from 'node:timers/promises';
import type { Style } from '../../wire/music-query.js';
import type { Note } from './compose.js';

/** Samples a second: enough for a bed of music, and half the bytes of a compact disc. */
export const SAMPLE_RATE = 22_050;

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
const NOTES_PER_TURN = 2;
const SAMPLES_PER_TURN = 100_000;
const PEAK = 0.8;

/** The sound of the notes, `seconds` long, from -1 to 1, faded out at its end. */
export async function synthesise(
  notes: readonly Note[],
  style: Style,
  seconds: number,
): Promise<Float32Array> {
  const sound = new Float32Array(Math.round(seconds * SAMPLE_RATE));
  for (const [place, note] of notes.entries()) {
    addNote(sound, note, INSTRUMENTS[style]);
    if (place % NOTES_PER_TURN === NOTES_PER_TURN - 1) await turn();
  }
  return finish(sound);
}

function addNote(sound: Float32Array, note: Note, { partials, attackS, decayS }: Instrument): void {
  const start = Math.round(note.at * SAMPLE_RATE);
  const length = Math.min(sound.length - start, Math.round((note.lasts + decayS) * SAMPLE_RATE));
  partials.forEach((share, at) => {
    const pitch = note.pitch * (at + 1);
    if (share === 0 || pitch > SAMPLE_RATE / 2.5) return;
    // A turning pointer instead of a sine for every sample: four multiplications.
    const [cos, sin] = [
      Math.cos((2 * Math.PI * pitch) / SAMPLE_RATE),
      Math.sin((2 * Math.PI * pitch) / SAMPLE_RATE),
    ];
    const fall = Math.exp(-1 / ((decayS / (at + 1)) * SAMPLE_RATE));
    let x = 1;
    let y = 0;
    let loudness = note.loudness * share;
    for (let i = 0; i < length; i++) {
      const rise = Math.min(1, i / (attackS * SAMPLE_RATE), (length - i) / (0.02 * SAMPLE_RATE));
      sound[start + i] = (sound[start + i] ?? 0) + y * loudness * rise;
      const turned = x * cos - y * sin;
      y = x * sin + y * cos;
      x = turned;
      loudness *= fall;
    }
  });
}

/** Brings the loudest place to 0.8 and fades the end out, in place. */
async function finish(sound: Float32Array): Promise<Float32Array> {
  let loudest = 0;
  for (const value of sound) loudest = Math.max(loudest, Math.abs(value));
  const gain = loudest === 0 ? 0 : PEAK / loudest;
  const fade = FADE_S * SAMPLE_RATE;
  for (let at = 0; at < sound.length; at++) {
    sound[at] = (sound[at] ?? 0) * gain * Math.min(1, (sound.length - at) / fade);
    if (at % SAMPLES_PER_TURN === 0) await turn();
  }
  return sound;
}
