// Waiting for the same call: a remote that makes an image answers 409 to every further request for it. That refusal is
// free, so the request may be sent again when the other one is over.

import type { Clock } from '../platform/clock.js';
import type { SvcdError } from '../model/errors.js';
import type { Exchange, Layer, RemoteRequest } from './exchange.js';
import { retryAfterMs } from './remote-error.js';
import type { Sleep } from '../platform/sleep.js';

export interface ConflictRetryOptions {
  /** Milliseconds before each further try; the last one is used again and again. */
  readonly pausesMs: readonly [number, ...number[]];
  readonly maxTries: number;
  readonly clock: Clock;
  readonly sleep: Sleep;
}

/**
 * Sends a request that allows it (`conflictWaitMs`) again after a 409, with pauses and within that time; then the
 * 409 is the answer. To be put behind the breaker, whose recall ends the waiting: what waits was not sent.
 */
export function withConflictRetry(options: ConflictRetryOptions): Layer {
  return (next) => async (request) => {
    if (request.conflictWaitMs === undefined) return next(request);
    const endsAt = options.clock.monotonic() + request.conflictWaitMs;
    let result = await next(request);
    for (let tries = 1; isUnderWay(result) && tries < options.maxTries; tries++) {
      const pauseMs = pauseBefore(tries, result, options);
      if (options.clock.monotonic() + pauseMs >= endsAt) break;
      await request.beforeWait?.();
      const called = await waitFor(pauseMs, request, options.sleep);
      if (called !== undefined) return { kind: 'unreached', error: called };
      result = await next(request);
    }
    return result;
  };
}

function isUnderWay(result: Exchange): boolean {
  return result.kind === 'answer' && result.status === 409;
}

function pauseBefore(tries: number, result: Exchange, { pausesMs }: ConflictRetryOptions): number {
  return Math.max(pausesMs[tries - 1] ?? pausesMs.at(-1) ?? 0, retryAfterMs(result));
}

/** The reason of the recall, if that ended the waiting. */
async function waitFor(ms: number, { recall }: RemoteRequest, sleep: Sleep): Promise<SvcdError | undefined> {
  await sleep(ms, recall === undefined ? {} : { signal: recall });
  return recall?.aborted === true ? (recall.reason as SvcdError) : undefined;
}
