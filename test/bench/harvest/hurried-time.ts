// Time that jumps to whoever sleeps least whenever somebody sleeps: the pace is kept to the millisecond, and a run
// of an hour takes minutes.

import type { Clock } from '../../../src/platform/clock.js';
import type { Sleep } from '../../../src/platform/sleep.js';
import { createSleepers } from '../../support/sleepers.js';

export interface HurriedTime {
  readonly clock: Clock;
  readonly sleep: Sleep;
}

/** Begins now; also runs on by itself. */
export function createHurriedTime(): HurriedTime {
  let ahead = 0;
  const now = () => performance.now() + ahead;
  const { sleep, list } = createSleepers(now, () => setImmediate(wakeFirst));
  function wakeFirst(): void {
    const [first] = list();
    if (first === undefined) return;
    ahead += Math.max(0, first.at - now());
    first.wake();
  }
  const begunAt = Date.now() - performance.now();
  return { clock: { now: () => Math.round(begunAt + now()), monotonic: now }, sleep };
}
