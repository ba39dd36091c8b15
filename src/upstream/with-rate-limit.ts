// No more requests leave for one Key than the service allows, whatever asks. A local wait beats a refusal.

import { SvcdError } from '../model/errors.js';
import type { Layer, RemoteRequest } from './exchange.js';
import { RateLimiter, type RateLimiterRules } from './rate-limiter.js';
import { findRetryAfterS } from './retry-after.js';

const NOBODY = '';

/**
 * Lets a request pass when its Key has room for it, people before background work. One that cannot wait, because
 * too many do or for longer than it allows, is `unreached` with `rate_limited`; so is everything for a Key that
 * the remote wants left alone for very long.
 */
export function withRateLimit(rules: RateLimiterRules): Layer {
  const laneOf = createLanes(rules);
  return (next) => async (request) => {
    const lane = laneOf(request.key ?? NOBODY);
    const turn = await lane.enter(request);
    if (turn instanceof SvcdError) return { kind: 'unreached', error: turn };
    const beforeSend = async () => {
      await request.beforeSend?.();
      turn.leave();
    };
    const result = await next({ ...request, beforeSend } satisfies RemoteRequest);
    if (result.kind === 'answer' && result.status === 429) lane.block((findRetryAfterS(result) ?? 0) * 1000);
    // Whoever never said that it left is taken to have left now, unless it certainly did not.
    if (result.kind === 'unreached') turn.giveBack();
    else turn.leave();
    return result;
  };
}

/** A lane for each Key; those that have nothing left to remember are forgotten about once a window. */
function createLanes(rules: RateLimiterRules): (key: string) => RateLimiter {
  const lanes = new Map<string, RateLimiter>();
  let sweptAt = rules.clock.monotonic();
  const sweep = (now: number) => {
    sweptAt = now;
    for (const [key, lane] of lanes) if (lane.isIdle()) lanes.delete(key);
  };
  return (key) => {
    const now = rules.clock.monotonic();
    if (now - sweptAt >= rules.windowMs) sweep(now);
    const lane = lanes.get(key) ?? new RateLimiter(rules);
    lanes.set(key, lane);
    return lane;
  };
}
