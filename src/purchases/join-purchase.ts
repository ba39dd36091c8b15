// One caller's try to buy one thing, and the purchase of a thing that is under way, which others join.

import type { Cost } from '../model/asset.js';
import { keyIdOf, type Spender } from '../model/spender.js';
import { askBalance, type Remote } from '../upstream/remote.js';
import type { PurchaseItem } from './item.js';
import { payersOf } from './budget.js';
import type { PurchaseProgress, WaitingClient } from './purchase-progress.js';
import type { Receipt } from './receipt.js';
import type { ReadBalance } from './settlement.js';
import type { Order } from './journal.js';

/** Who can pay for a purchase. */
export type Payer = Extract<Spender, { kind: 'key' }>;

/** One caller's try to buy. */
export interface Attempt {
  readonly item: PurchaseItem;
  readonly key: string;
  readonly order: Order;
  readonly remote: Remote;
  readonly client: WaitingClient;
  /** What this caller has spent so far. */
  cost: Cost;
}

export interface UnderWay {
  readonly order: Order;
  readonly receipt: Promise<Receipt>;
  readonly progress: PurchaseProgress;
  /** Begins it, if its price is only reserved so far. */
  readonly begin: () => void;
}

export function attemptOf(
  item: PurchaseItem,
  { key, tokenId, machine, project }: Payer,
  remote: Remote,
  client: WaitingClient,
  allowRepay = false,
): Attempt {
  const { name, kind, price } = item;
  const order = { item: name, kind, price, keyId: keyIdOf(key), tokenId, machine, project, allowRepay };
  return { item, key, order, remote, client, cost: 0 };
}

/** What asks for the balance of who buys. */
export function balanceReader({ remote, key }: Attempt): ReadBalance {
  return () => askBalance(remote, key);
}

/** Whether the same budgets pay. */
export function isOfSamePayer(one: Order, other: Order): boolean {
  return one.keyId === other.keyId && payersOf(one).join() === payersOf(other).join();
}

/** Whether a caller that joined a purchase made on other terms should try for itself. */
export function mayDoBetter(order: Order, other: Order, receipt: Receipt): boolean {
  // Another caller's wrong or empty Key, or spent budget, is no reason to refuse this one; nor that all had gone just
  // before it came.
  if (receipt.kind === 'refused') {
    return !isOfSamePayer(order, other) || receipt.error.code === 'interrupted';
  }
  return receipt.kind === 'unsettled' && order.allowRepay === true && other.allowRepay !== true;
}
