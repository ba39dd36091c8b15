// Sends again what the remote refused for now: too many requests or a busy service (429), and a paid call that is under
// way already (409), as an image that another request asked for. Such a refusal is free.

import type { Clock } from '../platform/clock.js';
import type { SvcdError } from '../model/errors.js';
import type { Exchange, Exchanger, Layer, RemoteAnswer, RemoteRequest } from './exchange.js';
import { waitForTurnMs } from './no-turn.js';
import { limitsKey, retryAfterMs } from './remote-error.js';
import type { Sleep } from '../platform/sleep.js';

const CREDITS_HEADER = 'x-service-credits-remaining';

/** Credits that an answer says are left, a refusal too, of whatever account. */
export function creditsToldIn({ headers }: Pick<RemoteAnswer, 'headers'>): number | undefined {
  const told = headers[CREDITS_HEADER];
  return told !== undefined && /^\d{1,15}$/.test(told) ? Number(told) : undefined;
}

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
  return (send) => {
    const watched = watchRefusals(send);
    return async (request) => resendWhile(request, watched());
  };

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
      if (result.kind !== 'answer' || result.isCharged === true || !isForNow(result, request)) break;
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

/**
 * A refusal is free, but a service may be wrong about that. Where the balance falls with two refusals of one paid call, one after
 * the other, while no other paid call was under way, the second says so. One fall may be another program's.
 */
function watchRefusals(send: Exchanger): () => Exchanger {
  let told: { readonly key: string | undefined; readonly credits: number } | undefined;
  let [underWay, begun] = [0, 0];
  return () => {
    let falls = 0;
    return async (request) => {
      const isPaid = request.cost === 'paid';
      const before = told?.key === request.key ? told?.credits : undefined;
      const isFirst = underWay === 0;
      if (isPaid) [underWay, begun] = [underWay + 1, begun + 1];
      const place = begun;
      const result = await send(request).finally(() => (underWay -= isPaid ? 1 : 0));
      const credits = result.kind === 'answer' ? creditsToldIn(result) : undefined;
      if (credits === undefined || result.kind !== 'answer') return result;
      told = { key: request.key, credits };
      const isAlone = isPaid && isFirst && place === begun && result.fromHub !== true;
      const hasFallen = isAlone && result.status >= 300 && credits < (before ?? 0);
      falls = hasFallen ? falls + 1 : 0;
      return falls < 2 ? result : { ...result, isCharged: true };
    };
  };
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
