// Makes a GIF, an APNG, a sequence of PNG or a MOV of one Lottie file: frames are drawn by one worker and written by another. What
// such a file may be is limited, so that neither the page nor the machine runs out of memory.

import type { Drawn } from '../player/messages.js';
import type { MovingKind } from './messages.js';
import { FrameSource, withMaker } from './workers.js';

export const SIDES = [128, 240, 360, 480, 720, 1080] as const;
const RATES = [10, 15, 20, 25, 30, 50, 60] as const;
/** Of timelines. */
const MOV_RATES = [24_000 / 1001, 24, 25, 30_000 / 1001, 30, 50, 60_000 / 1001, 60] as const;
/** A GIF tells hundredths of a second, and browsers slow down what says one. */
const GIF_RATE = 50;
export const MOST_FRAMES = 1200;
/** Of all frames together. */
const MOST_PIXELS = 600_000_000;
export const MOST_FILE_BYTES = 256 * 1024 * 1024;

export interface MovingOptions {
  readonly kind: MovingKind;
  /** Pixels of the longer side. */
  readonly side: number;
  /** Frames a second. */
  readonly rate: number;
  /** A color, or empty for none. */
  readonly background: string;
}

/** Frames a second that a kind can have. */
export const ratesOf = (kind: MovingKind): readonly number[] => {
  if (isMov(kind)) return MOV_RATES;
  // A sequence is for a timeline, or for what plays it at any rate.
  if (kind === 'png') return [...new Set([...RATES, ...MOV_RATES])].toSorted((a, b) => a - b);
  return RATES.filter((rate) => kind !== 'gif' || rate <= GIF_RATE);
};

/** The nearest that a kind can have. */
export const rateFor = (kind: MovingKind, wanted: number): number =>
  ratesOf(kind).reduce((best, rate) => (Math.abs(rate - wanted) < Math.abs(best - wanted) ? rate : best));

/** Whether it is for the timeline of an editing program. */
export const isMov = (kind: string): boolean => kind === 'mov' || kind === 'movpng';

/** Why no file was made, for the page to say in the person's language. */
export class ExportLimit extends Error {
  readonly limit: 'frames' | 'bytes';
  readonly count: number;
  constructor(limit: ExportLimit['limit'], count: number) {
    super(`too many ${limit}: ${count}`);
    this.limit = limit;
    this.count = count;
  }
}

/** The size of a file's frames, the place of each in the Lottie file, and how long it is shown. Throws `ExportLimit`. */
function planFrames(drawn: Drawn, { kind, side, rate }: MovingOptions) {
  const { fps, frames } = drawn;
  const isPlain = Number.isFinite(fps) && Number.isFinite(frames) && fps > 0 && frames > 0;
  const seconds = isPlain ? frames / fps : 0;
  const count = Math.max(1, Math.round(seconds * rate));
  const scale = side / Math.max(drawn.width, drawn.height);
  const pixels = (length: number) => Math.max(1, Math.round(length * scale));
  const [width, height] = [pixels(drawn.width), pixels(drawn.height)];
  if (count > MOST_FRAMES || count * width * height > MOST_PIXELS) {
    throw new ExportLimit('frames', Math.max(count, MOST_FRAMES));
  }
  // Delays add up to the length of the file, whatever steps a kind can tell.
  const step = kind === 'gif' ? 10 : 1;
  const whole = (index: number) => Math.round((index * 1000) / rate / step) * step;
  const places = Array.from({ length: count }, (_, index) => ({
    at: isPlain ? Math.min(frames - 0.01, (index / rate) * fps) : 0,
    delayMs: whole(index + 1) - whole(index),
  }));
  return { width, height, places };
}

export const ENDINGS = { gif: 'gif', apng: 'png', png: 'png', mov: 'mov', movpng: 'mov' } as const;

export interface MadeFile {
  readonly name: string;
  readonly blob: Blob;
}

/** Makes one zip of these, under names that differ. */
export async function zipFiles(made: readonly MadeFile[], name: string, signal: AbortSignal): Promise<MadeFile> {
  const taken = new Set<string>();
  const files = made.map(({ name: wanted, blob }) => {
    let free = wanted;
    for (let count = 2; taken.has(free.toLowerCase()); count += 1) free = wanted.replace(/(?=\.\w+$)/u, ` ${count}`);
    taken.add(free.toLowerCase());
    return { name: free, blob };
  });
  return { name, blob: await withMaker(signal, (maker) => maker.make({ do: 'zip', files })) };
}

/** Makes the file, or the pictures of a sequence in their folder; `onProgress` is told the part that is done. Throws `ExportLimit`, and what an abort throws. */
export async function makeMoving(
  file: ArrayBuffer,
  name: string,
  options: MovingOptions,
  signal: AbortSignal,
  onProgress: (part: number) => void,
): Promise<MadeFile[]> {
  const source = new FrameSource(file);
  try {
    return await withMaker(signal, async (maker) => {
      const { width, height, places } = planFrames(await source.open(options.side), options);
      const { kind, background, rate } = options;
      await maker.send({ do: 'begin', kind, width, height, background, rate });
      for (const [index, { at, delayMs }] of places.entries()) {
        signal.throwIfAborted();
        const bitmap = await source.frame(at);
        const bytes = await maker.send({ do: 'frame', bitmap, delayMs }, [bitmap]);
        if (bytes > MOST_FILE_BYTES) throw new ExportLimit('bytes', bytes);
        onProgress((index + 1) / places.length);
      }
      if (kind !== 'png') return [{ name: `${name}.${ENDINGS[kind]}`, blob: await maker.make({ do: 'end' }) }];
      const pictures = await maker.makeAll({ do: 'end' });
      const inFolder = (index: number) => `${name}/${name}_${`${index + 1}`.padStart(4, '0')}.png`;
      return pictures.map((blob, index) => ({ name: inFolder(index), blob }));
    });
  } finally {
    source.close();
  }
}
