// What a quiet balance proves, apart from where purchases are written down: a balance before, one after, and what is known to
// have been spent between them; the rest is what the unknown ones cost. What was settled as free is watched on: a request may
// arrive later than anybody waits.

import type { Clock } from '../platform/clock.js';
import { isOneDay } from './calendar.js';
import type { PurchaseKind } from './journal.js';

/** A balance to compare with. */
export interface Anchor {
  readonly balance: number;
  /** The lowest level since then (`Verdict`): one above it rose. */
  readonly low: number;
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

/**
 * Settled as free by the balance, a week ago at most; or, where the balance fell with a refusal since the anchor, refused by an
 * answer since then: others under way may have hidden that it fell with this one too.
 */
export interface Freed {
  readonly id: number;
  readonly price: number;
}

export interface Evidence {
  readonly anchor: Anchor | undefined;
  /** Sent since then. */
  readonly unknown: readonly Unknown[];
  /** The youngest first. */
  readonly freed: readonly Freed[];
  /** Credits that are known to have been charged since then. */
  readonly paid: number;
  /** Of these, what was written down as such after it was unknown, by a person or with its bytes: that moved no balance then. */
  readonly paidLater: number;
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
  /** What was settled as free and is in doubt again. */
  readonly late: readonly Freed[];
  /** By how much the balance fell because of them, at most. */
  readonly taken: number;
  /** The balance with what was bought since the anchor put back. */
  readonly level: number;
}

/** How an unknown purchase became a paid one that no balance told of: `paidLater`. */
export const PAID_LATER = `reason IN ('decided', 'returned')`;

/** A balance read longer than this before the call left proves nothing: an account also gains credits. */
const ANCHOR_MAX_AGE_MS = 60 * 60_000;
/** By how much the service's clock may differ from this one. */
const CLOCK_SKEW_MS = 10 * 60_000;
/** Why a purchase is left to the user: the account gained credits meanwhile, so the balance cannot tell. */
export const BALANCE_ROSE = 'balance_rose';
/** Why one that was settled as free is left to the user: the balance fell later, and nothing else explains that. */
export const LATE = 'late';
/** Why it is unknown: it was refused, and the balance fell. */
export const CHARGED_REFUSAL = 'charged_refusal';
/** Refusals that take nothing for certain: of the Key itself, and where nothing was left to take (SQL). */
export const SURELY_FREE = `('invalid_key', 'key_disabled', 'insufficient_credits')`;
/** Why it was settled as free. */
export const NOT_CHARGED = 'not_charged';
/** So long what was settled as free is watched on. */
export const WATCHED_MS = 7 * 24 * 60 * 60_000;

/** What this balance says of the unknown purchases, and of those that were settled as free. */
export function judgeBalance(evidence: Evidence): Verdict {
  const { anchor, unknown, freed, paid, paidLater, balance, certain, isOver } = evidence;
  const level = balance + paid - paidLater;
  // A first balance while something may still be charged would be blamed for it later.
  if (anchor === undefined) return { end: isOver ? 'unclear' : 'wait', rose: false, late: [], taken: 0, level };
  const drop = anchor.balance - paid - balance;
  // A charge may have come in the same moment as what raised it, of any of them; and where more is called paid than was taken
  // by now, the next charge may be of any.
  if (level > anchor.low || drop < 0) return { end: 'unclear', rose: true, late: freed, taken: 0, level };
  const all = unknown.reduce((sum, { price }) => sum + price, 0);
  const late = explaining(drop, drop - all, freed);
  const taken = Math.min(
    drop,
    late.reduce((sum, { price }) => sum + price, 0),
  );
  const verdict = (end: Verdict['end']) => ({ end, rose: false, late, taken, level });
  if (unknown.length === 0) return verdict('unclear');
  // Of what was taken as free one may have been charged in place of these: then a person has to say which.
  // A fall with a refusal may be another program's too: that is for a person.
  const isRefused = unknown.some(({ reason }) => reason === CHARGED_REFUSAL);
  const isPaid = certain && drop === all && !isRefused && !mayBeOthers(drop, unknown, freed);
  if (!isPaid && !isOver) return verdict('wait');
  if (certain && drop === 0 && provesFree(anchor, evidence)) return verdict('free');
  return verdict(isPaid ? 'paid' : 'unclear');
}

/** Whether one or more of `freed`, with some of `unknown` or none, cost just `drop`. */
function mayBeOthers(drop: number, unknown: readonly Unknown[], freed: readonly Freed[]): boolean {
  const sums = (some: readonly { readonly price: number }[]): Set<number> => {
    const found = new Set([0]);
    for (const { price } of some) for (const sum of Array.from(found)) if (sum + price <= drop) found.add(sum + price);
    return found;
  };
  const ofUnknown = sums(unknown);
  return [...sums(freed)].some((sum) => sum > 0 && ofUnknown.has(drop - sum));
}

/** The youngest that may have been charged after all, where the balance fell by `unexplained` more than what is unknown can tell. */
function explaining(drop: number, unexplained: number, freed: readonly Freed[]): Freed[] {
  const late: Freed[] = [];
  let left = unexplained;
  for (const one of freed) {
    if (left <= 0) break;
    if (one.price > drop) continue;
    late.push(one);
    left -= one.price;
  }
  return late;
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

/** How a wait that has begun is kept where a restart does not lose it. */
export interface KeptWaits {
  /** For how long it has been waited; undefined if that has not begun. */
  read(id: number): number | undefined;
  write(id: number, waitedMs: number): void;
}

export interface Grace {
  /** How long it is, of a sticker and of an image. */
  readonly endsMs: readonly number[];
  /** Begins to count for a purchase, unless that has begun. */
  watch(one: Pick<Unknown, 'id'>): void;
  /** Whether the grace of each of them is over; begins to count for each. */
  isOver(unknown: readonly Unknown[]): boolean;
  /** How long it is not over yet for one. */
  leftMs(one: Pick<Unknown, 'id' | 'kind'>): number;
}

/** Of whoever keeps nothing: it begins anew with each run. */
const KEPT_NOWHERE: KeptWaits = { read: () => undefined, write: () => undefined };

/**
 * For so long after its end was not seen a purchase may still be charged, and an untouched balance proves nothing: a request may
 * lie in the queue of a proxy. Counted on the monotonic clock, while svcd runs: the wall clock may be set and jump.
 */
export function createGrace(clock: Clock, graceMs: number, imageGraceMs: number, kept = KEPT_NOWHERE): Grace {
  const seenAt = new Map<number, number>();
  const waited = ({ id }: Pick<Unknown, 'id'>): number => {
    const now = clock.monotonic();
    const at = seenAt.get(id) ?? now - (kept.read(id) ?? 0);
    seenAt.set(id, at);
    return now - at;
  };
  const ofImageMs = Math.max(graceMs, imageGraceMs);
  const leftMs = (one: Pick<Unknown, 'id' | 'kind'>) =>
    Math.max(0, (one.kind === 'image' ? ofImageMs : graceMs) - waited(one));
  return {
    endsMs: [graceMs, ofImageMs],
    watch: (one) => void waited(one),
    // Each is looked at, so that each begins to count.
    isOver: (unknown) => {
      for (const one of unknown) kept.write(one.id, waited(one));
      return unknown.every((one) => leftMs(one) === 0);
    },
    leftMs,
  };
}
