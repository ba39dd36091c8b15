// When the next request of the harvest may leave: a small burst after a pause, then evenly, so that no minute holds more
// than the harvest's share. Requests of earlier runs count. Turns among all callers: upstream/rate-limiter.ts.

export interface RequestSchedulerRules {
  /** Requests in any window. */
  readonly allowed: number;
  readonly windowMs: number;
}

/** Requests that may leave at once after a pause. */
const BURST = 8;

export class RequestScheduler {
  readonly #intervalMs: number;
  readonly #burst: number;
  #free: number;
  #countedAt: number;

  /**
   * `recent` holds the departures in the window before `now`, on the same clock, oldest first; those of earlier runs
   * count as well.
   */
  constructor({ allowed, windowMs }: RequestSchedulerRules, recent: readonly number[], now: number) {
    this.#burst = Math.max(1, Math.min(BURST, Math.floor(allowed / 2)));
    // The burst and the even ones after it share one window.
    this.#intervalMs = windowMs / Math.max(1, allowed - this.#burst);
    this.#free = this.#burst;
    this.#countedAt = now - windowMs;
    for (const at of recent) this.leave(Math.min(now, at));
    this.#count(now);
  }

  /** Counts a request that leaves, even one that did not wait for its turn. */
  leave(now: number): void {
    this.#count(now);
    this.#free -= 1;
  }

  /** Milliseconds until the next one may leave. */
  waitMs(now: number): number {
    this.#count(now);
    return Math.max(0, Math.ceil((1 - this.#free) * this.#intervalMs));
  }

  /** How many may leave in a minute. */
  get perMinute(): number {
    return 60_000 / this.#intervalMs;
  }

  #count(now: number): void {
    const freed = Math.max(0, now - this.#countedAt) / this.#intervalMs;
    this.#free = Math.min(this.#burst, this.#free + freed);
    this.#countedAt = Math.max(now, this.#countedAt);
  }
}
