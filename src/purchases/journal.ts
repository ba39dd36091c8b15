// The journal: one row a paid call, `intent → sent → paid | refused | unknown`, committed before the step it speaks of, so that a
// kill at any moment leaves the truth or `unknown`. Of an item one purchase counts; it is not bought again without consent.

import { SvcdError } from '../model/errors.js';
import type { Machine } from '../model/spender.js';
import type { Age } from '../platform/age.js';
import type { FindLate } from '../upstream/exchange.js';

export type PurchaseKind = 'sticker' | 'image';

export type PurchaseState = 'intent' | 'sent' | 'paid' | 'refused' | 'unknown';

export interface Order {
  /** What is bought, such as `sticker:heart`. */
  readonly item: string;
  readonly kind: PurchaseKind;
  /** Credits expected. */
  readonly price: number;
  /** Short digest of the Key that pays; tells accounts apart without naming one. */
  readonly keyId: string;
  /** The token whose own budget pays too, if it has one. */
  readonly tokenId?: number | undefined;
  /** The machine of a hub that asks, with the projects and people whose budgets pay too. */
  readonly machine?: Machine | undefined;
  /** The project whose budget pays too, where the hub itself asks. */
  readonly project?: string | undefined;
  /** Buy although an earlier purchase of the same item was charged or may have been. */
  readonly allowRepay?: boolean;
}

/** Who may go on: whoever wrote the intent, and nobody where another purchase of the item counts. */
export type Claim = { readonly mine: true; readonly id: number } | { readonly mine: false; readonly counts: Purchase };

export interface Purchase {
  readonly id: number;
  readonly item: string;
  readonly kind: PurchaseKind;
  readonly state: PurchaseState;
  /** Credits expected. */
  readonly price: number;
  /** Credits charged, once known. */
  readonly cost: number | null;
  /** Code of the refusal, or why the end is unknown, or how it was settled. */
  readonly reason: string | null;
  readonly keyId: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly sentAt: number | null;
  readonly settledAt: number | null;
  /** Whether its bytes are owned. */
  readonly owned: 0 | 1;
  /** Name of the token that asked for it, as it is kept; null for none. */
  readonly token: string | null;
}

/** Credits that one request may take, and those that it has taken before. */
export interface RequestSum {
  readonly maxCredits: number;
  readonly taken: number;
}

export interface PurchaseFilter {
  readonly limit: number;
  /** Milliseconds since the epoch. */
  readonly since?: number | undefined;
  readonly item?: string | undefined;
  readonly state?: PurchaseState | undefined;
  /** Leaves out refused ones from before; milliseconds since the epoch. */
  readonly freeSince?: number | undefined;
}

export interface Journal {
  /**
   * Reserves the price and writes the intent, in one transaction, unless another purchase of the item counts: one that is
   * open, was paid or may have been, and that the order does not consent to pay again. Throws `budget`, `spending_stopped`,
   * `machine_revoked`.
   */
  intend(order: Order): Promise<Claim>;
  /**
   * The same for many orders of one payer, whose whole price is reserved, or nothing: throws `budget` too when it is over
   * the maximum of the request.
   */
  intendAll(orders: readonly Order[], request: RequestSum): Promise<Claim[]>;
  /**
   * Says that bytes may now leave. What allowed the intent is looked at once more: throws `budget` when a limit was
   * lowered meanwhile, `invalid_token` when the token ended, `spending_stopped`, `interrupted` when it was released;
   * `rate_limited` (upstream/no-turn.ts) when others who share the Key have its turns. What it gives is asked right before
   * the first byte leaves: where other processes end what the dead left open, a permission grows old.
   */
  send(id: number): Promise<FindLate>;
  /** Gives back what was reserved, if it has not been sent; false if it has. */
  release(id: number): Promise<boolean>;
  /**
   * Says that what was sent was refused for free and waits to be sent again; nothing else of its Key is to leave for so
   * long, from any process that shares the journal.
   */
  takeBack(id: number, blockedForMs?: number): Promise<void>;
  /** Says that nothing was charged. */
  refuse(id: number, reason: string): Promise<void>;
  /** Says that it cannot be known whether it was charged. */
  lose(id: number, reason: string): Promise<void>;
  /** The purchase of this item that was charged or may have been, and that nobody consented to pay again. */
  findUnsettled(item: string): Promise<Purchase | undefined>;
  /** The purchase of this number. Throws `not_found`. */
  getPurchase(id: number): Promise<Purchase>;
  /** What the user says became of an unknown purchase. Throws `not_found`, `invalid_request`. */
  decide(id: number, outcome: 'paid' | 'refused'): Promise<Purchase>;
  /** Items that are being bought, or that may have been charged, with the state of the latest purchase; as last known. */
  listOpen(): { item: string; state: PurchaseState }[];
  /** How many purchases of items that begin like this were paid. */
  countPaid(prefix: string): Promise<number>;
  /** Newest first. */
  list(filter: PurchaseFilter): Promise<Purchase[]>;
  sums(): Promise<{ state: PurchaseState; purchases: number; credits: number }[]>;
}

/** Refuses a request whose whole price is over its own maximum. */
export function overMaximum(price: number, maxCredits: number): SvcdError {
  return new SvcdError('budget', `this costs ${price} credits, and max_credits is ${maxCredits}`, {
    hint: `Nothing was bought. Ask for less, or give max_credits ${price}.`,
  });
}

export function noPurchase(id: number): SvcdError {
  return new SvcdError('not_found', `there is no purchase ${id}`);
}

/** Refuses to say what became of a purchase that is known. */
export function notUnknown({ id, state }: Pick<Purchase, 'id' | 'state'>): SvcdError {
  return new SvcdError('invalid_request', `purchase ${id} is ${state}, only one of unknown outcome can be settled`);
}

/** Refuses what was given up before it left. */
export function releasedBefore(id: number): SvcdError {
  return new SvcdError('interrupted', `purchase ${id} was released`);
}

/** Keeps here what was allowed to leave so long ago. */
export function leavesLate(id: number, age: Age): SvcdError {
  return new SvcdError('timeout', `purchase ${id} began to leave ${age.ms()} ms ago, so nothing was sent`);
}

/** Whether it is under way: its end is still to come. */
export function isOpen({ state }: Pick<Purchase, 'state'>): boolean {
  return state === 'intent' || state === 'sent';
}

export interface UnknownPurchases {
  /** The one that was begun first. */
  readonly id: number;
  readonly purchases: number;
  /** When that was; milliseconds since the epoch. */
  readonly since: number;
}

/** What was counted, unless that is nothing. */
export function someOf(found: Partial<UnknownPurchases> | undefined): UnknownPurchases | undefined {
  return (found?.purchases ?? 0) === 0 ? undefined : (found as UnknownPurchases);
}

/** Whole minutes; 0 where a clock was set back. */
export function minutesOpen({ since }: Pick<UnknownPurchases, 'since'>, now: number): number {
  return Math.max(0, Math.floor((now - since) / 60_000));
}
