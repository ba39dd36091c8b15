// Draws frames of Lottie files: in a thread, for two seconds each, and only files of the safe form, which run no code.

import { SvcdError } from '../model/errors.js';
import { createBoundedThread, type ThreadLimits } from '../platform/bounded-thread.js';
import { INSTALLATION } from '../platform/installation.js';

/** What goes over to the thread. */
export interface Drawing {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly width: number;
  readonly height: number;
  /** Which frame: 0 is the first, 1 the last. */
  readonly at: number;
}

/** What comes back: four bytes a pixel, alpha not multiplied in; undefined where the engine reads no picture in the file. */
export interface DrawnFrame {
  readonly pixels: Uint8Array | undefined;
  readonly frame: number;
}

export interface Frame {
  readonly pixels: Uint8Array;
  readonly frame: number;
}

/** Draws one frame of a file of the safe form. Throws `not_drawable` and `busy`. */
export type Draw = (drawing: Drawing) => Promise<Frame>;

// The engine holds about 70 MB, none of it on the heap.
const LIMITS: ThreadLimits = { timeMs: 2000, restMs: 60_000, memoryMb: 256, growthMb: 512 };
const WORKER = new URL('dist/draw-worker.js', INSTALLATION);

export function createDraw(limits: ThreadLimits = LIMITS): { draw: Draw; close(this: void): void } {
  const thread = createBoundedThread<DrawnFrame>(WORKER, limits);
  return {
    draw: async (drawing) => {
      const drawn = await thread.run((): Drawing => ({ ...drawing, bytes: Uint8Array.from(drawing.bytes) }));
      if (drawn?.pixels !== undefined) return { pixels: drawn.pixels, frame: drawn.frame };
      const why =
        drawn === undefined
          ? `takes more than ${limits.timeMs / 1000} s or too much memory, or the engine fails at it`
          : 'cannot be read by the engine';
      throw new SvcdError('not_drawable', `the file ${why}`, { hint: 'Open it in another player to see it.' });
    },
    close: thread.close,
  };
}
