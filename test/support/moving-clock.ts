// A clock that stands still until the test moves it, also backwards; the monotonic one only ever grows.

import type { Clock } from '../../src/platform/clock.js';

export interface MovingClock extends Clock {
  /** Jumps to an instant, as when somebody sets the computer's clock; a second passes all the same. */
  set(instant: string | number): void;
  /** Lets time pass. */
  pass(ms: number): void;
}

/** A clock at this instant. */
export function createMovingClock(instant: string | number): MovingClock {
  let now = new Date(instant).getTime();
  let passed = 0;
  return {
    now: () => now,
    monotonic: () => passed,
    set: (next) => {
      now = new Date(next).getTime();
      passed += 1000;
    },
    pass: (ms) => {
      now += ms;
      passed += ms;
    },
  };
}
