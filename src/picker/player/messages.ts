// What the page and the worker that draws say to each other.

/** To the worker. `id` is of the question; `side` is in device pixels. */
export type Order =
  | {
      readonly do: 'still';
      readonly id: number;
      readonly file: ArrayBuffer;
      readonly side: number;
      readonly frame?: number;
    }
  | {
      readonly do: 'play';
      readonly id: number;
      readonly file: ArrayBuffer;
      readonly side: number;
      readonly mostFps: number;
    }
  /** Answers with a still, and keeps the file to be seen frame by frame. */
  | { readonly do: 'open'; readonly id: number; readonly file: ArrayBuffer; readonly side: number }
  | { readonly do: 'pause' | 'stop'; readonly id: number }
  | { readonly do: 'seek'; readonly id: number; readonly frame: number };

/** Of a Lottie file: pixels, frames a second, the number of frames, and the frame that shows most. */
export interface Drawn {
  readonly width: number;
  readonly height: number;
  readonly fps: number;
  readonly frames: number;
  readonly poster: number;
}

/** From the worker: that an order is begun, a frame, or why there is none. */
export type Answer =
  | { readonly id: number; readonly began: true }
  | { readonly id: number; readonly bitmap: ImageBitmap; readonly drawn: Drawn; readonly frame: number }
  | { readonly id: number; readonly error: string };

/** From the worker, once, when it can take orders. */
export const READY = 'ready';

/** A file that is not drawn so long after it was begun is not drawn. */
export const DRAW_MOST_MS = 4000;

/** Larger files are not drawn: a stranger's file must not fill the memory. */
export const MOST_BYTES = 8 * 1024 * 1024;
