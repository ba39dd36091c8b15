// Repeats free requests that failed. Never one that is paid or may be: whether that was charged cannot be seen from here.
// How many retries are allowed: a remote in trouble must not get three times the requests it cannot answer.

import type { Clock } from '../platform/clock.js';
import type { Sleep } from '../platform/sleep.js';
import type { Exchange, Layer, RemoteRequest } from './exchange.js';
import { remoteError, retryAfterMs } from './remote-error.js';

export interface RetryOptions {
  readonly maxRetries: number;
  /** Longest pause before the first retry; it doubles with each. */
  readonly pauseMs: number;
  readonly clock: Clock;
  readonly sleep: Sleep;
  /** From 0 to 1, 1 excluded. */
  readonly random: () => number;
}

/**
 * Repeats free GETs whose answer was lost or a 5xx that may pass, all tries together within the request's
 * `timeoutMs` and the retry budget. What was `unreached` is not repeated: the breaker's probe does that for all.
 */
export function withRetry(options: RetryOptions): Layer {
  const { clock, sleep, maxRetries } = options;
  const budget = createRetryBudget(clock);
  return (next) => async (request) => {
    if (request.cost === 'paid' || request.method !== 'GET') return next(request);
    const endsAt = clock.monotonic() + request.timeoutMs;
    let result = await next(request);
    if (result.kind !== 'unreached') budget.countRequest();
    for (let retries = 0; retries < maxRetries && mayPass(result); retries++) {
      const pauseMs = pauseBefore(retries, result, options);
      if (clock.monotonic() + pauseMs >= endsAt || !budget.takeRetry()) break;
      await sleep(pauseMs);
      result = await next(remaining(request, endsAt - clock.monotonic()));
    }
    return result;
  };
}

/** Whether asking again may bring something else. */
function mayPass(result: Exchange): boolean {
  if (result.kind === 'unreached') return false;
  // It has used up all its time already.
  if (result.kind === 'lost') return result.error.code !== 'timeout';
  if (result.status < 500 || result.status === 501) return false;
  return remoteError(result).code !== 'not_enabled';
}

/** Between half and all of a pause that doubles, so that requests that failed together do not come back together. */
function pauseBefore(retries: number, result: Exchange, { pauseMs, random }: RetryOptions): number {
  const jittered = pauseMs * 2 ** retries * (0.5 + random() / 2);
  return Math.max(jittered, retryAfterMs(result));
}

function remaining(request: RemoteRequest, ms: number): RemoteRequest {
  return { ...request, timeoutMs: Math.max(1, Math.floor(ms)) };
}

const WINDOW_MS = 60_000;
const SHARE = 0.1;
const ALWAYS = 3;

/** A budget of one retry to ten requests of the last minute, and three in any case. */
function createRetryBudget(clock: Clock) {
  const requests: number[] = [];
  const retries: number[] = [];
  return {
    /** A request left for the first time. */
    countRequest: (): void => {
      forgetOld(requests, clock);
      requests.push(clock.monotonic());
    },
    /** Takes a retry if one is left. */
    takeRetry: (): boolean => {
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
