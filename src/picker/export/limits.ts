// What a file made here may be, so that neither the page nor the machine runs out of memory; and the frames it has.

import type { Drawn } from '../player/messages.js';
import type { MovingKind } from './messages.js';

export const SIDES = [128, 240, 360, 480, 720, 1080] as const;
const RATES = [10, 15, 20, 25, 30, 50, 60] as const;
/** A GIF tells hundredths of a second, and browsers slow down what says one. */
const GIF_RATE = 50;
export const MOST_FRAMES = 1200;
/** Of all frames together. */
const MOST_PIXELS = 600_000_000;
export const MOST_FILE_BYTES = 256 * 1024 * 1024;
/** Stickers on one sheet: beyond it a browser's canvas ends. */
export const MOST_ON_SHEET = 300;
export const ON_PRINTED_PAGE = 20;

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
export const ratesOf = (kind: MovingKind): number[] => RATES.filter((rate) => kind !== 'gif' || rate <= GIF_RATE);

export interface FramePlan {
  readonly width: number;
  readonly height: number;
  /** The place of each frame in the file, and how long it is shown. */
  readonly frames: readonly { readonly at: number; readonly delayMs: number }[];
}

export type TooMuch = { readonly tooMany: number };

/** Which frames a file gets; or how many they would be, where these are too many. */
export function planFrames(drawn: Drawn, { kind, side, rate }: MovingOptions): FramePlan | TooMuch {
  const { fps, frames } = drawn;
  const isPlain = Number.isFinite(fps) && Number.isFinite(frames) && fps > 0 && frames > 0;
  const seconds = isPlain ? frames / fps : 0;
  const count = Math.max(1, Math.round(seconds * rate));
  const scale = side / Math.max(drawn.width, drawn.height);
  const [width, height] = [drawn.width, drawn.height].map((one) => Math.max(1, Math.round(one * scale))) as [
    number,
    number,
  ];
  if (count > MOST_FRAMES || count * width * height > MOST_PIXELS) return { tooMany: count };
  // Delays add up to the length of the file, whatever steps a kind can tell.
  const step = kind === 'gif' ? 10 : 1;
  const whole = (index: number) => Math.round((index * 1000) / rate / step) * step;
  return {
    width,
    height,
    frames: Array.from({ length: count }, (_, index) => ({
      at: isPlain ? Math.min(frames - 0.01, (index / rate) * fps) : 0,
      delayMs: whole(index + 1) - whole(index),
    })),
  };
}
