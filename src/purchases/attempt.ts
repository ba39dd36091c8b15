// One caller's try to buy one thing, and the purchase of a thing that is under way, which others join.

import type { Cost } from '../model/asset.js';
import { keyIdOf, type Spender } from '../model/spender.js';
import type { Remote } from '../upstream/remote.js';
import type { PurchaseItem } from './item.js';
import type { Order } from './journal.js';
import type { PurchaseProgress, WaitingClient } from './purchase-progress.js';
import type { Receipt } from './receipt.js';

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
