// Buying: one purchase per item at a time however many ask, and never again what may have been paid.
// The desk does not know how a paid call is made; it is handed one.

import type { Asset } from '../asset.js';
import { SvcdError } from '../errors.js';
import type { Log } from '../log.js';
import type { Journal, Order, Purchase } from './journal.js';
import { asAsset, type Brought, type OwnedStore } from './owned-store.js';

/** How a paid call ended, as far as money goes. */
export type PaidAnswer =
  /** Charged, and here is what it brought. */
  | {
      readonly kind: 'delivered';
      readonly cost: number;
      readonly brought: Brought;
      readonly extra?: readonly Brought[];
    }
  /** Charged, but what came cannot be used. */
  | { readonly kind: 'unusable'; readonly cost: number; readonly brought: Brought; readonly error: SvcdError }
  /** Certainly not charged: nothing was sent, or the remote said no. */
  | { readonly kind: 'refused'; readonly error: SvcdError }
  /** Sent, and the end was not seen. */
  | { readonly kind: 'lost'; readonly error: SvcdError };

export type Receipt =
  | { readonly kind: 'bought'; readonly asset: Asset; readonly cost: number; readonly kept: boolean }
  | { readonly kind: 'refused'; readonly error: SvcdError }
  | { readonly kind: 'unsettled'; readonly error: SvcdError };

export interface PurchaseDesk {
  /** Buys an item, or joins its purchase under way; `cost` is 0 for whoever joined. Never rejects. */
  buy(order: Order, pay: () => Promise<PaidAnswer>): Promise<Receipt>;
  /** Resolves when nothing is being bought any more. */
  idle(): Promise<void>;
}

interface Flight {
  readonly keyId: string;
  readonly receipt: Promise<Receipt>;
}

/** A desk over one journal and one store. */
export function createPurchaseDesk(journal: Journal, owned: OwnedStore, log: Log): PurchaseDesk {
  const flights = new Map<string, Flight>();

  async function buy(order: Order, pay: () => Promise<PaidAnswer>): Promise<Receipt> {
    const flight = flights.get(order.item);
    if (flight === undefined) return takeOff(order, pay);
    const receipt = await flight.receipt;
    // Somebody else's wrong or empty Key is no reason to refuse this one.
    if (receipt.kind === 'refused' && flight.keyId !== order.keyId) return buy(order, pay);
    return receipt.kind === 'bought' ? { ...receipt, cost: 0 } : receipt;
  }

  function takeOff(order: Order, pay: () => Promise<PaidAnswer>): Promise<Receipt> {
    const receipt = purchase(order, pay)
      .catch((cause: unknown) => failed(order, cause))
      .finally(() => flights.delete(order.item));
    flights.set(order.item, { keyId: order.keyId, receipt });
    return receipt;
  }

  async function purchase(order: Order, pay: () => Promise<PaidAnswer>): Promise<Receipt> {
    const already = await owned.find(order.item);
    if (already !== undefined) return { kind: 'bought', asset: already, cost: 0, kept: true };
    // Nothing of it is owned, yet a credit went or may have gone: what would cost again asks first.
    const doubt = await journal.findDoubt(order.item);
    if (doubt !== undefined) return { kind: 'unsettled', error: unsettled(order.item, doubt) };
    const id = await journal.intend(order);
    await journal.send(id);
    return settle(id, order, await pay());
  }

  async function settle(id: number, order: Order, answer: PaidAnswer): Promise<Receipt> {
    switch (answer.kind) {
      case 'delivered':
        return keep(id, answer.cost, answer.brought, answer.extra);
      case 'unusable':
        await owned.keepEvidence(id, answer.cost, answer.brought, answer.error.message);
        return { kind: 'refused', error: answer.error };
      case 'refused':
        await journal.refuse(id, answer.error.code);
        return { kind: 'refused', error: answer.error };
      case 'lost':
        await journal.lose(id, answer.error.code);
        log.warn('a paid call was lost', { purchase: id, item: order.item, why: answer.error.code });
        return { kind: 'unsettled', error: answer.error };
    }
  }

  async function keep(
    id: number,
    cost: number,
    brought: Brought,
    extra: readonly Brought[] = [],
  ): Promise<Receipt> {
    try {
      return { kind: 'bought', asset: await owned.keep(id, cost, brought, extra), cost, kept: true };
    } catch (error) {
      // Paid for, so the client gets the bytes even if this disk cannot take them.
      log.error('a purchase could not be written down', { purchase: id, why: String(error) });
      return { kind: 'bought', asset: asAsset(brought), cost, kept: false };
    }
  }

  function failed(order: Order, cause: unknown): Receipt {
    log.error('a purchase failed', { item: order.item, why: String(cause) });
    const error = new SvcdError(
      'internal',
      'the purchase could not be written to the journal; nothing was sent',
      {
        cause,
      },
    );
    return { kind: 'refused', error };
  }

  return {
    buy,
    idle: async () => {
      while (flights.size > 0) await Promise.all([...flights.values()].map(({ receipt }) => receipt));
    },
  };
}

function unsettled(item: string, { id, state }: Purchase): SvcdError {
  const why =
    state === 'paid'
      ? 'was paid, but what it brought cannot be used'
      : 'was sent and its end was not seen, so it may have been paid';
  return new SvcdError('unsettled', `an earlier purchase of ${item} ${why} (purchase ${id})`);
}
