// Buying through the real coordinator from a remote whose every paid call ends as the test says.

import { isSvcdError, SvcdError } from '../../src/model/errors.js';
import { silentLog } from '../../src/platform/log.js';
import type { PurchaseItem } from '../../src/purchases/item.js';
import { createPurchaseCoordinator, type PurchaseCoordinator } from '../../src/purchases/purchase-coordinator.js';
import type { Receipt } from '../../src/purchases/receipt.js';
import type { Exchange, RemoteRequest } from '../../src/upstream/exchange.js';
import type { Remote } from '../../src/upstream/remote.js';
import type { PurchaseKind } from '../../src/purchases/journal.js';
import type { PurchaseStores } from '../../src/purchases/purchase-stores.js';

/** How a paid call ends after its first byte left. */
export type Ending = () => Exchange | Promise<Exchange>;

export interface BuyOptions {
  readonly kind?: PurchaseKind;
  readonly price?: number;
  readonly key?: string;
  readonly tokenId?: number;
  readonly allowRepay?: boolean;
  /** The call leaves when this resolves. */
  readonly turn?: Promise<void>;
  /** Whether the client closed its connection. */
  readonly isGone?: () => boolean;
}

export interface TestBuyer {
  readonly coordinator: PurchaseCoordinator;
  /** Something to buy, whose paid call ends so. */
  itemOf(name: string, ending: Ending, options?: Pick<BuyOptions, 'kind' | 'price' | 'turn'>): PurchaseItem;
  buy(name: string, ending: Ending, options?: BuyOptions): Promise<Receipt>;
}

export const KEY = 'account';

/** A success with these bytes; a `problem` makes them unusable. */
export function delivered(text: string, balance?: number, problem?: string): Exchange {
  const headers = { ...balanceHeader(balance), ...(problem === undefined ? {} : { 'x-problem': problem }) };
  return { kind: 'answer', status: 200, headers, bytes: new TextEncoder().encode(text) };
}

/** A refusal for free that tells the balance. */
export function refused(balance?: number): Exchange {
  return { kind: 'answer', status: 402, headers: balanceHeader(balance), bytes: new Uint8Array() };
}

export function lost(): Exchange {
  return { kind: 'lost', error: new SvcdError('timeout', 'cut off') };
}

/** A coordinator over these stores; `readBalance` is what the free usage call tells. */
export function createTestBuyer(stores: PurchaseStores, readBalance: () => number | undefined): TestBuyer {
  const calls = new Map<string, { ending: Ending; turn: Promise<void> }>();
  const exchange = async ({ path, cost, beforeSend }: RemoteRequest): Promise<Exchange> => {
    if (cost === 'free') return delivered('{}', readBalance());
    const call = calls.get(path);
    if (call === undefined) throw new Error(`nothing is known of ${path}`);
    await call.turn;
    try {
      await beforeSend?.();
    } catch (cause) {
      const error = isSvcdError(cause) ? cause : new SvcdError('internal', 'not sent', { cause });
      return { kind: 'unreached', error };
    }
    return call.ending();
  };
  const remote: Remote = {
    baseUrl: 'http://remote.test',
    exchange,
    reach: () => ({ offline: false, forced: false }),
    heldForMs: () => 0,
    rate: () => ({ waiting: 0, left: 0, waits: 0, waitedMs: 0 }),
    findRefusal: () => undefined,
    setForcedOffline: () => undefined,
    close: () => undefined,
  };
  const coordinator = createPurchaseCoordinator({
    ...stores,
    remote,
    maxFileBytes: 1000,
    log: silentLog,
  });
  const itemOf: TestBuyer['itemOf'] = (
    name,
    ending,
    { kind = 'sticker', price = 1, turn = Promise.resolve() } = {},
  ) => {
    const path = `/${name}#${calls.size}`;
    calls.set(path, { ending, turn });
    return {
      name,
      kind,
      price,
      request: { method: 'GET', path, timeoutMs: 1000 },
      unpack: ({ bytes, headers }) => ({ bytes, contentType: 'application/json', problem: headers['x-problem'] }),
    };
  };
  return {
    coordinator,
    itemOf,
    buy: (name, ending, { key = KEY, tokenId, allowRepay, isGone, ...made } = {}) => {
      const item = itemOf(name, ending, made);
      const payer = { kind: 'key', key, ...(tokenId === undefined ? {} : { tokenId }) } as const;
      return coordinator.buy(item, payer, { allowRepay, isGone });
    },
  };
}

function balanceHeader(balance: number | undefined): Record<string, string> {
  return balance === undefined ? {} : { 'x-service-credits-remaining': `${balance}` };
}
