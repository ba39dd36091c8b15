// The rooms of money over a real owned.db in a temporary folder, with a clock the test moves.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../../src/clock.js';
import { silentLog } from '../../src/log.js';
import { createAccountTraffic } from '../../src/purchases/account-traffic.js';
import { openBudget } from '../../src/purchases/budget.js';
import { createCalendar } from '../../src/purchases/calendar.js';
import { openJournal } from '../../src/purchases/journal.js';
import { openOwnedDatabase } from '../../src/purchases/owned-database.js';
import { openOwnedStore } from '../../src/purchases/owned-store.js';
import { createPurchaseDesk } from '../../src/purchases/purchase-desk.js';
import { openSettlement } from '../../src/purchases/settlement.js';

export const GRACE_MS = 1000;

export interface MovableClock extends Clock {
  at: number;
}

/** A clock that stands still until the test moves it. */
export function movableClock(at = Date.UTC(2026, 10, 21, 4)): MovableClock {
  return {
    at,
    now() {
      return this.at;
    },
    monotonic() {
      return this.at;
    },
  };
}

/** Opens a till; `close` removes its folder. */
export function openTill({ clock = movableClock(), timeZone = 'Asia/Shanghai', home = newHome() } = {}) {
  const db = openOwnedDatabase(join(home, 'owned.db'));
  const owned = openOwnedStore(db, 'test', clock, silentLog);
  const budget = openBudget(db, 'test', createCalendar(clock, timeZone));
  const journal = openJournal(db, 'test', clock, budget);
  const traffic = createAccountTraffic();
  const settlement = openSettlement({ db, clock, log: silentLog, traffic, graceMs: GRACE_MS });
  const desk = createPurchaseDesk({ journal, owned, settlement, traffic, log: silentLog });
  const leave = () => {
    settlement.close();
    db.close();
  };
  const close = () => {
    leave();
    rmSync(home, { recursive: true, force: true });
  };
  return { db, clock, home, owned, budget, journal, traffic, settlement, desk, leave, close };
}

export type Till = ReturnType<typeof openTill>;

function newHome(): string {
  return mkdtempSync(join(tmpdir(), 'svcd-till-'));
}
