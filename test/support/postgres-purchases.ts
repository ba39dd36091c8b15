// The money of hubs in a database of their own, on a server that several tests share; each hub has a temporary home.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HubStores } from '../../src/hub/books/hub-stores.js';
import { hubStoresInPostgres } from '../../src/hub/books/postgres-books.js';
import { systemClock } from '../../src/platform/clock.js';
import { openPurchases } from '../../src/purchases/sqlite/open-purchases.js';
import { silentLog } from '../../src/platform/log.js';
import {
  openPostgresPurchases,
  type OpenPostgresOptions,
  type PostgresPurchases as OpenedPurchases,
} from '../../src/purchases/postgres/open-postgres-purchases.js';

/** The test looks itself, so that nothing happens behind its back. */
const NEVER_MS = 2 ** 31 - 1;

export interface PostgresPurchases extends OpenedPurchases {
  readonly openHub: () => HubStores;
}

export interface HubHome {
  readonly folder: string;
  /** Opens the money of this home, as a process of its own would. */
  open(more?: Partial<OpenPostgresOptions>): Promise<PostgresPurchases>;
  remove(): void;
}

/** A hub's home that uses the database of this address. */
export function makeHubHome(url: string): HubHome {
  const folder = mkdtempSync(join(tmpdir(), 'svcd-hub-'));
  const file = join(folder, 'owned.db');
  return {
    folder,
    open: async (more = {}) => {
      const options = {
        openLocal: openPurchases,
        url,
        file,
        marks: { homeFile: `${file}.mark`, outsideFile: undefined },
        notesFile: join(folder, 'notes.db'),
        hubName: 'test',
        version: '0',
        scope: 'test',
        clock: systemClock,
        log: silentLog,
        timeZone: 'Asia/Shanghai',
        graceMs: 1000,
        imageGraceMs: 10_000,
        // What is tested here is seldom the rate.
        pace: { limit: 100_000, windowMs: 61_000 },
        lookEveryMs: NEVER_MS,
        ...more,
      };
      const stores = await openPostgresPurchases(options);
      const hubStores = hubStoresInPostgres(stores.hub, options.clock);
      const close = async () => {
        await hubStores.close();
        await stores.close();
      };
      return { ...stores, openHub: hubStores.get, close };
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
