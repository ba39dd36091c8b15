// Turns of a Key that several processes share (hubs on one database): whatever is no purchase takes one of them, too, right before
// it leaves. A purchase takes its own in the transaction that says that it was sent.

import type { Clock } from '../platform/clock.js';
import { keyIdOf } from '../model/spender.js';
import type { Layer } from './exchange.js';
import { noTurn, waitForTurnMs } from './no-turn.js';
import { limitsKey, retryAfterMs } from './remote-error.js';

export interface SharedTurns {
  /** Takes a turn; or how long there is none. 0 too where nobody can be asked: then it leaves. Never rejects. */
  take(keyId: string): Promise<number>;
  /** Says that the remote took the Key, so that it is one. Never rejects. */
  noteGood(keyId: string): Promise<void>;
  /** Says that the remote wants the Key left alone. Never rejects. */
  block(keyId: string, ms: number): Promise<void>;
}

/** To be put before the rate limit, which holds back all of the Key's requests of this process while there is no turn. */
export function withSharedTurns(turns: SharedTurns, clock: Clock): Layer {
  return (next) => async (request) => {
    const { key, hubItem, queueTimeoutMs = Infinity, waitingSince = clock.monotonic() } = request;
    if (hubItem !== undefined || key === undefined) return next(request);
    const endsAt = clock.monotonic() + queueTimeoutMs;
    const beforeSend = async () => {
      // First: the other hooks are told that it leaves.
      const waitMs = await turns.take(keyIdOf(key));
      if (waitMs > 0) throw noTurn(waitMs);
      await request.beforeSend?.();
    };
    for (;;) {
      const leftMs = Math.max(1, endsAt - clock.monotonic());
      const queue = queueTimeoutMs === Infinity ? {} : { queueTimeoutMs: leftMs };
      const result = await next({ ...request, ...queue, waitingSince, beforeSend });
      if (result.kind === 'answer' && result.status < 300) await turns.noteGood(keyIdOf(key));
      if (result.kind === 'answer' && limitsKey(result)) await turns.block(keyIdOf(key), retryAfterMs(result));
      const waitMs = waitForTurnMs(result);
      if (waitMs === undefined || clock.monotonic() + waitMs >= endsAt) return result;
    }
  };
}
