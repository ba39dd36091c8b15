// Buying: one purchase per item at a time however many ask, and never again what may have been paid.
// The desk does not know how a paid call is made; it is handed one.

import type { Asset } from '../model/asset.js';
import { isSvcdError, SvcdError } from '../model/errors.js';
import type { Log } from '../platform/log.js';
import type { InflightTracker } from './inflight-tracker.js';
import type { Journal, Order, Purchase } from './journal.js';
import { asAsset, type Brought, type OwnedStore } from './owned-store.js';
import type { ReadBalance, Settlement } from './settlement.js';

/** How a paid call ended, as far as money goes; `balance` is what its answer said is left. */
export type PaidAnswer = { readonly balance?: number | undefined } & (
  | { readonly kind: 'delivered'; readonly brought: Brought }
  /** Charged, but what came cannot be used. */
  | { readonly kind: 'unusable'; readonly brought: Brought; readonly error: SvcdError }
  /** Certainly not charged: nothing was sent, or the remote said no. */
  | { readonly kind: 'refused'; readonly error: SvcdError }
  /** Sent, and whether it was charged cannot be seen. */
  | { readonly kind: 'lost'; readonly error: SvcdError }
);

/** What a paid call awaits on its way. */
export interface PaySteps {
  /** Right before the first byte leaves, each time it does; if this rejects, nothing is sent. */
  beforeSend(this: void): Promise<void>;
  /** When it was refused for free, and waits to be sent again. Never rejects. */
  beforeWait(this: void): Promise<void>;
}

/** One paid call, ready to be made. */
export interface PaidCall {
  /** Makes the call. */
  pay(steps: PaySteps): Promise<PaidAnswer>;
  /** Asks, for free, for the balance of the account that pays. */
  readonly readBalance: ReadBalance;
}

export type Receipt =
  | {
      readonly kind: 'bought';
      readonly asset: Asset;
      /** Credits this caller spent; 0 for whoever joined. */
      readonly cost: number;
      /** False when the bytes could not be written down (yet). */
      readonly kept: boolean;
    }
  | {
      readonly kind: 'refused';
      readonly error: SvcdError;
      /** Whether it was charged all the same: what came cannot be used. */
      readonly charged: boolean;
    }
  /** It was charged, or may have been, and nothing of it is owned. */
  | { readonly kind: 'unsettled'; readonly error: SvcdError };

export interface PurchaseCoordinator {
  /** Buys an item, or joins its purchase under way. Never rejects. */
  buy(order: Order, call: PaidCall): Promise<Receipt>;
  /** Whether a purchase of this item is under way. */
  isBuying(item: string): boolean;
  /** Resolves when nothing is being bought any more, after a last try to write down what could not be. */
  idle(): Promise<void>;
}

export interface CoordinatorOptions {
  readonly journal: Journal;
  readonly owned: OwnedStore;
  readonly settlement: Settlement;
  readonly traffic: InflightTracker;
  readonly log: Log;
}

interface Flight {
  readonly order: Order;
  readonly receipt: Promise<Receipt>;
}

/** Paid for, and not on disk yet. */
interface Unkept {
  readonly id: number;
  readonly cost: number;
  readonly brought: Brought;
}

/** Over, and not in the journal yet. */
interface Unwritten {
  readonly order: Order;
  readonly answer: PaidAnswer;
}

const KEEP_AGAIN_MS = 5000;

/** A desk over one journal and one store. */
export function createPurchaseCoordinator({
  journal,
  owned,
  settlement,
  traffic,
  log,
}: CoordinatorOptions): PurchaseCoordinator {
  const flights = new Map<string, Flight>();
  const unkept = new Map<string, Unkept>();
  const unwritten = new Map<number, Unwritten>();
  let again: NodeJS.Timeout | undefined;

  async function buy(order: Order, call: PaidCall): Promise<Receipt> {
    const flight = flights.get(order.item);
    if (flight === undefined) return takeOff(order, call);
    const receipt = await flight.receipt;
    if (mayDoBetter(order, flight.order, receipt)) return buy(order, call);
    return receipt.kind === 'bought' ? { ...receipt, cost: 0 } : receipt;
  }

  function takeOff(order: Order, call: PaidCall): Promise<Receipt> {
    const receipt = purchase(order, call)
      .catch((cause: unknown) => notBegun(order, cause))
      .finally(() => flights.delete(order.item));
    flights.set(order.item, { order, receipt });
    return receipt;
  }

  async function purchase(order: Order, call: PaidCall): Promise<Receipt> {
    const waiting = unkept.get(order.item);
    const already = await owned.find(order.item);
    if (already !== undefined) return { kind: 'bought', asset: already, cost: 0, kept: true };
    if (waiting !== undefined)
      return { kind: 'bought', asset: asAsset(waiting.brought), cost: 0, kept: false };
    const doubt = await findUnsettled(order, call.readBalance);
    if (doubt !== undefined) return { kind: 'unsettled', error: unsettled(doubt) };
    const id = await journal.intend(order);
    return conclude(id, order, call);
  }

  /** Nothing of an item is owned, yet a credit went or may have gone for it: what would cost again asks first. */
  async function findUnsettled(order: Order, readBalance: ReadBalance): Promise<Purchase | undefined> {
    if (order.allowRepay === true) return undefined;
    const doubt = await journal.findUnsettled(order.item);
    if (doubt?.state !== 'unknown' || doubt.keyId !== order.keyId) return doubt;
    await settlement.settle(order.keyId, readBalance);
    return journal.findUnsettled(order.item);
  }

  async function conclude(id: number, order: Order, call: PaidCall): Promise<Receipt> {
    const { answer, alone } = await makeCall(id, order.keyId, call);
    const receipt = await writeDown(id, order, answer);
    if (answer.kind === 'lost') settlement.settleLater(order.keyId, call.readBalance);
    else if (alone && answer.balance !== undefined) settlement.reconcile(order.keyId, answer.balance);
    return receipt;
  }

  async function makeCall(id: number, keyId: string, call: PaidCall) {
    let land: (() => boolean) | undefined;
    const beforeSend = async () => {
      await journal.send(id);
      land ??= traffic.leave(keyId);
    };
    const beforeWait = () => takeBack(id);
    const answer = await call.pay({ beforeSend, beforeWait }).catch((cause: unknown): PaidAnswer => {
      const error = new SvcdError('internal', 'the paid call failed inside svcd', { cause });
      return { kind: land === undefined ? 'refused' : 'lost', error };
    });
    return { answer, alone: land?.() ?? false };
  }

  async function takeBack(id: number): Promise<void> {
    try {
      await journal.takeBack(id);
    } catch (error) {
      // It stays `sent`, which after a crash is read as unknown: careful, not wrong.
      log.warn('a purchase that waits could not be noted as such', { purchase: id, why: String(error) });
    }
  }

  async function writeDown(id: number, order: Order, answer: PaidAnswer): Promise<Receipt> {
    try {
      return await settle(id, order, answer);
    } catch (error) {
      // The row stays open, so nobody buys this meanwhile.
      log.error('the end of a purchase could not be written down; svcd tries again', {
        purchase: id,
        why: String(error),
      });
      unwritten.set(id, { order, answer });
      tryAgainLater();
      const known =
        answer.kind === 'delivered' ? new SvcdError('internal', 'the purchase failed') : answer.error;
      return answer.kind === 'refused' ? refused(known) : { kind: 'unsettled', error: known };
    }
  }

  async function settle(id: number, order: Order, answer: PaidAnswer): Promise<Receipt> {
    switch (answer.kind) {
      case 'delivered':
        return keep(order.item, { id, cost: order.price, brought: answer.brought });
      case 'unusable':
        await owned.keepEvidence(id, order.price, answer.brought, answer.error.message);
        return { kind: 'refused', error: answer.error, charged: true };
      case 'refused':
        await journal.refuse(id, answer.error.code);
        return refused(answer.error);
      case 'lost':
        await journal.lose(id, answer.error.code);
        log.warn('a paid call was lost', { purchase: id, why: answer.error.code });
        return { kind: 'unsettled', error: answer.error };
    }
  }

  async function keep(item: string, one: Unkept): Promise<Receipt> {
    const { id, cost, brought } = one;
    try {
      const asset = await owned.keep(id, cost, brought);
      unkept.delete(item);
      return { kind: 'bought', asset, cost, kept: true };
    } catch (error) {
      // Paid for, so the client gets the bytes even if this disk cannot take them now.
      log.error('a purchase could not be kept; svcd tries again', { purchase: id, why: String(error) });
      unkept.set(item, one);
      tryAgainLater();
      return { kind: 'bought', asset: asAsset(brought), cost, kept: false };
    }
  }

  function tryAgainLater(): void {
    again ??= setTimeout(() => void keepAgain(), KEEP_AGAIN_MS).unref();
  }

  async function keepAgain(): Promise<void> {
    again = undefined;
    for (const [item, one] of Array.from(unkept)) await keep(item, one);
    for (const [id, { order, answer }] of Array.from(unwritten)) {
      unwritten.delete(id);
      await writeDown(id, order, answer);
    }
  }

  function notBegun(order: Order, cause: unknown): Receipt {
    if (isSvcdError(cause)) return refused(cause);
    log.error('a purchase could not begin', { kind: order.kind, why: String(cause) });
    const message = 'the journal cannot be written, so nothing was sent';
    return refused(new SvcdError('internal', message, { cause }));
  }

  return {
    buy,
    isBuying: (item) => flights.has(item),
    idle: async () => {
      while (flights.size > 0) await Promise.all([...flights.values()].map(({ receipt }) => receipt));
      await keepAgain();
      clearTimeout(again);
    },
  };
}

/** Whether one that joined a flight of other terms should try for itself. */
function mayDoBetter(order: Order, flight: Order, { kind }: Receipt): boolean {
  // Somebody else's wrong or empty Key, or spent budget, is no reason to refuse this one.
  if (kind === 'refused') return flight.keyId !== order.keyId || flight.tokenId !== order.tokenId;
  return kind === 'unsettled' && order.allowRepay === true && flight.allowRepay !== true;
}

function refused(error: SvcdError): Receipt {
  return { kind: 'refused', error, charged: false };
}

function unsettled({ id, state }: Purchase): SvcdError {
  const why =
    state === 'paid'
      ? 'was paid, but nothing of it is owned'
      : 'was sent and its end was not seen, so it may have been paid';
  return new SvcdError('unsettled', `an earlier purchase of this ${why} (purchase ${id})`, {
    hint: `See "svcd purchases"; "svcd purchases retry ${id}" buys it again.`,
  });
}
