// What is different in a home that belongs to a hub: purchases are settled by asking it, its library is copied, and what it
// can give again need not stay.

import type { HubBelonging } from '../../api/answers.js';
import type { Config } from '../../config/config.js';
import type { Belonging } from '../../config/membership.js';
import { keyIdOf } from '../../model/spender.js';
import type { Cleanup } from '../../platform/cleanup.js';
import type { Clock } from '../../platform/clock.js';
import type { Log } from '../../platform/log.js';
import { openHubSettlement } from './hub-settlement.js';
import { itemOf, stickerItem } from '../../purchases/item.js';
import { createHubSeller } from './trade.js';
import type { Seller } from '../../purchases/seller.js';
import type { PurchaseCoordinator } from '../../purchases/purchase-coordinator.js';
import type { Remote } from '../../upstream/remote.js';
import { createGiveBack } from './return-lost.js';
import type { PurchaseStores } from '../../purchases/purchase-stores.js';
import type { Database } from '../../platform/open-database.js';
import { type OwnedStore, OF_HUB } from '../../purchases/owned-store.js';

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

interface Row {
  readonly id: number;
  readonly item: string;
  readonly bytes: number;
}

/** Opens the cache of one scope. */
export function openHubCache(db: Database, scope: string, clock: Clock, log: Log) {
  const used = new Map<string, number>();
  const touch = db.prepare(`UPDATE owned SET used_at = ? WHERE scope = ? AND item = ? AND origin = 'hub'`);
  // Only what the journal says a hub made: nothing else can be had again without paying.
  const rows = db.prepare<[string], Row>(
    `SELECT owned.id, owned.item, length(owned.gzip) + coalesce(length(owned.brotli), 0) AS bytes FROM owned
     JOIN purchase ON purchase.id = owned.purchase_id AND purchase.state = 'paid' AND purchase.reason = '${OF_HUB}'
     WHERE owned.scope = ? AND owned.origin = 'hub' AND owned.receipt IS NOT NULL
     ORDER BY coalesce(owned.used_at, owned.kept_at) DESC, owned.id DESC`,
  );
  const remove = db.prepare(`DELETE FROM owned WHERE id = ?`);
  const note = () => {
    for (const [item, at] of used) touch.run(at, scope, item);
  };
  /** Removes what is over the limit from the file. */
  const removeOver = db.transaction((maxBytes: number): readonly Row[] => {
    note();
    const over: Row[] = [];
    let kept = 0;
    for (const row of rows.all(scope)) {
      kept += row.bytes;
      if (kept > maxBytes) over.push(row);
    }
    for (const { id } of over) remove.run(id);
    return over;
  });
  return {
    /** The reading half of a store, which notes what is used. */
    noting: (owned: OwnedStore): Pick<OwnedStore, 'find'> => ({
      find: async (item) => {
        const asset = await owned.find(item);
        if (asset !== undefined) used.set(item, clock.now());
        return asset;
      },
    }),
    /** Removes what is over the limit, and writes down what was used; how many files went. Never throws: a full disk ends nothing. */
    trim: (maxBytes: number | undefined = Infinity, forget: (item: string) => void): number => {
      if (used.size === 0 && maxBytes === Infinity) return 0;
      try {
        const over = removeOver.immediate(maxBytes);
        used.clear();
        for (const { item } of over) forget(item);
        return over.length;
      } catch (error) {
        log.warn('which files of the hub were used could not be written down', { why: String(error) });
        return 0;
      }
    },
  };
}
