// Time that moves only when a test says so, for everything that waits through a passed-in clock and sleep.

import type { Clock } from '../../src/platform/clock.js';
import type { Sleep } from '../../src/platform/sleep.js';
import { createSleepers } from '../support/sleepers.js';

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
  const { sleep, list } = createSleepers(() => now);
  const nextUntil = (until: number) => list().find(({ at }) => at <= until);
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
    sleepers: () => list().map(({ at }) => at - now),
  };
}

/** Lets every promise that can be kept be kept. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
