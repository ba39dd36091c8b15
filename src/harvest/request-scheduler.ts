// When the next request of the harvest may leave: a few at once after a rest, then evenly, so that no stretch of the
// service's minute sees more than the share. Restarts do not begin anew. Whose turn it is among others is for with-rate-limit.ts.

export interface RequestSchedulerRules {
  /** Requests in any window. */
  readonly allowed: number;
  readonly windowMs: number;
}

/** As many may leave one after the other when none left before. */
const BURST = 8;

export class RequestScheduler {
  readonly #intervalMs: number;
  readonly #burst: number;
  #free: number;
  #countedAt: number;

  /**
   * `recent` is when others left in the window before `now`, on the same clock, oldest first: those of earlier runs,
   * which count as if there had been no restart.
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

  /** Notes one that leaves, also where it did not ask before. */
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
