// Time that jumps to whoever sleeps least whenever somebody sleeps: the pace is kept to the millisecond, and a run
// of an hour takes minutes.

import type { Clock } from '../../../src/clock.js';
import type { Sleep } from '../../../src/upstream/sleep.js';

export interface HurriedTime {
  readonly clock: Clock;
  readonly sleep: Sleep;
}

/** Begins now; also runs on by itself. */
export function createHurriedTime(): HurriedTime {
  let ahead = 0;
  const now = () => performance.now() + ahead;
  const sleepers = new Set<{ readonly at: number; readonly wake: () => void }>();
  const wakeFirst = () => {
    const first = [...sleepers].toSorted((a, b) => a.at - b.at)[0];
    if (first === undefined) return;
    ahead += Math.max(0, first.at - now());
    first.wake();
  };
  const sleep: Sleep = (ms, { signal } = {}) =>
    new Promise((resolve) => {
      if (signal?.aborted === true) return resolve();
      const wake = () => {
        sleepers.delete(sleeper);
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      const sleeper = { at: now() + ms, wake };
      sleepers.add(sleeper);
      signal?.addEventListener('abort', wake);
      setImmediate(wakeFirst);
    });
  const begunAt = Date.now() - performance.now();
  return { clock: { now: () => Math.round(begunAt + now()), monotonic: now }, sleep };
}
