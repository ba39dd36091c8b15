// How many requests one Key may make (asset API, section 8). The window slides, so that no 60 seconds, wherever
// they begin, hold more than the limit. It is not kept over a restart.

import type { Clock } from '../platform/clock.js';

const WINDOW_MS = 60_000;

/** Counts the requests of one Key. */
class RateWindow {
  readonly #clock: Clock;
  /** When each of the last admitted requests came, as a ring; the one at `#next` is the oldest. */
  readonly #admittedAt: Float64Array;
  #next = 0;

  constructor(requestsPerMinute: number, clock: Clock) {
    this.#clock = clock;
    this.#admittedAt = new Float64Array(requestsPerMinute).fill(-Infinity);
  }

  /** Admits a request and returns 0, or refuses it, uncounted, and returns the milliseconds to wait. */
  take(): number {
    const now = this.#clock.monotonic();
    const waitMs = (this.#admittedAt[this.#next] ?? -Infinity) + WINDOW_MS - now;
    if (waitMs > 0) return waitMs;
    this.#admittedAt[this.#next] = now;
    this.#next = (this.#next + 1) % this.#admittedAt.length;
    return 0;
  }
}

/** The windows of every Key. */
export class RateLimit {
  readonly #requestsPerMinute: number;
  readonly #clock: Clock;
  readonly #windows = new Map<number, RateWindow>();

  constructor(requestsPerMinute: number, clock: Clock) {
    this.#requestsPerMinute = requestsPerMinute;
    this.#clock = clock;
  }

  /** Admits a request of a Key and returns 0, or refuses it and returns the milliseconds to wait. */
  take(key: number): number {
    const window = this.#windows.get(key) ?? new RateWindow(this.#requestsPerMinute, this.#clock);
    this.#windows.set(key, window);
    return window.take();
  }

  /** Forgets every request. */
  clear(): void {
    this.#windows.clear();
  }
}
