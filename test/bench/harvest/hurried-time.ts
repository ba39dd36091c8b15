// Time that jumps to whoever sleeps least whenever somebody sleeps: the pace is kept to the millisecond, and a run
// of an hour takes minutes.

import type { Clock } from '../../../src/platform/clock.js';
import { sleep as wait, type Sleep } from '../../../src/platform/sleep.js';
import { createSleepers } from '../../support/sleepers.js';

export interface HurriedTime {
  readonly clock: Clock;
  readonly sleep: Sleep;
}

/** A sleep this long is the patience of whoever waits for an answer, which comes in a time of its own. */
const PATIENCE_MS = 600_000;

/** Begins now; also runs on by itself. */
export function createHurriedTime(): HurriedTime {
  let ahead = 0;
  const now = () => performance.now() + ahead;
  const { sleep: hurry, list } = createSleepers(now, () => setImmediate(wakeFirst));
  const sleep: Sleep = (ms, options) => (ms >= PATIENCE_MS ? wait(ms, options) : hurry(ms, options));
  function wakeFirst(): void {
    const [first] = list();
    if (first === undefined) return;
    ahead += Math.max(0, first.at - now());
    first.wake();
  }
  const begunAt = Date.now() - performance.now();
  return { clock: { now: () => Math.round(begunAt + now()), monotonic: now }, sleep };
}
