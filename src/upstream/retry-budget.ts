// How many retries are allowed: a remote in trouble must not get three times the requests it cannot answer.

import type { Clock } from '../platform/clock.js';

export interface RetryBudget {
  /** A request left for the first time. */
  countRequest(): void;
  /** Takes a retry if one is left. */
  takeRetry(): boolean;
}

const WINDOW_MS = 60_000;
const SHARE = 0.1;
const ALWAYS = 3;

/** A budget of one retry to ten requests of the last minute, and three in any case. */
export function createRetryBudget(clock: Clock): RetryBudget {
  const requests: number[] = [];
  const retries: number[] = [];
  return {
    countRequest: () => {
      forgetOld(requests, clock);
      requests.push(clock.monotonic());
    },
    takeRetry: () => {
      forgetOld(requests, clock);
      forgetOld(retries, clock);
      if (retries.length >= Math.max(ALWAYS, requests.length * SHARE)) return false;
      retries.push(clock.monotonic());
      return true;
    },
  };
}

function forgetOld(times: number[], clock: Clock): void {
  const since = clock.monotonic() - WINDOW_MS;
  const young = times.findIndex((at) => at > since);
  times.splice(0, young === -1 ? times.length : young);
}
