// Sorting what is long in steps, so that a request that comes meanwhile waits for one step only.

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../../platform/clock.js';
import { stepOf } from '../../platform/steps.js';

/** Resolves when others had their turn; undefined while there is no need. */
export type Pause = () => Promise<void> | undefined;

export type Compare = (a: number, b: number) => number;

/** So many comparisons, the dearest of which takes some microseconds, are made without a look at the clock. */
const BETWEEN_LOOKS = 128;
/** Sorted at once. */
const RUN = 64;

/** Begins work in steps. */
export function pausing(clock: Clock): Pause {
  let isOver = stepOf(clock);
  return () => {
    if (!isOver()) return undefined;
    return nextTurn().then(() => void (isOver = stepOf(clock)));
  };
}

/** The same numbers in order; of equal ones the first stays first. */
export async function sortInSteps(numbers: Uint32Array, compare: Compare, pause: Pause): Promise<Uint32Array> {
  let sorted = numbers.slice();
  for (let from = 0; from < sorted.length; from += RUN) {
    sorted.subarray(from, from + RUN).sort(compare);
    const paused = pause();
    if (paused !== undefined) await paused;
  }
  for (let width = RUN; width < numbers.length; width *= 2) {
    const next = new Uint32Array(numbers.length);
    for (let from = 0; from < numbers.length; from += 2 * width) {
      const middle = Math.min(from + width, numbers.length);
      const end = Math.min(from + 2 * width, numbers.length);
      await mergeInto(next.subarray(from, end), sorted.subarray(from, middle), sorted.subarray(middle, end), {
        compare,
        pause,
      });
    }
    sorted = next;
  }
  return sorted;
}

/** Two sorted lists as one. */
export async function mergeInSteps(one: Uint32Array, other: Uint32Array, compare: Compare, pause: Pause) {
  const merged = new Uint32Array(one.length + other.length);
  await mergeInto(merged, one, other, { compare, pause });
  return merged;
}

async function mergeInto(
  merged: Uint32Array,
  one: Uint32Array,
  other: Uint32Array,
  { compare, pause }: { readonly compare: Compare; readonly pause: Pause },
): Promise<void> {
  let a = 0;
  let b = 0;
  for (let at = 0; at < merged.length; at += 1) {
    if (at % BETWEEN_LOOKS === 0) {
      const paused = pause();
      if (paused !== undefined) await paused;
    }
    const isFirst = b >= other.length || (a < one.length && compare(one[a]!, other[b]!) <= 0);
    merged[at] = isFirst ? one[a++]! : other[b++]!;
  }
}
