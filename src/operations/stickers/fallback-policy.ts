// Whether a default may stand in for what could not be had, and under which reason: one policy for stickers and images.

import type { Cost, FallbackReason } from '../../model/asset.js';
import { SvcdError, type ErrorCode } from '../../model/errors.js';
import type { Spender } from '../../model/spender.js';
import type { Batch } from '../../purchases/batch.js';
import type { PurchaseItem } from '../../purchases/item.js';
import type { Receipt } from '../../purchases/receipt.js';
import { noRemote } from '../../upstream/remote.js';
import type { Rooms } from '../rooms.js';

/** On which terms a client asks for something that is sold. */
export interface Terms {
  readonly spender: Spender;
  /** Milliseconds that the client waits before a default has to do; undefined when it waits to the end. */
  readonly deadlineMs: number | undefined;
  /** Whether a default may stand in. */
  readonly fallback: boolean;
  /** Whether the client closed its connection: what nobody waits for is not bought. */
  readonly isGone?: (() => boolean) | undefined;
  /** Buy although an earlier purchase of it was charged or may have been. */
  readonly allowRepay?: boolean;
  /** The request that reserved it among others, and buys it. */
  readonly batch?: Pick<Batch, 'holds' | 'buy'> | undefined;
}

/** A default has to stand in. */
export interface Fallback {
  readonly kind: 'fallback';
  readonly reason: FallbackReason;
  readonly charged: 'no' | 'maybe' | 'under way';
  /** What this very request cost. */
  readonly cost: Cost;
  /** What the client gets when no default is to be served after all. */
  readonly error: SvcdError;
}

export type Bought = Extract<Receipt, { kind: 'bought' }>;

// A wrong Key, an unknown preset and a bad request are for a person to correct: not in the table, no default.
const REASON_OF: Partial<Record<ErrorCode, FallbackReason>> = {
  offline: 'offline',
  insufficient_credits: 'insufficient_credits',
  key_limit_exceeded: 'insufficient_credits',
  budget: 'budget',
  not_enabled: 'not_enabled',
  unsettled: 'unsettled',
  upstream_failure: 'upstream_failure',
  timeout: 'upstream_failure',
  rate_limited: 'rate_limited',
  busy: 'rate_limited',
  duplicate_request: 'rate_limited',
  spending_stopped: 'spending_stopped',
  disk_full: 'disk_full',
  internal: 'upstream_failure',
  // A machine that its hub does not serve is cut off, for whatever reason: status and doctor tell which.
  hub_certificate_changed: 'offline',
  machine_revoked: 'offline',
  not_a_machine: 'offline',
  database_away: 'offline',
  hub_without_key: 'no_key',
};

/** The reason a default is served under; throws the error itself where it must reach the client. */
export function fallbackReason(error: SvcdError, fallback: boolean): FallbackReason {
  const reason = reasonOf(error);
  if (reason === undefined || !fallback) throw error;
  return reason;
}

/** A timeout of ours is not the remote's failure: its answer may be on its way. */
function reasonOf({ code, fromRemote }: SvcdError): FallbackReason | undefined {
  return code === 'timeout' && !fromRemote ? 'late' : REASON_OF[code];
}

/** The same for what is owned, and whose file alone is missing: a default helps whatever the reason. Throws as above. */
export function reasonOfMissing(error: SvcdError, fallback: boolean): FallbackReason {
  if (!fallback) throw error;
  return reasonOf(error) ?? (error.code === 'invalid_key' && !error.fromRemote ? 'no_key' : 'upstream_failure');
}

const MAY_BE_CHARGED =
  'It may have been charged: "svcd purchases --state unknown" says how to find out, or to buy it again.';

/**
 * Buys an item on these terms; a fallback when it cannot be had in time. The purchase goes on after the deadline. Throws
 * what must reach the client: what a person has to correct, and every error where no default may stand in. `onRefused`
 * is told a refusal first and may throw another error in its place.
 */
export async function buyOrFallBack(
  { coordinator, remote }: Pick<Rooms, 'coordinator' | 'remote'>,
  item: PurchaseItem,
  { spender, deadlineMs, fallback, allowRepay, isGone, batch }: Terms,
  onRefused: (error: SvcdError) => void = () => undefined,
): Promise<Bought | Fallback> {
  if (spender.kind === 'none') {
    if (spender.error !== undefined) throw spender.error;
    const error = remote === undefined ? noRemote() : missingKey();
    if (!fallback) throw error;
    return { kind: 'fallback', reason: 'no_key', charged: 'no', cost: 0, error };
  }
  const receipt = await (batch === undefined
    ? coordinator.buy(item, spender, { allowRepay, deadlineMs, isGone })
    : batch.buy(item));
  if (receipt.kind === 'bought') return receipt;
  if (receipt.kind === 'refused') {
    onRefused(receipt.error);
    const { error } = receipt;
    return { kind: 'fallback', reason: fallbackReason(error, fallback), charged: 'no', cost: 0, error };
  }
  const { error, cost } = receipt;
  if (!fallback) throw error.with({ cost, ...(cost === 'unknown' && { hint: error.hint ?? MAY_BE_CHARGED }) });
  // A call that a hub's end cut off is settled when the hub is back.
  const reasonInDoubt = error.code === 'offline' ? 'offline' : 'unsettled';
  if (receipt.kind === 'unsettled') return { kind: 'fallback', reason: reasonInDoubt, charged: 'maybe', cost, error };
  return { kind: 'fallback', reason: fallbackReason(error, fallback), charged: 'under way', cost, error };
}

/**
 * Throws the `not_declared` of a spender. What a template did not declare it does not get, not even what is owned: else a
 * render would depend on what was bought before it, and fail for the next user.
 */
export function requireDeclared(spender: Spender): void {
  if (spender.kind === 'none' && spender.error?.code === 'not_declared') throw spender.error;
}

/** When svcd looks again what became of an earlier purchase, where that is why a default is served. */
export function looksAgain(reason: FallbackReason, error: SvcdError | undefined): { looksAgainS?: number } {
  return reason === 'unsettled' && error?.retryAfterS !== undefined ? { looksAgainS: error.retryAfterS } : {};
}

/** The Key to ask with. Throws the documented refusal when there is none. */
export function requireKey(spender: Spender): string {
  if (spender.kind === 'key') return spender.key;
  throw spender.error ?? missingKey();
}

export function missingKey(): SvcdError {
  return new SvcdError('invalid_key', 'this needs a Key: the request brings none, and svcd holds none for it', {
    hint: '"svcd key set" stores one for svcd. A request may also bring its own as "Authorization: Bearer …", or the local token ("svcd token show").',
  });
}
