// How long ago something began, by both clocks: the monotonic one stands still while a machine sleeps, the other may be set.

import type { Clock } from './clock.js';

export type Age = ReturnType<typeof startAge>;

/** A commit older than this may have been ended by another hub, which took its writer for dead. */
const YOUNG_MS = 2000;

/** Milliseconds from now; Infinity when the wall clock was set back. Young: a call may still leave by what was committed then. */
export function startAge(clock: Clock, youngMs = YOUNG_MS) {
  const [wall, monotonic] = [clock.now(), clock.monotonic()];
  const ms = () => {
    const [byWall, byMonotonic] = [clock.now() - wall, clock.monotonic() - monotonic];
    // NTP moves a clock back by milliseconds; more than that says nothing of how much time went by.
    return byWall < -YOUNG_MS ? Infinity : Math.max(byWall, byMonotonic);
  };
  return { ms, isYoung: () => ms() < youngMs };
}
