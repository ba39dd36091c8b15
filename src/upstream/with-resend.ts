// Sends again what the remote refused for now: too many requests or a busy service (429), and a paid call that is under
// way already (409), as an image that another request asked for. Such a refusal is free.

import type { Clock } from '../platform/clock.js';
import type { SvcdError } from '../model/errors.js';
import type { Exchange, Exchanger, Layer, RemoteAnswer, RemoteRequest } from './exchange.js';
import { waitForTurnMs } from './no-turn.js';
import { limitsKey, retryAfterMs } from './remote-error.js';
import type { Sleep } from '../platform/sleep.js';

export interface ResendOptions {
  /** Milliseconds before each further try; the last one is used again and again. */
  readonly pausesMs: readonly [number, ...number[]];
  readonly clock: Clock;
  readonly sleep: Sleep;
  /** Whether an answer refuses for now; a 429, and a 409 to a paid call, if not given. */
  readonly isForNow?: (answer: RemoteAnswer, request: RemoteRequest) => boolean;
  /** Whether something behind this layer holds back what is refused for now, so that no pause is needed here. */
  readonly isHeld?: (answer: RemoteAnswer) => boolean;
}

/**
 * Sends a request that allows it (`resendWithinMs`) again after a refusal for now, with pauses and within that time; then
 * the refusal is the answer, at once if its `Retry-After` lies beyond. To be put behind the breaker, whose recall ends
 * the waiting: what waits was not sent; and before the rate limit, which lets pass first what has waited longest.
 */
export function withResend(options: ResendOptions): Layer {
  const { pausesMs, clock, sleep, isForNow = isRefusedForNow, isHeld = limitsKey } = options;
  return (next) => async (request) => resendWhile(request, next);

  async function resendWhile(request: RemoteRequest, next: Exchanger): Promise<Exchange> {
    if (request.resendWithinMs === undefined) return next(request);
    const waitingSince = clock.monotonic();
    const endsAt = waitingSince + request.resendWithinMs;
    let result = await next({ ...request, waitingSince });
    for (let tries = 0; ; tries++) {
      const noTurnForMs = waitForTurnMs(result);
      if (noTurnForMs !== undefined) {
        if (clock.monotonic() + noTurnForMs >= endsAt) break;
        // The rate limit holds back all of the Key's requests until then.
        result = await next({ ...request, waitingSince, ...queueTimeout(request, endsAt - clock.monotonic()) });
        continue;
      }
      if (result.kind !== 'answer' || result.fell === true || !isForNow(result, request)) break;
      const pauseMs = Math.max(pausesMs[tries] ?? pausesMs.at(-1) ?? 0, retryAfterMs(result));
      if (clock.monotonic() + pauseMs >= endsAt) break;
      await request.beforeWait?.(result);
      // The rate limit holds back all of the Key's requests then, in their order.
      const called = isHeld(result) ? undefined : await waitFor(pauseMs, request, sleep);
      if (called !== undefined) return { kind: 'unreached', error: called };
      result = await next({ ...request, waitingSince, ...queueTimeout(request, endsAt - clock.monotonic()) });
    }
    return result;
  }
}

function isRefusedForNow({ status }: RemoteAnswer, { cost }: RemoteRequest): boolean {
  return status === 429 || (status === 409 && cost === 'paid');
}

/** One that does not wait for its turn for ever waits no longer than it is sent again. */
function queueTimeout({ queueTimeoutMs }: RemoteRequest, leftMs: number): Pick<RemoteRequest, 'queueTimeoutMs'> {
  return queueTimeoutMs === undefined ? {} : { queueTimeoutMs: Math.min(queueTimeoutMs, leftMs) };
}

/** The reason of the recall, if that ended the waiting. */
async function waitFor(ms: number, { recall }: RemoteRequest, sleep: Sleep): Promise<SvcdError | undefined> {
  await sleep(ms, recall === undefined ? {} : { signal: recall });
  return recall?.aborted === true ? (recall.reason as SvcdError) : undefined;
}
