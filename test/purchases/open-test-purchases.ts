// The rooms of money over a real owned.db in a temporary folder, with a clock the test moves.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../../src/platform/clock.js';
import { silentLog } from '../../src/platform/log.js';
import { hubStoresIn, type HubStores } from '../../src/hub/books/hub-stores.js';
import { openPurchases as open } from '../../src/purchases/sqlite/open-purchases.js';
import type { PurchaseStores as OpenedStores } from '../../src/purchases/purchase-stores.js';

export const GRACE_MS = 1000;

export interface MovableClock extends Clock {
  at: number;
  /** By how much somebody set the clock forward; time itself did not pass. */
  setForwardMs: number;
}

/** A clock that stands still until the test moves it. */
export function movableClock(at = Date.UTC(2026, 10, 21, 4)): MovableClock {
  return {
    at,
    setForwardMs: 0,
    now() {
      return this.at + this.setForwardMs;
    },
    monotonic() {
      return this.at;
    },
  };
}

/** Opens stores that remove their folder when closed. */
export function openPurchases({
  clock = movableClock(),
  timeZone = 'Asia/Shanghai',
  home = mkdtempSync(join(tmpdir(), 'svcd-purchases-')),
  cacheOf = undefined as string | undefined,
} = {}): PurchaseStores {
  const file = join(home, 'owned.db');
  const stores = open({
    file,
    marks: { homeFile: `${file}.mark`, outsideFile: undefined },
    scope: 'test',
    clock,
    log: silentLog,
    timeZone,
    graceMs: GRACE_MS,
    cacheOf,
    imageGraceMs: 10 * GRACE_MS,
  });
  const hubStores = hubStoresIn(stores, 'test', clock);
  const close = () => {
    void hubStores.close();
    stores.close();
    rmSync(home, { recursive: true, force: true });
  };
  /** The same file in a new life. */
  const reopen = () => {
    void hubStores.close();
    stores.close();
    return openPurchases({ clock, timeZone, home });
  };
  return { ...stores, openHub: hubStores.get, close, reopen };
}

export interface PurchaseStores extends OpenedStores {
  readonly openHub: () => HubStores;
  readonly reopen: () => PurchaseStores;
}
