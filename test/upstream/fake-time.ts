// Time that moves only when a test says so, for everything that waits through a passed-in clock and sleep.

import type { Clock } from '../../src/clock.js';
import type { Sleep } from '../../src/upstream/sleep.js';

export interface FakeTime {
  readonly clock: Clock;
  readonly sleep: Sleep;
  /** Moves on, waking each sleeper at its moment, and lets everything react. */
  advance(ms: number): Promise<void>;
  /** Milliseconds that the sleepers still have to go, the shortest first. */
  sleepers(): number[];
}

/** Starts at 1000 ms, so that nothing works only because time begins at zero. */
export function createFakeTime(): FakeTime {
  let now = 1000;
  const sleepers = new Set<{ at: number; wake: () => void }>();
  const sleep: Sleep = (ms, { signal } = {}) =>
    new Promise((resolve) => {
      if (signal?.aborted === true) return resolve();
      const wake = () => {
        sleepers.delete(sleeper);
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      const sleeper = { at: now + ms, wake };
      sleepers.add(sleeper);
      signal?.addEventListener('abort', wake);
    });
  const nextUntil = (until: number) =>
    [...sleepers].filter(({ at }) => at <= until).toSorted((a, b) => a.at - b.at)[0];
  return {
    clock: { now: () => 1_700_000_000_000 + now, monotonic: () => now },
    sleep,
    advance: async (ms) => {
      const until = now + ms;
      await settle();
      for (let next = nextUntil(until); next !== undefined; next = nextUntil(until)) {
        now = Math.max(now, next.at);
        next.wake();
        await settle();
      }
      now = until;
    },
    sleepers: () => [...sleepers].map(({ at }) => at - now).toSorted((a, b) => a - b),
  };
}

/** Lets every promise that can be kept be kept. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
