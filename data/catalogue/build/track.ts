// A track: one property over the length of a motion, as few keys as say it. Times are shares of the whole
// (0 to 1), so that the same motion can be played faster or slower.

/** How a value gets from one key to the next. */
export type Ease = 'smooth' | 'in' | 'out' | 'linear' | 'hold';

/** A value at a time, and the way it leaves towards the next key (smooth unless said). */
type Key<V> = readonly [at: number, value: V, ease?: Ease];
export type Pair = readonly [x: number, y: number];
export type Track<V> = readonly Key<V>[];

type Handles = readonly [outX: number, outY: number, inX: number, inY: number];

/** Cubic-bezier handles of each ease, as CSS and Lottie both write them. */
export const EASES: Record<Exclude<Ease, 'hold'>, Handles> = {
  smooth: [0.42, 0, 0.58, 1],
  in: [0.5, 0, 0.9, 0.6],
  out: [0.1, 0.4, 0.4, 1],
  linear: [0.33, 0.33, 0.67, 0.67],
};

const bezier = (a: number, b: number, t: number): number =>
  3 * (1 - t) * (1 - t) * t * a + 3 * (1 - t) * t * t * b + t * t * t;

/** Share of the way gone at a share of the time. Halving finds the curve's parameter: slow, exact, no surprises. */
function easedShare(ease: Ease, share: number): number {
  if (ease === 'hold') return 0;
  const [x1, y1, x2, y2] = EASES[ease];
  let [low, high] = [0, 1];
  for (let i = 0; i < 20; i++) {
    const middle = (low + high) / 2;
    if (bezier(x1, x2, middle) < share) low = middle;
    else high = middle;
  }
  return bezier(y1, y2, (low + high) / 2);
}

/** The value of a track at a time of 0 to 1; `mix` blends two values of its kind. */
export function valueAt<V>(track: Track<V>, time: number, mix: (a: V, b: V, share: number) => V): V {
  const after = track.findIndex(([at]) => at > time);
  const last = track.at(-1);
  const from = track[after - 1];
  const to = track[after];
  if (last === undefined) throw new Error('A track has at least one key');
  if (after === -1) return last[1];
  if (from === undefined || to === undefined) return to?.[1] ?? last[1];
  return mix(from[1], to[1], easedShare(from[2] ?? 'smooth', (time - from[0]) / (to[0] - from[0])));
}

export const mixNumbers = (a: number, b: number, share: number): number => a + (b - a) * share;
export const mixPairs = (a: Pair, b: Pair, share: number): Pair => [
  mixNumbers(a[0], b[0], share),
  mixNumbers(a[1], b[1], share),
];
