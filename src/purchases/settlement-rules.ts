// What a quiet balance proves, apart from where purchases are written down: a balance before, one after, and what is known to
// have been spent between them; the rest is what the unknown ones cost.

import type { Clock } from '../platform/clock.js';
import { isOneDay } from './calendar.js';
import { STICKER_TIMEOUT_MS } from './item.js';
import type { PurchaseKind } from './journal.js';

/** A balance to compare with. */
export interface Anchor {
  readonly balance: number;
  /** Milliseconds since the epoch. */
  readonly readAt: number;
}

export interface Unknown {
  readonly id: number;
  readonly kind: PurchaseKind;
  readonly price: number;
  readonly sentAt: number | null;
  readonly reason: string | null;
}

export interface Evidence {
  readonly anchor: Anchor | undefined;
  /** Sent since then. */
  readonly unknown: readonly Unknown[];
  /** Credits that are known to have been charged since then. */
  readonly paid: number;
  readonly balance: number;
  readonly now: number;
  /** Whether nothing else moved the account, and nothing was booked on a guess. */
  readonly certain: boolean;
  /** Whether the grace of each is over: before that, an untouched balance proves nothing. */
  readonly isOver: boolean;
  /** Where the user's days end (IANA name). */
  readonly timeZone: string | undefined;
}

export interface Verdict {
  /** What became of all of them; `wait`: the balance is none to compare with later. `unclear`: a person has to say. */
  readonly end: 'free' | 'paid' | 'unclear' | 'wait';
  /** The account gained credits meanwhile, so that no balance can tell any more that they were free. */
  readonly rose: boolean;
}

/** A balance read longer than this before the call left proves nothing: an account also gains credits. */
const ANCHOR_MAX_AGE_MS = 60 * 60_000;
/** By how much the service's clock may differ from this one. */
const CLOCK_SKEW_MS = 10 * 60_000;
/** Why a purchase is left to the user: the account gained credits meanwhile, so the balance cannot tell. */
export const BALANCE_ROSE = 'balance_rose';

/** What this balance says of the unknown purchases. */
export function judgeBalance(evidence: Evidence): Verdict {
  const { anchor, unknown, paid, balance, certain, isOver } = evidence;
  // A first balance while something may still be charged would be blamed for it later.
  if (anchor === undefined) return { end: isOver ? 'unclear' : 'wait', rose: false };
  if (unknown.length === 0) return { end: 'unclear', rose: false };
  const drop = anchor.balance - paid - balance;
  const all = unknown.reduce((sum, { price }) => sum + price, 0);
  const rose = drop < 0;
  if ((drop !== all || !certain) && !isOver) return { end: 'wait', rose };
  if (certain && drop === 0 && provesFree(anchor, evidence)) return { end: 'free', rose };
  return { end: certain && drop === all ? 'paid' : 'unclear', rose };
}

/**
 * Whether an untouched balance proves that none of these was charged. An allowance that begins anew with a day or a
 * month can give back just what a charge took, and so can whatever else raised the balance meanwhile.
 */
function provesFree(anchor: Anchor, { unknown, now, timeZone }: Evidence): boolean {
  return (
    isOfToday(anchor, now, timeZone) &&
    unknown.every(
      ({ sentAt, reason }) => reason !== BALANCE_ROSE && Math.abs((sentAt ?? now) - anchor.readAt) <= ANCHOR_MAX_AGE_MS,
    )
  );
}

/** Whether a balance is of the present day, wherever the service keeps its books. */
export function isOfToday({ readAt }: Pick<Anchor, 'readAt'>, now: number, timeZone: string | undefined): boolean {
  return isOneDay(readAt - CLOCK_SKEW_MS, now + CLOCK_SKEW_MS, timeZone);
}

/**
 * For so long after its end was not seen a purchase may still be charged, and an untouched balance proves nothing. No shorter
 * than a sticker's read timeout: until then the service may still be at work on it.
 */
export const GRACE_MS: Readonly<Record<PurchaseKind, number>> = { sticker: STICKER_TIMEOUT_MS, image: 15 * 60_000 };

export interface Grace {
  /** Begins to count for a purchase, unless that has begun. */
  watch(one: Pick<Unknown, 'id'>): void;
  /** Whether the grace of each of them is over; begins to count for each. */
  isOver(unknown: readonly Unknown[]): boolean;
}

/** The wall clock may be set and jump; the monotonic one begins anew with each run, and so does the grace then. */
export function createGrace(clock: Clock, graceMs: number, imageGraceMs: number): Grace {
  const seenAt = new Map<number, number>();
  const watched = ({ id }: Pick<Unknown, 'id'>): number => {
    const at = seenAt.get(id) ?? clock.monotonic();
    seenAt.set(id, at);
    return at;
  };
  const isPast = (one: Unknown) => {
    const waitMs = one.kind === 'image' ? Math.max(graceMs, imageGraceMs) : graceMs;
    const since = watched(one);
    return clock.monotonic() - since >= waitMs;
  };
  return {
    watch: (one) => void watched(one),
    // Each is looked at, so that each begins to count.
    isOver: (unknown) => unknown.filter((one) => !isPast(one)).length === 0,
  };
}
