// Time as svcd sees it. Nothing else reads the clock, so that a test can move it.

export interface Clock {
  /** Milliseconds since the Unix epoch; can jump when the user or NTP sets the clock. */
  now(): number;
  /** Milliseconds that only ever grow: for deadlines and ages. */
  monotonic(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
};
