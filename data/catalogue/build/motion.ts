// What a motion is: a handful of tracks over the whole drawing, and the words in which they are written.
// How large a drawing may be so that its motion cuts nothing off is the task of `frame.ts`.

import type { Pair, Track } from './track.js';

/** What happens to the drawing's parts one after another, if anything. */
export type PartsMotion = 'ripple' | 'assemble' | 'burst' | 'draw' | 'rain';

export interface Motion {
  seconds: number;
  fps: 30 | 60;
  /** The point that stays put, as shares of the drawing's own extent: [0.5, 0] hangs from the top. */
  pivot: Pair;
  /** Shift, in shares of the longer side of the drawing's box. */
  move?: Track<Pair>;
  /** Size, 1 as drawn. */
  scale?: Track<Pair>;
  /** Degrees, clockwise. */
  turn?: Track<number>;
  /** 0 to 1. */
  opacity?: Track<number>;
  /** Degrees of a vertical shear: the right side goes down, the pivot stays. */
  shear?: Track<number>;
  parts?: PartsMotion;
}

export const CENTRE: Pair = [0.5, 0.5];
export const TOP: Pair = [0.5, 0];
export const FOOT: Pair = [0.5, 1];
export const LEFT: Pair = [0, 0.5];

/** The same size in both directions. */
export const even = (size: number): Pair => [size, size];

/** A motion that only turns. */
export const turning = (seconds: number, fps: 30 | 60, pivot: Pair, turn: Track<number>): Motion => ({
  seconds,
  fps,
  pivot,
  turn,
});

/** A motion that only changes size. */
export const sizing = (seconds: number, fps: 30 | 60, pivot: Pair, scale: Track<Pair>): Motion => ({
  seconds,
  fps,
  pivot,
  scale,
});
