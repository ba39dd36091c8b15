// Time that runs faster by a factor, for a hub in this process: a quarter of an hour of turns of the Key takes minutes. Only
// time is scaled: rates, windows and deadlines are the real ones, in that time.

import type { Clock } from '../../../src/platform/clock.js';
import { sleep as wait, type Sleep } from '../../../src/platform/sleep.js';

export interface FastTime {
  readonly clock: Clock;
  readonly sleep: Sleep;
}

/** Begins now. */
export function createFastTime(factor: number): FastTime {
  const begun = performance.now();
  const date = Date.now();
  const passed = () => (performance.now() - begun) * factor;
  return {
    clock: { now: () => Math.round(date + passed()), monotonic: passed },
    sleep: (ms, options) => wait(ms / factor, options),
  };
}
