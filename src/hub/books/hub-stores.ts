// What a hub keeps besides its purchases: the money by who asked, and its machines. Opened when somebody wants it, over the
// database that the purchases are in.

import type { Clock } from '../../platform/clock.js';
import { hubElsewhere } from '../../purchases/sqlite/cache-of-database.js';
import { openMachineRegister } from '../register/machine-register.js';
import type { MachineRegister } from '../register/machines.js';
import { openHubBooks, type HubBooks } from './hub-books.js';
import type { LocalPurchases } from '../../purchases/purchase-stores.js';

export interface HubStores {
  readonly books: HubBooks;
  readonly machines: MachineRegister;
}

/** Not opened before `get`. */
export interface LateHubStores {
  get(this: void): HubStores;
  close(): Promise<void>;
}

export function openLate(open: () => HubStores): LateHubStores {
  let opened: HubStores | undefined;
  return { get: () => (opened ??= open()), close: async () => opened?.machines.close() };
}

/** Those in owned.db. `get` throws `not_running` where purchases and machines are in a database that is not used now. */
export function hubStoresIn(stores: LocalPurchases, scope: string, clock: Clock): LateHubStores {
  const { elsewhere, database, budget } = stores;
  return openLate(() => {
    if (elsewhere !== undefined) throw hubElsewhere(elsewhere);
    return { books: openHubBooks(database, scope, clock, budget), machines: openMachineRegister(database, clock) };
  });
}
