// What is different in a home that belongs to a hub: purchases are settled by asking it, its library is copied, and what it
// can give again need not stay.

import type { HubBelonging } from '../../api/answers.js';
import type { Config } from '../../config/config.js';
import type { Belonging } from '../../config/membership.js';
import { keyIdOf } from '../../model/spender.js';
import type { Cleanup } from '../../platform/cleanup.js';
import type { Clock } from '../../platform/clock.js';
import type { Log } from '../../platform/log.js';
import { openHubCache } from './hub-cache.js';
import { openHubSettlement } from './hub-settlement.js';
import { itemOf, stickerItem } from '../../purchases/item.js';
import { createHubSeller } from './trade.js';
import type { Seller } from '../../purchases/seller.js';
import type { PurchaseStores } from '../../purchases/open-purchases.js';
import type { PurchaseCoordinator } from '../../purchases/purchase-coordinator.js';
import type { Remote } from '../../upstream/remote.js';
import { createGiveBack } from './return-lost.js';

export interface MemberHome {
  readonly belonging: Belonging;
  readonly stores: PurchaseStores;
  readonly clock: Clock;
  readonly log: Log;
  readonly listens: boolean;
}

export interface ConnectedMember {
  readonly seller: Seller;
  readonly remote: Remote;
}

const STICKER = itemOf('');
const CLEAN_EVERY_MS = 60_000;

/** The stores as they are used, and the membership, if the home belongs to one. */
export function connectMember(
  { cacheLimit }: Config,
  { belonging, stores, clock, log, listens }: MemberHome,
  remote: Remote | undefined,
  cleanup: Cleanup,
  coordinator: () => PurchaseCoordinator,
): { readonly stores: PurchaseStores; readonly member: ConnectedMember | undefined } {
  if (belonging.kind !== 'hub' || remote === undefined) return { stores, member: undefined };
  const { token, receipt_key: receiptKey, scope, joined_at: joinedAt } = belonging.membership;
  const trade = { token, keyId: keyIdOf(token), receiptKey, scope, joinedAt: Date.parse(joinedAt) };
  const db = stores.database;
  const settlement = openHubSettlement({
    hub: trade,
    db,
    remote,
    clock,
    log,
    // By the name of that purchase: the hub pays nothing for it again.
    fetch: async ({ item }) => {
      if (!item.startsWith(STICKER)) return;
      await coordinator().buy(stickerItem(item.slice(STICKER.length)), { kind: 'key', key: token });
    },
  });
  cleanup.push(() => settlement.close());
  const cache = openHubCache(db, scope, clock, log);
  const owned = { ...stores.owned, ...cache.noting(stores.owned) };
  if (listens) {
    const timer = setInterval(() => {
      const gone = cache.trim(cacheLimit === undefined ? undefined : cacheLimit * 1_000_000, (item) =>
        stores.owned.forget(item),
      );
      if (gone > 0) log.info('files that the hub can give again were removed', { files: gone });
    }, CLEAN_EVERY_MS).unref();
    cleanup.push(() => clearInterval(timer));
    const giving = createGiveBack({ hub: trade, remote, owned: stores.owned, carrier: stores.carrier, log });
    cleanup.push(() => giving.stop());
  }
  return {
    stores: { ...stores, owned, settlement },
    member: { seller: createHubSeller(trade, stores.journal, log), remote },
  };
}

/** The hub as status and page tell it; null where the home belongs to none. */
export function belongingOf(
  belonging: Belonging,
  { project }: Config,
  refusal: HubBelonging['refusal'],
): HubBelonging | null {
  if (belonging.kind === 'alone') return null;
  if (belonging.kind === 'broken') {
    return { addresses: [], project: null, machine: null, user: null, problem: belonging.error.message, refusal: null };
  }
  const { addresses, project: usual, machine, user } = belonging.membership;
  return { addresses: [...addresses], project: project ?? usual, machine: machine.name, user, problem: null, refusal };
}
