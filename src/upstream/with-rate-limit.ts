// Sends no more requests for one Key than the service allows. A local wait beats a refusal.

import { SvcdError } from '../model/errors.js';
import type { Layer, RemoteRequest } from './exchange.js';
import { waitForTurnMs } from './no-turn.js';
import { RateLimiter, type RateLimiterRules } from './rate-limiter.js';
import { limitsKey, retryAfterMs } from './remote-error.js';

const WITHOUT_KEY = '';
/** Where a refusal does not say when to come back. */
const BLOCK_MS = 1000;

/**
 * Lets a request pass when its Key has room for it, people before background work. One that cannot wait, because too
 * many do or because it would take longer than it allows, is `unreached` with `rate_limited`; so is every request for a
 * Key that the remote wants left alone for very long.
 */
export function withRateLimit(rules: RateLimiterRules, limiters = createLimiters(rules)): Layer {
  return (next) => async (request) => {
    const limiter = limiters.of(request.key ?? WITHOUT_KEY);
    const since = rules.clock.monotonic();
    const turn = await limiter.enter(request);
    limiters.noteWait(rules.clock.monotonic() - since);
    if (turn instanceof SvcdError) return { kind: 'unreached', error: turn };
    request.onTurn?.();
    const beforeSend = async () => {
      await request.beforeSend?.();
      turn.leave();
    };
    const result = await next({ ...request, beforeSend } satisfies RemoteRequest);
    if (result.kind === 'answer' && limitsKey(result)) limiter.block(Math.max(BLOCK_MS, retryAfterMs(result)));
    const noTurnForMs = waitForTurnMs(result);
    if (noTurnForMs !== undefined) limiter.block(noTurnForMs);
    // One that never told that it left is taken to have left now, unless it certainly did not.
    if (result.kind === 'unreached') turn.giveBack();
    else turn.leave();
    return result;
  };
}

export interface RateFigures {
  readonly waiting: number;
  readonly left: number;
  readonly waits: number;
  readonly waitedMs: number;
}

/** A rate limiter for each Key; those with nothing left to remember are dropped about once a window. */
export function createLimiters(rules: RateLimiterRules) {
  const limiters = new Map<string, RateLimiter>();
  let waits = 0;
  let waitedMs = 0;
  let sweptAt = rules.clock.monotonic();
  const sweep = (now: number) => {
    sweptAt = now;
    for (const [key, limiter] of limiters) if (limiter.isIdle()) limiters.delete(key);
  };
  return {
    of: (key: string): RateLimiter => {
      const now = rules.clock.monotonic();
      if (now - sweptAt >= rules.windowMs) sweep(now);
      const limiter = limiters.get(key) ?? new RateLimiter(rules);
      limiters.set(key, limiter);
      return limiter;
    },
    noteWait: (ms: number): void => {
      waits += 1;
      waitedMs += ms;
    },
    /** Who waits now, and what the Key that asked most has left of its window; how often and long somebody has waited so far. */
    figures: (): RateFigures => {
      const each = Array.from(limiters.values(), (limiter) => limiter.figures());
      const waiting = each.reduce((sum, one) => sum + one.waiting, 0);
      return { waiting, left: Math.min(rules.limit, ...each.map((one) => one.left)), waits, waitedMs };
    },
    /** How long the remote still wants to be left alone, by the Key that waits longest. */
    heldForMs: (): number => Math.max(0, ...Array.from(limiters.values(), (limiter) => limiter.heldForMs())),
    /** Ends that. */
    lift: (): void => {
      for (const limiter of limiters.values()) limiter.lift();
    },
  };
}
