// Whoever sleeps by a clock that is not the wall's: each is woken by whoever moves that clock, or by its signal.

import type { Sleep } from '../../src/platform/sleep.js';

export interface Sleeper {
  /** When it wants to be woken, by that clock. */
  readonly at: number;
  readonly wake: () => void;
}

export interface Sleepers {
  readonly sleep: Sleep;
  /** Those who sleep now, the first to be woken first. */
  readonly list: () => Sleeper[];
}

/** Sleepers by a clock; `fellAsleep` hears of each. */
export function createSleepers(now: () => number, fellAsleep: () => void = () => undefined): Sleepers {
  const sleepers = new Set<Sleeper>();
  const sleep: Sleep = (ms, { signal } = {}) =>
    new Promise((resolve) => {
      if (signal?.aborted === true) return resolve();
      const wake = () => {
        sleepers.delete(sleeper);
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      const sleeper = { at: now() + ms, wake };
      sleepers.add(sleeper);
      signal?.addEventListener('abort', wake);
      fellAsleep();
    });
  return { sleep, list: () => [...sleepers].toSorted((a, b) => a.at - b.at) };
}
