// Which frame of a file is shown at a moment of the video: by time, never by counting frames of the video, for a file has a
// rate of its own.

/** Once and then its last frame, again and again, there and back, as long as its place lasts, or one moment of it. */
export type Play = 'once' | 'loop' | 'bounce' | 'fit' | { readonly at: number };

export interface PlayOptions {
  /** `loop` if not given. */
  readonly play?: Play | undefined;
  readonly speed?: number | undefined;
  /** Seconds of its place in the video, for `fit`. */
  readonly place_s?: number | undefined;
}

/** 6 × 5.2 is 31.2 and not 31.200000000000003: a keyframe is met from the same side everywhere. */
const EXACT = 1e9;

/** A frame of the file, not always whole: 0 ≤ n < frames. */
export function playhead(
  { frames, frame_rate: rate }: { readonly frames: number; readonly frame_rate: number },
  seconds: number,
  { play = 'loop', speed = 1, place_s: place }: PlayOptions = {},
): number {
  const exact = (frame: number) => Math.round(frame * EXACT) / EXACT;
  const last = Math.max(0, exact(frames - 1));
  const held = (frame: number) => (frame < frames ? Math.max(0, frame) : last);
  const turned = (frame: number, period: number) => exact(((frame % period) + period) % period) % period;
  if (typeof play === 'object') return held(exact(play.at * rate));
  if (play === 'fit') {
    if (!(place! > 0)) throw new Error('play "fit" needs the seconds of the place, place_s');
    return held(exact((seconds / place!) * frames * speed));
  }
  const frame = exact(seconds * speed * rate);
  if (play === 'once') return Math.min(held(frame), last);
  if (play === 'loop') return frames > 0 ? turned(frame, frames) : 0;
  const there = last > 0 ? turned(frame, 2 * last) : 0;
  return exact(there > last ? 2 * last - there : there);
}
