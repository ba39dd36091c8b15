// How many requests one Key may make (document, section 8). The window slides, so that no 60 seconds, wherever
// they begin, hold more than the limit. It is not kept over a restart.

import type { Clock } from '../platform/clock.js';

const WINDOW_MS = 60_000;

/** When each of a Key's last admitted requests came, as a ring; the one at `next` is the oldest. */
interface Window {
  readonly admittedAt: Float64Array;
  next: number;
}

/** Counts the requests of every Key. */
export class RateLimit {
  readonly #requestsPerMinute: number;
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #windows = new Map<number, Window>();

  constructor(requestsPerMinute: number, clock: Pick<Clock, 'monotonic'>) {
    this.#requestsPerMinute = requestsPerMinute;
    this.#clock = clock;
  }

  /** Admits a request of a Key and returns 0, or refuses it, uncounted, and returns the milliseconds to wait. */
  take(key: number): number {
    const window = this.#windowOf(key);
    const { admittedAt, next } = window;
    const now = this.#clock.monotonic();
    const waitMs = (admittedAt[next] ?? -Infinity) + WINDOW_MS - now;
    if (waitMs > 0) return waitMs;
    admittedAt[next] = now;
    window.next = (next + 1) % admittedAt.length;
    return 0;
  }

  /** Forgets every request. */
  clear(): void {
    this.#windows.clear();
  }

  #windowOf(key: number): Window {
    const known = this.#windows.get(key);
    if (known !== undefined) return known;
    const window = { admittedAt: new Float64Array(this.#requestsPerMinute).fill(-Infinity), next: 0 };
    this.#windows.set(key, window);
    return window;
  }
}
