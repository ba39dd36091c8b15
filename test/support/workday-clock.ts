// The system's clock, set to a time at which no day ends anywhere that svcd knows of: around midnight nothing is settled as
// free, and tests that wait for that would fail for twenty minutes each day.

import type { Clock } from '../../src/platform/clock.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** From now to 11:00 UTC of today. */
export const msToWorkday = (): number => Math.floor(Date.now() / DAY_MS) * DAY_MS + 11 * HOUR_MS - Date.now();

/** A clock that begins at 11:00 UTC of today and runs on. */
export function createWorkdayClock(): Clock {
  const aheadMs = msToWorkday();
  return { now: () => Date.now() + aheadMs, monotonic: () => performance.now() };
}
