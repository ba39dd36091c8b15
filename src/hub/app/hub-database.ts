// The PostgreSQL of a hub, where it has one: loaded when it is opened, so that no other daemon's start pays for the driver.

import { join } from 'node:path';
import type { Config } from '../../config/config.js';
import { isSvcdError } from '../../model/errors.js';
import { VERSION } from '../../platform/installation.js';
import type { OpenPurchasesOptions } from '../../purchases/open-purchases.js';
import type { PostgresHub, PostgresPurchases } from '../../purchases/postgres/open-postgres-purchases.js';
import type { LateHubStores } from '../books/hub-stores.js';

export interface HubDatabase {
  /** The money of this hub, and what it keeps besides. Throws `database_away`, `database_newer`, `database_unsafe`. */
  open(
    options: OpenPurchasesOptions,
  ): Promise<{ readonly stores: PostgresPurchases; readonly hubStores: LateHubStores }>;
  /** Where it is, without user and password. */
  place(): string;
  /** What is wrong with it, each with what to do. */
  examine(): Promise<{ readonly why: string; readonly hint?: string | undefined }[]>;
  /** What is open; undefined before. */
  readonly hub: PostgresHub | undefined;
}

export interface HubNames {
  /** What people call this hub. */
  readonly name: string;
  /** Where machines reach it, as other hubs tell them; undefined until it listens. */
  readonly address: () => string | undefined;
}

export function createHubDatabase(config: Config, { name, address }: HubNames): HubDatabase | undefined {
  const { home, hubDatabase: url, hubDatabaseOwner, hubAcceptAsynchronous } = config;
  if (url === undefined) return undefined;
  let hub: PostgresHub | undefined;
  return {
    open: async (options) => {
      const { openPostgresPurchases } = await import('../../purchases/postgres/open-postgres-purchases.js');
      const { hubStoresInPostgres } = await import('../books/postgres-hub-stores.js');
      const stores = await openPostgresPurchases({
        ...options,
        url,
        ownerUrl: hubDatabaseOwner,
        acceptAsynchronous: hubAcceptAsynchronous,
        notesFile: join(home, 'notes.db'),
        hubName: name,
        version: VERSION,
        publicAddress: address,
      });
      ({ hub } = stores);
      return { stores, hubStores: hubStoresInPostgres(hub, options.clock) };
    },
    place: () => (hub?.db.label ?? 'postgres://').replace(/\/\/[^@]*@/, '//'),
    examine: async () => {
      try {
        return (await hub?.findUnsafe()) ?? [];
      } catch (error) {
        if (!isSvcdError(error)) throw error;
        return [{ why: error.message, hint: error.hint }];
      }
    },
    get hub() {
      return hub;
    },
  };
}
